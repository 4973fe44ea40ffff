import { setTimeout as delay } from 'node:timers/promises';
import { checksumOf, pendingMigrations } from '../migration';
import { isTableAlreadyThere } from './errors';
import type { ClickHouse } from './types';

/** One migration of the ClickHouse schema. Migrations are never edited after a release; add another one. */
export type Migration = { readonly id: string; readonly statements: readonly string[] };

type WithLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;
type Row = { readonly id: string; readonly statement: number; readonly checksum: string };

/**
 * Brings the schema to this version. ClickHouse has no transactions for DDL, so every statement is recorded after it was run, and an interrupted migration
 * continues where it stopped; a CREATE whose table exists although its record does not (interrupted between the two) counts as done. `withLock` excludes other
 * processes: PostgreSQL's lock, since ClickHouse has none.
 */
export async function migrateClickHouse(clickhouse: ClickHouse, migrations: readonly Migration[], withLock: WithLock): Promise<void> {
  await withLock('sitewright:migrate:clickhouse', async () => {
    await clickhouse.command(
      'CREATE TABLE IF NOT EXISTS schema_migrations (id String, statement UInt16, checksum String, applied_at DateTime64(3) DEFAULT now64(3)) ENGINE = MergeTree ORDER BY (id, statement)',
    );
    const rows = await clickhouse.query<Row>('SELECT id, statement, checksum FROM schema_migrations ORDER BY id, statement');
    const known = migrations.map((migration) => ({ ...migration, checksum: checksumOf(migration.statements.join(';\n')) }));
    pendingMigrations('ClickHouse', known, rows);
    for (const migration of known) {
      const done = new Set(rows.filter((row) => row.id === migration.id).map((row) => row.statement));
      for (const [statement, sql] of migration.statements.entries()) {
        if (done.has(statement)) continue;
        await run(clickhouse, sql);
        await clickhouse.insert('schema_migrations', [{ id: migration.id, statement, checksum: migration.checksum } satisfies Row]);
      }
    }
  });
}

async function run(clickhouse: ClickHouse, sql: string): Promise<void> {
  const updated = /^\s*ALTER TABLE (\w+) UPDATE\b/i.exec(sql)?.[1];
  if (updated !== undefined) return update(clickhouse, updated, sql);
  try {
    await clickhouse.command(sql);
  } catch (error) {
    if (!/^\s*CREATE\b/i.test(sql) || !isTableAlreadyThere(error)) throw error;
  }
}

const askAgainMs = 200;

/**
 * Rewrites stored rows and waits for completion without a time limit: the rest of the program must not use a half-rewritten table. ClickHouse continues by
 * itself after a crash; the statement is then repeated, which must change nothing.
 */
async function update(clickhouse: ClickHouse, table: string, sql: string): Promise<void> {
  await clickhouse.command(sql, { settings: { mutations_sync: 0 } });
  for (;;) {
    const [row] = await clickhouse.query<{ open: number; failed: string }>(
      `SELECT toInt32(countIf(NOT is_done)) AS open, anyIf(latest_fail_reason, NOT is_done AND latest_fail_reason != '') AS failed
       FROM system.mutations WHERE database = currentDatabase() AND table = {table:String}`,
      { params: { table } },
    );
    if (row === undefined || row.open === 0) return;
    if (row.failed !== '') throw new Error(`${table} could not be rewritten: ${row.failed}`);
    await delay(askAgainMs);
  }
}
