import { and, eq, sql } from 'drizzle-orm';
import { isBlocked } from '../../../contract/resources/terms';
import type { CaptionUse, ResourceVisibility, ScanResult } from '../../../contract/resources/terms';
import type { BlobRow, Db } from './queries';
import { blobs, resourceCaptions, resources } from './schema';

/** Sets or removes the poster of a resource; the previous one. */
export async function setPoster(db: Db, siteId: string, id: string, sha256: string | null, now: Date): Promise<string | null> {
  const { rows } = await db.execute<{ before: string | null }>(sql`
    UPDATE resources r SET poster_sha256 = ${sha256}, revision = r.revision + 1, updated_at = ${now.toISOString()}::timestamptz
    FROM (SELECT poster_sha256 AS before FROM resources WHERE site_id = ${siteId} AND id = ${id}::uuid FOR UPDATE) old
    WHERE r.site_id = ${siteId} AND r.id = ${id}::uuid RETURNING old.before`);
  const before = rows[0]?.before ?? null;
  return before === sha256 ? null : before;
}

export const findPoster = async (db: Db, siteId: string, sha256: string): Promise<BlobRow | null> =>
  (
    await db
      .select()
      .from(blobs)
      .where(and(eq(blobs.siteId, siteId), eq(blobs.sha256, sha256), eq(blobs.kind, 'image')))
  )[0] ?? null;

export type CaptionRow = typeof resourceCaptions.$inferSelect;
type CaptionKey = { readonly resourceId: string; readonly language: string; readonly use: CaptionUse };

const isTrack = ({ resourceId, language, use }: CaptionKey) =>
  and(eq(resourceCaptions.resourceId, resourceId), eq(resourceCaptions.language, language), eq(resourceCaptions.use, use));

/** Captions of a resource, by language. The caller has found it in its site. */
export const captionsOf = (db: Db, resourceId: string): Promise<CaptionRow[]> =>
  db.select().from(resourceCaptions).where(eq(resourceCaptions.resourceId, resourceId)).orderBy(resourceCaptions.language, resourceCaptions.use);

export const findCaption = async (db: Db, key: CaptionKey): Promise<CaptionRow | null> =>
  (await db.select().from(resourceCaptions).where(isTrack(key)))[0] ?? null;

/** Stores captions over a revision, 0 for new ones; null if the stored ones have another revision. */
export async function saveCaption(
  db: Db,
  key: CaptionKey,
  revision: number,
  values: Pick<CaptionRow, 'label' | 'source' | 'updatedAt'>,
): Promise<CaptionRow | null> {
  const next = { ...values, revision: revision + 1 };
  const saved =
    revision === 0
      ? await db
          .insert(resourceCaptions)
          .values({ ...key, ...next })
          .onConflictDoNothing()
          .returning()
      : await db
          .update(resourceCaptions)
          .set(next)
          .where(and(isTrack(key), eq(resourceCaptions.revision, revision)))
          .returning();
  return saved[0] ?? null;
}

export const removeCaption = async (db: Db, key: CaptionKey): Promise<boolean> =>
  (await db.delete(resourceCaptions).where(isTrack(key)).returning({ language: resourceCaptions.language })).length > 0;

/** Captions of a video, and who may have them. */
export type DeliveredCaption = CaptionRow & { readonly siteId: string; readonly visibility: ResourceVisibility };

/** Captions of a video of an active site that is delivered itself. `siteId` null: of any site whose pages are hosted elsewhere. */
export async function deliveredCaption(db: Db, siteId: string | null, key: CaptionKey): Promise<DeliveredCaption | null> {
  const { rows } = await db.execute<{ site_id: string; visibility: ResourceVisibility; scan: ScanResult | null }>(sql`
    SELECT r.site_id, r.visibility, b.scan
    FROM ${resources} r JOIN sites s ON s.id = r.site_id JOIN ${blobs} b ON b.site_id = r.site_id AND b.sha256 = r.sha256
    WHERE r.id = ${key.resourceId}::uuid AND r.deleted_at IS NULL AND r.pending_until IS NULL AND s.state = 'active' AND b.kind = 'video'
      AND ${siteId === null ? sql`s.purpose = 'external'` : sql`r.site_id = ${siteId}`}`);
  const [video] = rows;
  const caption = video && !isBlocked(video) ? await findCaption(db, key) : null;
  return caption && video ? { ...caption, siteId: video.site_id, visibility: video.visibility } : null;
}
