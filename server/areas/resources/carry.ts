import { createHash } from 'node:crypto';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Context } from '../../context';
import type { StoredFile } from '../../stores/files/storedFile';
import { isBlocked } from '../../../contract/resources/terms';
import { acceptUpload } from './accept';
import { originalOf, uploadFolder, uploadKey } from './files';
import * as queries from './queries';
import type { Db, ResourceWithBlob } from './queries';
import { blobs, resourceReferences, resources } from './schema';
import type { Texts } from './schema';
import { withRoom } from './storage';

/** A resource as it travels with what uses it, such as the backup of a table. */
export type CarriedResource = {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly title: Texts;
  readonly alt: Texts;
  readonly caption: Texts;
  readonly tags: readonly string[];
  readonly visibility: 'public' | 'private';
  readonly focalX: number;
  readonly focalY: number;
};

/** Resources of a site outside the bin that an owner uses, such as the records of a table, the smallest first. */
export async function resourcesUsedBy(ctx: Context, siteId: string, source: string, owner: string): Promise<CarriedResource[]> {
  const used = ctx.postgres.db
    .select({ id: resourceReferences.resourceId })
    .from(resourceReferences)
    .where(and(eq(resourceReferences.siteId, siteId), eq(resourceReferences.source, source), eq(resourceReferences.owner, owner)));
  const found = await ctx.postgres.db
    .select({ row: resources, blob: blobs })
    .from(resources)
    .innerJoin(blobs, and(eq(blobs.siteId, resources.siteId), eq(blobs.sha256, resources.sha256)))
    .where(and(eq(resources.siteId, siteId), isNull(resources.deletedAt), isNull(resources.pendingUntil), inArray(resources.id, used)))
    .orderBy(blobs.bytes, resources.id);
  return found
    .filter(({ blob }) => !isBlocked(blob))
    .map(({ row, blob }) => {
      const { id, name, sha256, title, alt, caption, tags, visibility, focalX, focalY } = row;
      return { id, name, sha256, bytes: blob.bytes, title, alt, caption, tags, visibility, focalX, focalY };
    });
}

export const contentOfResource = (ctx: Context, siteId: string, { sha256 }: Pick<CarriedResource, 'sha256'>): StoredFile => originalOf(ctx, siteId, sha256);

/** The resource with this id, or else one with this content, outside the bin; null if the site has neither. */
async function existing(db: Db, siteId: string, { id, sha256 }: CarriedResource): Promise<string | null> {
  const same = await queries.findResource(db, siteId, id);
  if (same !== null && same.row.deletedAt === null && same.row.pendingUntil === null) return id;
  const [other] = await db
    .select({ id: resources.id })
    .from(resources)
    .where(and(eq(resources.siteId, siteId), eq(resources.sha256, sha256), isNull(resources.deletedAt), isNull(resources.pendingUntil)))
    .orderBy(resources.createdAt, resources.id)
    .limit(1);
  return other?.id ?? null;
}

/** The content did not arrive as it was described. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
}

async function* checked(content: AsyncIterable<Buffer>, { bytes, sha256 }: CarriedResource): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > bytes) throw new DamagedContent();
    hash.update(part);
    yield part;
  }
  if (size !== bytes || hash.digest('hex') !== sha256) throw new DamagedContent();
}

async function describe(db: Db, siteId: string, added: ResourceWithBlob | null, carried: CarriedResource): Promise<void> {
  if (added?.row.revision !== 1) return;
  const { title, alt, caption, tags, visibility, focalX, focalY } = carried;
  await queries.changeResource(db, siteId, added.row.id, 1, { title, alt, caption, tags: [...tags], visibility, focalX, focalY });
}

export type Carrying = {
  readonly siteId: string;
  readonly createdBy: string;
  /** Id of the upload, which repeated calls for the same resource have in common: an interrupted one is continued, and none adds it twice. */
  readonly uploadId: string;
};

/**
 * Brings a resource into a site; the id of the one that takes its place there: the same, one with the same content, or a new one. Null if the site has none and `content`
 * is null. Throws `too_large` beyond the limits of the site, and `DamagedContent`.
 */
export async function bringResource(
  ctx: Context,
  { siteId, createdBy, uploadId }: Carrying,
  carried: CarriedResource,
  content: AsyncIterable<Buffer> | null,
): Promise<string | null> {
  const { db } = ctx.postgres;
  const found = await existing(db, siteId, carried);
  if (found !== null || content === null) return found;
  const earlier = await queries.findUpload(db, siteId, uploadId);
  if (earlier?.resourceId) return earlier.resourceId;
  const upload = { siteId, name: carried.name, bytes: carried.bytes, folderId: null, replaces: null, createdBy, createdAt: new Date(ctx.now()) };
  if (!earlier) await withRoom(ctx, siteId, carried.bytes, () => queries.addUpload(db, { id: uploadId, ...upload }));
  try {
    await ctx.files.put(uploadKey(uploadId), checked(content, carried), { replace: true });
  } catch (error) {
    await queries.removeUpload(db, uploadId);
    await ctx.files.removeAll(uploadFolder(uploadId));
    throw error;
  }
  const id = await acceptUpload(ctx, { id: uploadId, siteId });
  await describe(db, siteId, await queries.findResource(db, siteId, id), carried);
  return id;
}
