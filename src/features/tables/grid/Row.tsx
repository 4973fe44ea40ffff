import { memo } from 'react';
import type { ReactNode } from 'react';
import type { ColumnLayout, PlacedColumn } from './columnLayout';
import type { CellMark, GridGroup, GridRow, RowHeight } from './types';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import type { GridLabels } from './useGridLabels';

/** Props shared by all rows; the same object until one of them changes. */
export type RowOptions = {
  readonly id: string;
  readonly height: RowHeight;
  readonly checks: boolean;
  readonly opens: boolean;
  readonly moves: boolean;
  readonly labels: GridLabels;
};

/** Id of the active cell, which the focused field references. */
export const cellId = (grid: string, displayIndex: number, col: number): string => `${grid}-${String(displayIndex)}-${String(col)}`;

const Cell = memo(
  ({ placed, row, mark, active, options }: { placed: PlacedColumn; row: GridRow; mark: CellMark | undefined; active: string | null; options: RowOptions }) => {
    const { column, left, width, at } = placed;
    return (
      <div
        role="gridcell"
        className={column.align === 'right' ? 'g-cell g-right' : 'g-cell'}
        data-col={at}
        aria-colindex={at + 2}
        {...(active === null ? {} : { id: active })}
        {...(column.edit === 'none' || row.locked === true ? { 'aria-readonly': true } : {})}
        {...(mark?.error === undefined ? {} : { 'aria-invalid': true, title: mark.error })}
        {...(mark?.saving ? { 'aria-busy': true } : {})}
        style={{ left, width }}
      >
        <column.View value={row.values[column.id] ?? null} row={row} column={column} height={options.height} />
        {mark?.error !== undefined && (
          <span className="g-error">
            <span className="only-read">{mark.error}</span>
          </span>
        )}
        {mark?.saving && <span className="g-saving" aria-hidden="true" title={options.labels.saving} />}
      </div>
    );
  },
);

/** Placeholders for the cells of a row that is not loaded yet. All such rows share the same elements, so that React compares nothing during fast scrolling. */
export const waitingCells = (layout: ColumnLayout, from: number, to: number, active: number | null = null, id = ''): ReactNode =>
  layout.all
    .slice(from, to)
    .map(({ column, at, left, width }) => (
      <div
        key={column.id}
        role="gridcell"
        className="g-cell g-wait"
        data-col={at}
        aria-colindex={at + 2}
        {...(at === active ? { id } : {})}
        style={{ left, width }}
      />
    ));
export type Placeholders = { readonly pins: ReactNode; readonly rest: ReactNode };

type RowProps = {
  displayIndex: number;
  index: number;
  top: number;
  rowHeight: number;
  row: GridRow | undefined;
  layout: ColumnLayout;
  colFirst: number;
  colLast: number;
  /** The active column, if the active cell is in this row. */
  active: number | null;
  checked: boolean;
  placeholders: Placeholders;
  options: RowOptions;
};

/** One row of cells. Renders again only when its row, its position or the columns change. */
export const Row = memo(({ displayIndex, index, top, rowHeight, row, layout, colFirst, colLast, active, checked, placeholders, options }: RowProps) => {
  const { labels } = options;
  const n = row?.number ?? index + 1;
  const cells = (from: number, to: number, wait: ReactNode) =>
    row
      ? layout.all
          .slice(from, to)
          .map((placed) => (
            <Cell
              key={placed.column.id}
              placed={placed}
              row={row}
              mark={row.marks?.[placed.column.id]}
              active={placed.at === active ? cellId(options.id, displayIndex, placed.at) : null}
              options={options}
            />
          ))
      : active === null
        ? wait
        : waitingCells(layout, from, to, active, cellId(options.id, displayIndex, active));
  return (
    <div
      role="row"
      className={checked ? 'g-row g-checked' : 'g-row'}
      data-line={displayIndex}
      aria-rowindex={displayIndex + 2}
      {...(row ? {} : { 'aria-busy': true })}
      style={{ top, height: rowHeight }}
    >
      <div role="presentation" className="g-pins" style={{ width: layout.pinned }}>
        <div role="rowheader" className="g-rowhead" data-rowhead aria-colindex={1} style={{ width: layout.head }}>
          {row?.stripe && (
            <span className="g-stripe" style={{ background: row.stripe.color }} title={row.stripe.name}>
              <span className="only-read">{labels.stripe(row.stripe.name)}</span>
            </span>
          )}
          {options.moves && row && (
            <span className="g-grip" data-grip title={labels.drag} aria-hidden="true">
              ⠿
            </span>
          )}
          <span className="g-number">
            <span className="only-read">{row ? labels.row(n) : labels.rowLoading(n)}</span>
            <span aria-hidden="true">{n}</span>
          </span>
          {options.checks && row && (
            <input type="checkbox" className="g-check" data-check tabIndex={-1} checked={checked} readOnly aria-label={labels.check(n)} />
          )}
          {options.opens && row && (
            <button type="button" className="g-open" data-open tabIndex={-1} aria-label={labels.open} title={labels.open}>
              <Caret to="right" />
            </button>
          )}
        </div>
        {cells(0, layout.pins, placeholders.pins)}
      </div>
      {cells(colFirst, colLast, placeholders.rest)}
    </div>
  );
});

type GroupProps = {
  displayIndex: number;
  top: number;
  rowHeight: number;
  group: GridGroup;
  folded: boolean;
  layout: ColumnLayout;
  colFirst: number;
  colLast: number;
  active: boolean;
  adds: boolean;
  options: RowOptions;
};

/** The heading of a group, which folds the rows below it. */
export const GroupRow = memo(({ displayIndex, top, rowHeight, group, folded, layout, colFirst, colLast, active, adds, options }: GroupProps) => {
  const { labels } = options;
  return (
    <div
      role="row"
      className="g-row g-group"
      data-line={displayIndex}
      data-group={group.id}
      aria-rowindex={displayIndex + 2}
      style={{ top, height: rowHeight }}
    >
      <div
        role="gridcell"
        className="g-pins g-grouphead"
        data-col={0}
        aria-colindex={1}
        aria-colspan={layout.all.length + 1}
        aria-expanded={!folded}
        {...(active ? { id: cellId(options.id, displayIndex, 0) } : {})}
        style={{ minWidth: layout.pinned, paddingLeft: 8 + group.depth * 20 }}
      >
        <button type="button" className="g-fold" data-fold tabIndex={-1} aria-label={folded ? labels.unfold(group.name) : labels.fold(group.name)}>
          <Caret to="right" />
        </button>
        <span className="g-grouplabel">{group.label}</span>
        <span className="g-count">{labels.count(group.count)}</span>
        {adds && (
          <button type="button" className="g-groupadd" data-groupadd tabIndex={-1} aria-label={labels.addRowTo(group.name)} title={labels.addRowTo(group.name)}>
            <Icon name="plus" size={14} />
          </button>
        )}
      </div>
      {group.footers &&
        layout.all.slice(colFirst, colLast).map(({ column, left, width }) => {
          const text = group.footers?.[column.id];
          return text === undefined ? null : (
            <span key={column.id} className="g-cell g-groupfoot" aria-hidden="true" style={{ left, width }}>
              {text}
            </span>
          );
        })}
    </div>
  );
});
