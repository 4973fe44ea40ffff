const fields = 'input:enabled:not([type="hidden"]), textarea:enabled, select:enabled, [contenteditable="true"]';

/** A `ref` for a form whose editors may load lazily: the first field is focused as soon as it is rendered. */
export function focusFirstField(form: HTMLElement | null): (() => void) | undefined {
  if (!form) return undefined;
  const focusFirst = (): boolean => {
    const first = form.querySelector<HTMLElement>(fields);
    // Does not steal the focus from another field of the form.
    if (first && !form.contains(document.activeElement)) first.focus();
    return first !== null;
  };
  if (focusFirst()) return undefined;
  const observer = new MutationObserver(() => {
    if (focusFirst()) observer.disconnect();
  });
  observer.observe(form, { childList: true, subtree: true });
  return () => observer.disconnect();
}
