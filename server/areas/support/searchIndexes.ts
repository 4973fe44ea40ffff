import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PoolClient } from 'pg';
import type { Context } from '../../context';
import { MINUTE } from '../../zone';

/**
 * Indexes of the search, which are built while the program runs: for a million messages this takes minutes, for which a migration would lock the table and
 * delay the start. `support_grams` is a function of migration 0045.
 */
const text = `"name" || E'\\n' || "email" || E'\\n' || "phone" || E'\\n' || "company" || E'\\n' || "wechat"`;
const indexes = {
  support_messages_search_index: `"support_messages" USING gin (support_grams("site_id", "body", 1)) WHERE "body" <> ''`,
  support_conversations_search_index: `"support_conversations" USING gin (support_grams("site_id", "subject", 1)) WHERE "subject" <> ''`,
  support_visitors_search_index: `"support_visitors" USING gin (support_grams("site_id", ${text}, 1)) WHERE ${text} <> E'\\n\\n\\n\\n'`,
} as const;
const names = Object.keys(indexes) as (keyof typeof indexes)[];
const lock = 'support search indexes';
/** Milliseconds until the next attempt, if another process is building or something failed. */
const again = MINUTE;

/** Whether all indexes can be used. */
export async function isIndexed(db: Pick<NodePgDatabase, 'execute'>): Promise<boolean> {
  const list = sql.join(
    names.map((name) => sql`to_regclass(${name})`),
    sql`, `,
  );
  const { rows } = await db.execute<{ n: number }>(sql`select count(*)::int as n from pg_index where indisvalid and indexrelid in (${list})`);
  return rows[0]?.n === names.length;
}

/** Builds what is missing, and what an interrupted build left invalid. Writers are not blocked. false: another process is building, or the program ends. */
async function buildMissing(client: PoolClient, isClosed: () => boolean): Promise<boolean> {
  // Not waiting for the lock: an index that is built concurrently would wait for the statement that waits.
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked', [lock]);
  if (rows[0]?.locked !== true) return false;
  for (const name of names) {
    const found = await client.query<{ valid: boolean }>('SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)', [name]);
    const state = found.rows[0]?.valid;
    if (state === true) continue;
    if (state === false) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
    // A cancellation reaches only a statement that runs, not the time between two.
    if (isClosed()) return false;
    await client.query(`CREATE INDEX CONCURRENTLY "${name}" ON ${indexes[name]}`);
  }
  return true;
}

/** A service: builds the indexes after the start, and tries again until they are there. Until then a search reads the texts of the site. */
export function startSearchIndexes(ctx: Pick<Context, 'postgres' | 'log'>): { readonly close: () => Promise<void> } {
  const { db, pool } = ctx.postgres;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let building: number | null = null;
  async function build(): Promise<boolean> {
    if (await isIndexed(db)) return true;
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      building = rows[0]?.pid ?? null;
      return await buildMissing(client, () => isClosed);
    } finally {
      building = null;
      // The lock goes with the session.
      client.release(true);
    }
  }
  const run = async (): Promise<void> => {
    const done = await build().catch((error: unknown) => {
      if (!isClosed) ctx.log.warn('The indexes of the search in conversations could not be built', { error });
      return false;
    });
    if (!done && !isClosed) timer = setTimeout(() => void (running = run()), again);
  };
  let running = run();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (building !== null) await pool.query('SELECT pg_cancel_backend($1)', [building]).catch(() => undefined);
      await running;
    },
  };
}
