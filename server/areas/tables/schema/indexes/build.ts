import type { PoolClient } from 'pg';
import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import { sqlState } from '../../../../stores/postgres/sqlState';
import type { RunningJob } from '../../../../worker';
import { createIndexSql, publishedIndexes, recordIndexes } from '../../core/ddl';
import type { FieldIndex, StoredField } from '../../core/ddl';
import { publishedTable, recordsTable, schemaOf } from '../../core/ids';

/** How long dropping an index waits for a lock, and the interval of progress checks, ms. */
const patience = 3000;
const lookEvery = 300;
/** How often a build is retried after a deadlock with a change of the table. */
const mostDeadlocks = 5;

/**
 * Runs `work` on its own connection while nobody else builds or drops indexes of this table; null if somebody does. Tries the lock without waiting,
 * because a waiting statement would block the very build that it waits for.
 */
export async function alone<T>(ctx: Context, tableId: string, work: (client: PoolClient) => Promise<T>): Promise<T | null> {
  const client = await ctx.postgres.pool.connect();
  let broken = false;
  const onError = (): void => void (broken = true);
  // A lost connection must not crash the process; its statement fails anyway.
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

/** Indexes that a field needs, also on published records. */
export const indexesOf = (siteId: string, table: { readonly id: string; readonly drafts: boolean }, field: StoredField): FieldIndex[] => [
  ...recordIndexes(siteId, table.id, field),
  ...(table.drafts ? publishedIndexes(siteId, table.id, field) : []),
];

type Query = Pick<PoolClient, 'query'>;
/** The given indexes that are missing or invalid. */
export async function missing(on: Query, siteId: string, indexes: readonly FieldIndex[]): Promise<FieldIndex[]> {
  const { rows } = await on.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
     WHERE s.nspname = $1 AND c.relname = ANY($2::text[]) AND i.indisvalid`,
    [schemaOf(siteId), indexes.map((index) => index.name)],
  );
  return indexes.filter((index) => !rows.some((row) => row.name === index.name));
}

async function drop(client: Query, siteId: string, name: string): Promise<void> {
  await client.query(`SET lock_timeout = ${patience}`);
  try {
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schemaOf(siteId)}.${name}`);
  } finally {
    await client.query('RESET lock_timeout');
  }
}

/** Progress of each build phase in percent, by PostgreSQL's phase names (documentation, 27.4.4). */
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
 * Builds indexes one by one without blocking writers. Reports progress in percent, and stops when the job is stopped. Throws `duplicate_values` if
 * values are not unique, including values written meanwhile. `clear` removes what it leaves behind.
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

/** Polls the progress of a statement on another connection, and cancels it when the job is stopped. */
async function watched(
  ctx: Context,
  job: RunningJob,
  pid: number | undefined,
  tell: (share: number) => Promise<void>,
  work: () => Promise<unknown>,
): Promise<void> {
  let polling: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (job.cancelled) return void (await ctx.postgres.pool.query('SELECT pg_cancel_backend($1)', [pid]));
    const { rows } = await ctx.postgres.pool.query<Stage>(
      `SELECT phase, coalesce(blocks_done::float8 / nullif(blocks_total, 0), tuples_done::float8 / nullif(tuples_total, 0)) AS share
       FROM pg_catalog.pg_stat_progress_create_index WHERE pid = $1`,
      [pid],
    );
    if (rows[0]) await tell(hundredths(rows[0]) / 100);
  };
  // A failed poll does not affect the build.
  const start = (): void => void (polling = polling.then(look).catch(() => undefined));
  const timer = setInterval(start, lookEvery);
  job.signal.addEventListener('abort', start);
  try {
    await work();
  } finally {
    clearInterval(timer);
    job.signal.removeEventListener('abort', start);
    await polling;
  }
}

/** Indexes of a table's fields that are invalid or not needed by any field; `requiredNames` is called after they were listed. */
async function strays(client: Query, siteId: string, tableId: string, requiredNames: () => Promise<ReadonlySet<string>>): Promise<string[]> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid IN (to_regclass($1), to_regclass($2)) AND c.relname ~ '^(i|u|pi)_[a-z2-7]{12}$'`,
    [recordsTable(siteId, tableId), publishedTable(siteId, tableId)],
  );
  const names = rows.length > 0 ? await requiredNames() : new Set<string>();
  return rows.filter(({ name, valid }) => !valid || !names.has(name)).map(({ name }) => name);
}

/**
 * Drops the remains of a failed, cancelled or killed build: an invalid index serves no reader, but slows every write. Does nothing while somebody is
 * building.
 */
export const clear = async (ctx: Context, siteId: string, tableId: string, requiredNames: () => Promise<ReadonlySet<string>>): Promise<void> =>
  void (await alone(ctx, tableId, async (client) => {
    for (const name of await strays(client, siteId, tableId, requiredNames)) await drop(client, siteId, name);
  }));
