import { buildOfThisPage } from '@/lib/build';
import { recoverFromOldBuild } from '@/lib/chunkRecovery';

/** Asks the server for its build: the manifest's `version`. Without a response this build does not count as old. */
async function isOldBuild(): Promise<boolean> {
  const mine = buildOfThisPage();
  if (mine === '') return false;
  try {
    const response = await fetch(`/__manifest?p=/home&version=${encodeURIComponent(mine)}`, { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    const { current } = (await response.json()) as { current?: unknown };
    return current === false;
  } catch {
    return false;
  }
}

/**
 * Loads a part; if it is gone because a new release replaced the files, the page is reloaded once, at the address of `going` or else the current one.
 */
export async function withReload<T>(load: () => Promise<T>, going: () => string | null): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const reload = (): void => {
      const to = going();
      if (to === null) location.reload();
      else location.assign(to);
    };
    const reloading = await recoverFromOldBuild(error, { storage: sessionStorage, now: Date.now, reload, isOldBuild });
    // The page is about to reload; nothing should flash before that.
    if (reloading) return new Promise<never>(() => undefined);
    throw error;
  }
}
