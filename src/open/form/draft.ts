import type { AllTyped } from './typed';

/**
 * What a visitor has typed, until it has been sent: kept in this tab alone, so that it is there after a reload and gone with the tab of a computer that many use. `key`: of
 * a send that nobody knows the end of; sent again with it, it makes no second record. `text`: the same for people, to be copied when the form has ended meanwhile.
 */
export type Draft = { readonly typed: AllTyped; readonly key: string | null; readonly text: string };

const draftKey = (name: string): string => `form-draft ${name}`;
const sentKey = (name: string): string => `form-sent ${name}`;

/** Frames of other sites may have no storage: then nothing is kept, and the form works all the same. */
function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

export const keptDraft = (name: string): Draft | null =>
  quietly(() => {
    const text = sessionStorage.getItem(draftKey(name));
    return text === null ? null : (JSON.parse(text) as Draft);
  });
export const keepDraft = (name: string, draft: Draft): void => void quietly(() => sessionStorage.setItem(draftKey(name), JSON.stringify(draft)));
export const dropDraft = (name: string): void => void quietly(() => sessionStorage.removeItem(draftKey(name)));

/** Whether this browser has sent the form, for those that are asked for once. */
export const wasSent = (name: string): boolean => quietly(() => localStorage.getItem(sentKey(name))) !== null;
export const noteSent = (name: string): void => void quietly(() => localStorage.setItem(sentKey(name), '1'));
