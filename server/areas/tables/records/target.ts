import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { RecordAction } from '../../../../contract/tables/terms';
import type { SQL } from 'drizzle-orm';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { requireGrant } from '../core/access';
import { historyTable } from '../core/ids';
import { compileFilter } from '../core/read/filter';
import { mayRead } from '../core/read/links';
import { askingLong } from '../core/read/run';
import { fromTable, isLive } from '../core/read/readContext';
import type { ReadContext } from '../core/read/readContext';
import { searchSql } from '../core/read/search';
import { asSql, newReadContext } from '../core/read/statement';
import type { TableContext } from '../core/tableContext';
import type { BulkState } from './bulkState';
import type { Db } from './queries';

/** A selection of records: those that match a filter and search, or the named ones among them. */
export type RecordSelection = { readonly filter: RecordFilter | null; readonly q?: string | undefined; readonly ids?: readonly string[] };

/** Condition that the reader may perform an action on the row: visibility and the rule of the action. */
function mayDo(scope: ReadContext, action: RecordAction): string {
  const { filter } = requireGrant(scope.table, scope.reader, action);
  return `${mayRead(scope)}${filter && action !== 'read' ? ` AND ${scope.compilers.rule(scope, filter)}` : ''}`;
}
const query = (scope: ReadContext, text: string): SQL => asSql(text, scope.params.values);

/** Condition on rows named `t` for records in the bin that the reader may act on. */
export async function allowedInBin(ctx: Context, context: TableContext): Promise<SQL> {
  const scope = { ...(await newReadContext(ctx, context)), row: 't' };
  return query(scope, mayDo(scope, 'delete'));
}

/** Throws `not_found` if the reader may not see the record, in the bin or not. */
export async function requireVisible(ctx: Context, context: TableContext, id: string): Promise<void> {
  const scope = await newReadContext(ctx, context);
  const text = `SELECT 1 FROM ${fromTable(scope)} WHERE ${scope.row}.id = ${scope.params.bind(id, 'uuid')} AND ${mayDo(scope, 'read')}`;
  if ((await ctx.postgres.db.execute(query(scope, text))).rows.length === 0) fail('not_found');
}

/** Position of a long action: everything up to `after` is done; records created after `until` are excluded. */
export type Window = { readonly after: string | null; readonly until: Date; readonly most: number };

/** Selected live records that the reader may act on, in manual order or by id, which allows continuing. */
export async function idsOf(
  ctx: Context,
  db: Db,
  context: TableContext,
  action: RecordAction,
  selection: RecordSelection,
  window: Window,
  order: 'people' | 'ids',
): Promise<string[]> {
  const scope = await newReadContext(ctx, context);
  const text = `SELECT ${scope.row}.id FROM ${fromTable(scope)} WHERE ${conditions(scope, action, selection, window)}
    ORDER BY ${order === 'people' ? `${scope.row}.ord, ` : ''}${scope.row}.id LIMIT ${scope.params.bind(window.most, 'int')}`;
  return ((await db.execute(query(scope, text))).rows as { id: string }[]).map(({ id }) => id);
}

/** Their exact number. */
export async function countOf(
  ctx: Context,
  context: TableContext,
  action: RecordAction,
  selection: RecordSelection,
  window: Omit<Window, 'most'>,
): Promise<number> {
  const scope = await newReadContext(ctx, context);
  const text = `SELECT count(*)::int AS n FROM ${fromTable(scope)} WHERE ${conditions(scope, action, selection, window)}`;
  return ((await ctx.postgres.db.execute(query(scope, text))).rows as { n: number }[])[0]?.n ?? 0;
}

/** Their number, and how many of them match a condition: an aggregate query with a limit of fifteen seconds. Throws `too_slow`. */
export async function countsOf(
  ctx: Context,
  context: TableContext,
  action: RecordAction,
  selection: RecordSelection,
  window: Omit<Window, 'most'>,
  holds: (scope: ReadContext) => string,
): Promise<{ readonly all: number; readonly holding: number }> {
  const scope = await newReadContext(ctx, context);
  const text = `SELECT count(*), count(*) FILTER (WHERE ${holds(scope)}) FROM ${fromTable(scope)} WHERE ${conditions(scope, action, selection, window)}`;
  const [row] = await askingLong(ctx)(text, scope.params.values);
  return { all: Number(row?.[0] ?? 0), holding: Number(row?.[1] ?? 0) };
}

/** A checksum that changes with the revision of any record. */
const revisionSum = (row: string): string => `coalesce(sum(hashtextextended(${row}.id::text || ' ' || ${row}.rev, 0)), 0)::text`;

/** The number of those records and a checksum of their revisions. `tx`: as seen by that transaction; null: an aggregate query of its own. Throws `too_slow`. */
export async function revisionsOf(ctx: Context, context: TableContext, action: RecordAction, selection: RecordSelection, tx: Db | null): Promise<BulkState> {
  const scope = await newReadContext(ctx, context);
  const at = new Date(ctx.now());
  const where = conditions(scope, action, selection, { after: null, until: at });
  const text = `SELECT count(*)::int AS count, ${revisionSum(scope.row)} AS sum FROM ${fromTable(scope)} WHERE ${where}`;
  if (tx === null) {
    const [row] = await askingLong(ctx)(text, scope.params.values);
    return { at, count: Number(row?.[0] ?? 0), sum: row?.[1] ?? '0' };
  }
  const [row] = (await tx.execute(query(scope, text))).rows as { count: number; sum: string }[];
  return { at, count: row?.count ?? 0, sum: row?.sum ?? '0' };
}

/** How many of those records were changed or created after a moment. */
export async function changedSince(ctx: Context, context: TableContext, action: RecordAction, selection: RecordSelection, since: Date): Promise<number> {
  const scope = await newReadContext(ctx, context);
  const { row, params, model, table } = scope;
  const lines = `SELECT FROM ${historyTable(model.siteId)} h WHERE h.table_id = ${params.bind(table.id, 'text')} AND h.record_id = ${row}.id AND h.at > ${params.bind(since.toISOString(), 'timestamptz')}`;
  const where = conditions(scope, action, selection, { after: null, until: new Date(ctx.now()) });
  const [found] = await askingLong(ctx)(`SELECT count(*) FROM ${fromTable(scope)} WHERE ${where} AND EXISTS (${lines})`, params.values);
  return Number(found?.[0] ?? 0);
}

function conditions(scope: ReadContext, action: RecordAction, { filter, q, ids }: RecordSelection, { after, until }: Omit<Window, 'most'>): string {
  const { row, params } = scope;
  const parts = [isLive(scope), mayDo(scope, action), `${row}.created_at <= ${params.bind(until.toISOString(), 'timestamptz')}`];
  if (after !== null) parts.push(`${row}.id > ${params.bind(after, 'uuid')}`);
  if (ids) parts.push(`${row}.id = ANY(${params.bind(ids, 'uuid[]')})`);
  if (filter) parts.push(compileFilter(scope, filter));
  if (q) parts.push(searchSql(scope, q));
  return parts.join(' AND ');
}
