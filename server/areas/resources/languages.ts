import { and, count, eq, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Context } from '../../context';
import type { Db } from './queries';
import { resources } from './schema';

/** Texts about files by language: titles, alternative texts and captions. */
const columns = ['title', 'alt', 'caption'] as const;
const hasTexts = (siteId: string, tag: string): SQL | undefined =>
  and(eq(resources.siteId, siteId), or(...columns.map((column) => sql`jsonb_exists(${resources[column]}, ${tag})`)));

/** How many files of a site have texts in a language. */
export const countWithTexts = async (db: Pick<Db, 'select'>, siteId: string, tag: string): Promise<number> =>
  (await db.select({ n: count() }).from(resources).where(hasTexts(siteId, tag)))[0]?.n ?? 0;

/** Deletes the texts about files of a site in a language. */
export async function forgetLanguage(ctx: Context, siteId: string, tag: string): Promise<void> {
  const without = (column: (typeof columns)[number]): SQL => sql`${resources[column]} - ${tag}::text`;
  await ctx.postgres.db
    .update(resources)
    .set({
      title: without('title'),
      alt: without('alt'),
      caption: without('caption'),
      revision: sql`${resources.revision} + 1`,
      updatedAt: new Date(ctx.now()),
    })
    .where(hasTexts(siteId, tag));
  ctx.live.publish({ type: 'resources', siteId });
}
