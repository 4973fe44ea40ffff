import type { AllTyped } from './typed';

/**
 * A visitor's unsent input, stored only in this tab, so that it survives a reload but not the tab on a shared computer. `key`: of a send with an unknown
 * result; sending again with it creates no second record. `text`: the input as text, to copy if the form has ended meanwhile.
 */
export type Draft = { readonly typed: AllTyped; readonly key: string | null; readonly text: string };

const draftKey = (name: string): string => `form-draft ${name}`;
const sentKey = (name: string): string => `form-sent ${name}`;

/** Frames of other sites may have no storage: nothing is stored then, and the form still works. */
function withStorage<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

export const storedDraft = (name: string): Draft | null =>
  withStorage(() => {
    const text = sessionStorage.getItem(draftKey(name));
    return text === null ? null : (JSON.parse(text) as Draft);
  });
export const storeDraft = (name: string, draft: Draft): void => void withStorage(() => sessionStorage.setItem(draftKey(name), JSON.stringify(draft)));
export const dropDraft = (name: string): void => void withStorage(() => sessionStorage.removeItem(draftKey(name)));

/** Whether this browser has sent the form, for forms that accept one answer. */
export const wasSent = (name: string): boolean => withStorage(() => localStorage.getItem(sentKey(name))) !== null;
export const markSent = (name: string): void => void withStorage(() => localStorage.setItem(sentKey(name), '1'));
