import type { FastifyInstance } from 'fastify';
import { editName } from '../../../contract/resources/editName';
import { resourceEndpoints as endpoints } from '../../../contract/resources/schemas';
import { isBlocked } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { asDownload } from '../../http/download';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { sendFile } from '../../http/sendFile';
import { isConfidential, noteOpening } from './confidential';
import { originalOf } from './files';
import { findPoster } from './mediaQueries';
import { openCleanSvg } from './svg/files';
import { findContent } from './versions';
import { formatFor, presetVariant } from './variants';
import type { VariantCache } from './variants';

/** Files that browsers may show in place. Everything else is downloaded. */
const isShown = (contentType: string): boolean => /^(?:image|video|audio)\//.test(contentType);
/** What a file may do when it is opened by itself: nothing. SVG images need their own styles. */
export const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const oneYear = 31_536_000;

/** Files and variants for the console. An address with the beginning of the hash (`v`) never changes. */
export function registerServing(app: FastifyInstance, ctx: Context, variants: VariantCache): void {
  const cachingOf = (v: string | undefined, sha256: string): string =>
    v !== undefined && v.length >= 8 && sha256.startsWith(v) ? `private, max-age=${oneYear}, immutable` : 'private, no-cache';

  route(app, ctx, endpoints.resourceContent, async (call) => {
    const { site, params, query, request, reply } = call;
    const { row, blob } = (await findContent(ctx.postgres.db, site.id, params.id, query.v)) ?? fail('not_found');
    if (isBlocked(blob)) return fail('not_found');
    const isNoted = await noteOpening(ctx, call, row);
    const isClean = blob.kind === 'svg' && !query.download;
    // The original of an SVG may contain anything: it is never sent as an image.
    const contentType = blob.kind === 'svg' && !isClean ? 'text/plain' : blob.contentType;
    if (query.download || !isShown(contentType)) asDownload(reply, row.name, contentType);
    void reply.headers({
      'content-security-policy': sandbox,
      'cross-origin-resource-policy': 'same-origin',
      // Every opening has to arrive here.
      'cache-control': isNoted ? 'private, no-store' : cachingOf(query.v, blob.sha256),
    });
    if (isClean) return sendFile(request, reply, await openCleanSvg(ctx, site.id, blob.sha256));
    return sendFile(request, reply, { file: originalOf(ctx, site.id, blob.sha256), size: blob.bytes, contentType, tag: blob.sha256 });
  });

  route(app, ctx, endpoints.resourceVariant, async ({ site, params, query, request, reply }) => {
    const found = (await findContent(ctx.postgres.db, site.id, params.id, query.v)) ?? fail('not_found');
    const { row } = found;
    // A video looks like its poster, which is never turned or cropped.
    const blob = row.kind !== 'video' || row.posterSha256 === null ? found.blob : await findPoster(ctx.postgres.db, site.id, row.posterSha256);
    // A list of files must not count as opening what it shows.
    if (blob?.kind !== 'image' || isBlocked(blob) || isConfidential(row)) return fail('not_found');
    const edit = query.plain || row.kind === 'video' ? { rotation: 0, crop: null } : { rotation: row.rotation, crop: row.crop };
    const variant = presetVariant(query.preset, { ...row, ...edit }, formatFor(request.headers.accept ?? '', blob.contentType));
    const file = await variants.open(blob, variant);
    void reply.headers({
      vary: 'accept',
      'content-security-policy': sandbox,
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': query.edit === editName(edit) ? cachingOf(query.v, blob.sha256) : 'private, no-cache',
    });
    return sendFile(request, reply, file);
  });
}
