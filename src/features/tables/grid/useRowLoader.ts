import { useRef } from 'react';
import { indexesOf, maxGestureRows, rowsAt } from './gestureRows';
import type { Rows } from './gestureRows';
import type { GridModel } from './gridModel';
import type { Range } from './selection';
import type { GridRow } from './types';

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Provides gestures with the rows they apply to. A new gesture aborts the loading of the previous one. */
export function useRowLoader({ props, labels, displayRows }: GridModel) {
  const { source, onNotice } = props;
  const running = useRef<AbortController | null>(null);

  const notifyTooMany = (): void => onNotice?.(labels.t('tooMany', { limit: labels.number(maxGestureRows) }));
  /** The rows at these indexes, synchronously where all are loaded. */
  const load = (indexes: readonly number[]): { rows: readonly GridRow[] | Promise<readonly GridRow[]>; signal: AbortSignal } => {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    return { rows: rowsAt(source, indexes, signal), signal };
  };
  /** Runs with the rows of a range; a notice reports why it does not. */
  const withRows = (range: Pick<Range, 'top' | 'bottom'>, run: (found: Rows) => void): void => {
    const indexes = indexesOf(displayRows, range);
    if (indexes === null) return notifyTooMany();
    const { rows, signal } = load(indexes);
    if (!(rows instanceof Promise)) return run({ rows, indexes });
    rows
      .then((found) => {
        if (!signal.aborted) run({ rows: found, indexes });
      })
      .catch((error: unknown) => {
        if (!signal.aborted) onNotice?.(labels.t('loadFailed', { reason: reasonOf(error) }));
      });
  };
  return { load, withRows, notifyTooMany };
}
export type RowLoader = ReturnType<typeof useRowLoader>;
