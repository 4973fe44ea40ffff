import { checksumOf, pendingMigrations } from '../migration';
import { isTableAlreadyThere } from './errors';
import type { ClickHouse } from './types';

/** One step of the ClickHouse schema. Steps are never edited once released; add another. */
export type Migration = { readonly id: string; readonly statements: readonly string[] };

type WithLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;
type Row = { readonly id: string; readonly statement: number; readonly checksum: string };

/**
 * Brings the schema to this version. ClickHouse has no transactions around DDL, so every statement is recorded as it is
 * done, and a step that was cut short goes on where it stopped; a CREATE whose table is there although its record is not
 * (cut between the two) counts as done. `withLock` keeps processes apart: PostgreSQL's, since ClickHouse has none.
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
  try {
    await clickhouse.command(sql);
  } catch (error) {
    if (!/^\s*CREATE\b/i.test(sql) || !isTableAlreadyThere(error)) throw error;
  }
}
