import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { columnOf } from '../../../../contract/tables/terms';
import type { FieldType } from '../../../../contract/tables/terms';
import { fail } from '../../../http/failure';
import { sqlState } from '../../../stores/postgres/sqlState';
import type { Postgres } from '../../../stores/postgres/types';
import {
  columnName,
  historyTable,
  linksIndexOf,
  linksTable,
  newRecordId,
  numbersOf,
  plainIndexOf,
  publishedIndexOf,
  publishedTable,
  recordsTable,
  schemaOf,
  tableIndex,
  uniqueIndexOf,
} from './ids';

/** A transaction or the database. */
export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute' | '_'>;
/** What the storage of a field depends on. */
export type StoredField = { readonly id: string; readonly type: FieldType; readonly isUnique: boolean; readonly indexed: boolean };

const run = async (db: Db, statement: string): Promise<void> => void (await db.execute(sql.raw(statement)));

/** PostgreSQL error codes: lock timeout and deadlock. */
const busy = ['55P03', '40P01'];

/**
 * Runs `work` in a transaction that waits at most three seconds for any lock, so that a schema change never blocks readers and writers for longer. Tries
 * five times with growing pauses. Throws `unavailable` if the table stays busy.
 */
export async function changingTables<T>(postgres: Postgres, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await postgres.db.transaction(async (tx) => {
        await run(tx, `SET LOCAL lock_timeout = '3s'`);
        return work(tx);
      });
    } catch (error) {
      if (!busy.includes(sqlState(error) ?? '')) throw error;
      if (attempt === 5) return fail('unavailable', { retryAfter: 5, cause: error });
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt));
    }
  }
}

