import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../ddl';
import { columnName, publishedTable, recordsTable } from '../ids';
import type { FieldModel, TableModel } from '../model';

const records = (siteId: string, table: Pick<TableModel, 'id'>): SQL => sql.raw(recordsTable(siteId, table.id));

/** Blocks writers of a table's records until the end of this transaction, after waiting for current ones. */
export const holdWriters = async (db: Db, siteId: string, table: TableModel): Promise<void> =>
  void (await db.execute(sql`LOCK TABLE ${records(siteId, table)} IN SHARE ROW EXCLUSIVE MODE`));

/** The given choices that are in use by any record: live, in the bin, or published. */
export const usedChoices = async (db: Db, siteId: string, table: TableModel, field: FieldModel, choices: readonly string[]): Promise<Set<string>> => {
  const own = sql.raw(columnName(field.id));
  const choiceIds = sql`${sql.param([...choices])}::text[]`;
  const from = (rowsIn: SQL): SQL =>
    field.type === 'select'
      ? sql`SELECT ${own} AS choice FROM ${rowsIn} WHERE ${own} = ANY(${choiceIds})`
      : sql`SELECT unnest(${own}) AS choice FROM ${rowsIn} WHERE ${own} && ${choiceIds}`;
  const published = table.drafts ? sql` UNION ${from(sql.raw(publishedTable(siteId, table.id)))}` : sql``;
  const { rows } = await db.execute(sql`${from(records(siteId, table))}${published}`);
  return new Set((rows as { choice: string }[]).map(({ choice }) => choice));
};
