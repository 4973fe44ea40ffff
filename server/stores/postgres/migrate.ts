import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checksumOf, pendingMigrations } from '../migration';
import type { Postgres } from './types';

type SqlMigration = { readonly id: string; readonly checksum: string; readonly sql: string };

/** Beside this file in the sources, beside main.js in the build. */
export const migrationsFolder = fileURLToPath(new URL('./migrations/', import.meta.url));

/** The steps drizzle-kit generated, in the order of its journal. */
export function readMigrations(folder: string): SqlMigration[] {
  const journal = path.join(folder, 'meta', '_journal.json');
  if (!existsSync(journal)) return [];
  const { entries } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] };
  return entries.map(({ tag }) => {
    const sql = readFileSync(path.join(folder, `${tag}.sql`), 'utf8');
    return { id: tag, checksum: checksumOf(sql), sql };
  });
}

/** Brings the schema to this version, one transaction a step; processes that start together take turns. */
export async function migratePostgres(postgres: Postgres, migrations: readonly SqlMigration[] = readMigrations(migrationsFolder)): Promise<void> {
  await postgres.withLock('sitewright:migrate:postgres', async () => {
    await postgres.pool.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (id text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await postgres.pool.query<{ id: string; checksum: string }>('SELECT id, checksum FROM schema_migrations ORDER BY id');
    for (const migration of pendingMigrations('PostgreSQL', migrations, rows)) await apply(postgres, migration);
  });
}

async function apply(postgres: Postgres, migration: SqlMigration): Promise<void> {
  const client = await postgres.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (id, checksum) VALUES ($1, $2)', [migration.id, migration.checksum]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // The connection is thrown away together with its transaction.
    client.release(true);
    throw error;
  }
}
