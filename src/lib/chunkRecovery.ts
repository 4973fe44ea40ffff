/** A part of the console that failed to load: a script (`ChunkLoadError`) or a stylesheet (`CSS_CHUNK_LOAD_FAILED`), failed or later than 120 s. */
export type PartFailure = { readonly name: 'ChunkLoadError' | 'CSS_CHUNK_LOAD_FAILED'; readonly late: boolean; readonly request: string };

type Thrown = { name?: unknown; code?: unknown; type?: unknown; request?: unknown; message?: unknown };

/** null for any other error. Webpack marks scripts by the error's name and stylesheets by its code. */
export function partFailure(error: unknown): PartFailure | null {
  if (typeof error !== 'object' || error === null) return null;
  const { name, code, type, request, message } = error as Thrown;
  const style = code === 'CSS_CHUNK_LOAD_FAILED';
  if (!style && name !== 'ChunkLoadError') return null;
  return {
    name: style ? 'CSS_CHUNK_LOAD_FAILED' : 'ChunkLoadError',
    late: type === 'timeout' || (typeof message === 'string' && /timeout/i.test(message)),
    request: typeof request === 'string' ? request : '',
  };
}

const storageKey = 'console:reloadedAt';
/** At most one automatic reload in this time, so that a broken release does not reload forever. */
export const reloadPauseMs = 60_000;

export const mayReload = (lastAt: number | null, now: number): boolean => lastAt === null || now - lastAt >= reloadPauseMs;

type Guard = { storage: Pick<Storage, 'getItem' | 'setItem'>; now: () => number; reload: () => void; isOldBuild: () => Promise<boolean> };

/**
 * After a part failed to load: reloads if the server has another build and no reload happened within the last minute. True if a reload was started. A
 * browser without storage never reloads automatically.
 */
export async function recoverFromOldBuild(error: unknown, guard: Guard): Promise<boolean> {
  if (!partFailure(error) || !(await guard.isOldBuild())) return false;
  try {
    const stored = guard.storage.getItem(storageKey);
    if (!mayReload(stored === null ? null : Number(stored), guard.now())) return false;
    guard.storage.setItem(storageKey, String(guard.now()));
    // Read back: some private modes accept the write and discard it.
    if (guard.storage.getItem(storageKey) === null) return false;
  } catch {
    return false;
  }
  guard.reload();
  return true;
}
