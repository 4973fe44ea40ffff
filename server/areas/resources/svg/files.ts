import { isBlocked } from '../../../../contract/resources/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { SentFile } from '../../../http/sendFile';
import { bytesOf, storedFile } from '../../../stores/files/storedFile';
import type { StoredFile } from '../../../stores/files/storedFile';
import { originalOf, variantKey, variantTag } from '../files';
import * as queries from '../queries';
import { UnsafeSvg, sanitiseSvg } from './sanitise';
import type { CleanSvg } from './sanitise';

/** The cleaned SVG beside its original. Stricter rules need another name: then every SVG is cleaned again when it is next read. */
const cleanSvgName = 'svg-clean.svg';

/** Cleans the original of an SVG. Throws `not_found` if it is missing or cannot be cleaned under the present rules. */
export async function readCleanSvg(ctx: Context, siteId: string, sha256: string): Promise<CleanSvg> {
  const original = originalOf(ctx, siteId, sha256);
  if (!(await original.stat())) return fail('not_found');
  try {
    return sanitiseSvg(await bytesOf(original));
  } catch (error) {
    if (error instanceof UnsafeSvg) return fail('not_found');
    throw error;
  }
}

/** Stores the cleaned SVG beside its original. */
async function storeCleanSvg(ctx: Context, siteId: string, sha256: string): Promise<void> {
  const { source } = await readCleanSvg(ctx, siteId, sha256);
  await ctx.files.put(variantKey(siteId, sha256, cleanSvgName), Buffer.from(source), { replace: true });
}

/** The cleaned SVG as a file: the only form in which browsers may show it. It is computed again if it is missing. */
export async function openCleanSvg(ctx: Context, siteId: string, sha256: string): Promise<SentFile> {
  const file = storedFile(ctx.files, variantKey(siteId, sha256, cleanSvgName));
  const sent = { file, contentType: 'image/svg+xml', tag: variantTag(sha256, cleanSvgName) };
  const stored = await file.stat();
  if (stored) return { ...sent, size: stored.size };
  await storeCleanSvg(ctx, siteId, sha256);
  return { ...sent, size: (await file.stat())?.size ?? fail('not_found') };
}

/** The file that members may download: as it was uploaded, but cleaned if it is an SVG. Null if there is none, or the malware scanner blocked it. */
export async function contentFile(ctx: Context, siteId: string, { sha256 }: { readonly sha256: string }): Promise<StoredFile | null> {
  const blob = await queries.findBlob(ctx.postgres.db, siteId, sha256);
  if (!blob || isBlocked(blob)) return null;
  const file = blob.kind === 'svg' ? (await openCleanSvg(ctx, siteId, sha256)).file : originalOf(ctx, siteId, sha256);
  return (await file.stat()) && file;
}
