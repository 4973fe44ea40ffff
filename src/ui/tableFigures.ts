import type { KeyboardEvent } from 'react';

const figuresOf = (row: Element | null | undefined): HTMLElement[] => [...(row?.querySelectorAll<HTMLElement>('.figure') ?? [])];
const nextRow = (row: Element, forward: boolean): Element | null => {
  let next: Element | null = row;
  do next = forward ? next.nextElementSibling : next.previousElementSibling;
  while (next !== null && figuresOf(next).length === 0);
  return next;
};

/**
 * Keyboard access to a table's figures: the right arrow enters a row's figures, arrows move among them, the left arrow returns. Figures are not in
 * the Tab order (except the first total), because there are hundreds. Returns whether the key was handled.
 */
export function moveAmongFigures(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const row = target.closest('tr');
  if (row === null) return false;
  const figures = figuresOf(row);
  if (target.dataset['row'] !== undefined) {
    if (event.key !== 'ArrowRight') return false;
    figures[0]?.focus();
    return true;
  }
  const at = figures.indexOf(target);
  if (at < 0) return false;
  const rowButton = row.querySelector<HTMLElement>('[data-row]');
  const to: Record<string, () => HTMLElement | null | undefined> = {
    ArrowRight: () => figures[at + 1],
    ArrowLeft: () => figures[at - 1] ?? rowButton,
    ArrowDown: () => figuresOf(nextRow(row, true))[at],
    ArrowUp: () => figuresOf(nextRow(row, false))[at],
    Home: () => figures[0],
    End: () => figures.at(-1),
  };
  const move = to[event.key];
  if (move === undefined) return false;
  move()?.focus();
  return true;
}
