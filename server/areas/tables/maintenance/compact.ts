import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { JobInterrupted, defineJob } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { linksTable, publishedTable, recordsTable } from '../core/ids';
import { alone } from '../schema';
import { siteModel, tableOf } from '../core/model';
import type { TableModel } from '../core/model';
import { MaintenanceInput } from './input';
import * as queries from './queries';

/** Polling interval for index builds on the same table and for PostgreSQL's progress, ms. */
const askAgain = 500;

/** All storage tables of a content table. */
const partsOf = (siteId: string, table: TableModel): string[] => [
  recordsTable(siteId, table.id),
  ...(table.drafts ? [publishedTable(siteId, table.id)] : []),
  ...table.fields.flatMap((field) => (field.type === 'relations' ? [linksTable(siteId, field.id)] : [])),
];

type Figures = { readonly dead: number; readonly bytes: number };
async function figuresOf(ctx: Context, names: readonly string[]): Promise<Figures> {
  const { rows } = await ctx.postgres.pool.query<Figures>(
    `SELECT coalesce(sum(pg_stat_get_dead_tuples(c.oid)), 0)::float8 AS dead, coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes
     FROM unnest($1::text[]) AS n(name) JOIN pg_catalog.pg_class c ON c.oid = to_regclass(n.name)`,
    [names],
  );
  return rows[0] ?? { dead: 0, bytes: 0 };
}

/** One VACUUM, which must run outside a transaction; cancelled when the job is stopped, which is safe at any moment. */
async function vacuum(ctx: Context, job: RunningJob, client: Parameters<Parameters<typeof alone>[2]>[0], name: string): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const stop = (): void => void ctx.postgres.pool.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => undefined);
  job.signal.addEventListener('abort', stop);
  try {
    await client.query(`VACUUM (ANALYZE) ${name}`);
  } catch (error) {
    if (job.cancelled) await job.progress(0, null);
    throw error;
  } finally {
    job.signal.removeEventListener('abort', stop);
  }
}

/**
 * Frees the space of dead rows for reuse, and updates the planner's statistics; the file itself only shrinks at its end. Does not block readers and
 * writers. Safe to repeat, so an interrupted run starts over.
 */
export const compactJob = defineJob('tables.compact', async (job, ctx) => {
  const { tableId } = MaintenanceInput.parse(job.input);
  if (job.siteId === null || tableId === null) return;
  const { siteId } = job;
  const table = tableOf(await siteModel(ctx, siteId), tableId);
  if (await queries.isConverting(ctx.postgres.db, table)) fail('conflict');
  const names = partsOf(siteId, table);
  const before = await figuresOf(ctx, names);
  for (;;) {
    const done = await alone(ctx, table.id, async (client) => {
      for (const [nth, name] of names.entries()) {
        await job.progress(nth, names.length);
        await vacuum(ctx, job, client, name);
      }
      return true;
    });
    if (done) break;
    await job.progress(0, names.length);
    await new Promise((resolve) => setTimeout(resolve, askAgain));
  }
  if (job.cancelled) throw new JobInterrupted('stop');
  const after = await figuresOf(ctx, names);
  await queries.storeMaintenance(ctx.postgres.db, {
    siteId,
    tableId: table.id,
    kind: 'compact',
    at: new Date(ctx.now()),
    result: { deadBefore: before.dead, deadAfter: after.dead, bytesBefore: before.bytes, bytesAfter: after.bytes },
  });
  await job.progress(names.length, names.length);
});
