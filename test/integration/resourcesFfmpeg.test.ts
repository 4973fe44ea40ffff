import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import sharp from 'sharp';
import { resourceAddress } from '../../contract/resources/addresses';
import type { Resource } from '../../contract/resources/schemas';
import type { VideoFormat } from '../../contract/resources/terms';
import { area } from '../../server/areas/resources';
import { defaultLimits, findFfmpeg, transcode } from '../../server/kit/ffmpeg';
import type { TranscodingLimits } from '../../server/kit/ffmpeg';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { dataOf, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { resourceClient } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';

jest.setTimeout(120_000);

const execute = promisify(execFile);
const ffmpeg = findFfmpeg();
const ffprobe = ffmpeg?.replace(/ffmpeg$/, 'ffprobe') ?? '';

let folder: string;
const inFolder = (name: string): string => path.join(folder, name);
const runFfmpeg = (...args: string[]): Promise<unknown> => execute(ffmpeg ?? '', ['-nostdin', '-loglevel', 'error', '-y', ...args]);
/** A moving test picture as the input of ffmpeg. */
const picture = (seconds: number, size: string, rate = 10): string[] => ['-f', 'lavfi', '-i', `testsrc=duration=${seconds}:size=${size}:rate=${rate}`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

type Stream = { codec_type: string; codec_name: string; width?: number; height?: number; pix_fmt?: string; channels?: number };
/** What ffprobe says of a file. */
async function probe(file: string): Promise<{ readonly seconds: number; readonly video: Stream | undefined; readonly audio: Stream | undefined }> {
  const { stdout } = await execute(ffprobe, ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', file]);
  const { streams, format } = JSON.parse(stdout) as { streams: Stream[]; format: { duration: string } };
  const find = (type: string): Stream | undefined => streams.find((one) => one.codec_type === type);
  return { seconds: Number(format.duration), video: find('video'), audio: find('audio') };
}

/** Pixels of the frame at a second, in a small size. */
async function frameOf(file: string, second: number): Promise<Buffer> {
  await runFfmpeg('-ss', String(second), '-i', file, '-frames:v', '1', '-vf', 'scale=16:12', '-f', 'rawvideo', '-pix_fmt', 'rgb24', inFolder('frame'));
  return readFile(inFolder('frame'));
}
/** Mean difference of two frames, of 255. */
const difference = (a: Buffer, b: Buffer): number => a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;

/** Converts a file without a job; the path of the result. */
async function convert(input: string, format: VideoFormat, contentType = 'video/mp4', limits: Partial<TranscodingLimits> = {}): Promise<string> {
  const output = inFolder(`out.${format}`);
  const work = { input, output, contentType, format, signal: new AbortController().signal, onProgress: async () => undefined };
  await transcode(ffmpeg ?? '', work, { ...defaultLimits, ...limits });
  return output;
}

// Left out where ffmpeg is not installed; `npm run test:media` installs it.
(ffmpeg === null ? describe.skip : describe)('the installed ffmpeg', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'resources-ffmpeg-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  describe('a conversion as a job', () => {
    let t: TestApp;
    let owner: Person;
    let worker: Worker;
    let client: ResourceClient;
    beforeAll(async () => {
      await mkdir(inFolder('data'));
      t = await makeTestApp({ config: { dataDir: inFolder('data') } });
      owner = await t.signUpOwner();
      worker = startWorker(t.ctx, area.jobs ?? [], [], { pollEvery: 20 });
      client = resourceClient(owner, (await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example/' })).id);
    });
    afterAll(async () => {
      await worker.close();
      await t.close();
    });

    const upload = async (name: string): Promise<Resource> => client.upload(await readFile(inFolder(name)), name);
    const start = async (id: string, format: VideoFormat): Promise<string> =>
      dataOf<{ jobId: string }>(await client.post(`items/${id}/conversions`, { format })).jobId;
    type Job = { id: string; state: string; done: number | null };
    const jobOf = async (id: string): Promise<Job | undefined> => (await owner.get('/api/core/jobs')).json<{ data: Job[] }>().data.find((job) => job.id === id);
    const stateOf = async (id: string): Promise<string | undefined> => (await jobOf(id))?.state;

    test.each<[string, string, string[], string]>([
      ['tea.mp4', 'mp4', [...h264, '-c:a', 'aac'], 'avc1'],
      ['tea.mov', 'mov', [...h264, '-c:a', 'aac'], 'avc1'],
      ['tea.webm', 'webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus'], 'vp'],
      ['tea.mkv', 'matroska', [...h264, '-c:a', 'libvorbis'], 'avc1'],
    ])('states of %s what ffprobe states', async (name, format, codecs, codec) => {
      await runFfmpeg(...picture(2, '96x64'), '-f', 'lavfi', '-i', 'sine=duration=2', ...codecs, '-f', format, inFolder(name));
      const { seconds } = await probe(inFolder(name));
      const { kind, width, height, durationMs, media } = await upload(name);
      expect({ kind, width, height, frameRate: media?.frameRate }).toEqual({ kind: 'video', width: 96, height: 64, frameRate: 10 });
      expect(media?.videoCodec).toMatch(new RegExp(`^${codec}`));
      expect(media?.audioCodec).not.toBeNull();
      expect(Math.abs((durationMs ?? 0) - seconds * 1000)).toBeLessThan(100);
    });

    test.each<[VideoFormat, string, string]>([
      ['mp4', 'h264', 'aac'],
      ['webm', 'vp9', 'opus'],
    ])('delivers the same pictures and sound as %s, without metadata', async (format, videoCodec, audioCodec) => {
      const where = ['-metadata', 'location=+30.2500+120.1500/', '-movflags', 'use_metadata_tags'];
      await runFfmpeg(...picture(2, '1600x1200'), '-f', 'lavfi', '-i', 'sine=duration=2', ...h264, '-c:a', 'aac', ...where, inFolder('large.mp4'));
      expect((await readFile(inFolder('large.mp4'))).includes('+30.25')).toBe(true);
      const video = await upload('large.mp4');
      const jobId = await start(video.id, format);
      await until(async () => (await stateOf(jobId)) === 'done', 60_000);
      const sent = await t.app.inject({ url: resourceAddress({ ...video, preset: format }) });
      expect([sent.statusCode, sent.headers['content-type'], sent.rawPayload.includes('+30.25')]).toEqual([200, `video/${format}`, false]);
      await writeFile(inFolder('sent'), sent.rawPayload);
      const { seconds, video: shows, audio } = await probe(inFolder('sent'));
      expect([shows?.codec_name, shows?.width, shows?.height, shows?.pix_fmt, audio?.codec_name]).toEqual([videoCodec, 960, 720, 'yuv420p', audioCodec]);
      expect(Math.abs(seconds - 2)).toBeLessThan(0.2);
      expect(difference(await frameOf(inFolder('large.mp4'), 1), await frameOf(inFolder('sent'), 1))).toBeLessThan(8);
    });

    test('shows its progress and can be stopped, which leaves nothing behind', async () => {
      await runFfmpeg(...picture(3, '1280x720', 25), ...h264, inFolder('short.mp4'));
      await runFfmpeg('-stream_loop', '40', '-i', inFolder('short.mp4'), '-c', 'copy', inFolder('long.mp4'));
      const video = await upload('long.mp4');
      const jobId = await start(video.id, 'webm');
      let done = 0;
      await until(async () => (done = (await jobOf(jobId))?.done ?? 0) > 0, 60_000);
      expect(done).toBeLessThan(100);
      await owner.send('POST', `/api/core/jobs/${jobId}/cancel`);
      await until(async () => (await stateOf(jobId)) === 'cancelled' && (await readdir(inFolder('data/transcode'))).length === 0, 60_000);
      expect(dataOf<{ files: unknown[] }>(await client.get(`items/${video.id}/conversions`)).files).toEqual([]);
    });

    test('a frame of a video becomes its poster', async () => {
      const video = await upload('tea.mp4');
      await runFfmpeg('-ss', '1', '-i', inFolder('tea.mp4'), '-frames:v', '1', inFolder('poster.jpg'));
      const image = (await readFile(inFolder('poster.jpg'))).toString('base64');
      expect(dataOf<Resource>(await owner.send('PUT', `${client.base}/items/${video.id}/poster`, { image })).posterSha256).toMatch(/^[\da-f]{64}$/);
      const sent = await client.get(`items/${video.id}/variant`, { accept: 'image/webp' });
      const pixels = await sharp(sent.rawPayload).resize(16, 12, { fit: 'fill' }).removeAlpha().raw().toBuffer();
      const frame = await frameOf(inFolder('tea.mp4'), 1);
      expect(difference(frame, pixels)).toBeLessThan(25);
      expect(difference(frame, Buffer.from(pixels.map((value) => 255 - value)))).toBeGreaterThan(60);
    });

    test('of a damaged video fails', async () => {
      const bytes = await readFile(inFolder('tea.mov'));
      bytes.fill(0, 40, bytes.indexOf('moov') - 4);
      const video = await client.upload(bytes, 'damaged.mov');
      expect(video.kind).toBe('video');
      const jobId = await start(video.id, 'mp4');
      await until(async () => (await stateOf(jobId)) === 'failed', 60_000);
      expect(dataOf<{ files: unknown[] }>(await client.get(`items/${video.id}/conversions`)).files).toEqual([]);
    });
  });

  test('a video from a phone that was turned stays upright', async () => {
    await runFfmpeg(...picture(1, '160x90'), ...h264, inFolder('flat.mp4'));
    await runFfmpeg('-i', inFolder('flat.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90', inFolder('turned.mov'));
    for (const format of ['mp4', 'webm'] as const) {
      const { video } = await probe(await convert(inFolder('turned.mov'), format, 'video/quicktime'));
      expect([video?.width, video?.height]).toEqual([90, 160]);
    }
  });

  test.each<[string, string[], string]>([
    ['odd sizes and full colour', [...picture(1, '33x25'), '-c:v', 'libx264', '-pix_fmt', 'yuv444p'], 'mp4'],
    ['ten bits', [...picture(1, '64x48'), '-c:v', 'libx264', '-pix_fmt', 'yuv420p10le'], 'mp4'],
    ['six channels', [...picture(1, '64x48'), '-f', 'lavfi', '-i', 'aevalsrc=0|0|0|0|0|0:c=5.1(side):d=1', ...h264, '-c:a', 'ac3'], 'matroska'],
    ['one channel', [...picture(1, '64x48'), '-f', 'lavfi', '-i', 'sine=duration=1', ...h264, '-c:a', 'aac', '-ac', '1'], 'mp4'],
  ])('%s become what every browser plays', async (name, args, container) => {
    const input = inFolder(name.replaceAll(' ', '-'));
    await runFfmpeg(...args, '-f', container, input);
    for (const format of ['mp4', 'webm'] as const) {
      const { video, audio } = await probe(await convert(input, format, `video/${container}`));
      expect([video?.pix_fmt, (video?.width ?? 1) % 2, (video?.height ?? 1) % 2, audio?.channels ?? 2]).toEqual(['yuv420p', 0, 0, 2]);
    }
  });

  test('an embedded cover is not the video', async () => {
    await runFfmpeg(...picture(1, '64x48'), ...h264, inFolder('plain.mkv'));
    await runFfmpeg('-f', 'lavfi', '-i', 'color=red:s=32x32:d=1', '-frames:v', '1', inFolder('cover.jpg'));
    const both = ['-i', inFolder('cover.jpg'), '-i', inFolder('plain.mkv'), '-map', '0:v', '-map', '1:v', '-c', 'copy', '-disposition:v:0', 'attached_pic'];
    await runFfmpeg(...both, inFolder('cover.mp4'));
    expect((await probe(await convert(inFolder('cover.mp4'), 'mp4'))).video).toMatchObject({ width: 64, height: 48 });
  });

  test('a cut video is converted as far as it goes, or refused', async () => {
    await runFfmpeg(...picture(4, '320x240'), ...h264, '-g', '10', '-movflags', '+faststart', inFolder('whole.mp4'));
    const whole = await readFile(inFolder('whole.mp4'));
    await writeFile(inFolder('half.mp4'), whole.subarray(0, Math.floor(whole.length / 2)));
    const { seconds, video } = await probe(await convert(inFolder('half.mp4'), 'mp4'));
    expect([video?.width, seconds > 0.5 && seconds < 4]).toEqual([320, true]);
    await writeFile(inFolder('start.mp4'), whole.subarray(0, 200));
    await expect(convert(inFolder('start.mp4'), 'mp4')).rejects.toThrow();
  });

  test.each([
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:/etc/hostname\n#EXT-X-ENDLIST\n'],
    ['a list of files', 'ffconcat version 1.0\nfile /etc/hostname\n'],
    ['a description of streams', 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n'],
    ['a page', '<html><script>alert(1)</script>'],
  ])('%s reads no other file, whatever its type claims', async (_name, text) => {
    await writeFile(inFolder('hostile'), text);
    for (const contentType of ['video/mp4', 'video/webm', 'video/ogg', 'video/x-unknown'])
      await expect(convert(inFolder('hostile'), 'mp4', contentType)).rejects.toThrow();
  });

  test('limits of time, memory and size end a conversion', async () => {
    const input = inFolder('whole.mp4');
    await expect(convert(input, 'webm', 'video/mp4', { timeout: 1 })).rejects.toThrow('too slow');
    await expect(convert(input, 'mp4', 'video/mp4', { memory: 64 * 2 ** 20 })).rejects.toThrow();
    await expect(convert(input, 'mp4', 'video/mp4', { outputBytes: 5000 })).rejects.toThrow('too large');
  });
});
