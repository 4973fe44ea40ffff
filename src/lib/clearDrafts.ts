/** Names of drafts in the storage of the tab, or of the browser where all tabs share one, begin with this. */
export const draftPrefix = 'console:draft:';
/** When somebody signed out: a tab that slept meanwhile does not show its drafts of before. */
export const clearedName = 'console:drafts-cleared';

/** At sign-out, in every tab: clears all drafts of every person. */
export function clearDrafts(): void {
  try {
    for (const storage of [sessionStorage, localStorage]) for (const name of Object.keys(storage)) if (name.startsWith(draftPrefix)) storage.removeItem(name);
    localStorage.setItem(clearedName, String(Date.now()));
  } catch {
    // Without storage nothing was stored.
  }
}
