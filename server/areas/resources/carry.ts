import { createHash } from 'node:crypto';
import { and, eq, inArray, isNull, ne } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { storedCrop } from '../../../contract/resources/edits';
import { isBlocked } from '../../../contract/resources/terms';
import type { CaptionUse, Crop } from '../../../contract/resources/terms';
import { formatVtt, parseVtt } from '../../../contract/resources/vtt';
import type { Context } from '../../context';
import { Failure } from '../../http/failure';
import { requireSpace } from '../../kit/uploads';
import { bytesOf } from '../../stores/files/storedFile';
import type { StoredFile } from '../../stores/files/storedFile';
import { acceptUpload, hashOf } from './accept';
import { isConfidential } from './confidential';
import { originalOf, uploadFolder, uploadKey } from './files';
import { captionsOf, findPoster, saveCaption } from './mediaQueries';
import { storePoster } from './posters';
import * as queries from './queries';
import type { Db } from './queries';
import { blobs, resourceReferences, resources } from './schema';
import type { Texts } from './schema';
import { withRoom } from './storage';
import { contentFile } from './svg/files';

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
  readonly rotation: number;
  readonly crop: Crop | null;
  /** Of a video: its poster in base64, null if it has none, and its captions. */
  readonly poster: string | null;
  readonly captions: readonly CarriedCaption[];
};
type CarriedCaption = { readonly language: string; readonly use: CaptionUse; readonly label: string; readonly source: string };
/** A resource before its poster and captions are read. */
export type UsedResource = Omit<CarriedResource, 'poster' | 'captions'> & { readonly posterSha256: string | null; readonly folderId: string | null };

/** Most bytes of captions (UTF-8) that travel with a resource; further ones stay behind. A video of two hours needs about 100 KB. */
const mostCaptionBytes = 3 * 2 ** 20;

async function usedResources(ctx: Context, siteId: string, which: SQL | undefined): Promise<UsedResource[]> {
  const found = await ctx.postgres.db
    .select({ row: resources, blob: blobs })
    .from(resources)
    .innerJoin(blobs, and(eq(blobs.siteId, resources.siteId), eq(blobs.sha256, resources.sha256)))
    .where(and(eq(resources.siteId, siteId), isNull(resources.deletedAt), isNull(resources.pendingUntil), ne(resources.visibility, 'confidential'), which))
    .orderBy(blobs.bytes, resources.id);
  return found
    .filter(({ blob }) => !isBlocked(blob))
    .map(({ row, blob }) => {
      const { id, name, sha256, title, alt, caption, tags, visibility, focalX, focalY, rotation, crop, posterSha256, folderId } = row;
      const shared = visibility === 'public' ? 'public' : 'private';
      return { id, name, sha256, bytes: blob.bytes, title, alt, caption, tags, visibility: shared, focalX, focalY, rotation, crop, posterSha256, folderId };
    });
}

/** Resources of a site outside the bin that an owner uses, such as the records of a table, the smallest first. */
export function resourcesUsedBy(ctx: Context, siteId: string, source: string, owner: string): Promise<UsedResource[]> {
  const used = ctx.postgres.db
    .select({ id: resourceReferences.resourceId })
    .from(resourceReferences)
    .where(and(eq(resourceReferences.siteId, siteId), eq(resourceReferences.source, source), eq(resourceReferences.owner, owner)));
  return usedResources(ctx, siteId, inArray(resources.id, used));
}

/** All resources of a site outside the bin, the smallest first; without those that are blocked. */
export const allResources = (ctx: Context, siteId: string): Promise<UsedResource[]> => usedResources(ctx, siteId, undefined);

