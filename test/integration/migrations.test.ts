import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { readConfig } from '../../server/config';
import { createLog } from '../../server/log';
import { clickhouseMigrations } from '../../server/migrations';
import { makeClickHouse, makeClient } from '../../server/stores/clickhouse/client';
import { migrateClickHouse } from '../../server/stores/clickhouse/migrate';
import { openClickHouse } from '../../server/stores/clickhouse/open';
import { embeddedUser } from '../../server/stores/postgres/embedded';
import { migratePostgres, migrationsFolder, readMigrations } from '../../server/stores/postgres/migrate';
import { connect, createDatabase, openPostgres } from '../../server/stores/postgres/open';
import { runProgram, temporaryFolder } from '../support/program';
import { storeAddresses } from '../support/stores';

jest.setTimeout(90_000);

/** Two empty databases. */
async function emptyStores() {
  const { postgresSocket, clickhouseUrl } = storeAddresses();
  const name = `empty_${randomBytes(6).toString('hex')}`;
  const socket = { host: postgresSocket, user: embeddedUser };
  await createDatabase({ ...socket, database: 'postgres' }, name);
  const administrator = makeClient({ url: clickhouseUrl });
  await administrator.command({ query: `CREATE DATABASE ${name}` });
  await administrator.close();
  const client = makeClient({ url: clickhouseUrl, database: name });
  const address = new URL(clickhouseUrl);
  address.pathname = name;
  return {
    postgres: connect({ ...socket, database: name }, createLog('silent'), () => Promise.resolve()),
    clickhouse: makeClickHouse(
      () => client,
      () => client.close(),
    ),
    urls: { DATABASE_URL: `postgres://${embeddedUser}@localhost/${name}?host=${encodeURIComponent(postgresSocket)}`, CLICKHOUSE_URL: address.href },
  };
}

describe('the schema', () => {
  let stores: Awaited<ReturnType<typeof emptyStores>>;
  beforeEach(async () => {
    stores = await emptyStores();
  });
  afterEach(async () => {
    await stores.postgres.close();
    await stores.clickhouse.close();
  });
  const recorded = async () => {
    const { rows } = await stores.postgres.pool.query<{ id: string }>('SELECT id FROM schema_migrations ORDER BY id');
    const steps = await stores.clickhouse.query<{ id: string }>('SELECT id FROM schema_migrations ORDER BY id, statement');
    return { postgres: rows.map(({ id }) => id), clickhouse: steps.map(({ id }) => id) };
  };
  const complete = {
    postgres: readMigrations(migrationsFolder).map(({ id }) => id),
    clickhouse: clickhouseMigrations.flatMap(({ id, statements }) => statements.map(() => id)).toSorted(),
  };

  it('is migrated once by two concurrent processes', async () => {
    const folders = [temporaryFolder(), temporaryFolder()];
    const programs = folders.map(({ dataDir }) =>
      runProgram({ ...stores.urls, DATA_DIR: dataDir, PORT: '0', SECRET_KEY: 'one key for both of the processes' }),
    );
    await Promise.all(programs.map(({ ready }) => ready));
    expect(await recorded()).toEqual(complete);
    for (const program of programs) program.process.kill('SIGTERM');
    for (const { code } of await Promise.all(programs.map(({ ended }) => ended))) expect(code).toBe(0);
    await migratePostgres(stores.postgres);
    await migrateClickHouse(stores.clickhouse, clickhouseMigrations, stores.postgres.withLock);
    expect(await recorded()).toEqual(complete);
    for (const folder of folders) folder.remove();
  });

  it('of a newer version is refused in one line and left unchanged', async () => {
    await migratePostgres(stores.postgres);
    await stores.postgres.pool.query(`INSERT INTO schema_migrations (id, checksum) VALUES ('9999_later', 'x')`);
    await expect(migratePostgres(stores.postgres)).rejects.toThrow(/PostgreSQL was written by a newer version .*9999_later/);
    await migrateClickHouse(stores.clickhouse, clickhouseMigrations, stores.postgres.withLock);
    await stores.clickhouse.insert('schema_migrations', [{ id: '9999_later', statement: 0, checksum: 'x' }]);
    await expect(migrateClickHouse(stores.clickhouse, clickhouseMigrations, stores.postgres.withLock)).rejects.toThrow(
      /ClickHouse was written by a newer version .*9999_later/,
    );
  });

  it('of another build is refused', async () => {
    await migratePostgres(stores.postgres);
    await stores.postgres.pool.query(`UPDATE schema_migrations SET checksum = 'other'`);
    await expect(migratePostgres(stores.postgres)).rejects.toThrow(/another build/);
  });

  it('continues after a killed ClickHouse migration', async () => {
    const step = { id: '0001_two_tables', statements: ['CREATE TABLE one (n UInt8) ENGINE = Memory', 'CREATE TABLE two (n UInt8) ENGINE = Memory'] };
    // Killed after the first table was created and before that was recorded.
    await stores.clickhouse.command(step.statements[0] ?? '');
    await migrateClickHouse(stores.clickhouse, [step], stores.postgres.withLock);
    expect((await recordedStatements()).length).toBe(2);
    // Killed between two statements.
    const longer = { id: '0002_third', statements: ['CREATE TABLE three (n UInt8) ENGINE = Memory', 'NOT SQL'] };
    await expect(migrateClickHouse(stores.clickhouse, [step, longer], stores.postgres.withLock)).rejects.toThrow();
    expect((await recordedStatements()).length).toBe(3);
  });
  const recordedStatements = () => stores.clickhouse.query('SELECT id, statement FROM schema_migrations');

  it('converts earlier contact subscriptions to mail', async () => {
    const steps = readMigrations(migrationsFolder);
    await migratePostgres(
      stores.postgres,
      steps.filter(({ id }) => id < '0002'),
    );
    await stores.postgres.pool.query(
      `INSERT INTO contacts (name, company, title, locale, topics, note, created_at, updated_at)
       VALUES ('a', '', 'other', 'en', '{security,billing}', '', now(), now()), ('b', '', 'other', 'en', '{}', '', now(), now())`,
    );
    await migratePostgres(stores.postgres, steps);
    const { rows } = await stores.postgres.pool.query(`SELECT name, subscriptions FROM contacts ORDER BY name`);
    expect(rows).toEqual([
      { name: 'a', subscriptions: { security: ['mail'], billing: ['mail'] } },
      { name: 'b', subscriptions: {} },
    ]);
  });

  it('gives existing links what their screens showed before', async () => {
    const steps = readMigrations(migrationsFolder);
    await migratePostgres(
      stores.postgres,
      steps.filter(({ id }) => id < '0033'),
    );
    await stores.postgres.pool.query(`
      INSERT INTO sites (id, name, slug, purpose, default_lang, time_zone, identity, created_at)
        VALUES ('aaaaaaaaaaaa', 'A', 'a', 'built', 'en', 'UTC', 'first_party', now());
      INSERT INTO shares (site_id, name, token_hash, token_sealed, created_at, screens, filters, preset, card)
        VALUES ('aaaaaaaaaaaa', 'one', '1', '', now(), '{overview}', '{}', 'last30', false),
               ('aaaaaaaaaaaa', 'two', '2', '', now(), '{overview,entry,campaign}', '{}', 'last30', false),
               ('aaaaaaaaaaaa', 'trend', '3', '', now(), '{trend}', '{}', 'last30', false);`);
    await migratePostgres(stores.postgres, steps);
    const { rows } = await stores.postgres.pool.query<{ name: string; dimensions: string[] }>('SELECT name, dimensions FROM shares');
    const overview = ['city', 'country', 'entryPath', 'keyword', 'newReturning', 'path', 'province', 'sourceName', 'sourceType'];
    expect(Object.fromEntries(rows.map(({ name, dimensions }) => [name, dimensions.toSorted()]))).toEqual({
      one: overview,
      two: [...overview, 'campaign', 'clickId', 'utmContent', 'utmMedium', 'utmSource', 'utmTerm'].toSorted(),
      trend: ['newReturning'],
    });
  });

  it('keeps nothing of a PostgreSQL step that fails midway', async () => {
    const broken = { id: '0000_broken', checksum: 'x', sql: 'CREATE TABLE half (n int); SELECT 1 / 0;' };
    await expect(migratePostgres(stores.postgres, [broken])).rejects.toThrow(/division by zero/);
    const { rows } = await stores.postgres.pool.query<{ half: string | null }>(`SELECT to_regclass('half') AS half`);
    expect(rows).toEqual([{ half: null }]);
  });
});

