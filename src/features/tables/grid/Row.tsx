import { memo } from 'react';
import type { ReactNode } from 'react';
import type { ColumnLayout, Placed } from './columns';
import type { CellMark, GridGroup, GridRow, RowHeight } from './types';
import { Icon } from '@/ui/Icon';
import type { GridWords } from './useGridWords';

/** What holds for all rows; the same object as long as nothing of it changes. */
export type RowOptions = {
  readonly id: string;
  readonly height: RowHeight;
  readonly checks: boolean;
  readonly opens: boolean;
  readonly moves: boolean;
  readonly words: GridWords;
};

/** Id of the cell that is active: what the field with the focus points at. */
export const cellId = (grid: string, line: number, col: number): string => `${grid}-${String(line)}-${String(col)}`;

const Cell = memo(
  ({ placed, row, mark, active, options }: { placed: Placed; row: GridRow; mark: CellMark | undefined; active: string | null; options: RowOptions }) => {
    const { column, left, width, at } = placed;
    return (
      <div
        role="gridcell"
        className={column.align === 'right' ? 'g-cell g-right' : 'g-cell'}
        data-col={at}
        aria-colindex={at + 2}
        {...(active === null ? {} : { id: active })}
        {...(column.edit === 'none' || row.locked === true ? { 'aria-readonly': true } : {})}
        {...(mark?.fault === undefined ? {} : { 'aria-invalid': true, title: mark.fault })}
        {...(mark?.saving ? { 'aria-busy': true } : {})}
        style={{ left, width }}
      >
        <column.View value={row.values[column.id] ?? null} row={row} column={column} height={options.height} />
        {mark?.fault !== undefined && (
          <span className="g-fault">
            <span className="only-read">{mark.fault}</span>
          </span>
        )}
        {mark?.saving && <span className="g-saving" aria-hidden="true" title={options.words.saving} />}
      </div>
    );
  },
);

/** Placeholders of the height of a line. The same ones stand in all rows that are not known: nothing is compared while the scroll bar flies past them. */
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
export type Waits = { readonly pins: ReactNode; readonly rest: ReactNode };

type RowProps = {
  line: number;
  index: number;
  top: number;
  lineHeight: number;
  row: GridRow | undefined;
  layout: ColumnLayout;
  colFirst: number;
  colLast: number;
  /** Place of the active column, where this is the active line. */
  active: number | null;
  checked: boolean;
  waits: Waits;
  options: RowOptions;
};

/** One line of cells. Drawn again only when its own row, its place or the columns change. */
export const Row = memo(({ line, index, top, lineHeight, row, layout, colFirst, colLast, active, checked, waits, options }: RowProps) => {
  const { words } = options;
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
              active={placed.at === active ? cellId(options.id, line, placed.at) : null}
              options={options}
            />
          ))
      : active === null
        ? wait
        : waitingCells(layout, from, to, active, cellId(options.id, line, active));
  return (
    <div
      role="row"
      className={checked ? 'g-row g-checked' : 'g-row'}
      data-line={line}
      aria-rowindex={line + 2}
      {...(row ? {} : { 'aria-busy': true })}
      style={{ top, height: lineHeight }}
    >
      <div role="presentation" className="g-pins" style={{ width: layout.pinned }}>
        <div role="rowheader" className="g-rowhead" data-rowhead aria-colindex={1} style={{ width: layout.head }}>
          {row?.stripe && (
            <span className="g-stripe" style={{ background: row.stripe.color }} title={row.stripe.name}>
              <span className="only-read">{words.stripe(row.stripe.name)}</span>
            </span>
          )}
          {options.moves && row && (
            <span className="g-grip" data-grip title={words.drag} aria-hidden="true">
              ⠿
            </span>
          )}
          <span className="g-number">
            <span className="only-read">{row ? words.row(n) : words.rowLoading(n)}</span>
            <span aria-hidden="true">{n}</span>
          </span>
          {options.checks && row && (
            <input type="checkbox" className="g-check" data-check tabIndex={-1} checked={checked} readOnly aria-label={words.check(n)} />
          )}
          {options.opens && row && (
            <button type="button" className="g-open" data-open tabIndex={-1} aria-label={words.open} title={words.open}>
              <Icon name="right" size={14} />
            </button>
          )}
        </div>
        {cells(0, layout.pins, waits.pins)}
      </div>
      {cells(colFirst, colLast, waits.rest)}
    </div>
  );
});

type GroupProps = {
  line: number;
  top: number;
  lineHeight: number;
  group: GridGroup;
  folded: boolean;
  layout: ColumnLayout;
  colFirst: number;
  colLast: number;
  active: boolean;
  adds: boolean;
  options: RowOptions;
};

/** The heading of a group: folds what is below it. */
export const GroupRow = memo(({ line, top, lineHeight, group, folded, layout, colFirst, colLast, active, adds, options }: GroupProps) => {
  const { words } = options;
  return (
    <div role="row" className="g-row g-group" data-line={line} data-group={group.id} aria-rowindex={line + 2} style={{ top, height: lineHeight }}>
      <div
        role="gridcell"
        className="g-pins g-grouphead"
        data-col={0}
        aria-colindex={1}
        aria-colspan={layout.all.length + 1}
        aria-expanded={!folded}
        {...(active ? { id: cellId(options.id, line, 0) } : {})}
        style={{ minWidth: layout.pinned, paddingLeft: 8 + group.depth * 20 }}
      >
        <button type="button" className="g-fold" data-fold tabIndex={-1} aria-label={folded ? words.unfold(group.name) : words.fold(group.name)}>
          <Icon name="right" size={14} />
        </button>
        <span className="g-grouplabel">{group.label}</span>
        <span className="g-count">{words.count(group.count)}</span>
        {adds && (
          <button type="button" className="g-groupadd" data-groupadd tabIndex={-1} aria-label={words.addRowTo(group.name)} title={words.addRowTo(group.name)}>
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
