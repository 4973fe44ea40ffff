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

type Client = ReturnType<typeof makeClient>;

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
 * Databases in the stores of this run with every migration applied and no data. Creating them is slow, so a pair is emptied at the end and reused; it is dropped
 * if another program may have used it, or if the test has changed the tables of ClickHouse.
 */
export async function openTestStores(): Promise<TestStores> {
  const { postgresSocket, clickhouseUrl } = storeAddresses();
  const log = createLog('error');
  const socket = { host: postgresSocket, user: embeddedUser };
  const name = (await takeSpare(socket)) ?? (await makePair(socket, clickhouseUrl));

  let reusable = true;
  let written = false;
  const client = makeClient({ url: clickhouseUrl, database: name });
  const direct = makeClickHouse(
    () => client,
    () => client.close(),
  );
  const marked =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      written = true;
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
      const empty = reusable && (!written || (await emptyClickHouse(clickhouseUrl, name)));
      if (empty) await giveBack(socket, name);
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

type ClickHouseTable = { readonly name: string; readonly definition: string; readonly engine: string };

const tablesOf = async (client: Client, database: string): Promise<ClickHouseTable[]> =>
  (
    await client.query({
      query: 'SELECT name, create_table_query AS definition, engine FROM system.tables WHERE database = {database:String} ORDER BY name',
      query_params: { database },
      format: 'JSONEachRow',
    })
  ).json<ClickHouseTable>();

const nameMigrations = (client: Client, name: string) =>
  client.command({ query: `INSERT INTO ${name}.schema_migrations SELECT * FROM ${templateDatabase}.schema_migrations` });

/**
 * ClickHouse cannot copy a database. Its tables are created as the migrations left them in the template, which takes a fraction of the time of the
 * migrations themselves: those alter tables one after another and wait for rewrites.
 */
const copyClickHouse = (url: string, name: string): Promise<void> =>
  administerClickHouse(url, async (client) => {
    await client.command({ query: `CREATE DATABASE ${name}` });
    const tables = await tablesOf(client, templateDatabase);
    const create = ({ definition }: ClickHouseTable) => client.command({ query: definition.replaceAll(`${templateDatabase}.`, `${name}.`) });
    const isView = ({ engine }: ClickHouseTable) => engine === 'MaterializedView';
    await Promise.all(tables.filter((table) => !isView(table)).map(create));
    await Promise.all([...tables.filter(isView).map(create), nameMigrations(client, name)]);
  });

/** Resolves with false, and leaves everything as it is, if the tables are no longer those of the template. */
const emptyClickHouse = (url: string, name: string): Promise<boolean> =>
  administerClickHouse(url, async (client) => {
    const [tables, template] = await Promise.all([tablesOf(client, name), tablesOf(client, templateDatabase)]);
    const isSame =
      tables.length === template.length &&
      tables.every(({ definition }, index) => definition.replaceAll(`${name}.`, `${templateDatabase}.`) === template[index]?.definition);
    if (!isSame) return false;
    await client.command({ query: `TRUNCATE ALL TABLES FROM ${name}` });
    await nameMigrations(client, name);
    return true;
  });

async function dropPair(socket: pg.ClientConfig, clickhouseUrl: string, name: string): Promise<void> {
  await statement({ ...socket, database: 'postgres' }, `DROP DATABASE ${name} WITH (FORCE)`);
  await administerClickHouse(clickhouseUrl, (client) => client.command({ query: `DROP DATABASE ${name} SYNC` }));
}

/** Runs statements about whole databases, and closes the client even if one fails: an open one would keep the test run from ending. */
async function administerClickHouse<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = makeClient({ url });
  try {
    return await run(client);
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
