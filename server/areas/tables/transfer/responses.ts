import { eq } from 'drizzle-orm';
import { transferLimits } from '../../../../contract/tables/transfers';
import type { TableImport, TransferState } from '../../../../contract/tables/transfers';
import type { rowOutcomes } from '../../../../contract/tables/records';
import { errorStatus } from '../../../../contract/errors';
import type { ErrorCode } from '../../../../contract/errors';
import type { Context } from '../../../context';
import { byteOrderMark, csvLine } from '../../../csv';
import type { Locale } from '../../../http/access';
import { errorMessageFor } from '../../../http/messages';
import { users } from '../../account/schema';
import { textOfCell } from '../core/write/cellTexts';
import { readChunk } from './files';
import { uploads } from './uploads';
import type { StoredRow } from './files';
import * as queries from './queries';
import type { ImportRow, ImportWithJob } from './queries';
import { ReadStop } from './read/source';
import { errorColumns, rowErrorText, stopText } from './messages';

/** State of an import, from its row, its job and, before the start, the uploaded part of its file. */
export function stateOf({ row, job }: ImportWithJob, stored: number): TransferState {
  if (row.ended === 'done') return 'done';
  if (row.requested === null) return row.ended ?? (stored < row.size ? 'uploading' : 'ready');
  if (row.jobId !== null && job?.state !== 'queued' && job?.state !== 'running') return job?.state === 'cancelled' ? 'cancelled' : 'failed';
  return row.requested === 'check' ? 'checking' : 'running';
}

const isErrorCode = (text: string | null | undefined): text is ErrorCode => typeof text === 'string' && text in errorStatus;
const storedOf = (ctx: Context, { row }: ImportWithJob): Promise<number> | number =>
  row.requested === null && row.ended === null ? uploads.storedSize(ctx, row.id, 'upload') : row.size;
export const stateNow = async (ctx: Context, found: ImportWithJob): Promise<TransferState> => stateOf(found, await storedOf(ctx, found));

