import { drizzle } from 'drizzle-orm/node-postgres';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Config } from '../../config';
import type { Log } from '../../log';
import { StartFailure } from '../../terminalTexts';
import { embeddedUser, startEmbeddedPostgres } from './embedded';
import { makeListener } from './listener';
import { connectionLife } from './names';
import type { Postgres } from './types';

const databaseName = 'sitewright';
const oldestVersion = 15;

/** Opens `DATABASE_URL`, or the embedded server in the data folder. Throws `StartFailure` with instructions. */
export async function openPostgres(config: Pick<Config, 'databaseUrl' | 'dataDir'>, log: Log): Promise<Postgres> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl };
    await checkRemote(connection);
    return connect(connection, log, () => Promise.resolve());
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const socket = { host: embedded.socketFolder, user: embeddedUser };
  try {
    await createDatabase({ ...socket, database: 'postgres' }, databaseName);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return connect({ ...socket, database: databaseName }, log, embedded.stop);
}

/** Connection pools for one server; `closed` runs after every connection has ended. */
export function connect(connection: pg.PoolConfig, log: Log, closed: () => Promise<void>): Postgres {
  const pool = new pg.Pool({
    ...connection,
    max: 20,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    maxLifetimeSeconds: connectionLife,
    application_name: 'sitewright',
  });
  // An idle connection that breaks is replaced at its next use; without a listener the error would end the process.
  let closing = false;
  pool.on('error', (error) => {
    if (!closing) log.warn('a PostgreSQL connection broke', { error: error.message });
  });
  // For user-defined queries: none of them may occupy a connection, or all CPUs, for long.
  const reads = new pg.Pool({
    ...connection,
    max: 10,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    maxLifetimeSeconds: connectionLife,
    statement_timeout: 5000,
    // Plans for the actual values: a plan that suits most values of a field may be a full scan for a rare one.
    options: '-c max_parallel_workers_per_gather=0 -c jit=off -c default_transaction_read_only=on -c plan_cache_mode=force_custom_plan',
    application_name: 'sitewright reads',
  });
  reads.on('error', (error) => {
    if (!closing) log.warn('a PostgreSQL connection broke', { error: error.message });
  });
  // A connection that breaks while in use fails its current query; the pool listens for errors only while it is idle.
  for (const one of [pool, reads])
    one.on('connect', (client) => void client.on('error', (error: Error) => log.debug('a PostgreSQL connection broke', { error: error.message })));
  const listener = makeListener(() => makeClient(connection, log), log);
  return {
    db: databaseOf(pool),
    pool,
    reads,
    withLock: (name, work) => withLock(connection, log, name, work),
    listen: listener.listen,
    notify: async (channel, ...payloads) => {
      // Notifications do not survive a restart anyway, so the commit need not wait for the disk.
      const text = `SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload, set_config('synchronous_commit', 'off', true)`;
      await pool.query({ name: 'notify', text, values: [channel, payloads] });
    },
    close: async () => {
      closing = true;
      await listener.close();
      await reads.end();
      await pool.end();
      await closed();
    },
  };
}

/**
 * Drizzle over a pool. Its own transactions never release the connection if BEGIN fails (0.45, `NodePgSession.transaction`): after twenty of those the pool is
 * exhausted.
 */
function databaseOf(pool: pg.Pool): NodePgDatabase {
  const db = drizzle(pool);
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return db;
}

function makeClient(connection: pg.ClientConfig, log: Log): pg.Client {
  const client = new pg.Client({ ...connection, application_name: 'sitewright' });
  client.on('error', (error) => log.debug('a PostgreSQL connection broke', { error: error.message }));
  return client;
}

async function withLock<T>(connection: pg.ClientConfig, log: Log, name: string, work: () => Promise<T>): Promise<T> {
  const client = makeClient(connection, log);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return await work();
  } finally {
    // Ending the session releases the lock in any state of the connection.
    await client.end().catch(() => undefined);
  }
}

export async function createDatabase(connection: pg.ClientConfig, name: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function checkRemote(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number }>(`SELECT current_setting('server_version_num')::int AS number`);
    const version = Math.floor((rows[0]?.number ?? 0) / 10_000);
    if (version < oldestVersion)
      throw new StartFailure({
        en: `DATABASE_URL is PostgreSQL ${version}; ${oldestVersion} or newer is needed.`,
        zh: `DATABASE_URL 指向 PostgreSQL ${version}，需要 ${oldestVersion} 或更新版本。`,
      });
  } catch (cause) {
    if (cause instanceof StartFailure) throw cause;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : String((cause as NodeJS.ErrnoException).code ?? cause);
    throw new StartFailure(
      { en: `PostgreSQL at DATABASE_URL cannot be reached: ${reason}.`, zh: `无法连接 DATABASE_URL 指向的 PostgreSQL：${reason}。` },
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
