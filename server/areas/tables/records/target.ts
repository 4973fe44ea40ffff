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
import { asSql, newScope } from '../core/read/statement';
import type { TableContext } from '../core/tableContext';
import type { BulkState } from './bulkState';
import type { Db } from './queries';

/** Records as somebody asks for them: all that a filter and words leave, or of those the named ones. */
export type RecordSelection = { readonly filter: RecordFilter | null; readonly q?: string | undefined; readonly ids?: readonly string[] };

/** That the reader may do this with the record of the row: what they see, and the rule of the action. */
function mayDo(scope: ReadContext, action: RecordAction): string {
  const { filter } = requireGrant(scope.table, scope.reader, action);
  return `${mayRead(scope)}${filter && action !== 'read' ? ` AND ${scope.compilers.rule(scope, filter)}` : ''}`;
}
const query = (scope: ReadContext, text: string): SQL => asSql(text, scope.params.values);

/** Among which records of the bin somebody may choose, as a condition on rows that are called `t`. */
export async function allowedInBin(ctx: Context, context: TableContext): Promise<SQL> {
  const scope = { ...(await newScope(ctx, context)), row: 't' };
  return query(scope, mayDo(scope, 'delete'));
}

/** Throws `not_found` where the reader may not see the record, in the bin or not. */
export async function requireVisible(ctx: Context, context: TableContext, id: string): Promise<void> {
  const scope = await newScope(ctx, context);
  const text = `SELECT 1 FROM ${fromTable(scope)} WHERE ${scope.row}.id = ${scope.params.bind(id, 'uuid')} AND ${mayDo(scope, 'read')}`;
  if ((await ctx.postgres.db.execute(query(scope, text))).rows.length === 0) fail('not_found');
}

/** How far through its records a long act is: everything up to `after` has been looked at; records made after `until` are not meant. */
export type Window = { readonly after: string | null; readonly until: Date; readonly most: number };

/** Live records with which the reader may do this, of those asked for: in the order that people gave them, or of their ids, which is one to go on in. */
export async function idsOf(
  ctx: Context,
  db: Db,
  context: TableContext,
  action: RecordAction,
  selection: RecordSelection,
  window: Window,
  order: 'people' | 'ids',
): Promise<string[]> {
  const scope = await newScope(ctx, context);
  const text = `SELECT ${scope.row}.id FROM ${fromTable(scope)} WHERE ${conditions(scope, action, selection, window)}
    ORDER BY ${order === 'people' ? `${scope.row}.ord, ` : ''}${scope.row}.id LIMIT ${scope.params.bind(window.most, 'int')}`;
  return ((await db.execute(query(scope, text))).rows as { id: string }[]).map(({ id }) => id);
}

/** How many those are, exactly. */
export async function countOf(
  ctx: Context,
  context: TableContext,
  action: RecordAction,
  selection: RecordSelection,
  window: Omit<Window, 'most'>,
): Promise<number> {
  const scope = await newScope(ctx, context);
  const text = `SELECT count(*)::int AS n FROM ${fromTable(scope)} WHERE ${conditions(scope, action, selection, window)}`;
  return ((await ctx.postgres.db.execute(query(scope, text))).rows as { n: number }[])[0]?.n ?? 0;
}

/** The same, and for how many of them a condition holds: a figure about everything, which gets fifteen seconds. Throws `too_slow`. */
export async function countsOf(
  ctx: Context,
  context: TableContext,
  action: RecordAction,
  selection: RecordSelection,
  window: Omit<Window, 'most'>,
  holds: (scope: ReadContext) => string,
): Promise<{ readonly all: number; readonly holding: number }> {
  const scope = await newScope(ctx, context);
  const text = `SELECT count(*), count(*) FILTER (WHERE ${holds(scope)}) FROM ${fromTable(scope)} WHERE ${conditions(scope, action, selection, window)}`;
  const [row] = await askingLong(ctx)(text, scope.params.values);
  return { all: Number(row?.[0] ?? 0), holding: Number(row?.[1] ?? 0) };
}

/** A number that another revision of any of the records changes. */
const revisionSum = (row: string): string => `coalesce(sum(hashtextextended(${row}.id::text || ' ' || ${row}.rev, 0)), 0)::text`;

/** How many records those are, and their revisions as one number. `tx`: as a transaction sees them; null: a figure about everything. Throws `too_slow`. */
export async function revisionsOf(ctx: Context, context: TableContext, action: RecordAction, selection: RecordSelection, tx: Db | null): Promise<BulkState> {
  const scope = await newScope(ctx, context);
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

/** How many of those records have been changed or made after a moment. */
export async function changedSince(ctx: Context, context: TableContext, action: RecordAction, selection: RecordSelection, since: Date): Promise<number> {
  const scope = await newScope(ctx, context);
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
