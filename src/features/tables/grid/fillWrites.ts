import { isEmpty, mayWrite, sameValue, writeTo } from './cellValues';
import { fillSeries } from './fillSeries';
import type { Rows } from './gestureRows';
import type { CellWrite, GridColumn, GridRow } from './types';

/** Clears the cells that are writable and not empty. */
export const clearWrites = (rows: readonly GridRow[], indexes: readonly number[], columns: readonly GridColumn[]): CellWrite[] =>
  rows.flatMap((row, place) =>
    columns.flatMap((column) => (mayWrite(column, row) && !isEmpty(row.values[column.id]) ? [writeTo(row, indexes[place] ?? 0, column, null)] : [])),
  );

/** A value of one column converted for another; undefined where the target cannot parse it. */
function convertValue(value: unknown, from: GridColumn, to: GridColumn, row: GridRow): unknown {
  if (from.kind === to.kind) return value;
  if (isEmpty(value)) return null;
  const read = to.parse?.(from.toText(value, row));
  return read && 'value' in read ? read.value : undefined;
}

/** Fills down or up, each column from its own values. `target` is in fill order, away from the source rows. */
export function fillDownWrites(source: readonly GridRow[], target: Rows, columns: readonly GridColumn[], series: boolean): CellWrite[] {
  return columns.flatMap((column) => {
    const values = fillSeries(
      source.map((row) => row.values[column.id] ?? null),
      series ? column.series : undefined,
      target.rows.length,
    );
    return target.rows.flatMap((row, place) => writeOf(row, target.indexes[place] ?? 0, column, values[place]));
  });
}
/** Fills to the right or left, each row from its own values, where a target column can parse the text of the source column. */
export function fillSideWrites({ rows, indexes }: Rows, source: readonly GridColumn[], target: readonly GridColumn[]): CellWrite[] {
  const first = source[0];
  const even = source.every((one) => one.kind === first?.kind) && target.every((one) => one.kind === first?.kind);
  return rows.flatMap((row, place) => {
    const values = fillSeries(
      source.map((one) => row.values[one.id] ?? null),
      even ? first?.series : undefined,
      target.length,
    );
    return target.flatMap((column, at) => {
      const from = even ? column : (source[at % source.length] ?? column);
      return writeOf(row, indexes[place] ?? 0, column, convertValue(values[at], from, column, row));
    });
  });
}
const writeOf = (row: GridRow, index: number, column: GridColumn, value: unknown): CellWrite[] =>
  value !== undefined && mayWrite(column, row) && !sameValue(row.values[column.id], value) ? [writeTo(row, index, column, value)] : [];

/**
 * What the fill handle writes from `range` into `target`, the range it was dragged over. `rows` are those of both. `sourceIndexes`: indexes of the rows of
 * `range`.
 */
export function fillTargetWrites(
  { rows, indexes }: Rows,
  sourceIndexes: ReadonlySet<number>,
  way: 'down' | 'up' | 'right' | 'left',
  columns: { readonly source: readonly GridColumn[]; readonly target: readonly GridColumn[] },
): CellWrite[] {
  const isBackward = way === 'up' || way === 'left';
  const inOrder = <T>(list: readonly T[]): readonly T[] => (isBackward ? [...list].reverse() : list);
  if (way === 'right' || way === 'left') return fillSideWrites({ rows, indexes }, inOrder(columns.source), inOrder(columns.target));
  const isSource = (place: number): boolean => sourceIndexes.has(indexes[place] ?? -1);
  const sourceRows = inOrder(rows.filter((_, place) => isSource(place)));
  const places = inOrder(indexes.map((_, place) => place).filter((place) => !isSource(place)));
  const target = { rows: places.flatMap((place) => rows[place] ?? []), indexes: places.map((place) => indexes[place] ?? 0) };
  return fillDownWrites(sourceRows, target, columns.source, true);
}
