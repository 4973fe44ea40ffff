import { resourceLimits } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { ImagesBusy, UnreadableImage } from '../../kit/images/imageProcess';
import type { ImageSender } from '../../kit/images/imageProcess';
import { bytesOf, headOf, storedFile } from '../../stores/files/storedFile';
import type { StoredFile } from '../../stores/files/storedFile';
import { detectBytes, detectType } from './detect';
import { byteBudget } from './byteBudget';
import { isConfidentialContent } from './confidential';
import { isMissing } from '../../stores/files/types';
import type { FileStat } from '../../stores/files/types';
import { blobLock, originalKey, uploadFolder, uploadHashKey, uploadKey } from './files';
import { mediaBytes, readMedia } from './media/read';
import * as queries from './queries';
import type { BlobRow, Db, ResourceRow, UploadRow } from './queries';
import { blockContent, blockedContent, noFacts, scanUpload } from './scan';
import { sizeOf } from './svg/edit';
import { openCleanSvg } from './svg/files';
import { UnsafeSvg, sanitiseSvg } from './svg/sanitise';
import { replaceContent } from './versions';
import { sha256Of } from '../../kit/sha256';

type BlobFacts = Omit<BlobRow, 'siteId' | 'sha256' | 'bytes' | 'createdAt' | 'scan'>;

/** Bytes of uploads that are in memory at a time, to be inspected. */
const inMemory = byteBudget(256 * 1024 ** 2);

/** SHA-256 of a file. */
export const hashOf = (file: StoredFile): Promise<string> => sha256Of(file.read());

/** Size and time of the content of an upload, which is stored with its hash. */
const contentMark = ({ size, modifiedAt }: FileStat): string => `${size} ${modifiedAt} `;

/** The hash of an upload that could not be accepted earlier; null if it is not known. */
async function rememberedHash(ctx: Context, id: string, stat: FileStat): Promise<string | null> {
  const remembered = await bytesOf(storedFile(ctx.files, uploadHashKey(id))).catch((error: unknown) => (isMissing(error) ? null : Promise.reject(error)));
  const text = remembered?.toString('utf8') ?? '';
  return text.startsWith(contentMark(stat)) ? text.slice(contentMark(stat).length) : null;
}

/** An SVG that cannot be cleaned is a text for download. */
async function inspectSvg(file: StoredFile, size: number): Promise<BlobFacts> {
  const unreadable = { ...noFacts, kind: 'attachment', contentType: 'text/plain' } as const;
  if (size > resourceLimits.svgBytes) return unreadable;
  try {
    const { root } = sanitiseSvg(await bytesOf(file));
    return { ...noFacts, ...sizeOf(root), kind: 'svg', contentType: 'image/svg+xml' };
  } catch (error) {
    if (error instanceof UnsafeSvg) return unreadable;
    throw error;
  }
}

/** Type of a file by its content, and what else is read from it. What claims to be an image but cannot be decoded is a file for download. */
async function inspect(ctx: Context, file: StoredFile, size: number, sender: ImageSender): Promise<BlobFacts> {
  const detected = await detectType(await headOf(file, detectBytes));
  if (detected.kind === 'svg') return inspectSvg(file, size);
  if (detected.kind !== 'image') {
    const facts = await inMemory(mediaBytes(size, detected.contentType), () => readMedia(file, size, detected.contentType));
    return { ...noFacts, ...detected, ...facts };
  }
  const unreadable = { ...noFacts, kind: 'attachment', contentType: 'application/octet-stream' } as const;
  if (size > resourceLimits.imageBytes) return unreadable;
  try {
    const { width, height, thumbhash, color, perceptualHash, hasGps } = await inMemory(size, async () => ctx.images.inspect(await bytesOf(file), sender));
    return { ...noFacts, ...detected, width, height, thumbhash, color, perceptualHash, hasGps };
  } catch (error) {
    if (error instanceof UnreadableImage) return unreadable;
    if (error instanceof ImagesBusy) fail('unavailable', { retryAfter: 5 });
    throw error;
  }
}

/** What a complete upload is. If it must wait, such as for the malware scanner, its hash is stored: it is tried each minute, and may have many gigabytes. */
async function examine(ctx: Context, { id, siteId, bytes }: Pick<UploadRow, 'id' | 'siteId' | 'bytes'>, sender: ImageSender) {
  const file = storedFile(ctx.files, uploadKey(id));
  const stat = (await file.stat()) ?? fail('conflict');
  const sha256 = (await rememberedHash(ctx, id, stat)) ?? (await hashOf(file));
  const known = await queries.findBlob(ctx.postgres.db, siteId, sha256);
  try {
    const scan = known?.scan === 'clean' ? { result: known.scan, threat: null } : await scanUpload(ctx, file);
    const usable = known?.scan === 'infected' ? null : known;
    const facts = scan.result === 'infected' ? blockedContent : (usable ?? (await inspect(ctx, file, bytes, sender)));
    return { sha256, known, scan, facts: { ...facts, scan: scan.result } };
  } catch (error) {
    await ctx.files.put(uploadHashKey(id), Buffer.from(contentMark(stat) + sha256), { replace: true });
    throw error;
  }
}

