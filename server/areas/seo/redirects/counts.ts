import { lt, sql } from 'drizzle-orm';
import { seoLimits } from '../../../../contract/seo/terms';
import type { Context } from '../../../context';
import { DAY } from '../../../zone';
import { notFoundPaths, redirectHits } from './schema';

/** Uses of one redirect on one day. */
export type RedirectCount = { readonly siteId: string; readonly from: string; readonly day: string; readonly hits: number };
/** Requests for one path without a page. Times in epoch ms. */
export type NotFoundCount = {
  readonly siteId: string;
  readonly path: string;
  readonly people: number;
  readonly bots: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly referrer: string;
  readonly referrerHits: number;
};
type Db = Pick<Context, 'postgres'>;

const isoOf = (at: number): string => new Date(at).toISOString();

/** Adds to what is stored. Counts of sites that were deleted meanwhile are dropped. */
export async function storeRedirectHits({ postgres }: Db, counts: readonly RedirectCount[]): Promise<void> {
  if (counts.length === 0) return;
  const rows = JSON.stringify(counts.toSorted((a, b) => (a.siteId + a.from < b.siteId + b.from ? -1 : 1)));
  await postgres.db.execute(sql`
    INSERT INTO ${redirectHits} AS stored (site_id, from_path, day, hits)
    SELECT s.id, x."from", x.day, x.hits FROM json_to_recordset(${rows}::json) AS x("siteId" text, "from" text, day date, hits int) JOIN sites s ON s.id = x."siteId"
    ON CONFLICT (site_id, from_path, day) DO UPDATE SET hits = stored.hits + excluded.hits`);
}

/** Adds to what is stored, and lets the rarest paths of a site leave that has too many. */
export async function storeNotFound({ postgres }: Db, counts: readonly NotFoundCount[], most: number = seoLimits.notFound): Promise<void> {
  if (counts.length === 0) return;
  const { db } = postgres;
  const rows = counts
    .map((one) => ({ ...one, firstAt: isoOf(one.firstAt), lastAt: isoOf(one.lastAt) }))
    .toSorted((a, b) => (a.siteId + a.path < b.siteId + b.path ? -1 : 1));
  const { rows: stored } = await db.execute<{ site: string; fresh: boolean }>(sql`
    INSERT INTO ${notFoundPaths} AS stored (site_id, path, people, bots, first_at, last_at, referrer, referrer_hits)
    SELECT s.id, x.path, x.people, x.bots, x."firstAt", x."lastAt", x.referrer, x."referrerHits"
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS x("siteId" text, path text, people int, bots int, "firstAt" timestamptz, "lastAt" timestamptz, referrer text, "referrerHits" int)
    JOIN sites s ON s.id = x."siteId"
    ON CONFLICT (site_id, path) DO UPDATE SET
      people = stored.people + excluded.people,
      bots = stored.bots + excluded.bots,
      last_at = greatest(stored.last_at, excluded.last_at),
      referrer = CASE WHEN excluded.referrer_hits > stored.referrer_hits THEN excluded.referrer ELSE stored.referrer END,
      referrer_hits = CASE WHEN excluded.referrer = stored.referrer THEN stored.referrer_hits + excluded.referrer_hits
        ELSE abs(stored.referrer_hits - excluded.referrer_hits) END
    RETURNING site_id AS site, xmax = 0 AS fresh`);
  for (const siteId of new Set(stored.filter(({ fresh }) => fresh).map(({ site }) => site)))
    await db.execute(sql`
      DELETE FROM ${notFoundPaths} WHERE site_id = ${siteId} AND path IN (
        SELECT path FROM ${notFoundPaths} WHERE site_id = ${siteId} ORDER BY ignored DESC, people DESC, bots DESC, last_at DESC, path OFFSET ${most})`);
}

/** Days for which uses of redirects are kept. */
const keptDays = 400;

/** Daily: forgets old uses of redirects. */
export const forgetRedirectHits = async (ctx: Context): Promise<void> =>
  void (await ctx.postgres.db.delete(redirectHits).where(lt(redirectHits.day, isoOf(ctx.now() - keptDays * DAY).slice(0, 10))));