/** What resources outside the bin say of themselves, by id; without those that are blocked. */
export async function carriedDetails(
  ctx: Context,
  siteId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Omit<UsedResource, 'sha256' | 'bytes' | 'posterSha256' | 'folderId'>>> {
  const found = ids.length === 0 ? [] : await usedResources(ctx, siteId, inArray(resources.id, [...ids]));
  return new Map(
    found.map(({ id, name, title, alt, caption, tags, visibility, focalX, focalY, rotation, crop }) => [
      id,
      { id, name, title, alt, caption, tags, visibility, focalX, focalY, rotation, crop },
    ]),
  );
}

/** Poster and captions of a resource, as they travel. */
export async function mediaOfResource(
  ctx: Context,
  siteId: string,
  { id, posterSha256 }: Pick<UsedResource, 'id' | 'posterSha256'>,
): Promise<Pick<CarriedResource, 'poster' | 'captions'>> {
  const { db } = ctx.postgres;
  const poster = posterSha256 === null ? null : await findPoster(db, siteId, posterSha256);
  const image = poster && !isBlocked(poster) ? await bytesOf(originalOf(ctx, siteId, poster.sha256)) : null;
  let space = mostCaptionBytes;
  const captions = (await captionsOf(db, id)).filter(({ source }) => (space -= Buffer.byteLength(source)) >= 0);
  return { poster: image?.toString('base64') ?? null, captions: captions.map(({ language, use, label, source }) => ({ language, use, label, source })) };
}

export const contentOfResource = (ctx: Context, siteId: string, { sha256 }: Pick<CarriedResource, 'sha256'>): StoredFile => originalOf(ctx, siteId, sha256);

/** SHA-256 of the file that members download of a resource; null if there is none outside the bin. */
export async function downloadHash(ctx: Context, siteId: string, id: string): Promise<string | null> {
  const found = await queries.findResource(ctx.postgres.db, siteId, id);
  if (found === null || found.row.deletedAt !== null || isBlocked(found.blob) || isConfidential(found.row)) return null;
  if (found.blob.kind !== 'svg') return found.blob.sha256;
  const file = await contentFile(ctx, siteId, found.blob);
  return file && hashOf(file);
}

/** The resource with this id, or else one with this content, outside the bin and not confidential; null if the site has neither. */
async function existing(db: Db, siteId: string, { id, sha256 }: CarriedResource): Promise<string | null> {
  const same = await queries.findResource(db, siteId, id);
  if (same !== null && same.row.deletedAt === null && same.row.pendingUntil === null && !isConfidential(same.row)) return id;
  const [other] = await db
    .select({ id: resources.id })
    .from(resources)
    .where(
      and(
        eq(resources.siteId, siteId),
        eq(resources.sha256, sha256),
        isNull(resources.deletedAt),
        isNull(resources.pendingUntil),
        ne(resources.visibility, 'confidential'),
      ),
    )
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

/** Gives a video the poster and captions that it lacks, without those that the scanner refuses or that cannot be read. */
async function addMedia(ctx: Context, siteId: string, id: string, { poster, captions }: CarriedResource): Promise<void> {
  const { db } = ctx.postgres;
  const found = await queries.findResource(db, siteId, id);
  if (found?.row.kind !== 'video' || found.row.deletedAt !== null) return;
  for (const { language, use, label, source } of captions) {
    const { cues, problems } = parseVtt(source);
    const values = { label, source: formatVtt(cues), updatedAt: new Date(ctx.now()) };
    if (problems.length === 0) await saveCaption(db, { resourceId: id, language, use }, 0, values);
  }
  if (poster === null || found.row.posterSha256 !== null) return;
  try {
    await storePoster(ctx, siteId, id, Buffer.from(poster, 'base64'));
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'invalid_fields')) throw error;
  }
}

/** A resource with the texts, the visibility and the edits of the one that is carried; it never exists without them. */
async function addCarried(ctx: Context, { siteId, uploadId }: Carrying, carried: CarriedResource): Promise<string> {
  const { bytes, title, alt, caption, tags, visibility, focalX, focalY, rotation, crop } = carried;
  const details = { title, alt, caption, tags: [...tags], visibility, focalX, focalY, rotation, crop: crop && storedCrop(crop) };
  return acceptUpload(ctx, { id: uploadId, siteId }, { bytes, details });
}

export type Carrying = {
  readonly siteId: string;
  readonly createdBy: string;
  /** Id of the upload, which repeated calls for the same resource have in common: an interrupted one is continued, and none adds it twice. */
  readonly uploadId: string;
  /** Of a new resource; null: none. */
  readonly folderId?: string | null;
  /** Adds it beside those with the same content. */
  readonly beside?: boolean;
};

/** What takes the place of a resource that was brought. `isNew`: the call added it, or an earlier one for the same upload. */
export type Brought = { readonly id: string; readonly isNew: boolean };

/**
 * Brings a resource into a site, where one takes its place: the same, one with the same content, or a new one. Null if the site has none and `content` is null.
 * Throws `too_large` beyond the limits of the site, `disk_full`, and `DamagedContent`.
 */
export async function bringResource(
  ctx: Context,
  carrying: Carrying,
  carried: CarriedResource,
  content: AsyncIterable<Buffer> | null,
): Promise<Brought | null> {
  const { db } = ctx.postgres;
  const { siteId, createdBy, uploadId, folderId = null, beside = false } = carrying;
  const earlier = await queries.findUpload(db, siteId, uploadId);
  const found = earlier?.resourceId || beside ? null : await existing(db, siteId, carried);
  if (found !== null) return { id: found, isNew: false };
  if (content === null) return null;
  if (!earlier) {
    // More than will arrive, so that the schedule does not accept the upload without its details.
    const upload = { siteId, name: carried.name, bytes: carried.bytes + 1, folderId, replaces: null, createdBy, createdAt: new Date(ctx.now()) };
    await withRoom(ctx, siteId, carried.bytes, () => queries.addUpload(db, { id: uploadId, ...upload }));
  }
  try {
    if (!earlier?.resourceId) {
      await requireSpace(ctx, carried.bytes);
      await ctx.files.put(uploadKey(uploadId), checked(content, carried), { replace: true });
    }
  } catch (error) {
    await queries.removeUpload(db, uploadId);
    await ctx.files.removeAll(uploadFolder(uploadId));
    throw error;
  }
  const id = await addCarried(ctx, carrying, carried);
  await addMedia(ctx, siteId, id, carried);
  return { id, isNew: true };
}
