import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestedCaption } from '../../../../contract/resources/addresses';
import { resourceMediaEndpoints as endpoints } from '../../../../contract/resources/media';
import type { Caption } from '../../../../contract/resources/media';
import { formatVtt, parseVtt, vttLimits } from '../../../../contract/resources/vtt';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import { captionsOf, deliveredCaption, findCaption, removeCaption, saveCaption } from '../mediaQueries';
import type { CaptionRow, DeliveredCaption } from '../mediaQueries';
import * as queries from '../queries';
import { openness, secondsLeft, signedTrack } from '../signatures';
import { problemText } from './messages';

const responseOf = ({ language, use, label, source, revision, updatedAt }: CaptionRow): Caption => ({
  language,
  use,
  label,
  source,
  revision,
  updatedAt: updatedAt.toISOString(),
});

async function checkVideo(ctx: Context, siteId: string, id: string, toWrite: boolean): Promise<void> {
  const found = await queries.findResource(ctx.postgres.db, siteId, id);
  if (found?.row.kind !== 'video' || (toWrite && found.row.deletedAt !== null)) fail('not_found');
}

async function saveResourceCaption(ctx: Context, { site, params, body, locale }: CallOf<typeof endpoints.saveResourceCaption>): Promise<Caption> {
  const { id, language, use } = params;
  await checkVideo(ctx, site.id, id, true);
  const { cues, problems } = parseVtt(body.source);
  const [problem] = problems;
  if (problem) fail('invalid_fields', { fields: { source: { code: 'pattern', message: problemText[locale][problem.code](problem.line) } } });
  const key = { resourceId: id, language, use };
  const { db } = ctx.postgres;
  const saved = await ctx.postgres.withLock(`captions ${id}`, async () => {
    if (body.revision === 0 && (await captionsOf(db, id)).length >= vttLimits.tracks) fail('too_large');
    return saveCaption(db, key, body.revision, { label: body.label, source: formatVtt(cues), updatedAt: new Date(ctx.now()) });
  });
  if (!saved) {
    const current = await findCaption(db, key);
    return current ? fail('stale_revision', { current: responseOf(current) }) : fail('not_found');
  }
  ctx.live.publish({ type: 'resources', siteId: site.id });
  return responseOf(saved);
}

export function registerCaptions(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.resourceCaptions, async ({ site, params }) => {
    await checkVideo(ctx, site.id, params.id, false);
    return (await captionsOf(db, params.id)).map(responseOf);
  });
  route(app, ctx, endpoints.saveResourceCaption, (call) => saveResourceCaption(ctx, call));
  route(app, ctx, endpoints.removeResourceCaption, async ({ site, params }) => {
    const { id, language, use } = params;
    await checkVideo(ctx, site.id, id, true);
    if (!(await removeCaption(db, { resourceId: id, language, use }))) fail('not_found');
    ctx.live.publish({ type: 'resources', siteId: site.id });
    return null;
  });
}

/** The hash that identifies a text of captions: its validator, and what a signature of it names. */
export const captionHash = (source: string): string => createHash('sha256').update(source).digest('hex');

/** Seconds for which a caller may have captions; null for the plain address of a public video, false if it may not have them. */
function accessTo(ctx: Context, { siteId, resourceId: id, visibility, source, ...track }: DeliveredCaption, query: unknown): number | null | false {
  const { e, s } = query as { readonly e?: unknown; readonly s?: unknown };
  if (e === undefined || s === undefined) return visibility === 'public' && null;
  return secondsLeft(ctx, { siteId, id, sha256: captionHash(source), variant: signedTrack(track), download: null }, { e, s }) ?? false;
}

/**
 * Sends the captions that a request names; null if it names none, or the caller may not have them. Those of a public video may be loaded by pages of any origin.
 * They must be revalidated, because their address does not change with them.
 */
export async function sendCaption(ctx: Context, request: FastifyRequest, reply: FastifyReply, siteId: string | null): Promise<FastifyReply | null> {
  const requested = requestedCaption(request.url.split('?', 1)[0] ?? '');
  const found = requested && (await deliveredCaption(ctx.postgres.db, siteId, { ...requested, resourceId: requested.id }));
  const seconds = found ? accessTo(ctx, found, request.query) : false;
  if (!found || seconds === false) return null;
  const etag = `"${captionHash(found.source).slice(0, 32)}"`;
  void reply.headers({
    etag,
    ...openness(seconds),
    'cache-control': seconds === null ? 'public, no-cache' : `private, max-age=${seconds}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type('text/vtt; charset=utf-8').send(found.source);
}
