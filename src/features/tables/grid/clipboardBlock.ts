import { isEmpty } from './cellValues';
import type { Range } from './selection';
import { pasteShape } from './tsv';
import type { GridColumn, GridRow, PasteRequest } from './types';

export type Block = { readonly texts: readonly (readonly string[])[]; readonly values: readonly (readonly unknown[])[]; readonly kinds: readonly string[] };
/** Cells for the clipboard: texts for any program, values and kinds for the console. */
export const blockOf = (rows: readonly GridRow[], columns: readonly GridColumn[]): Block => ({
  texts: rows.map((row) => columns.map((column) => (isEmpty(row.values[column.id]) ? '' : column.toText(row.values[column.id], row)))),
  values: rows.map((row) => columns.map((column) => row.values[column.id] ?? null)),
  kinds: columns.map((column) => column.kind),
});

/** Clipboard type of values copied within the console, beside text and HTML for other programs. */
export const clipType = 'application/x-sitewright-cells+json';
export const printBlock = ({ values, kinds }: Block): string => JSON.stringify({ values, kinds });
/** null where the text is not from this console or its size differs from the plain text beside it. */
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

/** The request for pasting a block onto a range; null for an empty block. `indexesBelow`: indexes of that many rows from the top of the range. */
export function pasteRequest(
  texts: readonly (readonly string[])[],
  copied: { values: readonly (readonly unknown[])[]; kinds: readonly string[] } | null,
  range: Range,
  columns: readonly GridColumn[],
  indexesBelow: (count: number) => readonly number[],
): PasteRequest | null {
  const cols = Math.max(0, ...texts.map((row) => row.length));
  if (texts.length === 0 || cols === 0) return null;
  const shape = pasteShape({ rows: texts.length, cols }, { rows: range.bottom - range.top + 1, cols: range.right - range.left + 1 });
  const target = columns.slice(range.left, range.left + shape.cols);
  const tiled = <T>(block: readonly (readonly T[])[], empty: T): T[][] =>
    Array.from({ length: shape.rows }, (_, row) => target.map((__, col) => block[row % texts.length]?.[col % cols] ?? empty));
  return {
    rows: indexesBelow(shape.rows),
    columns: target.map((one) => one.id),
    texts: tiled(texts, ''),
    values: copied ? tiled<unknown>(copied.values, null) : null,
    kinds: copied ? target.map((_, col) => copied.kinds[col % cols] ?? '') : null,
    cutOff: shape.cols - target.length,
    extra: Array.from({ length: shape.rows }, (_, row) =>
      Array.from({ length: shape.cols - target.length }, (__, col) => texts[row % texts.length]?.[(target.length + col) % cols] ?? ''),
    ),
  };
}
