import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createLog } from '../../server/log';
import { makeClickHouse, makeClient } from '../../server/stores/clickhouse/client';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { embeddedUser } from '../../server/stores/postgres/embedded';
import { connect } from '../../server/stores/postgres/open';
import type { Postgres } from '../../server/stores/postgres/types';
import { spareDatabases, templateDatabase } from './testStores';
import type { StoreAddresses } from './testStores';

export type TestStores = {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  /** For code under test that opens its own connections (a second process, the real `openPostgres`). */
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  /** Closes the connections and gives up the databases. */
  readonly close: () => Promise<void>;
};

export function storeAddresses(): StoreAddresses {
  const addressesJson = process.env.TEST_STORES;
  if (addressesJson === undefined) throw new Error('TEST_STORES is not set: run this test in the jest project "server"');
  return JSON.parse(addressesJson) as StoreAddresses;
}

/**
 * Databases in the stores of this run with every migration applied and no data. Creating them is slow, so a pair of which only PostgreSQL was used is
 * emptied at the end and reused; any other is dropped.
 */
export async function openTestStores(): Promise<TestStores> {
  const { postgresSocket, clickhouseUrl } = storeAddresses();
  const log = createLog('error');
  const socket = { host: postgresSocket, user: embeddedUser };
  const name = (await takeSpare(socket)) ?? (await makePair(socket, clickhouseUrl));

  let reusable = true;
  const client = makeClient({ url: clickhouseUrl, database: name });
  const direct = makeClickHouse(
    () => client,
    () => client.close(),
  );
  const marked =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      reusable = false;
      return work(...args);
    };
  const clickhouse: ClickHouse = { ...direct, command: marked(direct.command), insert: marked(direct.insert), insertBytes: marked(direct.insertBytes) };

  const postgres = connect({ ...socket, database: name }, log, () => Promise.resolve());
  const address = new URL(clickhouseUrl);
  address.pathname = name;
  return {
    postgres,
    clickhouse,
    databaseUrl: `postgres://${embeddedUser}@localhost/${name}?host=${encodeURIComponent(postgresSocket)}`,
    get clickhouseUrl() {
      reusable = false;
      return address.href;
    },
    close: async () => {
      await postgres.close();
      await clickhouse.close();
      if (reusable) await giveBack(socket, name);
      else await dropPair(socket, clickhouseUrl, name);
    },
  };
}

async function makePair(socket: pg.ClientConfig, clickhouseUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await statement({ ...socket, database: 'postgres' }, `CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`);
  await copyClickHouse(clickhouseUrl, name);
  return name;
}

/**
 * ClickHouse cannot copy a database. Its tables are created as the migrations left them in the template, which takes a fraction of the time of the
 * migrations themselves: those alter tables one after another and wait for rewrites.
 */
const copyClickHouse = (url: string, name: string): Promise<void> =>
  administerClickHouse(url, async (client) => {
    await client.command({ query: `CREATE DATABASE ${name}` });
    const result = await client.query({
      query: 'SELECT create_table_query AS definition, engine FROM system.tables WHERE database = {template:String}',
      query_params: { template: templateDatabase },
      format: 'JSONEachRow',
    });
    const tables = await result.json<{ definition: string; engine: string }>();
    const create = ({ definition }: { definition: string }) => client.command({ query: definition.replaceAll(`${templateDatabase}.`, `${name}.`) });
    const isView = ({ engine }: { engine: string }) => engine === 'MaterializedView';
    await Promise.all(tables.filter((table) => !isView(table)).map(create));
    await Promise.all([
      ...tables.filter(isView).map(create),
      client.command({ query: `INSERT INTO ${name}.schema_migrations SELECT * FROM ${templateDatabase}.schema_migrations` }),
    ]);
  });

async function dropPair(socket: pg.ClientConfig, clickhouseUrl: string, name: string): Promise<void> {
  await statement({ ...socket, database: 'postgres' }, `DROP DATABASE ${name} WITH (FORCE)`);
  await administerClickHouse(clickhouseUrl, (client) => client.command({ query: `DROP DATABASE ${name} SYNC` }));
}

/** Runs statements about whole databases, and closes the client even if one fails: an open one would keep the test run from ending. */
async function administerClickHouse(url: string, run: (client: ReturnType<typeof makeClient>) => Promise<unknown>): Promise<void> {
  const client = makeClient({ url });
  try {
    await run(client);
  } finally {
    await client.close();
  }
}

async function takeSpare(socket: pg.ClientConfig): Promise<string | null> {
  const rows = await statement<{ name: string }>(
    { ...socket, database: 'postgres' },
    `DELETE FROM ${spareDatabases} WHERE name = (SELECT name FROM ${spareDatabases} LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING name`,
  );
  return rows[0]?.name ?? null;
}

async function giveBack(socket: pg.ClientConfig, name: string): Promise<void> {
  // As a replica, so that the order of foreign keys does not matter. Rows written by migrations stay.
  await statement(
    { ...socket, database: name },
    `DO $$ DECLARE name text; BEGIN
       PERFORM set_config('session_replication_role', 'replica', true);
       FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('schema_migrations', 'trade_moves', 'filing_moves') LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
     END $$`,
  );
  await statement({ ...socket, database: 'postgres' }, `INSERT INTO ${spareDatabases} VALUES ('${name}')`);
}

async function statement<Row extends pg.QueryResultRow>(connection: pg.ClientConfig, sql: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
