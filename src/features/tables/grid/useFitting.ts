import type { RefObject } from 'react';
import { leastWidth } from './columns';

const most = 600;
/** At the right of the content, px: as much as at its left. */
const padding = 10;

/** Makes a column as wide as what is drawn of it needs. */
export const useFitting =
  (scroller: RefObject<HTMLElement | null>, onWidth: ((column: string, width: number) => void) | undefined) =>
  (column: string): void => {
    const element = scroller.current;
    const head = [...(element?.querySelectorAll<HTMLElement>('[data-hcol]') ?? [])].find((one) => one.dataset['column'] === column);
    if (!element || !head) return;
    const cells = [head, ...element.querySelectorAll<HTMLElement>(`[data-line] [data-col="${head.dataset['hcol'] ?? ''}"]`)];
    const before = cells.map((cell) => cell.style.width);
    // Measured in one go: as narrow as may be, what overflows is the width that the content has.
    for (const cell of cells) {
      cell.classList.add('g-fitting');
      cell.style.width = '1px';
    }
    const needed = Math.max(0, ...cells.map((cell) => cell.scrollWidth));
    for (const [place, cell] of cells.entries()) {
      cell.classList.remove('g-fitting');
      cell.style.width = before[place] ?? '';
    }
    onWidth?.(column, Math.max(leastWidth, Math.min(most, needed + padding)));
  };
