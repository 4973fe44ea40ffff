import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { isBlocked, videoFormats } from '../../../../contract/resources/terms';
import type { VideoFormat } from '../../../../contract/resources/terms';
import type { Context } from '../../../context';
import { TranscodingFailed, defaultLimits, findFfmpeg, transcode } from '../../../kit/ffmpeg';
import { fail } from '../../../http/failure';
import { folderHasSpace } from '../../../stores/files/folder';
import { defineJob } from '../../../worker';
import { addVariant } from '../deliveryQueries';
import { blobLock, originalOf, videoKey, videoName } from '../files';
import * as queries from '../queries';
import type { BlobRow } from '../queries';
import { roomFor, withRoom } from '../storage';
import { withWorkFolder } from './workFolders';

export const TranscodeInput = z.object({ resourceId: z.uuid(), sha256: z.string(), format: z.enum(videoFormats) });

/** A result may be larger than its original, but not without end. */
const leastOutput = 64 * 2 ** 20;

/** Bytes of the result at most; throws `conversion_failed` if the site has no room, or the data folder none for original and result. */
async function outputBytesFor(ctx: Context, { siteId, bytes }: BlobRow): Promise<number> {
  const most = Math.min(defaultLimits.outputBytes, await roomFor(ctx, siteId), Math.max(leastOutput, 2 * bytes));
  if (most === 0 || !(await folderHasSpace(ctx.config.dataDir, bytes + most))) fail('conversion_failed');
  return most;
}

/** Has a result counted as used by its site. */
const recordVideo = async (ctx: Context, { siteId, sha256 }: BlobRow, format: VideoFormat, bytes: number): Promise<void> =>
  void (await addVariant(ctx.postgres.db, { siteId, sha256, name: videoName(format), bytes, at: new Date(ctx.now()) }));

/** Stores a result, unless its content was purged or blocked meanwhile. Throws `too_large` beyond the limits of the site. */
async function storeVideo(ctx: Context, { siteId, sha256 }: BlobRow, format: VideoFormat, file: string): Promise<void> {
  const { size: bytes } = await stat(file);
  if (!(await ctx.files.hasSpace(bytes))) fail('conversion_failed');
  const store = async (): Promise<void> => {
    const blob = await queries.findBlob(ctx.postgres.db, siteId, sha256);
    if (!blob || isBlocked(blob)) return;
    await ctx.files.put(videoKey(siteId, sha256, format), createReadStream(file), { replace: true });
    await recordVideo(ctx, blob, format, bytes);
  };
  await withRoom(ctx, siteId, bytes, () => ctx.postgres.withLock(blobLock(siteId, sha256), store));
}

/** Converts a video to a format that every browser plays; the result is stored beside the original. Progress is in percent. Safe to repeat. */
export const transcodeJob = defineJob('resources.transcode', async (job, ctx) => {
  const { sha256, format } = TranscodeInput.parse(job.input);
  const { siteId } = job;
  const blob = siteId === null ? null : await queries.findBlob(ctx.postgres.db, siteId, sha256);
  if (siteId === null || blob === null || isBlocked(blob)) return;
  const earlier = await ctx.files.stat(videoKey(siteId, sha256, format));
  // Stored before an interruption: its address is already in use, so it stays as it is.
  if (earlier) return recordVideo(ctx, blob, format, earlier.size);
  const ffmpeg = findFfmpeg() ?? fail('conversion_failed');
  const outputBytes = await outputBytesFor(ctx, blob);
  await withWorkFolder(ctx, async (folder) => {
    try {
      await job.progress(0, 100);
      const work = { input: path.join(folder, 'input'), output: path.join(folder, 'output'), format };
      await pipeline(originalOf(ctx, siteId, sha256).read(), createWriteStream(work.input), { signal: job.signal });
      const percentOf = (done: number): number => (blob.durationMs === null ? 0 : Math.min(99, Math.floor((done / blob.durationMs) * 100)));
      const onProgress = (done: number): Promise<void> => job.progress(percentOf(done), 100);
      await transcode(ffmpeg, { ...work, contentType: blob.contentType, signal: job.signal, onProgress }, { ...defaultLimits, outputBytes });
      await storeVideo(ctx, blob, format, work.output);
      await job.progress(100, 100);
      ctx.live.publish({ type: 'resources', siteId });
    } catch (error) {
      if (!(error instanceof TranscodingFailed) || job.cancelled) throw error;
      ctx.log.info('a video could not be converted', { reason: error.message });
      fail('conversion_failed');
    }
  });
});
