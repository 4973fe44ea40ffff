import { sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import { isLocalizable } from '../../../../contract/tables/terms';
import type { Db } from '../core/ddl';
import { historyTable, publishedTable, recordsTable } from '../core/ids';
import { siteModel } from '../core/model';
import * as queries from './queries';

/** Deletes translations that no field or language of a table has used for 30 days: switched on again earlier, they are all still available. */
export async function forgetTranslations(ctx: Context, siteId: string, tableId: string, before: Date): Promise<void> {
  const model = await siteModel(ctx, siteId);
  const table = model.byName.get(tableId);
  if (!table) return;
  const off = await queries.switchedOff(ctx.postgres.db, tableId, before);
  const fields = table.fields.filter((field) => isLocalizable(field.type) && !field.localized && off.fields.has(field.id)).map((field) => field.id);
  const locales = [...off.locales].filter((locale) => !table.locales.includes(locale));
  if (fields.length === 0 && locales.length === 0) return;
  await dropTranslations(ctx, siteId, table, { fields, locales });
}

const atOnce = 5000;

/** Deletes what the history of a table's records has of some fields, or of translations into some languages. It may have millions of rows, so it is read once, a batch at a time. */
export async function forgetPastValues(
  db: Db,
  siteId: string,
  tableId: string,
  { fields = [], locales = [] }: { readonly fields?: readonly string[]; readonly locales?: readonly string[] },
): Promise<void> {
  const history = sql.raw(historyTable(siteId));
  const [gone, languages] = [sql`${sql.param(fields)}::text[]`, sql`${sql.param(locales)}::text[]`];
  // Keys are `field` or `field@language`; a published state has all values.
  const isGone = sql`(split_part(key, '@', 1) = ANY(${gone}) OR split_part(key, '@', 2) = ANY(${languages}))`;
  const hasGone = sql`(${isGone} OR (key = '$published' AND (value -> 'values' ?| ${gone} OR value -> 'tr' ?| ${languages})))`;
  const published = sql`value || jsonb_build_object('values', (value -> 'values') - ${gone}, 'tr',
    (SELECT coalesce(jsonb_object_agg(l.key, l.value - ${gone}), '{}') FROM jsonb_each(value -> 'tr') l WHERE l.key <> ALL(${languages})))`;
  const rest = (column: 'patch' | 'inverse') =>
    sql`(SELECT coalesce(jsonb_object_agg(key, CASE WHEN ${hasGone} THEN ${published} ELSE value END), '{}') FROM jsonb_each(${sql.raw(column)}) WHERE NOT ${isGone})`;
  let last: { readonly record: string; readonly rev: number } | undefined;
  do {
    const further = last === undefined ? sql`true` : sql`(record_id, rev) > (${last.record}::uuid, ${last.rev}::int)`;
    const { rows } = await db.execute<{ record: string; rev: number }>(sql`
      WITH portion AS (SELECT record_id, rev FROM ${history} WHERE table_id = ${tableId} AND ${further} ORDER BY record_id, rev LIMIT ${atOnce}),
      changed AS (UPDATE ${history} h SET patch = ${rest('patch')}, inverse = ${rest('inverse')} FROM portion p
        WHERE h.table_id = ${tableId} AND h.record_id = p.record_id AND h.rev = p.rev
        AND EXISTS (SELECT FROM (SELECT * FROM jsonb_each(h.patch) UNION ALL SELECT * FROM jsonb_each(h.inverse)) one WHERE ${hasGone}))
      SELECT record_id AS record, rev FROM portion ORDER BY record_id DESC, rev DESC LIMIT 1`);
    [last] = rows;
  } while (last !== undefined);
}

/** Deletes translations of some fields and languages of a table, from records, from what is published of them, and those into the languages from their history. */
export async function dropTranslations(
  ctx: Context,
  siteId: string,
  { id, drafts }: { readonly id: string; readonly drafts: boolean },
  { fields = [], locales = [] }: { readonly fields?: readonly string[]; readonly locales?: readonly string[] },
): Promise<void> {
  for (const name of [recordsTable(siteId, id), ...(drafts ? [publishedTable(siteId, id)] : [])]) {
    for (;;) {
      const { rowCount } = await ctx.postgres.pool.query(
        `UPDATE ${name} SET tr = nullif((SELECT coalesce(jsonb_object_agg(l.key, l.value - $1::text[]), '{}') FROM jsonb_each(tr) l
           WHERE l.key <> ALL($2::text[]) AND l.value - $1::text[] <> '{}'), '{}')
         WHERE id IN (SELECT id FROM ${name} WHERE tr IS NOT NULL AND (tr ?| $2::text[] OR EXISTS (SELECT 1 FROM jsonb_each(tr) l WHERE l.value ?| $1::text[])) LIMIT ${String(atOnce)})`,
        [fields, locales],
      );
      if ((rowCount ?? 0) < atOnce) break;
    }
  }
  if (locales.length > 0) await forgetPastValues(ctx.postgres.db, siteId, id, { locales });
}
