import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { visitTasks } from '../areas/measuring/schema';
import type { ClickHouse } from '../stores/clickhouse/types';
import type { Postgres } from '../stores/postgres/types';
import { shardOf } from './leases';
import { storedId } from './row';
import { touchDays } from './touched';

/** Wakes the processes that build visits. */
export const tasksChannel = 'visit_tasks';

export type VisitTask = { readonly id: string; readonly siteId: string; readonly visitors: readonly string[] | null };

/** Requests the process that builds a site's visits to rebuild all of them (null), or to remove those of some visitors. Returns the id of the task. */
export async function askForVisits(postgres: Postgres, siteId: string, visitors: readonly string[] | null, now: number): Promise<string> {
  const [row] = await postgres.db
    .insert(visitTasks)
    .values({ siteId, shard: shardOf(siteId), visitors: visitors === null ? null : [...visitors], requestedAt: new Date(now) })
    .returning({ id: visitTasks.id });
  if (row === undefined) throw new Error('PostgreSQL returned no row');
  await postgres.notify(tasksChannel, '');
  return row.id;
}

/** Whether a task is done; a task deleted together with its site counts as done. */
export async function isDone(postgres: Postgres, id: string): Promise<boolean> {
  const [row] = await postgres.db.select({ doneAt: visitTasks.doneAt }).from(visitTasks).where(eq(visitTasks.id, id));
  return row === undefined || row.doneAt !== null;
}

export const openTasks = (postgres: Postgres, shards: ReadonlySet<number>): Promise<VisitTask[]> =>
  shards.size === 0
    ? Promise.resolve([])
    : postgres.db
        .select({ id: visitTasks.id, siteId: visitTasks.siteId, visitors: visitTasks.visitors })
        .from(visitTasks)
        .where(and(inArray(visitTasks.shard, [...shards]), isNull(visitTasks.doneAt)))
        .orderBy(asc(visitTasks.requestedAt));

export const finishTask = (postgres: Postgres, id: string) => postgres.db.update(visitTasks).set({ doneAt: new Date() }).where(eq(visitTasks.id, id));

const settings = { mutations_sync: 1 };
const idsPerStatement = 1000;

/** Permanently deletes the derived rows of some visitors; they are removed from disk when it returns. */
export async function eraseDerived(ch: ClickHouse, siteId: string, visitors: readonly string[]): Promise<void> {
  for (let at = 0; at < visitors.length; at += idsPerStatement) {
    const params = { siteId, ids: visitors.slice(at, at + idsPerStatement).map((id) => BigInt(storedId(id))) };
    for (const table of ['visits', 'visitors'])
      await ch.command('ALTER TABLE {table:Identifier} DELETE WHERE site_id = {siteId:String} AND visitor_id IN {ids:Array(UInt64)}', {
        params: { ...params, table },
        settings,
      });
    await ch.command('ALTER TABLE rollup_visitors DELETE WHERE site_id = {siteId:String} AND visitor_id IN {ids:Array(UInt64)}', { params, settings });
  }
  await touchDays(ch, siteId);
}

/**
 * Deletes the rows replaced by a rebuild that began at `version`, then the tombstones of visits that it did not recreate; otherwise they would stay on disk
 * until a merge. The order matters, because parts are rewritten one after the other: a visit whose tombstone is deleted first would reappear temporarily.
 */
export async function eraseReplaced(ch: ClickHouse, siteId: string, version: number): Promise<void> {
  const params = { siteId, version: String(version) };
  await ch.command('ALTER TABLE visits DELETE WHERE site_id = {siteId:String} AND version < {version:UInt64} AND deleted = 0', { params, settings });
  await ch.command('ALTER TABLE visits DELETE WHERE site_id = {siteId:String} AND version <= {version:UInt64} AND deleted = 1', { params, settings });
  await ch.command('ALTER TABLE visitors DELETE WHERE site_id = {siteId:String} AND version < {version:UInt64}', { params, settings });
  await touchDays(ch, siteId);
}
