import type { FastifyInstance } from 'fastify';
import { resourceMediaEndpoints as endpoints } from '../../../../contract/resources/media';
import { isBlocked, videoFormats } from '../../../../contract/resources/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf, ResponseOf } from '../../../http/route';
import { findFfmpeg } from '../../../kit/ffmpeg';
import { enqueue } from '../../../worker';
import { findOpenJob } from '../../../worker/queries';
import { videoKey } from '../files';
import * as queries from '../queries';
import type { ResourceWithBlob } from '../queries';
import { TranscodeInput } from './job';

async function findVideo(ctx: Context, siteId: string, id: string): Promise<ResourceWithBlob> {
  const found = await queries.findResource(ctx.postgres.db, siteId, id);
  return found?.blob.kind === 'video' && found.row.deletedAt === null && !isBlocked(found.blob) ? found : fail('not_found');
}

async function conversionsOf(ctx: Context, { row }: ResourceWithBlob): Promise<ResponseOf<typeof endpoints.resourceConversions>> {
  const stored = await Promise.all(videoFormats.map(async (format) => ({ format, stat: await ctx.files.stat(videoKey(row.siteId, row.sha256, format)) })));
  const open = await findOpenJob(ctx.postgres.db, 'resources.transcode', row.siteId);
  const input = TranscodeInput.safeParse(open?.input).data;
  return {
    isAvailable: findFfmpeg() !== null,
    files: stored.flatMap(({ format, stat }) => (stat ? [{ format, bytes: stat.size }] : [])),
    jobId: open && input?.sha256 === row.sha256 ? open.id : null,
  };
}

/**
 * Starts a conversion. Throws `conflict` while the site converts another video, so that videos do not hold up its other jobs, or if the video exists in the format:
 * its address promises that it never changes.
 */
async function convertVideo(
  ctx: Context,
  { site, session, params, body }: CallOf<typeof endpoints.convertVideo>,
): Promise<ResponseOf<typeof endpoints.convertVideo>> {
  const { row } = await findVideo(ctx, site.id, params.id);
  if (findFfmpeg() === null) fail('unavailable');
  return ctx.postgres.withLock(`transcode ${site.id}`, async () => {
    if ((await findOpenJob(ctx.postgres.db, 'resources.transcode', site.id)) || (await ctx.files.stat(videoKey(site.id, row.sha256, body.format))))
      fail('conflict');
    const input = { resourceId: row.id, sha256: row.sha256, format: body.format };
    const job = await enqueue(ctx, 'resources.transcode', { siteId: site.id, label: row.name, input, createdBy: session.userId });
    return { jobId: job.id };
  });
}

export function registerConversions(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.resourceConversions, async ({ site, params }) => conversionsOf(ctx, await findVideo(ctx, site.id, params.id)));
  route(app, ctx, endpoints.convertVideo, (call) => convertVideo(ctx, call));
}
