import type { ImportLook } from '../../../../../contract/tables/transfers';
import { tableLimits } from '../../../../../contract/tables/terms';
import type { ReadFault } from '../schema';

/** A cell as its file has it: a text, or of JSON files anything else that is no text. */
export type Cell = string | { readonly json: unknown };
/** A row of a file: `line` counts from 1 (of JSON where the record begins). `fault`: why nothing can be made of it. */
export type SourceRow = { readonly line: number; readonly cells: readonly Cell[]; readonly fault: string | null };

export type Source = {
  /** How it is read, as asked for and told from its beginning. */
  readonly read: ImportLook['read'];
  readonly sheets: readonly string[];
  /** Rows below the header, some at a time. Throws `ReadStop` where the file cannot be read any further. */
  readonly rows: AsyncIterable<readonly SourceRow[]>;
  /** Names of the columns, known when the first rows have come; of JSON files more may come. */
  readonly names: () => readonly string[];
  /** Bytes of the file that have been read. */
  readonly bytesRead: () => number;
  /** Of a workbook: cells that are merged (`A1:B2`); known at the end of `rows`, or when `skipRest` has looked for them. */
  readonly merged: () => readonly string[];
  readonly skipRest: () => Promise<void>;
  readonly close: () => void;
};

/** Where reading ended, with what a person needs to mend the file. */
export class ReadStop extends Error {
  override readonly name = 'ReadStop';
  readonly fault: ReadFault;
  constructor(code: string, more: Omit<ReadFault, 'code'> = {}) {
    super(code);
    this.fault = { code, ...more };
  }
}

export const sourceLimits = {
  columns: tableLimits.fields * 2 + 1,
  /** Characters of one row, beyond which it is no row but a quote that never ends. */
  row: 16 * 2 ** 20,
  /** Characters of a cell that are kept: enough for it to be too long for any field. */
  cell: tableLimits.textBytes + 1,
  /** Rows and characters that are given at once. */
  batch: 1000,
  batchChars: 4 * 2 ** 20,
} as const;

/** Puts rows together into batches of bounded size. */
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
      const taken = rows;
      rows = [];
      chars = 0;
      return taken;
    },
  };
}

export const cutCell = (text: string): string => (text.length > sourceLimits.cell ? text.slice(0, sourceLimits.cell) : text);

/** `A`, `B`, … `Z`, `AA`: what columns are called that have no name. */
export function letters(column: number): string {
  let text = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) text = String.fromCharCode(65 + (rest % 26)) + text;
  return text;
}
/** Names of columns as they are shown: without control characters and half pairs, not too long. */
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