/** Serializes changes to the storage of a table across the whole program. Held until the transaction ends. */
export const lockTable = async (db: Db, tableId: string): Promise<void> =>
  void (await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`content ${tableId}`}, 0))`));

const collations = new WeakMap<Postgres, Promise<string>>();
/** Chinese collation if this PostgreSQL has ICU, else code point order. Cached per connection pool. */
export function textCollation(postgres: Postgres): Promise<string> {
  let known = collations.get(postgres);
  if (!known) {
    known = postgres.pool
      .query(`SELECT 1 FROM pg_catalog.pg_collation WHERE collname = 'zh-x-icu'`)
      .then(({ rows }) => (rows.length > 0 ? 'COLLATE "zh-x-icu"' : 'COLLATE "C"'));
    collations.set(postgres, known);
  }
  return known;
}

/** Schema with a site's records and their history; created with the first table. */
export async function makeSchema(db: Db, siteId: string): Promise<void> {
  await run(db, `CREATE SCHEMA IF NOT EXISTS ${schemaOf(siteId)}`);
  await run(
    db,
    `CREATE TABLE IF NOT EXISTS ${historyTable(siteId)} (
       table_id text NOT NULL, record_id uuid NOT NULL, rev int NOT NULL, at timestamptz NOT NULL, actor uuid, door text NOT NULL, batch uuid,
       kind text NOT NULL, patch jsonb NOT NULL, inverse jsonb NOT NULL, PRIMARY KEY (table_id, record_id, rev))`,
  );
  await run(db, `CREATE INDEX IF NOT EXISTS h_batch ON ${historyTable(siteId)} (batch)`);
}
export const dropSchema = (db: Db, siteId: string): Promise<void> => run(db, `DROP SCHEMA IF EXISTS ${schemaOf(siteId)} CASCADE`);

const columnSql = (field: StoredField, collation: string): string => {
  const kind = columnOf[field.type];
  return `${columnName(field.id)} ${kind}${kind === 'text' ? ` ${collation}` : ''}`;
};
const isStored = (field: StoredField): boolean => columnOf[field.type] !== 'none';
/** Link pairs are stored, as published, in the published record. */
const publishedColumn = (field: StoredField, collation: string): string | null => {
  if (field.type === 'relations') return `${columnName(field.id)} uuid[]`;
  return isStored(field) ? columnSql(field, collation) : null;
};
/** Fields that point at records are always indexed, because records are looked up by what points at them. */
const hasPlainIndex = (field: StoredField): boolean => isStored(field) && (field.indexed || field.type === 'relation');
const method = (field: StoredField): string => (columnOf[field.type] === 'text[]' ? 'USING gin ' : '');

const commonColumns = `id uuid NOT NULL, n bigint NOT NULL, ord numeric NOT NULL, rev int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL, created_by uuid, updated_at timestamptz NOT NULL, updated_by uuid, published_at timestamptz, tr jsonb, q tsvector`;

/** Creates the empty table of a content table's records. `published`: also the table of their published state. */
export async function createTable(
  db: Db,
  siteId: string,
  table: { readonly id: string; readonly published: boolean },
  fields: readonly StoredField[],
  collation: string,
): Promise<void> {
  const name = recordsTable(siteId, table.id);
  const columns = fields.filter(isStored).map((field) => `, ${columnSql(field, collation)}`);
  await run(
    db,
    `CREATE TABLE ${name} (${commonColumns}, deleted_at timestamptz, published_rev int, publish_at timestamptz, unpublish_at timestamptz${columns.join('')}, PRIMARY KEY (id))`,
  );
  await run(db, `CREATE SEQUENCE ${numbersOf(siteId, table.id)}`);
  await run(db, `CREATE INDEX ${tableIndex(table.id, 'ord')} ON ${name} (ord, id) WHERE deleted_at IS NULL`);
  await run(db, `CREATE INDEX ${tableIndex(table.id, 'updated')} ON ${name} (updated_at DESC)`);
  await run(db, `CREATE INDEX ${tableIndex(table.id, 'search')} ON ${name} USING gin (q)`);
  await run(db, `CREATE INDEX ${tableIndex(table.id, 'publish')} ON ${name} (publish_at) WHERE publish_at IS NOT NULL`);
  await run(db, `CREATE INDEX ${tableIndex(table.id, 'unpublish')} ON ${name} (unpublish_at) WHERE unpublish_at IS NOT NULL`);
  for (const field of fields) await addLinksAndIndexes(db, siteId, table.id, field);
  if (table.published) await createPublished(db, siteId, table.id, fields, collation);
}

/** Creates the empty table of published states. */
export async function createPublished(db: Db, siteId: string, tableId: string, fields: readonly StoredField[], collation: string): Promise<void> {
  const name = publishedTable(siteId, tableId);
  const columns = fields.map((field) => publishedColumn(field, collation)).filter((column) => column !== null);
  await run(db, `CREATE TABLE ${name} (${[commonColumns, ...columns].join(', ')}, PRIMARY KEY (id))`);
  await run(db, `CREATE INDEX ${tableIndex(tableId, 'publishedOrd')} ON ${name} (ord, id)`);
  await run(db, `CREATE INDEX ${tableIndex(tableId, 'publishedSearch')} ON ${name} USING gin (q)`);
  for (const field of fields) await addPublishedIndex(db, siteId, tableId, field);
}
const dropPublished = (db: Db, siteId: string, tableId: string): Promise<void> => run(db, `DROP TABLE IF EXISTS ${publishedTable(siteId, tableId)}`);

/** Adds columns, links and indexes for new fields. Existing records get no value, and none is rewritten. */
export async function addFields(
  db: Db,
  siteId: string,
  table: { readonly id: string; readonly published: boolean },
  fields: readonly StoredField[],
  collation: string,
): Promise<void> {
  const stored = fields.filter(isStored);
  if (stored.length > 0)
    await run(db, `ALTER TABLE ${recordsTable(siteId, table.id)} ${stored.map((field) => `ADD COLUMN ${columnSql(field, collation)}`).join(', ')}`);
  for (const field of fields) await addLinksAndIndexes(db, siteId, table.id, field);
  if (!table.published) return;
  const twins = fields.map((field) => publishedColumn(field, collation)).filter((column) => column !== null);
  if (twins.length > 0) await run(db, `ALTER TABLE ${publishedTable(siteId, table.id)} ${twins.map((column) => `ADD COLUMN ${column}`).join(', ')}`);
  for (const field of fields) await addPublishedIndex(db, siteId, table.id, field);
}

/** An existing index of one field, on the records or on their published state. */
export type FieldIndex = { readonly name: string; readonly unique: boolean; readonly on: string };
export const createIndexSql = ({ name, unique, on }: FieldIndex, how: '' | 'CONCURRENTLY '): string =>
  `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${how}${name} ${on}`;
/**
 * Indexes that a field needs on the records. Records in the bin reserve no unique value and appear in no list, so lists can be counted from the index
 * alone. Only fields that point at other records are indexed for the bin too.
 */
export function recordIndexes(siteId: string, tableId: string, field: StoredField): FieldIndex[] {
  const on = `ON ${recordsTable(siteId, tableId)} ${method(field)}(${columnName(field.id)})`;
  const live = `${on} WHERE deleted_at IS NULL`;
  return [
    ...(isStored(field) && field.isUnique ? [{ name: uniqueIndexOf(field.id), unique: true, on: live }] : []),
    ...(hasPlainIndex(field) ? [{ name: plainIndexOf(field.id), unique: false, on: field.type === 'relation' ? on : live }] : []),
  ];
}
/**
 * Indexes that a field needs on the published records. Includes unique fields, which the public filters by and whose values no two published records may
 * share (`publishedValues.ts`).
 */
export function publishedIndexes(siteId: string, tableId: string, field: StoredField): FieldIndex[] {
  const [name, on] = [publishedIndexOf(field.id), `ON ${publishedTable(siteId, tableId)}`];
  if (field.type === 'relations') return [{ name, unique: false, on: `${on} USING gin (${columnName(field.id)})` }];
  const isHeld = hasPlainIndex(field) || (isStored(field) && field.isUnique);
  return isHeld ? [{ name, unique: false, on: `${on} ${method(field)}(${columnName(field.id)})` }] : [];
}

async function addLinksAndIndexes(db: Db, siteId: string, tableId: string, field: StoredField): Promise<void> {
  if (field.type === 'relations') {
    const links = linksTable(siteId, field.id);
    await run(db, `CREATE TABLE ${links} (a uuid NOT NULL, b uuid NOT NULL, ord double precision NOT NULL, PRIMARY KEY (a, b))`);
    await run(db, `CREATE INDEX ${linksIndexOf(field.id)} ON ${links} (b)`);
  }
  for (const index of recordIndexes(siteId, tableId, field)) await run(db, createIndexSql(index, ''));
}
async function addPublishedIndex(db: Db, siteId: string, tableId: string, field: StoredField): Promise<void> {
  for (const index of publishedIndexes(siteId, tableId, field)) await run(db, createIndexSql(index, ''));
}
/** Drops indexes; waits for current readers and writers of their table. */
export async function dropIndexes(db: Db, siteId: string, names: readonly string[]): Promise<void> {
  for (const name of names) await run(db, `DROP INDEX IF EXISTS ${schemaOf(siteId)}.${name}`);
}

/** Drops fields and their values permanently. */
export async function dropFields(
  db: Db,
  siteId: string,
  table: { readonly id: string; readonly published: boolean },
  fields: readonly StoredField[],
): Promise<void> {
  const stored = fields.filter(isStored);
  const drop = (some: readonly StoredField[]): string => some.map((field) => `DROP COLUMN IF EXISTS ${columnName(field.id)}`).join(', ');
  if (stored.length > 0) await run(db, `ALTER TABLE ${recordsTable(siteId, table.id)} ${drop(stored)}`);
  const twins = fields.filter((field) => isStored(field) || field.type === 'relations');
  if (table.published && twins.length > 0) await run(db, `ALTER TABLE ${publishedTable(siteId, table.id)} ${drop(twins)}`);
  for (const field of fields) if (field.type === 'relations') await run(db, `DROP TABLE IF EXISTS ${linksTable(siteId, field.id)}`);
}

/** Drops a table permanently, with the storage of all its fields (including those in the bin). Its history is removed in batches (`purge.ts`). */
export async function dropTable(db: Db, siteId: string, tableId: string, fields: readonly StoredField[]): Promise<void> {
  await dropPublished(db, siteId, tableId);
  await run(db, `DROP TABLE IF EXISTS ${recordsTable(siteId, tableId)}`);
  await run(db, `DROP SEQUENCE IF EXISTS ${numbersOf(siteId, tableId)}`);
  for (const field of fields) if (field.type === 'relations') await run(db, `DROP TABLE IF EXISTS ${linksTable(siteId, field.id)}`);
}

/** Inserts the only record of a singleton. */
export const insertOnly = async (db: Db, siteId: string, tableId: string, creation: { readonly at: Date; readonly userId: string }): Promise<void> => {
  const id = newRecordId(creation.at.getTime());
  await db.execute(sql`
    WITH number AS (SELECT nextval(${numbersOf(siteId, tableId)}::regclass) AS n)
    INSERT INTO ${sql.raw(recordsTable(siteId, tableId))} (id, n, ord, created_at, created_by, updated_at, updated_by)
    SELECT ${id}::uuid, n, n, ${creation.at.toISOString()}::timestamptz, ${creation.userId}::uuid, ${creation.at.toISOString()}::timestamptz, ${creation.userId}::uuid FROM number`);
  await db.execute(sql`
    INSERT INTO ${sql.raw(historyTable(siteId))} (table_id, record_id, rev, at, actor, door, kind, patch, inverse)
    VALUES (${tableId}, ${id}::uuid, 1, ${creation.at.toISOString()}::timestamptz, ${creation.userId}::uuid, 'template', 'create', '{}', '{}')`);
};

export async function hasValues(db: Db, siteId: string, tableId: string, fieldId: string, live = false): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(
    sql.raw(
      `SELECT EXISTS (SELECT 1 FROM ${recordsTable(siteId, tableId)} WHERE ${columnName(fieldId)} IS NOT NULL${live ? ' AND deleted_at IS NULL' : ''}) AS found`,
    ),
  );
  return rows[0]?.found ?? false;
}

/** Marks every record outside the bin as published in its current state, for a table that starts to use drafts. Does not block readers. */
export async function publishAll(db: Db, siteId: string, tableId: string, fields: readonly StoredField[], at: Date): Promise<void> {
  const [from, to] = [recordsTable(siteId, tableId), publishedTable(siteId, tableId)];
  await run(db, `LOCK TABLE ${from} IN SHARE ROW EXCLUSIVE MODE`);
  await db.execute(
    sql`UPDATE ${sql.raw(from)} SET published_at = coalesce(published_at, ${at.toISOString()}::timestamptz), published_rev = rev WHERE deleted_at IS NULL`,
  );
  const common = ['id', 'n', 'ord', 'rev', 'created_at', 'created_by', 'updated_at', 'updated_by', 'published_at', 'tr', 'q'];
  const stored = fields.filter(isStored).map((field) => columnName(field.id));
  const links = fields.filter((field) => field.type === 'relations');
  const linked = links.map((field) => `ARRAY(SELECT b FROM ${linksTable(siteId, field.id)} WHERE a = r.id ORDER BY ord, b)`);
  await run(
    db,
    `INSERT INTO ${to} (${[...common, ...stored, ...links.map((field) => columnName(field.id))].join(', ')})
     SELECT ${[...[...common, ...stored].map((name) => `r.${name}`), ...linked].join(', ')} FROM ${from} r WHERE r.deleted_at IS NULL`,
  );
}
/** Drops the published states and scheduled publications of a table that stops using drafts. */
export async function unpublishAll(db: Db, siteId: string, tableId: string): Promise<void> {
  await dropPublished(db, siteId, tableId);
  await run(
    db,
    `UPDATE ${recordsTable(siteId, tableId)} SET published_at = NULL, published_rev = NULL, publish_at = NULL, unpublish_at = NULL
     WHERE published_rev IS NOT NULL OR publish_at IS NOT NULL OR unpublish_at IS NOT NULL OR published_at IS NOT NULL`,
  );
}

/** Column numbers that a table has used. PostgreSQL allows 1,600 and never reuses those of dropped columns. */
export async function columnsUsed(db: Db, name: string): Promise<number> {
  const { rows } = await db.execute<{ used: number | null }>(
    sql`SELECT max(attnum)::int AS used FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass(${name})`,
  );
  return rows[0]?.used ?? 0;
}

/** Rewrites a table with its current columns and indexes, which frees the numbers of dropped columns. */
export async function rewriteTable(db: Db, name: string): Promise<void> {
  await run(db, `LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
  const { rows: indexes } = await db.execute<{ definition: string; constraint: string | null; index: string }>(sql`
    SELECT pg_get_indexdef(i.indexrelid) AS definition, c.conname AS constraint, r.relname AS index
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class r ON r.oid = i.indexrelid
    LEFT JOIN pg_catalog.pg_constraint c ON c.conindid = i.indexrelid AND c.conrelid = i.indrelid
    WHERE i.indrelid = to_regclass(${name}) AND i.indisvalid`);
  const { rows: columns } = await db.execute<{ name: string }>(sql`
    SELECT attname AS name FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass(${name}) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`);
  const [schema = '', own = ''] = name.split('.');
  const fresh = `${schema}.x_${own.slice(2)}`;
  const list = columns.map((column) => column.name).join(', ');
  await run(db, `CREATE TABLE ${fresh} (LIKE ${name} INCLUDING DEFAULTS)`);
  await run(db, `INSERT INTO ${fresh} (${list}) SELECT ${list} FROM ${name}`);
  await run(db, `DROP TABLE ${name}`);
  await run(db, `ALTER TABLE ${fresh} RENAME TO ${own}`);
  for (const { definition, constraint, index } of indexes) {
    await run(db, definition);
    if (constraint !== null) await run(db, `ALTER TABLE ${name} ADD CONSTRAINT ${constraint} PRIMARY KEY USING INDEX ${index}`);
  }
  await run(db, `ANALYZE ${name}`);
}
