import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createLog } from '../../server/log';
import { clickhouseMigrations } from '../../server/migrations';
import { makeClickHouse, makeClient } from '../../server/stores/clickhouse/client';
import { startEmbeddedClickHouse } from '../../server/stores/clickhouse/embedded';
import { migrateClickHouse } from '../../server/stores/clickhouse/migrate';
import { startEmbeddedPostgres, embeddedUser } from '../../server/stores/postgres/embedded';
import { migratePostgres } from '../../server/stores/postgres/migrate';
import { connect, createDatabase } from '../../server/stores/postgres/open';
import { startInstalledPostgres } from './installedPostgres';

/** How a test file connects to the stores of this run; passed in the environment variable TEST_STORES. */
export type StoreAddresses = { readonly postgresSocket: string; readonly clickhouseUrl: string };

/** A database of both stores with every migration applied, copied for each test file. */
export const templateDatabase = 'template_sitewright';

/** Table of the names of unused databases, in the database `postgres`. */
export const spareDatabases = 'spare_databases';

/**
 * One embedded PostgreSQL and one embedded ClickHouse for a whole run, in a folder of their own. `TEST_POSTGRES_BIN` names the folder of another
 * PostgreSQL (`npm run test:postgres`). `durable`: whether commits wait for the disk, as in the program; benchmarks need that.
 */
export async function startTestStores({ durable = true } = {}): Promise<{ addresses: StoreAddresses; stop: () => Promise<void> }> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sitewright-test-'));
  const log = createLog('error');
  const bin = process.env.TEST_POSTGRES_BIN;
  const [postgres, clickhouse] = await Promise.all([
    bin === undefined ? startEmbeddedPostgres({ dataDir, log, durable }) : startInstalledPostgres(bin, dataDir),
    startEmbeddedClickHouse({ dataDir, memory: 2 ** 31, log, durable }),
  ]);
  const stop = async () => {
    await Promise.all([postgres.stop(), clickhouse.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const socket = { host: postgres.socketFolder, user: embeddedUser };
    await Promise.all([createDatabase({ ...socket, database: 'postgres' }, templateDatabase), createClickHouseTemplate(clickhouse.urlWithPassword())]);
    const administrator = connect({ ...socket, database: 'postgres' }, log, () => Promise.resolve());
    await administrator.pool.query(`CREATE TABLE ${spareDatabases} (name text PRIMARY KEY)`);
    await administrator.close();
    const template = connect({ ...socket, database: templateDatabase }, log, () => Promise.resolve());
    await migratePostgres(template);
    await template.close();
    return { addresses: { postgresSocket: postgres.socketFolder, clickhouseUrl: clickhouse.urlWithPassword() }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createClickHouseTemplate(url: string): Promise<void> {
  const administrator = makeClient({ url });
  await administrator.command({ query: `CREATE DATABASE ${templateDatabase}` });
  await administrator.close();
  const client = makeClient({ url, database: templateDatabase });
  const template = makeClickHouse(
    () => client,
    () => client.close(),
  );
  await migrateClickHouse(template, clickhouseMigrations, (_name, work) => work());
  await template.close();
}
