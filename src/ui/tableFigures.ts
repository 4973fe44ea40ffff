import type { KeyboardEvent } from 'react';

const figuresOf = (row: Element | null | undefined): HTMLElement[] => [...(row?.querySelectorAll<HTMLElement>('.figure') ?? [])];
const nextRow = (row: Element, forward: boolean): Element | null => {
  let next: Element | null = row;
  do next = forward ? next.nextElementSibling : next.previousElementSibling;
  while (next !== null && figuresOf(next).length === 0);
  return next;
};

/**
 * The way of the keyboard to a table's figures: the right arrow goes from a row into its figures, arrows go on among them, the left arrow leads back.
 * Figures are left out of the Tab order (but for the first total), for there are hundreds. Returns whether the key was one of these.
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
