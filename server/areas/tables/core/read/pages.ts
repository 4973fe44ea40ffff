import type { RecordLabels } from '../../../../../contract/tables/records';
import type { RecordSort } from '../../../../../contract/tables/recordFilter';
import type { Context } from '../../../../context';
import type { FieldModel } from '../model';
import { addLinks } from './labels';
import { requestedFields, readContextFor, whereSql } from './list';
import type { Which } from './list';
import { answered, compact, raw } from './run';
import type { Ask } from './run';
import { fromTable } from './readContext';
import type { TableContext } from '../tableContext';
import { sortKeys } from './sort';
import { recordOf, selectionOf } from './values';
import type { Raw, ReadRecord } from './values';

/** Records per batch, and the time limit of all batches together, ms: an open snapshot prevents PostgreSQL from vacuuming. */
const piece = 1000;
const longest = 30 * 60_000;

export type ExportPage = { readonly rows: readonly ReadRecord[]; readonly labels: RecordLabels };
type PagesQuery = Which & { readonly sort?: readonly RecordSort[] | undefined; readonly fields?: readonly string[] | undefined };
type How = {
  /** Ends the query when the client disconnects. */
  readonly signal: AbortSignal;
  /** Maximum number of records; null: no limit. */
  readonly most: number | null;
};

/**
 * All matching records in batches, as of one moment (REPEATABLE READ, one cursor), unaffected by concurrent writes. The first batch is read before this
 * returns, so that errors in the query are thrown here; the others as they are consumed. `pages` is null if there are more than `most` records. The
 * caller must consume `pages` to the end, or abort.
 */
export async function exportPages(
  ctx: Context,
  context: TableContext,
  query: PagesQuery,
  { signal, most }: How,
): Promise<{ readonly fields: FieldModel[]; readonly pages: AsyncGenerator<ExportPage> | null }> {
  const scope = await readContextFor(ctx, context, query);
  const fields = requestedFields(scope, query.fields);
  const where = whereSql(scope, query);
  const keys = sortKeys(scope, query.sort ?? []).map((key) => `${key.sql} ${key.descending ? 'DESC' : 'ASC'} NULLS LAST`);
  const selection = selectionOf(scope, fields);
  const text = `SELECT ${selection.sql.join(', ')} FROM ${fromTable(scope)} WHERE ${where} ORDER BY ${[...keys, `${scope.row}.ord`, `${scope.row}.id`].join(', ')}`;

  const client = await ctx.postgres.reads.connect();
  let released = false;
  let pid: number | undefined;
  const end = (broken: boolean): void => {
    if (released) return;
    released = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    client.release(broken);
  };
  const leave = (): void => {
    if (!released && pid !== undefined) void ctx.postgres.pool.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined);
    end(true);
  };
  const timer = setTimeout(leave, longest);
  signal.addEventListener('abort', leave);
  // A connection runs one query at a time.
  let before: Promise<unknown> = Promise.resolve();
  const ask: Ask = (question, values) => {
    const response = before.then(() => answered(client.query({ ...compact(question, values), rowMode: 'array', types: raw })));
    before = response.catch(() => undefined);
    return response;
  };
  async function next(): Promise<ExportPage> {
    const found: Raw[] = await ask(`FETCH ${piece} FROM pages`, []);
    const rows = found.map((one) => recordOf(selection, one));
    return { rows, labels: await addLinks(ask, scope, rows, fields) };
  }
  try {
    const [own] = await ask('SELECT pg_backend_pid()', []);
    pid = Number(own?.[0]);
    if (signal.aborted) leave();
    await ask('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', []);
    await ask(`SET LOCAL statement_timeout = '60s'`, []);
    if (most !== null) {
      const counting = await readContextFor(ctx, context, query);
      const limit = counting.params.bind(most + 1, 'bigint');
      const [row] = await ask(
        `SELECT count(*) FROM (SELECT 1 FROM ${fromTable(counting)} WHERE ${whereSql(counting, query)} LIMIT ${limit}) counted`,
        counting.params.values,
      );
      if (Number(row?.[0] ?? 0) > most) {
        end(true);
        return { fields, pages: null };
      }
    }
    await ask(`DECLARE pages NO SCROLL CURSOR FOR ${text}`, scope.params.values);
    const first = await next();
    const pages = async function* (): AsyncGenerator<ExportPage> {
      try {
        for (let page = first; page.rows.length > 0; page = await next()) {
          yield page;
          if (page.rows.length < piece) break;
        }
        await ask('COMMIT', []);
        end(false);
      } finally {
        end(true);
      }
    };
    return { fields, pages: pages() };
  } catch (error) {
    end(true);
    throw error;
  }
}
