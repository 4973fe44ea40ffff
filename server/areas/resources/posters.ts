import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { resourceMediaEndpoints as endpoints } from '../../../contract/resources/media';
import type { Resource } from '../../../contract/resources/schemas';
import { isBlocked, posterBytes } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import { ImagesBusy, UnreadableImage } from '../../kit/images/imageProcess';
import { deleteUnused } from './contents';
import { detectType } from './detect';
import { blobLock, originalKey } from './files';
import { setPoster } from './mediaQueries';
import * as queries from './queries';
import type { BlobRow, ResourceWithBlob } from './queries';
import { readResource } from './responses';
import { scanUpload } from './scan';
import { withRoom } from './storage';

/** A video that is not in the bin. */
async function findVideo(ctx: Context, siteId: string, id: string): Promise<ResourceWithBlob> {
  const found = await queries.findResource(ctx.postgres.db, siteId, id);
  return found?.row.kind === 'video' && found.row.deletedAt === null ? found : fail('not_found');
}

/** What is stored of an image that the scanner has passed. A content that is known to be clean is not scanned again. */
async function inspectPoster(ctx: Context, siteId: string, image: Buffer): Promise<BlobRow> {
  const sha256 = createHash('sha256').update(image).digest('hex');
  const known = await queries.findBlob(ctx.postgres.db, siteId, sha256);
  const scan = known?.scan === 'clean' ? known.scan : (await scanUpload(ctx, { read: () => Readable.from([image]) })).result;
  if (isBlocked({ scan })) return failField('image', 'wrong_type');
  const { kind, contentType } = await detectType(image);
  if (kind !== 'image') return failField('image', 'wrong_type');
  try {
    const { width, height, thumbhash, color, perceptualHash, hasGps } = await ctx.images.inspect(image);
    const facts = { width, height, thumbhash, color, perceptualHash, hasGps, durationMs: null, media: null, scan };
    return { siteId, sha256, bytes: image.length, kind, contentType, ...facts, createdAt: new Date(ctx.now()) };
  } catch (error) {
    if (error instanceof UnreadableImage) return failField('image', 'wrong_type');
    if (error instanceof ImagesBusy) fail('unavailable', { retryAfter: 5 });
    throw error;
  }
}

/**
 * Makes an image the poster of a video; the content that it replaces. The file is stored before the row is committed, under the lock of its content. Throws
 * `invalid_fields` if it is no image or the malware scanner refuses it, now or earlier, `too_large` beyond the limits of the site, and `unavailable`.
 */
export async function storePoster(ctx: Context, siteId: string, id: string, image: Buffer): Promise<string | null> {
  const blob = await inspectPoster(ctx, siteId, image);
  const store = async (): Promise<string | null> => {
    const known = await queries.findBlob(ctx.postgres.db, siteId, blob.sha256);
    if (known && isBlocked(known)) return failField('image', 'wrong_type');
    const key = originalKey(siteId, blob.sha256);
    if ((await ctx.files.stat(key))?.size !== image.length) await ctx.files.put(key, image, { replace: true });
    return ctx.postgres.db.transaction(async (tx) => {
      await queries.addBlob(tx, blob);
      if (known && known.scan !== blob.scan) await queries.changeBlob(tx, siteId, blob.sha256, { scan: blob.scan });
      return setPoster(tx, siteId, id, blob.sha256, new Date(ctx.now()));
    });
  };
  return withRoom(ctx, siteId, image.length, () => ctx.postgres.withLock(blobLock(siteId, blob.sha256), store));
}

async function changed(ctx: Context, siteId: string, id: string, replaced: string | null): Promise<Resource> {
  if (replaced !== null) await deleteUnused(ctx, siteId, [replaced]);
  ctx.live.publish({ type: 'resources', siteId });
  return readResource(ctx, siteId, id);
}

async function setResourcePoster(ctx: Context, { site, params, body }: CallOf<typeof endpoints.setResourcePoster>): Promise<Resource> {
  await findVideo(ctx, site.id, params.id);
  const image = Buffer.from(body.image, 'base64');
  if (image.length > posterBytes) fail('too_large');
  return changed(ctx, site.id, params.id, await storePoster(ctx, site.id, params.id, image));
}

async function removeResourcePoster(ctx: Context, { site, params }: CallOf<typeof endpoints.removeResourcePoster>): Promise<Resource> {
  await findVideo(ctx, site.id, params.id);
  return changed(ctx, site.id, params.id, await setPoster(ctx.postgres.db, site.id, params.id, null, new Date(ctx.now())));
}

export function registerPosters(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.setResourcePoster, (call) => setResourcePoster(ctx, call));
  route(app, ctx, endpoints.removeResourcePoster, (call) => removeResourcePoster(ctx, call));
}
