import type { ImportReason } from '../../../../contract/imports/schemas';
import { fail } from '../../../http/failure';
import type { StoredFile } from '../../../stores/files/storedFile';
import type { Day } from '../../../zone';
import { csvRowsOf, ReadStop } from '../../tables';
import { Truncated } from '../reader';
import { asTruncated, tablesOf } from '../tables';
import type { Table } from '../tables';
import { columnsOf, isDayTable, isKeywordTable } from './columns';
import type { KeywordColumns } from './columns';
import { daysInName, readDay } from './values';

/** The header must be within this many lines: some exports begin with a title. */
const headerWithin = 20;

type CsvLine = { readonly line: number; readonly cells: readonly string[]; readonly isBroken: boolean };
type Rows = ReturnType<typeof csvRowsOf> extends AsyncGenerator<infer R> ? R : never;
type Opened = { readonly columns: KeywordColumns; readonly lines: AsyncIterable<readonly CsvLine[]> };

/** Bytes that may still be read, over several tables; `onRead` is called with the size of each chunk. */
export type Budget = { left: number; readonly onRead?: (bytes: number) => void };

async function* within(bytes: AsyncIterable<Buffer>, budget: Budget): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    budget.left -= chunk.length;
    if (budget.left < 0) fail('too_large');
    budget.onRead?.(chunk.length);
    yield chunk;
  }
}

/** A table from its header on; null if it has no known header. */
async function openTable(table: Table, budget: Budget, isWanted: (columns: KeywordColumns) => boolean): Promise<Opened | null> {
  const batches = csvRowsOf(within((await table.open()) as AsyncIterable<Buffer>, budget));
  const linesOf = (rows: Rows): CsvLine[] =>
    rows.map(({ line, cells, error }) => ({ line, cells: cells.map((cell) => (typeof cell === 'string' ? cell : '')), isBroken: error !== null }));
  const beginning = await batches.next();
  const first = beginning.done === true ? [] : linesOf(beginning.value);
  const header = first.slice(0, headerWithin).findIndex(({ cells, isBroken }) => !isBroken && isWanted(columnsOf(cells)));
  if (header === -1) {
    await batches.return(undefined);
    return null;
  }
  async function* lines(): AsyncGenerator<readonly CsvLine[]> {
    yield first.slice(header + 1);
    for await (const rows of batches) yield linesOf(rows);
  }
  return { columns: columnsOf(first[header]?.cells ?? []), lines: lines() };
}

export type KeywordTableVisitor = {
  readonly begin: (table: Table, columns: KeywordColumns) => void;
  /** Lines of the table begun last. Return false to skip the rest of it. */
  readonly lines: (lines: readonly CsvLine[]) => Promise<boolean> | boolean;
  /** Called where a table could not be read any further. */
  readonly stopped: (table: Table, line: number, reason: ImportReason) => void;
};

/** Reads the keyword tables of one file; other tables are skipped. */
export async function eachKeywordTable(file: StoredFile, name: string, budget: Budget, visitor: KeywordTableVisitor): Promise<void> {
  const opened = await tablesOf(file, name);
  try {
    for (const table of opened.tables) {
      try {
        const found = await openTable(table, budget, isKeywordTable);
        if (found === null) continue;
        visitor.begin(table, found.columns);
        for await (const lines of found.lines) if (!(await visitor.lines(lines))) break;
      } catch (error) {
        const failure = asTruncated(error);
        if (failure instanceof ReadStop) visitor.stopped(table, failure.error.line ?? 0, 'too_long');
        else if (failure instanceof Truncated) visitor.stopped(table, 0, 'truncated');
        else throw failure;
      }
    }
  } finally {
    opened.close();
  }
}

/** The period of a file, if it is given outside the keyword table: in sums by day of the same archive, or in the file name. */
export async function periodBeside(file: StoredFile, name: string, budget: Budget): Promise<{ readonly from: Day; readonly to: Day } | null> {
  const opened = await tablesOf(file, name);
  try {
    for (const table of opened.tables) {
      const found = await openTable(table, budget, isDayTable);
      if (found === null) continue;
      const days: Day[] = [];
      for await (const lines of found.lines)
        for (const { cells } of lines) {
          const day = readDay(cells[found.columns.at.date ?? 0] ?? '');
          if (day !== null) days.push(day);
        }
      const [from, to] = [days.toSorted()[0], days.toSorted().at(-1)];
      if (from !== undefined && to !== undefined) return { from, to };
    }
  } catch (error) {
    const failure = asTruncated(error);
    if (!(failure instanceof Truncated) && !(failure instanceof ReadStop)) throw failure;
  } finally {
    opened.close();
  }
  return daysInName(name);
}
