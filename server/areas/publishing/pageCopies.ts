import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '../../context';
import { liveReleases, pageCopies } from './schema';

/** Compressed bytes of the copies of one site; those that were stored first go first. */
const mostBytes = 16 * 1024 ** 2;

type PageHeaders = Readonly<Record<string, string>>;
/** A page of a release. `html`: compressed by Brotli. `etag`: equal pages have the same one. */
type PageCopy = {
  readonly siteId: string;
  readonly release: string;
  readonly name: string;
  readonly headers: PageHeaders;
  readonly html: Buffer;
  readonly etag: string;
};

/** Stores a page unless its release is no longer live, or the stored copy is the same. */
export async function storePageCopy(ctx: Context, { siteId, release, name, headers, html, etag }: PageCopy): Promise<void> {
  const { db } = ctx.postgres;
  const { rows } = await db.execute(sql`
    INSERT INTO ${pageCopies} (site_id, name, headers, html, bytes, etag, stored_at)
    SELECT site_id, ${name}::text, ${JSON.stringify(headers)}::jsonb, ${html}::bytea, ${html.length}::int, ${etag}::text, ${new Date(ctx.now()).toISOString()}::timestamptz
    FROM ${liveReleases} WHERE site_id = ${siteId} AND release_id = ${release}::uuid
    ON CONFLICT (site_id, name) DO UPDATE
      SET headers = excluded.headers, html = excluded.html, bytes = excluded.bytes, etag = excluded.etag, stored_at = excluded.stored_at
      WHERE ${pageCopies.etag} <> excluded.etag OR ${pageCopies.headers} <> excluded.headers
    RETURNING site_id`);
  if (rows.length === 0) return;
  await db.execute(sql`
    DELETE FROM ${pageCopies} WHERE site_id = ${siteId} AND name IN (
      SELECT name FROM (
        SELECT name, sum(bytes) OVER (ORDER BY stored_at DESC, name) AS total FROM ${pageCopies} WHERE site_id = ${siteId}
      ) AS newest WHERE total > ${mostBytes})`);
}

/** Removes copies of pages that no longer exist. */
export async function removePageCopies(ctx: Context, copies: readonly Pick<PageCopy, 'siteId' | 'name'>[]): Promise<void> {
  const siteIds = [...new Set(copies.map(({ siteId }) => siteId))];
  const names = copies.map(({ name }) => name);
  if (names.length > 0) await ctx.postgres.db.delete(pageCopies).where(and(inArray(pageCopies.siteId, siteIds), inArray(pageCopies.name, names)));
}

/** The copy of a page; null if there is none. */
export async function findPageCopy(ctx: Context, siteId: string, name: string): Promise<{ readonly headers: PageHeaders; readonly html: Buffer } | null> {
  const [found] = await ctx.postgres.db
    .select({ headers: pageCopies.headers, html: pageCopies.html })
    .from(pageCopies)
    .where(and(eq(pageCopies.siteId, siteId), eq(pageCopies.name, name)));
  return found ?? null;
}
