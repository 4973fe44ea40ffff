const fields = 'input:enabled:not([type="hidden"]), textarea:enabled, select:enabled, [contenteditable="true"]';

/** A `ref` of a form whose editors may come with a part of their own: the first field is focused as soon as it is there. */
export function focusFirstField(form: HTMLElement | null): (() => void) | undefined {
  if (!form) return undefined;
  const focusFirst = (): boolean => {
    const first = form.querySelector<HTMLElement>(fields);
    // Whoever has begun elsewhere in the form is not interrupted.
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
