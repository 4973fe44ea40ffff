/** A part of the console that did not arrive: a script (`ChunkLoadError`) or a style part (`CSS_CHUNK_LOAD_FAILED`), failed or later than 120 s. */
export type PartFailure = { readonly name: 'ChunkLoadError' | 'CSS_CHUNK_LOAD_FAILED'; readonly late: boolean; readonly request: string };

type Thrown = { name?: unknown; code?: unknown; type?: unknown; request?: unknown; message?: unknown };

/** null for anything that is not a part's failure. Webpack marks scripts by the error's name and style parts by its code. */
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
/** One reload by itself in this time, so that a broken release does not reload forever. */
export const reloadPauseMs = 60_000;

export const mayReload = (lastAt: number | null, now: number): boolean => lastAt === null || now - lastAt >= reloadPauseMs;

type Guard = { storage: Pick<Storage, 'getItem' | 'setItem'>; now: () => number; reload: () => void; isOldBuild: () => Promise<boolean> };

/**
 * After a part's failure: reloads when another build is served now and no reload happened within the last minute. True when a reload was
 * started. A browser that cannot remember (storage throws) never reloads by itself.
 */
export async function recover(error: unknown, guard: Guard): Promise<boolean> {
  if (!partFailure(error) || !(await guard.isOldBuild())) return false;
  try {
    const stored = guard.storage.getItem(storageKey);
    if (!mayReload(stored === null ? null : Number(stored), guard.now())) return false;
    guard.storage.setItem(storageKey, String(guard.now()));
    // Read back: some private modes accept and forget.
    if (guard.storage.getItem(storageKey) === null) return false;
  } catch {
    return false;
  }
  guard.reload();
  return true;
}
