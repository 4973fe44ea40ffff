import type { FastifyInstance } from 'fastify';
import { resourceMediaEndpoints as endpoints } from '../../../../contract/resources/media';
import { previewOf } from '../../../../contract/resources/previews';
import type { PreviewKind } from '../../../../contract/resources/previews';
import { isBlocked } from '../../../../contract/resources/terms';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { sendFile } from '../../../http/sendFile';
import { headBytes } from '../../../kit/text/decode';
import { headOf } from '../../../stores/files/storedFile';
import { noteOpening } from '../confidential';
import { originalOf } from '../files';
import * as queries from '../queries';
import type { BlobRow } from '../queries';
import { archivePreview } from './archive';
import { previewPage } from './page';
import { tablePreview, textPreview } from './text';

/** Previews are shown in a frame of the console, and may do nothing there. Chromium's viewer of PDF works under this policy, but not in a frame with `sandbox`. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

async function bodyOf(ctx: Context, blob: BlobRow, kind: Exclude<PreviewKind, 'pdf' | 'audio'>, locale: Locale): Promise<string> {
  const file = originalOf(ctx, blob.siteId, blob.sha256);
  if (kind === 'archive') return archivePreview(file, locale);
  const beginning = { head: await headOf(file, headBytes), size: blob.bytes };
  return kind === 'table' ? tablePreview(beginning, locale) : textPreview(beginning, locale);
}

/** Previews of attachments as pages without scripts; a PDF is sent unchanged. */
export function registerPreviews(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.resourcePreview, async (call) => {
    const { site, params, query, locale, request, reply } = call;
    const { row, blob } = (await queries.findResource(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
    const kind = previewOf({ ...blob, name: row.name });
    if (kind === null || kind === 'audio' || isBlocked(blob)) return fail('not_found');
    const caching = (await noteOpening(ctx, call, row)) ? 'private, no-store' : 'private, no-cache';
    void reply.headers({ 'content-security-policy': policy, 'cross-origin-resource-policy': 'same-origin', 'cache-control': caching });
    if (kind === 'pdf')
      return sendFile(request, reply, { file: originalOf(ctx, site.id, blob.sha256), size: blob.bytes, contentType: blob.contentType, tag: blob.sha256 });
    const body = await bodyOf(ctx, blob, kind, locale);
    return reply.type('text/html; charset=utf-8').send(previewPage({ locale, scheme: query.scheme, title: row.name, body }));
  });
}
