import { and, eq, inArray, sql } from 'drizzle-orm';
import { openStates } from '../../../contract/sites/terms';
import { sites } from '../sites/schema';
import { findPoster } from './mediaQueries';
import type { BlobRow, Db, ResourceRow } from './queries';
import { blobs, isVideoName, resources, resourceVariants } from './schema';
import { findVersion } from './versions';

/** A resource and the content that an address names: the current one, or an earlier one with the way in which it was turned and cropped. */
export type DeliveredResource = { readonly row: ResourceRow; readonly blob: BlobRow };

/**
 * A resource that is not in the bin, with the content whose hash begins with `version`, or the current one. `siteId` null: of any site in use whose pages are
 * hosted elsewhere.
 */
export async function findDelivered(db: Db, siteId: string | null, id: string, version: string | null): Promise<DeliveredResource | null> {
  const [current] = await db
    .select({ row: resources, blob: blobs })
    .from(resources)
    .innerJoin(blobs, and(eq(blobs.siteId, resources.siteId), eq(blobs.sha256, resources.sha256)))
    .innerJoin(sites, eq(sites.id, resources.siteId))
    .where(
      and(
        eq(resources.id, id),
        sql`${resources.deletedAt} IS NULL AND ${resources.pendingUntil} IS NULL`,
        inArray(sites.state, [...openStates]),
        siteId === null ? eq(sites.purpose, 'external') : eq(resources.siteId, siteId),
      ),
    );
  if (!current || version === null || current.row.sha256.startsWith(version)) return current ?? null;
  const { siteId: owner, posterSha256 } = current.row;
  const poster = posterSha256?.startsWith(version) ? await findPoster(db, owner, posterSha256) : null;
  if (poster) return { row: current.row, blob: poster };
  const earlier = await findVersion(db, id, version);
  return earlier ? { row: { ...current.row, rotation: earlier.rotation, crop: earlier.crop }, blob: earlier.blob } : null;
}

export type Downloads = { readonly id: string; readonly count: number; readonly at: Date };

export async function addDownloads(db: Db, downloads: readonly Downloads[]): Promise<void> {
  if (downloads.length === 0) return;
  const column = (read: (one: Downloads) => string | number) => sql.param(downloads.map(read));
  await db.execute(sql`
    UPDATE resources r SET downloads = r.downloads + d.count, last_downloaded_at = greatest(r.last_downloaded_at, d.at)
    FROM unnest(${column(({ id }) => id)}::uuid[], ${column(({ count }) => count)}::int[], ${column(({ at }) => at.toISOString())}::timestamptz[]) AS d (id, count, at)
    WHERE r.id = d.id`);
}

export type VariantId = { readonly siteId: string; readonly sha256: string; readonly name: string };
export type VariantUse = VariantId & { readonly bytes: number; readonly at: Date };

/** Records variants and when they were used. Those of contents that no longer exist, or turned out to be infected, are left out; the number of the others. */
async function recordVariants(db: Db, variants: readonly VariantUse[]): Promise<number> {
  if (variants.length === 0) return 0;
  const column = (read: (one: VariantUse) => string | number) => sql.param(variants.map(read));
  const { rowCount } = await db.execute(sql`
    INSERT INTO resource_variants AS v (site_id, sha256, name, bytes, last_used_at)
    SELECT u.site_id, u.sha256, u.name, u.bytes, u.at
    FROM unnest(${column(({ siteId }) => siteId)}::text[], ${column(({ sha256 }) => sha256)}::text[], ${column(({ name }) => name)}::text[],
      ${column(({ bytes }) => bytes)}::bigint[], ${column(({ at }) => at.toISOString())}::timestamptz[]) AS u (site_id, sha256, name, bytes, at)
    JOIN blobs b ON b.site_id = u.site_id AND b.sha256 = u.sha256 AND b.scan IS DISTINCT FROM 'infected'
    ON CONFLICT (site_id, sha256, name) DO UPDATE SET bytes = excluded.bytes, last_used_at = greatest(v.last_used_at, excluded.last_used_at)`);
  return rowCount ?? 0;
}
export const touchVariants = async (db: Db, variants: readonly VariantUse[]): Promise<void> => void (await recordVariants(db, variants));
/** False if the content no longer exists, or is infected. */
export const addVariant = async (db: Db, variant: VariantUse): Promise<boolean> => (await recordVariants(db, [variant])) === 1;

/** Variants that the budget, in bytes, has no space for: the least recently used, at most `most`. Converted videos count for their site instead, and stay. */
export async function variantsBeyond(db: Db, budget: number, most: number): Promise<VariantId[]> {
  const { rows } = await db.execute<{ site_id: string; sha256: string; name: string }>(sql`
    SELECT site_id, sha256, name
    FROM (SELECT *, sum(bytes) OVER (ORDER BY last_used_at DESC, site_id, sha256, name) AS total FROM ${resourceVariants} WHERE NOT ${isVideoName(resourceVariants.name)}) v
    WHERE total > ${budget} ORDER BY total DESC LIMIT ${most}`);
  return rows.map((row) => ({ siteId: row.site_id, sha256: row.sha256, name: row.name }));
}

export async function deleteVariants(db: Db, variants: readonly VariantId[]): Promise<void> {
  for (const { siteId, sha256, name } of variants)
    await db.delete(resourceVariants).where(and(eq(resourceVariants.siteId, siteId), eq(resourceVariants.sha256, sha256), eq(resourceVariants.name, name)));
}
