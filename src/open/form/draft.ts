import type { AllTyped } from './typed';

/**
 * A visitor's unsent input, stored only in this tab, so that it survives a reload but not the tab on a shared computer. `key`: of a send with an unknown
 * result; sending again with it creates no second record. `text`: the input as text, to copy if the form has ended meanwhile.
 */
export type Draft = { readonly typed: AllTyped; readonly key: string | null; readonly text: string };

const draftKey = (name: string): string => `form-draft ${name}`;
const sentKey = (name: string): string => `form-sent ${name}`;

/** Frames of other sites may have no storage: nothing is stored then, and the form still works. */
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

/** Whether this browser has sent the form, for forms that accept one answer. */
export const wasSent = (name: string): boolean => quietly(() => localStorage.getItem(sentKey(name))) !== null;
export const noteSent = (name: string): void => void quietly(() => localStorage.setItem(sentKey(name), '1'));
