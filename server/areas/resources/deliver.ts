import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { variantName } from '../../../contract/resources/addresses';
import { resourceRoot } from '../../../contract/resources/alias';
import { isBlocked, resourcePresetNames, videoFormats } from '../../../contract/resources/terms';
import type { VideoFormat } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { asDownload } from '../../http/download';
import { fail } from '../../http/failure';
import { sendFile } from '../../http/sendFile';
import type { SentFile } from '../../http/sendFile';
import { storedFile } from '../../stores/files/storedFile';
import { sendCaption } from './captions';
import { isConfidential } from './confidential';
import { findDelivered } from './deliveryQueries';
import type { DeliveredResource } from './deliveryQueries';
import { originalOf, variantTag, videoKey, videoName } from './files';
import type { BlobRow } from './queries';
import { requestedResource } from './requested';
import type { RequestedResource } from './requested';
import { sandbox } from './serve';
import { openness, secondsLeft } from './signatures';
import { openCleanSvg } from './svg/files';
import { openUsage } from './usage';
import type { Usage } from './usage';
import { cleanVariant, formatFor, isEdited, presetVariant, variantCache } from './variants';
import type { Variant, VariantCache } from './variants';

/** Variants that one address may have computed in a minute: enough for the first reader of a page of many new images, too few for a flood. */
const missesPerMinute = 240;
const oneYear = 31_536_000;

/** Files that browsers show in place in a viewer that runs nothing of the page; the sandbox would also forbid the viewer. */
const hasViewer = (contentType: string): boolean => /^(?:video|audio)\/|^application\/pdf$/.test(contentType);
const isShownInPlace = (contentType: string): boolean => contentType.startsWith('image/') || hasViewer(contentType);

export type ResourceDelivery = {
  /**
   * Sends the resource that a request names; null if there is none, or the reader may not have it. `siteId` null: of any site whose pages are hosted elsewhere.
   * Throws `unavailable` and `too_many_requests`.
   */
  readonly send: (request: FastifyRequest, reply: FastifyReply, siteId: string | null) => Promise<FastifyReply | null>;
  readonly close: () => Promise<void>;
};

/** `seconds`: how long a signed address still works; null for the plain address of a public resource. `download`: the name under which it must be downloaded. */
type Access = { readonly seconds: number | null; readonly download: string | null };

function accessTo(ctx: Context, { row, blob }: DeliveredResource, { variant, version }: RequestedResource, query: unknown): Access | null {
  if (isConfidential(row)) return null;
  const { e, s, n } = query as { readonly e?: unknown; readonly s?: unknown; readonly n?: unknown };
  if (e === undefined || s === undefined) return row.visibility === 'public' ? { seconds: null, download: null } : null;
  const download = typeof n === 'string' ? n : null;
  // A signature names a content, so an alias has none.
  const seconds = version === null ? null : secondsLeft(ctx, { siteId: row.siteId, id: row.id, sha256: blob.sha256, variant, download }, { e, s });
  return seconds === null ? null : { seconds, download };
}

/** Whether an address shows the same bytes forever: it names the content, how it is turned and cropped and, if a preset is filled, the focal point in use. */
const isImmutable = ({ version, variant, segment }: RequestedResource, { row }: DeliveredResource): boolean =>
  version !== null && segment === variantName(variant, row);

function cachingOf(immutable: boolean, { seconds }: Access): string {
  if (seconds !== null) return `private, max-age=${Math.min(seconds, oneYear)}`;
  return immutable ? `public, max-age=${oneYear}, immutable` : 'public, no-cache';
}

type Delivering = { readonly ctx: Context; readonly cache: VariantCache; readonly usage: Usage };

/** A video in another format; null if it was not converted to it. */
async function openConversion(ctx: Context, { siteId, sha256 }: BlobRow, format: VideoFormat): Promise<SentFile | null> {
  const file = storedFile(ctx.files, videoKey(siteId, sha256, format));
  const stat = await file.stat();
  return stat && { file, size: stat.size, contentType: `video/${format}`, tag: variantTag(sha256, videoName(format)) };
}

