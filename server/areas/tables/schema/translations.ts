import type { Context } from '../../../context';
import { isLocalizable } from '../../../../contract/tables/terms';
import { publishedTable, recordsTable } from '../core/ids';
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

/** Deletes translations of some fields and languages of a table, from records and from what is published of them. */
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
         WHERE id IN (SELECT id FROM ${name} WHERE tr IS NOT NULL AND (tr ?| $2::text[] OR EXISTS (SELECT 1 FROM jsonb_each(tr) l WHERE l.value ?| $1::text[])) LIMIT 5000)`,
        [fields, locales],
      );
      if ((rowCount ?? 0) < 5000) break;
    }
  }
}
