import { and, count, eq, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Context } from '../../context';
import type { Db } from './queries';
import { resourceCaptions, resources } from './schema';

/** Texts about files by language: titles, alternative texts and captions. */
const columns = ['title', 'alt', 'caption'] as const;
const describedIn = (tag: string): SQL | undefined => or(...columns.map((column) => sql`jsonb_exists(${resources[column]}, ${tag})`));
const ofVideos = (siteId: string, tag: string): SQL | undefined =>
  and(
    eq(resourceCaptions.language, tag),
    sql`EXISTS (SELECT FROM ${resources} WHERE ${resources.id} = ${resourceCaptions.resourceId} AND ${resources.siteId} = ${siteId})`,
  );
const hasTexts = (siteId: string, tag: string): SQL | undefined =>
  and(
    eq(resources.siteId, siteId),
    or(
      describedIn(tag),
      sql`EXISTS (SELECT FROM ${resourceCaptions} WHERE ${resourceCaptions.resourceId} = ${resources.id} AND ${resourceCaptions.language} = ${tag})`,
    ),
  );

/** How many files of a site have texts or captions in a language. */
export const countWithTexts = async (db: Pick<Db, 'select'>, siteId: string, tag: string): Promise<number> =>
  (await db.select({ n: count() }).from(resources).where(hasTexts(siteId, tag)))[0]?.n ?? 0;

/** Deletes the texts about files of a site in a language, and captions of its videos. */
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
    .where(and(eq(resources.siteId, siteId), describedIn(tag)));
  await ctx.postgres.db.delete(resourceCaptions).where(ofVideos(siteId, tag));
  ctx.live.publish({ type: 'resources', siteId });
}