/** Opens files for delivery. What leaves the installation contains no position: an image that has one is delivered without its metadata. */
function fileOpener({ ctx, cache }: Delivering) {
  const misses = new RateLimiterMemory({ points: missesPerMinute, duration: 60 });
  const countMiss = (request: FastifyRequest) => async (): Promise<void> => {
    await misses.consume(addressGroup(clientAddress(request))).catch((error: unknown) => {
      if (error instanceof RateLimiterRes) fail('too_many_requests', { retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
      throw error;
    });
  };

  return async ({ row, blob }: DeliveredResource, variant: RequestedResource['variant'], request: FastifyRequest): Promise<SentFile | null> => {
    const open = (computed: Variant): Promise<SentFile> => cache.open(blob, computed, countMiss(request));
    const format = videoFormats.find((one) => one === variant);
    if (format !== undefined) return blob.kind === 'video' ? openConversion(ctx, blob, format) : null;
    const preset = resourcePresetNames.find((one) => one === variant);
    if (preset !== undefined) return blob.kind === 'image' ? open(presetVariant(preset, row, formatFor(request.headers.accept ?? '', blob.contentType))) : null;
    if (blob.hasGps || (blob.kind === 'image' && isEdited(row))) return open(cleanVariant(blob, row));
    // The original of an SVG may contain anything: only the cleaned one is delivered.
    if (blob.kind === 'svg') return openCleanSvg(ctx, row.siteId, blob.sha256);
    return { file: originalOf(ctx, row.siteId, blob.sha256), size: blob.bytes, contentType: blob.contentType, tag: blob.sha256 };
  };
}

/** Whether a response delivers the beginning of a file: of several ranges that a player requests, only the first counts as a download. */
const isDownload = (request: FastifyRequest, reply: FastifyReply): boolean =>
  request.method === 'GET' && (reply.statusCode === 200 || String(reply.getHeader('content-range')).startsWith('bytes 0-'));

function deliverer(delivering: Delivering): ResourceDelivery['send'] {
  const { ctx, usage } = delivering;
  const openFile = fileOpener(delivering);
  return async (request, reply, siteId) => {
    const requested = requestedResource(request.url.split('?', 1)[0] ?? '');
    const found = requested && (await findDelivered(ctx.postgres.db, siteId, requested.id, requested.version));
    const access = found && !isBlocked(found.blob) && accessTo(ctx, found, requested, request.query);
    if (!access) return requested === null ? sendCaption(ctx, request, reply, siteId) : null;
    const file = await openFile(found, requested.variant, request);
    if (!file) return null;
    const { contentType } = file;
    if (access.download !== null || !isShownInPlace(contentType)) asDownload(reply, access.download ?? found.row.name, contentType);
    void reply.headers({
      'content-security-policy': hasViewer(contentType) ? "script-src 'none'" : sandbox,
      ...openness(access.seconds),
      'cache-control': cachingOf(isImmutable(requested, found), access),
      ...(requested.variant === 'original' ? {} : { vary: 'accept' }),
    });
    const sent = sendFile(request, reply, file);
    if (requested.variant === 'original' && isDownload(request, reply)) usage.countDownload(found.row.id);
    return sent;
  };
}

/** Delivers resources on the listener of delivered sites. */
export function openResourceDelivery(ctx: Context): ResourceDelivery {
  const usage = openUsage(ctx);
  const cache = variantCache(ctx, usage);
  return { send: deliverer({ ctx, cache, usage }), close: usage.close };
}

/** On the console's listener: resources of sites whose pages are hosted elsewhere, and signatures. */
export function registerDelivery(app: FastifyInstance, delivering: Delivering): void {
  const send = deliverer(delivering);
  app.route({
    method: ['GET', 'HEAD'],
    url: `${resourceRoot}/*`,
    config: { rateLimit: { max: 6000, timeWindow: 60_000, keyGenerator: (request: FastifyRequest) => addressGroup(clientAddress(request)) } },
    handler: async (request, reply) => (await send(request, reply, null)) ?? reply.callNotFound(),
  });
}
