import { sql } from 'drizzle-orm';
import { columnOf } from '../../../../../contract/tables/terms';
import type { Db } from '../../core/ddl';
import {
  columnName,
  convertedRevs,
  convertedTranslations,
  linksIndexOf,
  linksTable,
  plainIndexOf,
  publishedIndexOf,
  publishedTable,
  recordsTable,
  schemaOf,
  uniqueIndexOf,
} from '../../core/ids';
import type { TableModel } from '../../core/model';
import type { ConversionSpec } from '../../core/schema';

type Table = Pick<TableModel, 'id' | 'drafts'>;
const run = async (db: Db, statement: string): Promise<void> => void (await db.execute(sql.raw(statement)));
const exists = async (db: Db, name: string): Promise<boolean> =>
  (await db.execute<{ found: boolean }>(sql`SELECT to_regclass(${name}) IS NOT NULL AS found`)).rows[0]?.found ?? false;
const tablesOf = (siteId: string, table: Table): string[] => [recordsTable(siteId, table.id), ...(table.drafts ? [publishedTable(siteId, table.id)] : [])];

/** Whether a table has a column: published tables created later lack those that earlier conversions kept. */
export const hasColumn = async (db: Db, name: string, column: string): Promise<boolean> =>
  (
    await db.execute<{ found: boolean }>(
      sql`SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass(${name}) AND attname = ${column} AND NOT attisdropped) AS found`,
    )
  ).rows[0]?.found ?? false;

/** Adds the columns (and the link table) that a conversion fills, beside those in use. Existing ones stay. */
export async function addBeside(db: Db, siteId: string, table: Table, spec: ConversionSpec, collation: string): Promise<void> {
  const { type } = spec.to;
  for (const name of tablesOf(siteId, table)) {
    const published = name === publishedTable(siteId, table.id);
    const kind = type === 'relations' ? (published ? 'uuid[]' : null) : columnOf[type];
    const columns = [
      `${convertedRevs(spec.fresh)} int`,
      ...(kind === null ? [] : [`${columnName(spec.fresh)} ${kind}${kind === 'text' ? ` ${collation}` : ''}`]),
      ...(spec.translated ? [`${convertedTranslations(spec.fresh)} jsonb`] : []),
    ];
    await run(db, `ALTER TABLE ${name} ${columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`);
  }
  if (type !== 'relations') return;
  const links = linksTable(siteId, spec.fresh);
  await run(db, `CREATE TABLE IF NOT EXISTS ${links} (a uuid NOT NULL, b uuid NOT NULL, ord double precision NOT NULL, PRIMARY KEY (a, b))`);
  await run(db, `CREATE INDEX IF NOT EXISTS ${linksIndexOf(spec.fresh)} ON ${links} (b)`);
}
/** Marks everything as not converted, after the old type has changed. */
export async function forgetRevs(db: Db, siteId: string, table: Table, spec: ConversionSpec): Promise<void> {
  const revs = convertedRevs(spec.fresh);
  for (const name of tablesOf(siteId, table)) await run(db, `ALTER TABLE ${name} DROP COLUMN IF EXISTS ${revs}, ADD COLUMN ${revs} int`);
}

const renameColumn = (db: Db, name: string, from: string, to: string): Promise<void> => run(db, `ALTER TABLE ${name} RENAME COLUMN ${from} TO ${to}`);
async function renameLinks(db: Db, siteId: string, from: string, to: string): Promise<void> {
  const own = (id: string): string => linksTable(siteId, id).split('.')[1] ?? '';
  await run(db, `ALTER TABLE ${linksTable(siteId, from)} RENAME TO ${own(to)}`);
  await run(db, `ALTER INDEX ${schemaOf(siteId)}.${linksIndexOf(from)} RENAME TO ${linksIndexOf(to)}`);
}
/** Replaces the old column with the new one, including indexes; the old one stays under its `kept` id. Waits for current readers and writers. */
export async function swapColumns(db: Db, siteId: string, table: Table, fieldId: string, spec: ConversionSpec): Promise<void> {
  const { from, to, fresh } = spec;
  const inSchema = (name: string): string => `${schemaOf(siteId)}.${name}`;
  for (const name of [uniqueIndexOf, plainIndexOf, publishedIndexOf]) await run(db, `DROP INDEX IF EXISTS ${inSchema(name(fieldId))}`);
  const column = (type: typeof from.type, published: boolean): boolean => columnOf[type] !== 'none' || (type === 'relations' && published);
  for (const name of tablesOf(siteId, table)) {
    const published = name === publishedTable(siteId, table.id);
    if (column(from.type, published)) await renameColumn(db, name, columnName(fieldId), columnName(spec.kept));
    if (column(to.type, published)) await renameColumn(db, name, columnName(fresh), columnName(fieldId));
    if (!spec.translated) continue;
    await renameColumn(db, name, 'tr', convertedTranslations(spec.kept));
    await renameColumn(db, name, convertedTranslations(fresh), 'tr');
  }
  if (from.type === 'relations') await renameLinks(db, siteId, fieldId, spec.kept);
  if (to.type === 'relations') await renameLinks(db, siteId, fresh, fieldId);
  for (const name of [uniqueIndexOf, plainIndexOf, publishedIndexOf])
    await run(db, `ALTER INDEX IF EXISTS ${inSchema(name(fresh))} RENAME TO ${name(fieldId)}`);
}

type Which = 'fresh' | 'kept';
/** Drops what a conversion was filling, or what it has kept. A deleted table has dropped its columns; links have tables of their own. */
export async function dropBeside(db: Db, siteId: string, tableId: string, spec: ConversionSpec, which: Which): Promise<void> {
  const id = spec[which];
  const type = which === 'fresh' ? spec.to.type : spec.from.type;
  for (const name of [recordsTable(siteId, tableId), publishedTable(siteId, tableId)]) {
    if (!(await exists(db, name))) continue;
    await run(
      db,
      `ALTER TABLE ${name} DROP COLUMN IF EXISTS ${convertedRevs(spec.fresh)}, DROP COLUMN IF EXISTS ${columnName(id)}, DROP COLUMN IF EXISTS ${convertedTranslations(id)}`,
    );
  }
  if (type === 'relations') await run(db, `DROP TABLE IF EXISTS ${linksTable(siteId, id)}`);
}
