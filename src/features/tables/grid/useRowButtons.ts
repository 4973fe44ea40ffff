import { useRef } from 'react';
import type { MouseEvent } from 'react';
import type { GridModel } from './gridModel';
import { hitTest } from './hitTest';

/** Buttons and check boxes in rows: one click listener for all of them. */
export function useRowButtons({ props, displayRows }: GridModel) {
  const { source } = props;
  const lastChecked = useRef<number | null>(null);

  /** Checks or unchecks the row at `index`, with Shift all rows from the last one that was checked. */
  const check = (index: number, rowId: string, extend: boolean): void => {
    const on = !(props.checkedAll === true || props.checked?.has(rowId) === true);
    const from = extend ? (lastChecked.current ?? index) : index;
    lastChecked.current = index;
    const ids: string[] = [];
    for (let at = Math.min(from, index); at <= Math.max(from, index); at += 1) {
      const row = source.row(at);
      if (row) ids.push(row.id);
    }
    props.onCheck?.(ids, on);
  };

  return (event: MouseEvent<HTMLDivElement>): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const { displayIndex } = hitTest(target);
    const displayed = displayIndex === null ? null : displayRows.at(displayIndex);
    if (!displayed) return;
    if (displayed.kind === 'group') {
      const { group, folded } = displayed;
      if (target.closest('[data-fold]')) props.onFold?.(group.id, !folded);
      else if (target.closest('[data-groupadd]')) props.onAddRow?.(group.first + group.count - 1, group.id);
      return;
    }
    const row = source.row(displayed.index);
    if (!row) return;
    if (target.closest('[data-open]')) props.onOpen?.(row, displayed.index);
    if (target.closest('[data-check]')) check(displayed.index, row.id, event.shiftKey);
  };
}
