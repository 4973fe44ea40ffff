import type { ViewQuery } from '@contract/tables/views';
import type { GridProps } from '../grid/types';
import type { Column } from './viewState';

/** The maximum number of fields that a view sorts by. */
const maxSorts = 5;
const minWidth = 40;
const maxWidth = 1200;

/** The columns with one of them changed. */
export const withColumn = (columns: readonly Column[], name: string, change: Partial<Column>): Column[] =>
  columns.map((column) => (column.field === name ? { ...column, ...change } : column));

/** The columns with one moved before another, or to the end. */
export function withMovedColumn(columns: readonly Column[], name: string, before: string | null, pinned: boolean): readonly Column[] {
  const moved = columns.find(({ field }) => field === name);
  if (!moved) return columns;
  const rest = columns.filter((column) => column !== moved);
  const { pinned: _pinned, ...plain } = moved;
  const at = before === null ? rest.length : rest.findIndex(({ field }) => field === before);
  return [...rest.slice(0, at), pinned ? { ...plain, pinned } : plain, ...rest.slice(at)];
}

/** Whether two lists have the same columns in the same order, with the same of them pinned. */
const sameArrangement = (a: readonly Column[], b: readonly Column[]): boolean =>
  a.length === b.length && a.every(({ field, pinned = false }, at) => field === b[at]?.field && pinned === (b[at].pinned ?? false));

/** The place of a new field: beside a column of the list. */
export type BesideColumn = { readonly field: string; readonly side: 'left' | 'right' };

/** The columns with a new one beside another, or last. Between pinned columns it is pinned, too. */
export function withNewColumn(columns: readonly Column[], name: string, beside: BesideColumn | null): Column[] {
  const at = beside === null ? -1 : columns.findIndex(({ field }) => field === beside.field);
  if (beside === null || at === -1) return [...columns, { field: name }];
  const to = beside.side === 'left' ? at : at + 1;
  const pinned = columns[at]?.pinned === true && columns[to]?.pinned === true;
  return [...columns.slice(0, to), pinned ? { field: name, pinned } : { field: name }, ...columns.slice(to)];
}

/** The columns with another aggregate for one of them; null for none. */
export const withFigure = (columns: readonly Column[], name: string, figure: string | null): Column[] =>
  columns.map((column) => {
    if (column.field !== name) return column;
    const { aggregate: _aggregate, ...plain } = column;
    return figure === null ? plain : { ...plain, aggregate: figure as NonNullable<Column['aggregate']> };
  });

/** The order after sorting by a column; `also`: in addition to the existing order. */
export function withSort(sort: ViewQuery['sort'], name: string, direction: 'asc' | 'desc' | null, also: boolean): ViewQuery['sort'] {
  const rest = also ? sort.filter(({ field }) => field !== name) : [];
  return direction === null ? rest : [...rest, { field: name, descending: direction === 'desc' }].slice(-maxSorts);
}

type ColumnGestures = Required<Pick<GridProps, 'onWidth' | 'onMoveColumn' | 'onPin' | 'onHide' | 'onFooter'>>;

/** The column changes of gestures in the grid. The primary field cannot be hidden. */
export const columnGestures = (columns: readonly Column[], primaryField: string | null, put: (next: readonly Column[]) => void): ColumnGestures => ({
  onWidth: (name, width) => put(withColumn(columns, name, { width: Math.round(Math.min(maxWidth, Math.max(minWidth, width))) })),
  onMoveColumn: (name, before, pinned) => {
    const next = withMovedColumn(columns, name, before, pinned);
    if (!sameArrangement(next, columns)) put(next);
  },
  onPin: (name, pinned) => put(withColumn(columns, name, { pinned })),
  onHide: (name) => {
    if (name !== primaryField) put(columns.filter(({ field }) => field !== name));
  },
  onFooter: (name, figure) => {
    if (columns.some(({ field }) => field === name)) put(withFigure(columns, name, figure));
  },
});
