import { useEffect, useEffectEvent, useRef } from 'react';
import type { DisplayRows } from './displayRows';
import type { RowSource } from './types';
import type { RenderWindow } from './viewport';

/** Pause in scrolling, ms, after which the visible rows are requested. */
const pauseMs = 90;
/** ms between requests during slow scrolling, so that each window overlaps the previous one. */
const slowScrollMs = 160;

/** Indexes of the first and last rows in the window, without group headings; null where it has no rows. */
function rowRange(displayRows: DisplayRows, first: number, last: number): { readonly from: number; readonly to: number } | null {
  let from = Infinity;
  let to = -1;
  for (let displayIndex = first; displayIndex < last; displayIndex += 1) {
    const displayed = displayRows.at(displayIndex);
    if (displayed?.kind !== 'row') continue;
    from = Math.min(from, displayed.index);
    to = Math.max(to, displayed.index + 1);
  }
  return to > 0 ? { from, to } : null;
}

/** Requests the visible rows from the source once scrolling slows down: rows that scroll past quickly are never requested. */
export function useRequestedRows(source: RowSource, displayRows: DisplayRows, { first, last }: RenderWindow, version: unknown): void {
  const timer = useRef(0);
  const requested = useRef({ first: -1, last: -1, time: -Infinity });
  const request = useEffectEvent(() => {
    requested.current = { first, last, time: performance.now() };
    const range = rowRange(displayRows, first, last);
    if (range) source.want(range.from, range.to);
  });
  const schedule = useEffectEvent(() => {
    clearTimeout(timer.current);
    const before = requested.current;
    const isSlow = first < before.last && last > before.first && performance.now() - before.time > slowScrollMs;
    if (before.first === -1 || isSlow) request();
    else timer.current = window.setTimeout(() => request(), pauseMs);
  });
  useEffect(() => schedule(), [source, displayRows, first, last]);
  // Loaded rows may have been dropped, e.g. after a change of the order.
  const requestMissing = useEffectEvent(() => {
    for (let displayIndex = first; displayIndex < last; displayIndex += 1) {
      const displayed = displayRows.at(displayIndex);
      if (displayed?.kind === 'row' && source.row(displayed.index) === undefined) return schedule();
    }
  });
  useEffect(() => requestMissing(), [version]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
