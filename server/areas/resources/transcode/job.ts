import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { videoFormats } from '../../../../contract/resources/terms';
import { TranscodingFailed, findFfmpeg, transcode } from '../../../kit/ffmpeg';
import { fail } from '../../../http/failure';
import { defineJob } from '../../../worker';
import { blobLock, originalOf, videoKey } from '../files';
import * as queries from '../queries';

export const TranscodeInput = z.object({ resourceId: z.uuid(), sha256: z.string(), format: z.enum(videoFormats) });

/** Computes a version of a video that every browser plays, beside the original. Progress is in percent. Safe to repeat. */
export const transcodeJob = defineJob('resources.transcode', async (job, ctx) => {
  const { sha256, format } = TranscodeInput.parse(job.input);
  const { siteId } = job;
  const { db } = ctx.postgres;
  const blob = siteId === null ? null : await queries.findBlob(db, siteId, sha256);
  if (siteId === null || blob === null) return;
  const ffmpeg = findFfmpeg() ?? fail('conversion_failed');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'transcode-'));
  try {
    await job.progress(0, 100);
    const work = { input: path.join(folder, 'input'), output: path.join(folder, 'output'), format };
    await pipeline(originalOf(ctx, siteId, sha256).read(), createWriteStream(work.input), { signal: job.signal });
    const percentOf = (done: number): number => (blob.durationMs === null ? 0 : Math.min(99, Math.floor((done / blob.durationMs) * 100)));
    await transcode(ffmpeg, { ...work, contentType: blob.contentType, signal: job.signal, onProgress: (done) => job.progress(percentOf(done), 100) });
    await ctx.postgres.withLock(blobLock(siteId, sha256), async () => {
      // It may have been purged meanwhile.
      if (await queries.findBlob(db, siteId, sha256)) await ctx.files.put(videoKey(siteId, sha256, format), createReadStream(work.output), { replace: true });
    });
    await job.progress(100, 100);
    ctx.live.publish({ type: 'resources', siteId });
  } catch (error) {
    if (!(error instanceof TranscodingFailed) || job.cancelled) throw error;
    ctx.log.info('A video could not be converted', { reason: error.message });
    fail('conversion_failed');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
