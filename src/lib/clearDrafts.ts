/** Names of drafts in the storage of the tab, or of the browser where all tabs share one, begin with this. */
export const draftPrefix = 'console:draft:';
/** When somebody signed out: a tab that slept meanwhile does not show its drafts of before. */
export const clearedName = 'console:drafts-cleared';

/** After a sign-out, in every tab: clears the drafts of every person from before. A tab that slept learns of it late, when there may be drafts of the next session. */
export function clearDrafts(at = Date.now()): void {
  try {
    for (const storage of [sessionStorage, localStorage])
      for (const name of Object.keys(storage)) {
        const isNewer = Number(/"at":(\d+)/.exec(String(storage.getItem(name)))?.[1]) > at;
        if (name.startsWith(draftPrefix) && !isNewer) storage.removeItem(name);
      }
    localStorage.setItem(clearedName, String(Math.max(at, Number(localStorage.getItem(clearedName)))));
  } catch {
    // Without storage nothing was stored.
  }
}