/**
 * Data folders of earlier versions, made by `node scripts/make-data-fixture.mjs` with the release that wrote them:
 * test/fixtures/data-v<number of PostgreSQL steps>.tar.br.
 */
describe('data of earlier releases', () => {
  const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
  const versions = existsSync(fixtures) ? readdirSync(fixtures).flatMap((name) => /^data-v(\d+)\.tar\.br$/.exec(name)?.[1] ?? []) : [];

  /** The number of steps of each release. A release adds its number here, and its data folder. */
  const released = ['1', '9', '19', '24', '31'];
  /** The first release with content tables. */
  const withTables = 19;

  it('includes every release', () => {
    expect(versions).toEqual(expect.arrayContaining(released));
    expect(readMigrations(migrationsFolder).length).toBeGreaterThanOrEqual(Math.max(...released.map(Number)));
  });

  it('opens completely', async () => {
    for (const version of versions) {
      const folder = temporaryFolder();
      const unpacked = spawnSync('tar', ['-xf', '-', '--no-same-owner', '-C', path.dirname(folder.dataDir)], {
        input: brotliDecompressSync(readFileSync(path.join(fixtures, `data-v${version}.tar.br`))),
      });
      expect(unpacked.status).toBe(0);
      const program = runProgram({ DATA_DIR: folder.dataDir, PORT: '0' });
      await program.ready;
      program.process.kill('SIGTERM');
      await program.ended;
      const config = { ...readConfig({}, []), dataDir: folder.dataDir };
      const postgres = await openPostgres(config, createLog('silent'));
      const clickhouse = await openClickHouse(config, createLog('silent'));
      const { rows } = await postgres.pool.query(
        `SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM sites WHERE slug = 'kept') AS sites`,
      );
      expect(rows).toEqual([{ users: 1, sites: 1 }]);
      expect(await clickhouse.query('SELECT DISTINCT path FROM hits ORDER BY path')).toEqual([{ path: '/a' }, { path: '/b' }, { path: '/c' }]);
      if (Number(version) >= withTables) {
        const { rows: fieldRows } = await postgres.pool.query(`SELECT t.id, t.site_id AS site, f.id AS field FROM content_tables t
          JOIN content_fields f ON f.table_id = t.id AND f.key = 'name'`);
        const [{ site, id, field }] = fieldRows;
        expect((await postgres.pool.query(`SELECT ${field} AS name, rev FROM s_${site}.${id}`)).rows).toEqual([{ name: 'Kept', rev: 1 }]);
      }
      await Promise.all([postgres.close(), clickhouse.close()]);
      folder.remove();
    }
  });
});
