import { flushSync } from 'react-dom';

/**
 * Removes the row of a list that contains `button`, and moves the focus to the last button of the row that takes its place, else of the one before.
 * Returns false if no such row is left: the caller has to place the focus.
 */
export function removeRow(button: HTMLElement, remove: () => void): boolean {
  const row = button.closest('li, tr');
  const list = row?.parentElement ?? null;
  const at = row === null || list === null ? -1 : [...list.children].indexOf(row);
  flushSync(remove);
  if (list === null || !list.isConnected) return false;
  const next = list.children[at] ?? list.children[at - 1];
  const target = [...(next?.querySelectorAll('button') ?? [])].at(-1);
  target?.focus();
  return target !== undefined;
}
