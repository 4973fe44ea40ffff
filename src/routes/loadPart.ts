import { buildOfThisPage } from '@/lib/build';
import { recover } from '@/lib/chunkRecovery';

/** Asks the server which build it serves; the manifest's `version` is that. No answer: not known to be old. */
async function isOldBuild(): Promise<boolean> {
  const mine = buildOfThisPage();
  if (mine === '') return false;
  try {
    const answer = await fetch(`/__manifest?p=/home&version=${encodeURIComponent(mine)}`, { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    const { current } = (await answer.json()) as { current?: unknown };
    return current === false;
  } catch {
    return false;
  }
}

/** Loads a part; when it is gone because a new release replaced the files, the page is loaded anew, once. */
export async function withReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const reloading = await recover(error, { storage: sessionStorage, now: Date.now, reload: () => location.reload(), isOldBuild });
    // The page is about to go; nothing should flash before it does.
    if (reloading) return new Promise<never>(() => undefined);
    throw error;
  }
}
