import { fillSeries } from './fill';
import type { Lines } from './lines';
import type { Range } from './selection';
import { pasteShape } from './tsv';
import type { CellWrite, GridColumn, GridRow, PasteRequest, RowSource } from './types';

/** Rows of one gesture. A paste of more is an import. */
export const mostRows = 10_000;

/** Places in the source of the rows among these lines; null: more than a gesture may have. */
export function indexesOf(lines: Lines, { top, bottom }: Pick<Range, 'top' | 'bottom'>): number[] | null {
  const found: number[] = [];
  for (let line = Math.max(0, top); line <= bottom && line < lines.count; line += 1) {
    const one = lines.at(line);
    if (one?.kind !== 'row') continue;
    if (found.length === mostRows) return null;
    found.push(one.index);
  }
  return found;
}

/** The rows at these places; what is not known is loaded, as few stretches as there are. null: all are known, and `known` has them. */
export function rowsAt(source: RowSource, indexes: readonly number[], signal: AbortSignal): readonly GridRow[] | Promise<readonly GridRow[]> {
  const known = indexes.map((index) => source.row(index));
  const missing = indexes.filter((_, place) => known[place] === undefined);
  if (missing.length === 0) return known.flatMap((row) => row ?? []);
  const stretches: { from: number; to: number }[] = [];
  for (const index of missing) {
    const last = stretches.at(-1);
    if (last?.to === index) last.to = index + 1;
    else stretches.push({ from: index, to: index + 1 });
  }
  return (async () => {
    const loaded = new Map<number, GridRow>();
    for (const { from, to } of stretches) {
      // One after the other: a selection over many folded groups is no reason to ask the server for all of them at once.
      // oxlint-disable-next-line no-await-in-loop
      for (const [place, row] of (await source.load(from, to, signal)).entries()) loaded.set(from + place, row);
    }
    return indexes.flatMap((index, place) => known[place] ?? loaded.get(index) ?? []);
  })();
}

export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
export const mayWrite = (column: GridColumn, row: GridRow | undefined): boolean => column.edit !== 'none' && row?.locked !== true;
export const sameValue = (a: unknown, b: unknown): boolean => (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b);

export type Block = { readonly texts: readonly (readonly string[])[]; readonly values: readonly (readonly unknown[])[]; readonly kinds: readonly string[] };
/** Cells as they go to the clipboard. */
export const blockOf = (rows: readonly GridRow[], columns: readonly GridColumn[]): Block => ({
  texts: rows.map((row) => columns.map((column) => (isEmpty(row.values[column.id]) ? '' : column.toText(row.values[column.id], row)))),
  values: rows.map((row) => columns.map((column) => row.values[column.id] ?? null)),
  kinds: columns.map((column) => column.kind),
});

/** Type of the clipboard under which values travel within the console, beside text and HTML for everybody else. */
export const clipType = 'application/x-sitewright-cells+json';
export const printBlock = ({ values, kinds }: Block): string => JSON.stringify({ values, kinds });
/** null: not ours, or does not fit the text that came with it. */
export function readBlock(text: string, rows: number, cols: number): { values: unknown[][]; kinds: string[] } | null {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null || !('values' in found) || !('kinds' in found)) return null;
    const { values, kinds } = found;
    const fits =
      Array.isArray(kinds) &&
      kinds.length === cols &&
      kinds.every((kind) => typeof kind === 'string') &&
      Array.isArray(values) &&
      values.length === rows &&
      values.every((row) => Array.isArray(row) && row.length === cols);
    return fits ? { values: values as unknown[][], kinds } : null;
  } catch {
    return null;
  }
}

/** A change of one cell of a row as it is known. */
export const writeTo = (row: GridRow, index: number, column: Pick<GridColumn, 'id'>, value: unknown): CellWrite => ({
  rowId: row.id,
  index,
  column: column.id,
  value,
  ...(row.revision === undefined ? {} : { revision: row.revision }),
});

/** Emptying cells: only what may be changed and is not empty yet. */
export const clearWrites = (rows: readonly GridRow[], indexes: readonly number[], columns: readonly GridColumn[]): CellWrite[] =>
  rows.flatMap((row, place) =>
    columns.flatMap((column) => (mayWrite(column, row) && !isEmpty(row.values[column.id]) ? [writeTo(row, indexes[place] ?? 0, column, null)] : [])),
  );

/** A value of one column as the other would have it; undefined: it cannot. */
function carried(value: unknown, from: GridColumn, to: GridColumn, row: GridRow): unknown {
  if (from.kind === to.kind) return value;
  if (isEmpty(value)) return null;
  const read = to.parse?.(from.toText(value, row));
  return read && 'value' in read ? read.value : undefined;
}

export type Rows = { readonly rows: readonly GridRow[]; readonly indexes: readonly number[] };
/** The fill handle downwards and upwards: each column goes on by itself. `target` is in the order in which it is filled, away from the source. */
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
/** The fill handle to the right and to the left: each row goes on by itself, as far as the columns understand one another. */
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
      return writeOf(row, indexes[place] ?? 0, column, carried(values[at], from, column, row));
    });
  });
}
const writeOf = (row: GridRow, index: number, column: GridColumn, value: unknown): CellWrite[] =>
  value !== undefined && mayWrite(column, row) && !sameValue(row.values[column.id], value) ? [writeTo(row, index, column, value)] : [];

/** What pasting a block onto a range asks for. `after`: places of the rows from the first line of the range on. */
export function pasteOf(
  texts: readonly (readonly string[])[],
  ours: { values: readonly (readonly unknown[])[]; kinds: readonly string[] } | null,
  range: Range,
  columns: readonly GridColumn[],
  after: (count: number) => readonly number[],
): PasteRequest | null {
  const cols = Math.max(0, ...texts.map((row) => row.length));
  if (texts.length === 0 || cols === 0) return null;
  const shape = pasteShape({ rows: texts.length, cols }, { rows: range.bottom - range.top + 1, cols: range.right - range.left + 1 });
  const target = columns.slice(range.left, range.left + shape.cols);
  const tiled = <T>(block: readonly (readonly T[])[], empty: T): T[][] =>
    Array.from({ length: shape.rows }, (_, row) => target.map((__, col) => block[row % texts.length]?.[col % cols] ?? empty));
  return {
    rows: after(shape.rows),
    columns: target.map((one) => one.id),
    texts: tiled(texts, ''),
    values: ours ? tiled<unknown>(ours.values, null) : null,
    kinds: ours ? target.map((_, col) => ours.kinds[col % cols] ?? '') : null,
    cutOff: shape.cols - target.length,
  };
}
