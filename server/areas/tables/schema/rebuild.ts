import { eq, sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import { defineJob, enqueue } from '../../../worker';
import { columnName, publishedTable, recordsTable } from '../core/ids';
import { siteModel } from '../core/model';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { contentTables } from '../core/schema';
import type { PendingWork } from '../core/schema';
import { searchVector } from '../core/search';
import { copyRecords } from './copy';
import * as queries from './queries';

/** Records per batch, and the number of batches done before the response; a job does the rest. */
const piece = 1000;
const atOnce = 5;

type Step = { readonly stop?: (done: number) => Promise<void>; readonly most: number };
const first = '00000000-0000-0000-0000-000000000000';

/** Ids of the next records in order, including the bin. */
async function nextIds(ctx: Context, name: string, after: string): Promise<string[]> {
  const { rows } = await ctx.postgres.pool.query<{ id: string }>(`SELECT id FROM ${name} WHERE id > $1::uuid ORDER BY id LIMIT ${piece}`, [after]);
  return rows.map((row) => row.id);
}
/** Processes all records of a table in batches; false if `most` batches were not enough. */
async function through(ctx: Context, name: string, step: Step, each: (ids: readonly string[]) => Promise<void>): Promise<boolean> {
  let after = first;
  for (let chunkCount = 0; ; chunkCount++) {
    if (chunkCount >= step.most) return false;
    const ids = await nextIds(ctx, name, after);
    if (ids.length > 0) await each(ids);
    await step.stop?.(ids.length);
    if (ids.length < piece) return true;
    after = ids.at(-1) ?? after;
  }
}

type Row = { readonly id: string; readonly rev: number; readonly tr: Record<string, Record<string, unknown>> | null } & Record<string, unknown>;
/** Rebuilds the search column. A record written meanwhile gets it from that write. */
async function indexWords(ctx: Context, name: string, fields: readonly FieldModel[], ids: readonly string[]): Promise<void> {
  const columns = fields.map((field) => columnName(field.id));
  const { rows } = await ctx.postgres.pool.query<Row>(`SELECT ${['id', 'rev', 'tr', ...columns].join(', ')} FROM ${name} WHERE id = ANY($1::uuid[])`, [ids]);
  await ctx.postgres.pool.query(
    `UPDATE ${name} t SET q = x.q::tsvector FROM unnest($1::uuid[], $2::int[], $3::text[]) AS x(id, rev, q) WHERE t.id = x.id AND t.rev = x.rev`,
    [rows.map((row) => row.id), rows.map((row) => row.rev), rows.map((row) => searchVector(fields, row, row.tr))],
  );
}
const fillNumbers = async (ctx: Context, name: string, fieldIds: readonly string[], ids: readonly string[]): Promise<void> => {
  const columns = fieldIds.map((id) => columnName(id));
  await ctx.postgres.pool.query(
    `UPDATE ${name} SET ${columns.map((column) => `${column} = coalesce(${column}, n)`).join(', ')}
     WHERE id = ANY($1::uuid[]) AND (${columns.map((column) => `${column} IS NULL`).join(' OR ')})`,
    [ids],
  );
};

/** Does the pending work of a table, as far as `step` allows; true when it is complete. */
async function work(ctx: Context, model: SiteModel, table: TableModel, pending: PendingWork, step: Step): Promise<boolean> {
  const names = [recordsTable(model.siteId, table.id), ...(table.drafts ? [publishedTable(model.siteId, table.id)] : [])];
  const copied = pending.copy ? await copyRecords(ctx, model, table, pending.copy, step) : null;
  if (copied?.done === false) return false;
  // Copied search columns are valid unless definitions have changed meanwhile.
  const worded = copied?.worded === true && (await siteModel(ctx, model.siteId)).revision === model.revision;
  const numbers = (pending.numbers ?? []).filter((id) => table.fields.some((field) => field.id === id));
  if (numbers.length > 0) for (const name of names) if (!(await through(ctx, name, step, (ids) => fillNumbers(ctx, name, numbers, ids)))) return false;
  const searched = table.fields.filter((field) => field.searchable);
  if (pending.search && !worded) for (const name of names) if (!(await through(ctx, name, step, (ids) => indexWords(ctx, name, searched, ids)))) return false;
  return true;
}

/** Clears the pending work, unless another change has added to it meanwhile. */
async function settle(ctx: Context, siteId: string, tableId: string, done: PendingWork): Promise<void> {
  await ctx.postgres.db
    .update(contentTables)
    .set({ pending: null })
    .where(sql`${eq(contentTables.id, tableId)} AND ${contentTables.pending} = ${JSON.stringify(done)}::jsonb`);
  // Readers use the search index again.
  await queries.touchSite(ctx.postgres.db, siteId);
  ctx.live.publish({ type: 'records', siteId, tableId, ids: [], by: null });
}

/** After a change of definitions: small work is done before the response, the rest by a job. */
export async function tendRecords(ctx: Context, siteId: string, userId: string | null): Promise<void> {
  const left: string[] = [];
  for (const { id, title, pending } of await queries.pendingTables(ctx.postgres.db, siteId)) {
    const model = await siteModel(ctx, siteId);
    const table = model.byName.get(id);
    if (!table) continue;
    if (await work(ctx, model, table, pending, { most: atOnce })) await settle(ctx, siteId, id, pending);
    else left.push(title);
  }
  if (left[0] !== undefined) await enqueueRebuild(ctx, siteId, left[0], userId);
}
/** Queues the job for the pending work of a site's tables. Returns its id. */
export const enqueueRebuild = async (ctx: Context, siteId: string, label: string, createdBy: string | null): Promise<string> =>
  (await enqueue(ctx, 'tables.rebuild', { siteId, label, createdBy, cancellable: false, once: true })).id;

/** Queues work that a crash between a change and its job left behind. Runs on a schedule. */
export async function tendPending(ctx: Context): Promise<void> {
  const seenSites = new Set<string>();
  for (const { siteId, title } of await queries.pendingTables(ctx.postgres.db)) {
    if (!seenSites.has(siteId)) await enqueueRebuild(ctx, siteId, title, null);
    seenSites.add(siteId);
  }
}

/** Approximate number of rows to process. */
async function about(ctx: Context, siteId: string, table: TableModel): Promise<number> {
  const names = [recordsTable(siteId, table.id), ...(table.drafts ? [publishedTable(siteId, table.id)] : [])];
  const { rows } = await ctx.postgres.pool.query<{ n: number }>(
    `SELECT coalesce(sum(greatest(pg_stat_get_live_tuples(c.oid), c.reltuples, 0)), 0)::float8 AS n
     FROM unnest($1::text[]) AS t(name) JOIN pg_catalog.pg_class c ON c.oid = to_regclass(t.name)`,
    [names],
  );
  return Math.round(rows[0]?.n ?? 0);
}

/** Brings the records of a site's tables up to date with their definitions. Restarts from the beginning after a crash; the work is idempotent. */
export const rebuildJob = defineJob('tables.rebuild', async (job, ctx) => {
  const { siteId } = job;
  if (siteId === null) return;
  let done = 0;
  let total = 0;
  const stop = async (count: number): Promise<void> => job.progress((done += count), Math.max(done, total));
  for (;;) {
    const [next] = await queries.pendingTables(ctx.postgres.db, siteId);
    if (!next) return;
    const model = await siteModel(ctx, siteId);
    const table = model.byName.get(next.id);
    if (table) total = done + (await about(ctx, siteId, table));
    if (table) await work(ctx, model, table, next.pending, { most: Infinity, stop });
    await settle(ctx, siteId, next.id, next.pending);
  }
});
