import { resourcePresets } from '../../../contract/resources/terms';
import type { ResourcePreset, VariantFormat } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { ImagesBusy, UnreadableImage } from '../../kit/images/imageProcess';
import { storedFile } from '../../stores/files/storedFile';
import type { StoredFile } from '../../stores/files/storedFile';
import { bytesOf, originalOf, variantKey } from './files';
import type { ResourceWithBlob } from './queries';

/** The smallest format that a reader accepts (`Accept`). Animations stay animated only as WebP. */
export function formatFor(accept: string, contentType: string): VariantFormat {
  const accepts = (type: string): boolean => accept.includes(type) && !accept.includes(`${type};q=0,`) && !accept.endsWith(`${type};q=0`);
  if (contentType === 'image/gif' && accepts('image/webp')) return 'webp';
  if (accepts('image/avif')) return 'avif';
  if (accepts('image/webp')) return 'webp';
  return contentType === 'image/jpeg' || contentType === 'image/tiff' ? 'jpeg' : 'png';
}

const percent = (share: number): number => Math.round(share * 100);

/** Variants are computed once at a time: readers of the same one wait together. One per program. */
export function variantCache(ctx: Context) {
  const running = new Map<string, Promise<void>>();

  async function compute(siteId: string, { row, blob }: ResourceWithBlob, preset: ResourcePreset, format: VariantFormat, name: string): Promise<void> {
    const { width, height, fit } = resourcePresets[preset];
    try {
      const bytes = await bytesOf(originalOf(ctx, siteId, blob.sha256));
      const { data } = await ctx.images.variant(bytes, { width, height, fit, focalX: row.focalX, focalY: row.focalY, format });
      await ctx.files.put(variantKey(siteId, blob.sha256, name), data, { replace: true });
    } catch (error) {
      if (error instanceof ImagesBusy) fail('unavailable', { retryAfter: 2 });
      if (error instanceof UnreadableImage) fail('not_found');
      throw error;
    }
  }

  return {
    /** A variant of an image as a file, computed if it is not stored yet. Throws `unavailable` when too many are waiting, `not_found` if it cannot be computed. */
    async open(found: ResourceWithBlob, preset: ResourcePreset, format: VariantFormat): Promise<{ file: StoredFile; size: number; name: string }> {
      const { row, blob } = found;
      const focal = resourcePresets[preset].fit === 'cover' ? `-${percent(row.focalX)}-${percent(row.focalY)}` : '';
      const name = `${preset}${focal}.${format}`;
      const key = variantKey(row.siteId, blob.sha256, name);
      const file = storedFile(ctx.files, key);
      const stored = await file.stat();
      if (stored) return { file, size: stored.size, name };
      const work = running.get(key) ?? compute(row.siteId, found, preset, format, name).finally(() => running.delete(key));
      running.set(key, work);
      await work;
      return { file, size: (await file.stat())?.size ?? fail('not_found'), name };
    },
  };
}
