import { draftPrefix } from '@/lib/clearDrafts';

const prefix = `${draftPrefix}reply:`;
/** Milliseconds after which an unsent reply is forgotten. */
const maxAgeMs = 14 * 24 * 3600 * 1000;

export type ReplyDraft = { readonly text: string; readonly note: boolean };

const nameOf = (userId: string, conversation: string): string => `${prefix}${userId}:${conversation}`;

/** Stores an unsent reply in the browser, where it outlives the tab until somebody signs out; an empty one is removed. */
export function storeReplyDraft(userId: string, conversation: string, draft: ReplyDraft): void {
  // Nobody is signed in any more.
  if (userId === '') return;
  try {
    const name = nameOf(userId, conversation);
    if (draft.text.trim() === '') localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify({ ...draft, at: Date.now() }));
  } catch {
    // Full or blocked: the composer itself has the text.
  }
}

type Stored = ReplyDraft & { readonly at: number };

/** Null if there is none, or it is too old. */
function read(name: string): Stored | null {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? 'null') as Stored | null;
    return stored !== null && Date.now() - stored.at < maxAgeMs ? stored : null;
  } catch {
    return null;
  }
}

export function readReplyDraft(userId: string, conversation: string): ReplyDraft | null {
  const stored = read(nameOf(userId, conversation));
  return stored && { text: stored.text, note: stored.note };
}

/** Removes the unsent replies that are too old. */
export function forgetOldReplyDrafts(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix) && !read(name)) localStorage.removeItem(name);
  } catch {
    // Without storage nothing was stored.
  }
}
