import type { RefObject } from 'react';
import { minWidth } from './columnLayout';

const most = 600;
/** Padding at the right of the content, px; the same as at the left. */
const padding = 10;

/** Fits a column's width to its rendered content. */
export const fitColumn =
  (scroller: RefObject<HTMLElement | null>, onWidth: ((column: string, width: number) => void) | undefined) =>
  (column: string): void => {
    const element = scroller.current;
    const head = [...(element?.querySelectorAll<HTMLElement>('[data-hcol]') ?? [])].find((one) => one.dataset['column'] === column);
    if (!element || !head) return;
    const cells = [head, ...element.querySelectorAll<HTMLElement>(`[data-line] [data-col="${head.dataset['hcol'] ?? ''}"]`)];
    const before = cells.map((cell) => cell.style.width);
    // All cells are measured in one layout, at minimum width: the width of the overflow is that of the content.
    for (const cell of cells) {
      cell.classList.add('g-fitting');
      cell.style.width = '1px';
    }
    const needed = Math.max(0, ...cells.map((cell) => cell.scrollWidth));
    for (const [place, cell] of cells.entries()) {
      cell.classList.remove('g-fitting');
      cell.style.width = before[place] ?? '';
    }
    onWidth?.(column, Math.max(minWidth, Math.min(most, needed + padding)));
  };
