import type { PoolClient } from 'pg';
import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import { sqlState } from '../../../../stores/postgres/sqlState';
import type { RunningJob } from '../../../../worker';
import { createIndexSql, publishedIndexes, recordIndexes } from '../../core/ddl';
import type { FieldIndex, StoredField } from '../../core/ddl';
import { publishedTable, recordsTable, schemaOf } from '../../core/ids';

/** How long to wait for a lock before taking an index away is given up, and how often progress is looked at, ms. */
const patience = 3000;
const lookEvery = 300;
/** How often a build begins anew that stood in the way of a change of the table, and the change in its way. */
const mostDeadlocks = 5;

/**
 * Runs `work` on a connection of its own while nobody else builds or clears indexes of this table; null where somebody does. It is asked for and not
 * waited for: a statement that waits would stand in the way of the very build that it waits for.
 */
export async function alone<T>(ctx: Context, tableId: string, work: (client: PoolClient) => Promise<T>): Promise<T | null> {
  const client = await ctx.postgres.pool.connect();
  let broken = false;
  const onError = (): void => void (broken = true);
  // A connection that is cut must not end the program; the statement on it fails by itself.
  client.on('error', onError);
  const name = [`content index ${tableId}`];
  try {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held', name);
    if (!rows[0]?.held) return null;
    try {
      return await work(client);
    } finally {
      await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', name).catch(onError);
    }
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** Indexes that a field asks for, also among published records. */
export const indexesOf = (siteId: string, table: { readonly id: string; readonly drafts: boolean }, field: StoredField): FieldIndex[] => [
  ...recordIndexes(siteId, table.id, field),
  ...(table.drafts ? publishedIndexes(siteId, table.id, field) : []),
];

type Query = Pick<PoolClient, 'query'>;
/** Of some indexes those that are not there, or not whole. */
export async function missing(on: Query, siteId: string, wanted: readonly FieldIndex[]): Promise<FieldIndex[]> {
  const { rows } = await on.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
     WHERE s.nspname = $1 AND c.relname = ANY($2::text[]) AND i.indisvalid`,
    [schemaOf(siteId), wanted.map((index) => index.name)],
  );
  return wanted.filter((index) => !rows.some((row) => row.name === index.name));
}

async function drop(client: Query, siteId: string, name: string): Promise<void> {
  await client.query(`SET lock_timeout = ${patience}`);
  try {
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schemaOf(siteId)}.${name}`);
  } finally {
    await client.query('RESET lock_timeout');
  }
}

/** Where in the whole each phase begins and ends, in hundredths; by PostgreSQL’s words for them (documentation, 27.4.4). */
const phases: readonly (readonly [name: string, from: number, to: number])[] = [
  ['building index: scanning table', 2, 45],
  ['building index', 45, 62],
  ['waiting for writers before validation', 62, 64],
  ['index validation: scanning index', 64, 74],
  ['index validation: sorting', 74, 78],
  ['index validation: scanning table', 78, 96],
  ['waiting for old snapshots', 96, 98],
  ['waiting for readers', 98, 100],
];
type Stage = { readonly phase: string; readonly share: number | null };
const hundredths = ({ phase, share }: Stage): number => {
  const [, from, to] = phases.find(([name]) => phase.startsWith(name)) ?? ['', 0, 2];
  return from + (to - from) * Math.min(1, share ?? 0);
};

/**
 * Builds indexes one after the other while everybody goes on to write. Tells how far it is in hundredths, and stops when the job shall stop.
 * Throws `duplicate_values` where values stand more than once, also when they came in meanwhile. What it leaves behind then, `clear` takes away.
 */
export async function build(ctx: Context, job: RunningJob, client: PoolClient, siteId: string, indexes: readonly FieldIndex[]): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid;
  for (const [nth, index] of indexes.entries()) {
    const tell = (share: number): Promise<void> => job.progress(((nth + share) / indexes.length) * 100, 100);
    for (let attempt = 1; ; attempt++) {
      await tell(0);
      await drop(client, siteId, index.name);
      try {
        await watched(ctx, job, pid, tell, () => client.query(createIndexSql(index, 'CONCURRENTLY ')));
        break;
      } catch (error) {
        if (sqlState(error) === '23505') return fail('duplicate_values', { cause: error });
        if (sqlState(error) !== '40P01' || attempt === mostDeadlocks) throw error;
      }
    }
  }
}

/** Looks how far a statement of another connection is, and ends it when the job shall stop. */
async function watched(
  ctx: Context,
  job: RunningJob,
  pid: number | undefined,
  tell: (share: number) => Promise<void>,
  work: () => Promise<unknown>,
): Promise<void> {
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (job.cancelled) return void (await ctx.postgres.pool.query('SELECT pg_cancel_backend($1)', [pid]));
    const { rows } = await ctx.postgres.pool.query<Stage>(
      `SELECT phase, coalesce(blocks_done::float8 / nullif(blocks_total, 0), tuples_done::float8 / nullif(tuples_total, 0)) AS share
       FROM pg_catalog.pg_stat_progress_create_index WHERE pid = $1`,
      [pid],
    );
    if (rows[0]) await tell(hundredths(rows[0]) / 100);
  };
  // A look that fails says nothing about the build.
  const start = (): void => void (looking = looking.then(look).catch(() => undefined));
  const timer = setInterval(start, lookEvery);
  job.signal.addEventListener('abort', start);
  try {
    await work();
  } finally {
    clearInterval(timer);
    job.signal.removeEventListener('abort', start);
    await looking;
  }
}

/** Indexes of the fields of a table that are not whole, or that no field asks for; `wanted` is asked after they were looked up. */
async function strays(client: Query, siteId: string, tableId: string, wanted: () => Promise<ReadonlySet<string>>): Promise<string[]> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid IN (to_regclass($1), to_regclass($2)) AND c.relname ~ '^(i|u|pi)_[a-z2-7]{12}$'`,
    [recordsTable(siteId, tableId), publishedTable(siteId, tableId)],
  );
  const names = rows.length > 0 ? await wanted() : new Set<string>();
  return rows.filter(({ name, valid }) => !valid || !names.has(name)).map(({ name }) => name);
}

/**
 * Takes away what a build has left that failed, was cancelled or was killed: an index that is not whole helps nobody, yet every write goes on to keep it.
 * Does nothing while somebody builds there.
 */
export const clear = async (ctx: Context, siteId: string, tableId: string, wanted: () => Promise<ReadonlySet<string>>): Promise<void> =>
  void (await alone(ctx, tableId, async (client) => {
    for (const name of await strays(client, siteId, tableId, wanted)) await drop(client, siteId, name);
  }));