/** What a new resource says of itself, where it does not begin empty. */
type ResourceDetails = Partial<
  Pick<ResourceRow, 'title' | 'alt' | 'caption' | 'tags' | 'visibility' | 'focalX' | 'focalY' | 'rotation' | 'crop' | 'posterSha256'>
>;

/** Adds a resource with a stored content, or replaces the content of one; the id of the resource. */
async function attach(
  db: Db,
  upload: Omit<UploadRow, 'id' | 'bytes' | 'resourceId'> & { readonly pendingUntil?: Date; readonly details?: ResourceDetails },
  blob: { readonly sha256: string; readonly kind: BlobRow['kind'] },
  now: Date,
): Promise<string> {
  const { siteId, name, folderId, replaces, createdBy, pendingUntil = null, details } = upload;
  const { sha256, kind } = blob;
  if (replaces === null) {
    const folder = folderId !== null && (await queries.findFolder(db, siteId, folderId)) !== null ? folderId : null;
    const row = { siteId, kind, folderId: folder, name, sha256, createdBy, pendingUntil, createdAt: now, updatedAt: now };
    return (await queries.addResource(db, { ...details, ...row })).id;
  }
  // Of two replacements at once, the second replaces the content of the first.
  await queries.lockResources(db, siteId, [replaces]);
  const { row } = (await queries.findResource(db, siteId, replaces)) ?? fail('not_found');
  if (row.sha256 === sha256) return row.id;
  // The new content may have other proportions: it starts without rotation and crop.
  await replaceContent(db, row, { sha256, kind, rotation: 0, crop: null, createdBy }, now);
  return row.id;
}

/**
 * Turns a complete upload into a resource; its id. Calling it again has the same result. The content is stored before the rows are committed: after a crash in
 * between, the upload is still there and is accepted by the next call, or by the schedule. Throws `conflict` if the upload is incomplete. `own`: of uploads that
 * the schedule does not accept, because their row names another size: the size, the time until which the resource is kept apart (`pending.ts`), its details,
 * and who sent it, if no member did.
 */
export async function acceptUpload(
  ctx: Context,
  { id, siteId }: Pick<UploadRow, 'id' | 'siteId'>,
  own: { readonly bytes?: number; readonly pendingUntil?: Date; readonly details?: ResourceDetails; readonly sender?: ImageSender } = {},
): Promise<string> {
  return ctx.postgres.withLock(`accept upload ${id}`, async () => {
    const { db } = ctx.postgres;
    const upload = { ...((await queries.findUpload(db, siteId, id)) ?? fail('not_found')), ...own };
    if (upload.resourceId !== null) return upload.resourceId;
    const file = storedFile(ctx.files, uploadKey(id));
    const stored = await file.stat();
    if ((stored?.size ?? 0) !== upload.bytes) fail('conflict');
    if (!stored) await ctx.files.put(uploadKey(id), Buffer.alloc(0));
    const { sha256, known, scan, facts: examined } = await examine(ctx, upload, own.sender ?? 'member');
    const resourceId = await ctx.postgres.withLock(blobLock(siteId, sha256), async () => {
      const key = originalKey(siteId, sha256);
      // What the scanner found in the same content while this one was examined holds for both.
      const foundMeanwhile = known?.scan !== 'infected' && (await queries.findBlob(db, siteId, sha256))?.scan === 'infected';
      const facts = foundMeanwhile ? blockedContent : examined;
      if (facts.scan === 'infected') await blockContent(ctx, siteId, sha256, foundMeanwhile ? null : (scan.threat ?? ''));
      else if ((await ctx.files.stat(key))?.size !== upload.bytes) await ctx.files.put(key, file.read(), { replace: true });
      if (facts.kind === 'svg') await openCleanSvg(ctx, siteId, sha256);
      const now = new Date(ctx.now());
      return db.transaction(async (tx) => {
        await queries.addBlob(tx, { ...facts, siteId, sha256, bytes: upload.bytes, createdAt: now });
        if (known && known.scan !== facts.scan) await queries.changeBlob(tx, siteId, sha256, facts);
        const added = await attach(tx, upload, { sha256, kind: facts.kind }, now);
        await queries.setUploadResource(tx, id, added);
        return added;
      });
    });
    await ctx.files.removeAll(uploadFolder(id));
    ctx.live.publish({ type: 'resources', siteId });
    return resourceId;
  });
}

/** Adds a resource with a content that the site already has; null if it has none, or if only sending it shows that the caller may have it. */
export async function addKnown(
  ctx: Context,
  file: Pick<UploadRow, 'siteId' | 'name' | 'folderId' | 'createdBy'> & { readonly sha256: string; readonly bytes: number },
): Promise<string | null> {
  const { siteId, sha256 } = file;
  return ctx.postgres.withLock(blobLock(siteId, sha256), async () => {
    const blob = await queries.findBlob(ctx.postgres.db, siteId, sha256);
    // What was blocked is sent and scanned again: the scanner may know better now.
    if (blob?.bytes !== file.bytes || blob.scan === 'infected') return null;
    if (await isConfidentialContent(ctx.postgres.db, siteId, sha256)) return null;
    const now = new Date(ctx.now());
    const id = await ctx.postgres.db.transaction((tx) => attach(tx, { ...file, replaces: null, createdAt: now }, blob, now));
    ctx.live.publish({ type: 'resources', siteId });
    return id;
  });
}
