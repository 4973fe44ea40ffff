import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createLog } from '../../server/log';
import { clickhouseMigrations } from '../../server/migrations';
import { makeClickHouse, makeClient } from '../../server/stores/clickhouse/client';
import { migrateClickHouse } from '../../server/stores/clickhouse/migrate';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { embeddedUser } from '../../server/stores/postgres/embedded';
import { connect } from '../../server/stores/postgres/open';
import type { Postgres } from '../../server/stores/postgres/types';
import { templateDatabase } from './testStores';
import type { StoreAddresses } from './testStores';

export type TestStores = {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  /** For code under test that opens its own connections (a second process, the real `openPostgres`). */
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  /** Closes the connections and drops both databases. */
  readonly close: () => Promise<void>;
};

export function storeAddresses(): StoreAddresses {
  const given = process.env.TEST_STORES;
  if (given === undefined) throw new Error('TEST_STORES is not set: run this test in the jest project "server"');
  return JSON.parse(given) as StoreAddresses;
}

/** Fresh databases in the stores of this run, with every migration applied. */
export async function openTestStores(): Promise<TestStores> {
  const { postgresSocket, clickhouseUrl } = storeAddresses();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const log = createLog('error');
  const socket = { host: postgresSocket, user: embeddedUser };
  await asAdministrator(socket, `CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`);
  const postgres = connect({ ...socket, database: name }, log, () => asAdministrator(socket, `DROP DATABASE ${name} WITH (FORCE)`));

  const administrator = makeClient({ url: clickhouseUrl });
  await administrator.command({ query: `CREATE DATABASE ${name}` });
  const client = makeClient({ url: clickhouseUrl, database: name });
  const clickhouse = makeClickHouse(
    () => client,
    () => client.close(),
  );
  await migrateClickHouse(clickhouse, clickhouseMigrations, (_name, work) => work());
  const address = new URL(clickhouseUrl);
  address.pathname = name;
  return {
    postgres,
    clickhouse,
    databaseUrl: `postgres://${embeddedUser}@localhost/${name}?host=${encodeURIComponent(postgresSocket)}`,
    clickhouseUrl: address.href,
    close: async () => {
      await postgres.close();
      await clickhouse.close();
      await administrator.command({ query: `DROP DATABASE ${name} SYNC` });
      await administrator.close();
    },
  };
}

async function asAdministrator(socket: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client({ ...socket, database: 'postgres' });
  await client.connect();
  await client.query(sql);
  await client.end();
}
