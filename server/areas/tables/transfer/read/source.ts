import type { ImportLook } from '../../../../../contract/tables/transfers';
import { tableLimits } from '../../../../../contract/tables/terms';
import type { ReadError } from '../schema';

/** A cell as in the file: a text or, in JSON files, any other value. */
export type Cell = string | { readonly json: unknown };
/** A row of a file: `line` counts from 1 (in JSON, where the record starts). `error`: why it cannot be used. */
export type SourceRow = { readonly line: number; readonly cells: readonly Cell[]; readonly error: string | null };

export type Source = {
  /** Read options, as given and as detected from the beginning. */
  readonly read: ImportLook['read'];
  readonly sheets: readonly string[];
  /** Rows below the header, in batches. Throws `ReadStop` if the file cannot be read any further. */
  readonly rows: AsyncIterable<readonly SourceRow[]>;
  /** Column names, known after the first rows; JSON files may add more. */
  readonly names: () => readonly string[];
  /** Bytes of the file read so far. */
  readonly bytesRead: () => number;
  /** In a workbook: merged cells (`A1:B2`); known at the end of `rows`, or after `skipRest`. */
  readonly merged: () => readonly string[];
  readonly skipRest: () => Promise<void>;
  readonly close: () => void;
};

/** Where reading stopped, with what a person needs to repair the file. */
export class ReadStop extends Error {
  override readonly name = 'ReadStop';
  readonly error: ReadError;
  constructor(code: string, more: Omit<ReadError, 'code'> = {}) {
    super(code);
    this.error = { code, ...more };
  }
}

export const sourceLimits = {
  columns: tableLimits.fields * 2 + 1,
  /** Maximum characters of a row; beyond this, it is an unclosed quote. */
  row: 16 * 2 ** 20,
  /** Maximum stored characters of a cell: enough to exceed the limit of any field. */
  cell: tableLimits.textBytes + 1,
  /** Rows and characters per batch. */
  batch: 1000,
  batchChars: 4 * 2 ** 20,
} as const;

/** Groups rows into batches of bounded size. */
export function batcher() {
  let rows: SourceRow[] = [];
  let chars = 0;
  return {
    add(row: SourceRow): boolean {
      rows.push(row);
      for (const cell of row.cells) chars += typeof cell === 'string' ? cell.length : 100;
      return rows.length >= sourceLimits.batch || chars >= sourceLimits.batchChars;
    },
    take(): SourceRow[] {
      const batch = rows;
      rows = [];
      chars = 0;
      return batch;
    },
  };
}

export const cutCell = (text: string): string => (text.length > sourceLimits.cell ? text.slice(0, sourceLimits.cell) : text);

/** `A`, `B`, … `Z`, `AA`: names of unnamed columns. */
export function letters(column: number): string {
  let text = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) text = String.fromCharCode(65 + (rest % 26)) + text;
  return text;
}
/** Column name for display: without control characters and lone surrogates, limited in length. */
export function shownName(text: string, column: number): string {
  // oxlint-disable-next-line no-control-regex
  const clean = text
    .replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return clean === '' ? letters(column) : Array.from(clean).slice(0, tableLimits.nameLength).join('');
}
export const namesFrom = (header: readonly Cell[], width: number): string[] =>
  Array.from({ length: Math.min(Math.max(header.length, width), sourceLimits.columns) }, (_, at) => {
    const cell = header[at];
    return shownName(typeof cell === 'string' ? cell : '', at);
  });
