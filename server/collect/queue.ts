import { and, asc, inArray, lte, notInArray } from 'drizzle-orm';
import { visitQueue } from '../areas/analytics/schema';
import type { Postgres } from '../stores/postgres/types';
import { shardOf } from './leases';
import { decodeHits, encodeHits, hitColumns } from './row';
import type { HitRow } from './row';

export const queueChannel = 'visit_queue';

export type Queued = { readonly id: number; readonly hits: HitRow[] };

/** Hands stored hits over to the processes that build their visits. Returns the highest queue number, for waiting. */
export async function handOver(postgres: Postgres, hits: readonly HitRow[]): Promise<number> {
  const byShard = new Map<number, HitRow[]>();
  for (const hit of hits) {
    const shard = shardOf(hit.site_id);
    byShard.set(shard, [...(byShard.get(shard) ?? []), hit]);
  }
  const values = [...byShard].map(([shard, some]) => ({ shard, hits: `{"columns":${JSON.stringify(hitColumns)},"hits":${encodeHits(some)}}` }));
  const rows = await postgres.db.insert(visitQueue).values(values).returning({ id: visitQueue.id });
  await postgres.notify(queueChannel, '');
  return Math.max(...rows.map((row) => row.id));
}

/** The oldest hits queued for the given shards, except those in progress. */
export async function takeQueued(postgres: Postgres, shards: ReadonlySet<number>, inWork: readonly number[]): Promise<Queued[]> {
  if (shards.size === 0) return [];
  const rows = await postgres.db
    .select()
    .from(visitQueue)
    .where(and(inArray(visitQueue.shard, [...shards]), inWork.length === 0 ? undefined : notInArray(visitQueue.id, [...inWork])))
    .orderBy(asc(visitQueue.id))
    .limit(10);
  return rows.map((row) => {
    const { columns, hits } = JSON.parse(row.hits) as { columns: string[]; hits: unknown[] };
    return { id: row.id, hits: decodeHits(JSON.stringify(hits), columns) };
  });
}

/** Deletes queue entries whose visits are stored. */
export async function dropQueued(postgres: Postgres, ids: readonly number[]): Promise<void> {
  await postgres.db.delete(visitQueue).where(inArray(visitQueue.id, [...ids]));
}

/** Whether any entry up to this number is still queued. */
export async function isWaiting(postgres: Postgres, upTo: number): Promise<boolean> {
  const rows = await postgres.db.select({ id: visitQueue.id }).from(visitQueue).where(lte(visitQueue.id, upTo)).limit(1);
  return rows.length > 0;
}
