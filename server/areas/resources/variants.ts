import { variantName } from '../../../contract/resources/addresses';
import type { FocalPoint } from '../../../contract/resources/addresses';
import { editName } from '../../../contract/resources/editName';
import { editedSize } from '../../../contract/resources/edits';
import type { ImageEdit } from '../../../contract/resources/edits';
import { resourcePresets } from '../../../contract/resources/terms';
import type { ResourcePreset, VariantFormat } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { SentFile } from '../../http/sendFile';
import { ImagesBusy, UnreadableImage } from '../../kit/images/imageProcess';
import { withoutMetadata } from '../../kit/images/jpegMetadata';
import { bytesOf, storedFile } from '../../stores/files/storedFile';
import { originalOf, variantKey, variantTag } from './files';
import * as queries from './deliveryQueries';
import type { BlobRow } from './queries';
import type { Usage } from './usage';

/** The smallest format that a reader accepts (`Accept`). Animations stay animated only as WebP. */
export function formatFor(accept: string, contentType: string): VariantFormat {
  const accepts = (type: string): boolean => accept.includes(type) && !accept.includes(`${type};q=0,`) && !accept.endsWith(`${type};q=0`);
  if (contentType === 'image/gif' && accepts('image/webp')) return 'webp';
  if (accepts('image/avif')) return 'avif';
  if (accepts('image/webp')) return 'webp';
  return contentType === 'image/jpeg' || contentType === 'image/tiff' ? 'jpeg' : 'png';
}

/** A file that is computed from a content. `name`: its name beside the content; it depends on everything that `compute` depends on. */
export type Variant = {
  readonly name: string;
  readonly contentType: string;
  readonly compute: (ctx: Context, original: Buffer) => Promise<Uint8Array>;
};

export const isEdited = ({ rotation, crop }: ImageEdit): boolean => rotation !== 0 || crop !== null;

export const presetVariant = (preset: ResourcePreset, { focalX, focalY, rotation, crop }: FocalPoint & ImageEdit, format: VariantFormat): Variant => {
  const { width, height, fit } = resourcePresets[preset];
  return {
    name: `${variantName(preset, { focalX, focalY, rotation, crop })}.${format}`,
    contentType: `image/${format}`,
    compute: async (ctx, original) => (await ctx.images.variant(original, { width, height, fit, focalX, focalY, rotation, crop, format })).data,
  };
};

/** Formats in which images without their metadata are encoded; others become JPEG. */
const cleanFormats: Readonly<Record<string, VariantFormat>> = { 'image/png': 'png', 'image/webp': 'webp', 'image/avif': 'avif' };

/**
 * An image in full size without its metadata, turned and cropped. The pixels of a JPEG that is neither stay as they are; other formats are encoded anew.
 */
export const cleanVariant = ({ contentType, width, height }: BlobRow, { rotation, crop }: ImageEdit): Variant => {
  const format = cleanFormats[contentType] ?? 'jpeg';
  const edit = { rotation, crop };
  const spec = { ...editedSize({ width: width ?? 1, height: height ?? 1 }, edit), ...edit, fit: 'inside', focalX: 0.5, focalY: 0.5, format } as const;
  return {
    name: `original-clean${editName(edit)}.${format}`,
    contentType: `image/${format}`,
    compute: async (ctx, original) =>
      (contentType === 'image/jpeg' && !isEdited(edit) ? withoutMetadata(original) : null) ?? (await ctx.images.variant(original, spec)).data,
  };
};

export type VariantCache = {
  /**
   * A variant as a file, computed if it is not stored yet. `beforeComputing` may refuse by throwing. Throws `unavailable` when too many are being computed,
   * `not_found` if it cannot be computed.
   */
  readonly open: (blob: BlobRow, variant: Variant, beforeComputing?: () => Promise<void>) => Promise<SentFile>;
};

/** Variants that one cache computes at a time, and the bytes of their originals, which are in memory. Uploads share the image process and need its other places. */
const mostComputing = 64;
const mostBytes = 128 * 1024 ** 2;

/** Milliseconds for which a variant that could not be computed is not tried again, and how many of them are remembered. */
const failedFor = 600_000;
const mostFailed = 1000;

/**
 * Computes each variant once: requests for the same one wait together. One that needs more time or memory than is allowed is refused at once for a while, so that
 * its readers do not keep the image process from all others. One cache per listener.
 */
export function variantCache(ctx: Context, usage: Usage): VariantCache {
  const computing = new Map<string, Promise<void>>();
  /** When variants failed, the oldest first. */
  const failed = new Map<string, number>();
  let bytes = 0;

  const hasFailed = (key: string): boolean => ctx.now() - (failed.get(key) ?? -Infinity) < failedFor;
  function noteFailure(key: string): void {
    failed.delete(key);
    failed.set(key, ctx.now());
    for (const oldest of failed.keys()) if (failed.size > mostFailed) failed.delete(oldest);
  }

  async function compute({ siteId, sha256 }: BlobRow, { name, compute: encode }: Variant): Promise<void> {
    const key = variantKey(siteId, sha256, name);
    try {
      const data = await encode(ctx, await bytesOf(originalOf(ctx, siteId, sha256)));
      await ctx.files.put(key, data, { replace: true });
      if (await queries.addVariant(ctx.postgres.db, { siteId, sha256, name, bytes: data.length, at: new Date(ctx.now()) })) return;
      // The content was purged or blocked meanwhile.
      await ctx.files.remove(key);
      fail('not_found');
    } catch (error) {
      if (error instanceof ImagesBusy) fail('unavailable', { retryAfter: 2 });
      if (error instanceof UnreadableImage) {
        noteFailure(key);
        fail('not_found');
      }
      throw error;
    }
  }

  function start(key: string, blob: BlobRow, variant: Variant): Promise<void> {
    if (computing.size >= mostComputing || (computing.size > 0 && bytes + blob.bytes > mostBytes)) return fail('unavailable', { retryAfter: 2 });
    bytes += blob.bytes;
    const work = compute(blob, variant).finally(() => {
      bytes -= blob.bytes;
      computing.delete(key);
    });
    computing.set(key, work);
    return work;
  }

  return {
    async open(blob, variant, beforeComputing) {
      const { siteId, sha256 } = blob;
      const { name, contentType } = variant;
      const key = variantKey(siteId, sha256, name);
      const file = storedFile(ctx.files, key);
      const sent = { file, contentType, tag: variantTag(sha256, name) };
      const stored = await file.stat();
      if (stored) {
        usage.useVariant({ siteId, sha256, name, bytes: stored.size });
        return { ...sent, size: stored.size };
      }
      if (hasFailed(key)) return fail('not_found');
      if (!computing.has(key)) await beforeComputing?.();
      await (computing.get(key) ?? start(key, blob, variant));
      return { ...sent, size: (await file.stat())?.size ?? fail('not_found') };
    },
  };
}

/** Deletes the least recently used variants beyond the budget of the installation. The files go first: a row without a file is deleted the next time. */
export async function evictVariants(ctx: Context): Promise<void> {
  const batch = 500;
  for (;;) {
    const excess = await queries.variantsBeyond(ctx.postgres.db, ctx.config.variantsMaxBytes, batch);
    for (const { siteId, sha256, name } of excess) await ctx.files.remove(variantKey(siteId, sha256, name));
    await queries.deleteVariants(ctx.postgres.db, excess);
    if (excess.length < batch) return;
  }
}