/** An import as the caller may see it. Speed and remaining time refer to the current run. `reader`: the caller's id. */
export async function importResponse(ctx: Context, found: ImportWithJob, reader: string, locale: Locale): Promise<TableImport> {
  const { row, job } = found;
  const stored = await storedOf(ctx, found);
  const state = stateOf(found, stored);
  const works = state === 'checking' || state === 'running';
  const { pace } = row;
  const seconds = pace === null ? 0 : (ctx.now() - pace.runAt) / 1000;
  const perSecond = works && pace !== null && seconds >= 0.5 ? (pace.done - pace.runFrom) / seconds : null;
  const person = row.createdBy === null ? [] : await ctx.postgres.db.select({ name: users.displayName }).from(users).where(eq(users.id, row.createdBy));
  const failed =
    state === 'failed' ? (row.error ? stopText(row.error, locale) : errorMessageFor(isErrorCode(job?.error) ? job.error : 'internal', locale)) : null;
  return {
    id: row.id,
    tableId: row.tableId,
    createdTable: row.createdTable,
    file: { name: row.name, size: row.size, stored },
    state,
    plan: row.plan,
    jobId: row.jobId,
    done: row.requested === null && row.ended === null ? null : (pace?.done ?? (row.ended === null ? 0 : (row.spool?.rows ?? 0))),
    total: pace?.total ?? row.spool?.rows ?? null,
    perSecond: perSecond === null || pace?.inBytes === true ? null : Math.round(perSecond),
    secondsLeft: perSecond === null || perSecond <= 0 || pace === null ? null : Math.ceil((pace.total - pace.done) / perSecond),
    counts: row.counts,
    newChoices: row.newChoices,
    batchId: row.batchId,
    undone: row.undone,
    undoSkipped: row.left,
    error: failed,
    by: person[0]?.name ?? '',
    own: row.createdBy === reader,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

type Outcome = (typeof rowOutcomes)[number];
const letters: Readonly<Record<Outcome, string>> = { insert: 'i', update: 'u', skip: 's', fail: 'f' };
const outcomes: Readonly<Record<string, Outcome>> = { i: 'insert', u: 'update', s: 'skip', f: 'fail' };
/** Maximum displayed characters of a cell. */
const cellLength = 200;
const shownCell = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.slice(0, cellLength).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/gu, '\uFFFD');

type Rows = {
  rows: {
    row: number;
    outcome: Outcome;
    id: string | null;
    errors: { field: string | null; code: string; text: string }[];
    line: number;
    cells: string[];
  }[];
  next: number | null;
};

/** Results of rows, actual or expected, from a given row on. */
export async function rowsOf(ctx: Context, row: ImportRow, { outcome, from }: { outcome?: Outcome | undefined; from: number }, locale: Locale): Promise<Rows> {
  const { spool } = row;
  const response: Rows = { rows: [], next: null };
  if (!spool) return response;
  const letter = outcome === undefined ? null : letters[outcome];
  const firstRows = spool.pieces.map(([first]) => first);
  let part = Math.max(
    0,
    firstRows.findLastIndex((first) => first <= from),
  );
  for (;;) {
    const [found] = await queries.partsFrom(ctx.postgres.db, row.id, part, letter, 1);
    if (!found) return response;
    const first = firstRows[found.part] ?? 0;
    let storedRows: readonly StoredRow[] | null = null;
    for (let at = Math.max(0, from - first); at < found.outcomes.length; at++) {
      const one = found.outcomes[at] ?? 's';
      if (letter !== null && one !== letter) continue;
      if (response.rows.length === transferLimits.pageRows) return { ...response, next: first + at };
      storedRows ??= await loadStoredRows(ctx, row, found.part);
      const source = storedRows[at];
      response.rows.push({
        row: first + at,
        outcome: outcomes[one] ?? 'skip',
        id: found.ids[at] ?? null,
        errors: (found.errors[at] ?? []).map((error) => ({ field: error.field, code: error.code, text: rowErrorText(error, locale) })),
        line: source?.line ?? 0,
        cells: (source?.cells ?? []).map((cell) => shownCell(textOfCell(cell))),
      });
    }
    part = found.part + 1;
  }
}

/** Without cells if the file is no longer stored. */
async function loadStoredRows(ctx: Context, row: ImportRow, part: number): Promise<readonly StoredRow[]> {
  try {
    return row.spool ? await readChunk(ctx, row.id, row.spool, part) : [];
  } catch (error) {
    if (error instanceof ReadStop) return [];
    throw error;
  }
}

/** Rows with errors as in the file, with the reasons. */
export async function* errorsFile(ctx: Context, row: ImportRow, locale: Locale, fieldName: (id: string) => string | null): AsyncGenerator<string> {
  const { spool } = row;
  const names = spool?.names ?? [];
  const { line, reason } = errorColumns[locale];
  yield byteOrderMark + csvLine([...names, line, reason]);
  if (!spool) return;
  for (let part = 0; part + 1 < spool.pieces.length; part++) {
    const [found] = await queries.partsFrom(ctx.postgres.db, row.id, part, 'f', 1);
    if (!found) return;
    ({ part } = found);
    const storedRows = await loadStoredRows(ctx, row, part);
    let text = '';
    for (const [at, errors] of Object.entries(found.errors)) {
      const source = storedRows[Number(at)];
      const said = errors.map((error) => {
        const name = error.field === null ? null : (fieldName(error.field) ?? error.field);
        const message = rowErrorText(error, locale);
        return name === null ? message : locale === 'en' ? `${name}: ${message}` : `${name}：${message}`;
      });
      text += csvLine([...names.map((_, column) => textOfCell(source?.cells[column])), source?.line ?? null, said.join(locale === 'en' ? '; ' : '；')]);
    }
    yield text;
  }
}
