import type { PoolClient } from 'pg';
import type { Log } from '../log';
import type { Postgres } from '../stores/postgres/types';

/** Sites are divided into shards; the visits of a shard are built by one process at a time. */
export const shards = 16;
/** First half of the two-part advisory lock key; the second is the shard. */
const lockClass = 0x5357;
const retryMs = 1000;

/**
 * Shards are assigned by site, not by visitor: the two ids of a visitor on both sides of midnight must be processed by the same builder, and an id does not
 * reveal the other one.
 */
export function shardOf(siteId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < siteId.length; i += 1) hash = Math.imul(hash ^ siteId.charCodeAt(i), 0x01000193) >>> 0;
  return hash % shards;
}

export type Leases = { readonly held: () => ReadonlySet<number>; readonly close: () => Promise<void> };

/**
 * Periodically acquires every free shard, as advisory locks on a separate connection: if the process or the connection dies, PostgreSQL releases them, and
 * another process acquires them. `onGained` is called with the newly acquired shards, `onLost` after all have been lost.
 */
export async function takeLeases(
  postgres: Postgres,
  log: Log,
  { onGained, onLost }: { readonly onGained: (shards: ReadonlySet<number>) => void; readonly onLost: () => void },
): Promise<Leases> {
  const held = new Set<number>();
  let client: PoolClient | null = null;
  let closed = false;
  let trying: Promise<void> | null = null;

  function lose(error: unknown): void {
    const broken = client;
    client = null;
    if (held.size > 0) {
      held.clear();
      onLost();
    }
    broken?.off('error', hearError).on('error', () => undefined);
    // Releasing with an error removes the connection from the pool, which also releases its locks.
    broken?.release(error instanceof Error ? error : true);
  }

  const hearError = (error: Error): void => {
    log.warn('the leases for building visits were lost', { error: error.message });
    lose(error);
  };

  async function attempt(): Promise<void> {
    try {
      if (client === null) {
        const fresh = await postgres.pool.connect();
        fresh.on('error', hearError);
        client = fresh;
      }
      // Also serves as a connection check when all shards are held.
      const { rows } = await client.query<{ shard: number; got: boolean }>(
        'SELECT shard, pg_try_advisory_lock($1, shard) AS got FROM generate_series(0, $2 - 1) AS shard WHERE shard <> ALL($3::int[])',
        [lockClass, shards, [...held]],
      );
      const gained = new Set(rows.filter((row) => row.got).map((row) => row.shard));
      for (const shard of gained) held.add(shard);
      if (gained.size > 0) onGained(gained);
    } catch (error) {
      if (!closed) log.warn('the leases for building visits could not be taken', { error });
      lose(error);
    }
  }

  const again = (): void => void (trying ??= attempt().finally(() => (trying = null)));
  await attempt();
  const timer = setInterval(again, retryMs);
  timer.unref();

  return {
    held: () => held,
    async close() {
      closed = true;
      clearInterval(timer);
      await trying;
      const last: PoolClient | null = client;
      client = null;
      held.clear();
      if (last === null) return;
      await last.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
      last.off('error', hearError);
      last.release();
    },
  };
}
