import type { Context } from '../../../context';
import { recordsTable } from '../core/ids';
import { siteModel } from '../core/model';

/** How many records of a site are translated into a language. Records whose table has it as its first language are written in it, and not counted. */
export async function translatedRecords(ctx: Context, siteId: string, language: string): Promise<number> {
  const { tables } = await siteModel(ctx, siteId);
  const counts = await Promise.all(
    tables
      .filter(({ locales }) => locales.slice(1).includes(language))
      .map(async ({ id }) => {
        const { rows } = await ctx.postgres.pool.query<{ count: string }>(
          `SELECT count(*) FROM ${recordsTable(siteId, id)} WHERE deleted_at IS NULL AND jsonb_exists(tr, $1)`,
          [language],
        );
        return Number(rows[0]?.count ?? 0);
      }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
