import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { resourceAddress } from '../../contract/resources/addresses';
import type { Resource } from '../../contract/resources/schemas';
import { area } from '../../server/areas/resources';
import { transcode } from '../../server/kit/ffmpeg';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { dataOf, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { until } from '../support/until';
import { resourceClient } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';

let folder: string;
let t: TestApp;
let owner: Person;
let worker: Worker;
let client: ResourceClient;
let mp4: Buffer;
const searched = process.env.PATH;

/** A program in place of ffmpeg. `$output` is the path of the result. */
async function install(body: string): Promise<string> {
  const file = path.join(folder, 'bin', 'ffmpeg');
  await writeFile(file, `#!/bin/sh\nfor last; do :; done\noutput="\${last#file:}"\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'resources-conversion-'));
  for (const name of ['bin', 'data']) await mkdir(path.join(folder, name));
  t = await makeTestApp({ config: { dataDir: path.join(folder, 'data') } });
  owner = await t.signUpOwner();
  await t.stores.postgres.pool.query("UPDATE users SET locale = 'en'");
  worker = startWorker(t.ctx, area.jobs ?? [], [], { pollEvery: 50 });
  client = resourceClient(owner, (await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example/' })).id);
  mp4 = await readFile('test/support/tiny.mp4');
  process.env.PATH = path.join(folder, 'bin');
});
afterAll(async () => {
  process.env.PATH = searched;
  await worker.close();
  await t.close();
  await rm(folder, { recursive: true });
});

type Conversions = { isAvailable: boolean; files: { format: string; bytes: number }[]; jobId: string | null };
const read = async (id: string): Promise<Conversions> => dataOf(await client.get(`items/${id}/conversions`));
const convert = (id: string, format = 'mp4') => client.post(`items/${id}/conversions`, { format });
const jobOf = async (id: string) =>
  (await owner.get('/api/core/jobs')).json<{ data: { id: string; state: string; done: number; error: string | null }[] }>().data.find((job) => job.id === id);
const workFolders = (): string => path.join(folder, 'data', 'transcode');
const isEmpty = async (): Promise<boolean> => (await readdir(workFolders())).length === 0;

test('without ffmpeg the program says so', async () => {
  const video = await client.upload(mp4, 'tea.mp4');
  expect(await read(video.id)).toEqual({ isAvailable: false, files: [], jobId: null });
  expect((await convert(video.id)).statusCode).toBe(503);
});

test('a converted video is delivered beside the original', async () => {
  await install('printf "out_time_us=500000\\ntotal_size=4\\nprogress=continue\\n"; printf done > "$output"');
  const video = await client.upload(mp4, 'tea.mp4');
  const { jobId } = dataOf<{ jobId: string }>(await convert(video.id));
  await until(async () => (await read(video.id)).files.length > 0);
  expect((await read(video.id)).files).toEqual([{ format: 'mp4', bytes: 4 }]);
  await until(async () => (await jobOf(jobId))?.state === 'done');
  const sent = await t.app.inject({ url: resourceAddress({ ...video, preset: 'mp4' }), headers: { range: 'bytes=1-2' } });
  expect([sent.statusCode, sent.body, sent.headers['content-type']]).toEqual([206, 'on', 'video/mp4']);
  expect((await t.app.inject({ url: resourceAddress({ ...video, preset: 'webm' }) })).statusCode).toBe(404);
  await client.change(video.id, video.revision, { visibility: 'private' });
  expect((await t.app.inject({ url: resourceAddress({ ...video, preset: 'mp4' }) })).statusCode).toBe(404);
});

test('a converted video counts for the site, stays, and is not made again', async () => {
  await install('printf twice > "$output"');
  const usedBytes = async () => dataOf<{ usedBytes: number }>(await client.get('storage')).usedBytes;
  const video = await client.upload(Buffer.concat([mp4, Buffer.from('z')]), 'tea.mp4');
  const before = await usedBytes();
  await convert(video.id);
  await until(async () => (await usedBytes()) === before + 5);
  Object.assign(t.ctx.config, { variantsMaxBytes: 0 });
  await runSchedule(t.ctx, 'resources.variants');
  expect((await read(video.id)).files).toEqual([{ format: 'mp4', bytes: 5 }]);
  await until(async () => (await read(video.id)).jobId === null);
  expect((await convert(video.id)).statusCode).toBe(409);
});

test('a video is not converted where the site has no room', async () => {
  await install('printf more > "$output"');
  const small = resourceClient(owner, (await t.makeSite(owner, { name: 'Small', slug: 'small' })).id);
  const video = await small.upload(Buffer.concat([mp4, Buffer.alloc(2 ** 20 - mp4.length)]), 'tea.mp4');
  await owner.send('PUT', `${small.base}/storage`, { maxBytes: 2 ** 20, maxFileBytes: null }, { 'if-match': '"0"' });
  const { jobId } = dataOf<{ jobId: string }>(await small.post(`items/${video.id}/conversions`, { format: 'mp4' }));
  await until(async () => (await jobOf(jobId))?.state === 'failed');
});

test('folders of conversions that a kill interrupted are removed at the start', async () => {
  const left = path.join(workFolders(), 'left');
  await mkdir(left, { recursive: true });
  await writeFile(path.join(left, 'input'), 'tea');
  for (const start of area.services ?? []) await start(t.ctx).close();
  expect(await isEmpty()).toBe(true);
});

test('a failed conversion leaves nothing behind', async () => {
  await install('echo "Invalid data" >&2; printf half > "$output"; exit 1');
  const video: Resource = await client.upload(Buffer.concat([mp4, Buffer.from('x')]), 'tea.mp4');
  const { jobId } = dataOf<{ jobId: string }>(await convert(video.id, 'webm'));
  await until(async () => (await jobOf(jobId))?.state === 'failed');
  expect((await jobOf(jobId))?.error).toMatch(/^The video could not be converted/);
  expect([(await read(video.id)).files, await isEmpty()]).toEqual([[], true]);
});

test('a site converts one video at a time, and a conversion can be stopped', async () => {
  await install('printf "out_time_us=1000\\n"; exec /bin/sleep 60');
  const video = await client.upload(Buffer.concat([mp4, Buffer.from('y')]), 'tea.mp4');
  const { jobId } = dataOf<{ jobId: string }>(await convert(video.id));
  expect((await convert(video.id)).statusCode).toBe(409);
  await until(async () => (await jobOf(jobId))?.state === 'running');
  expect((await read(video.id)).jobId).toBe(jobId);
  await owner.send('POST', `/api/core/jobs/${jobId}/cancel`);
  await until(async () => (await jobOf(jobId))?.state === 'cancelled' && (await isEmpty()));
});

test('only a video of the site is converted', async () => {
  const text = await client.upload(Buffer.from('tea'), 'a.txt');
  const other = resourceClient(owner, (await t.makeSite(owner, { name: 'Other', slug: 'other' })).id);
  const video = await client.upload(mp4, 'tea.mp4');
  expect([(await convert(text.id)).statusCode, (await other.post(`items/${video.id}/conversions`, { format: 'mp4' })).statusCode]).toEqual([404, 404]);
});

test('a result that is too large or takes too long is refused', async () => {
  const limits = { timeout: 60_000, memory: 1024 ** 3, outputBytes: 1000 };
  const work = {
    input: 'in',
    contentType: 'video/mp4',
    output: path.join(folder, 'out'),
    format: 'mp4',
    signal: new AbortController().signal,
    onProgress: async () => undefined,
  } as const;
  const large = await install('printf "total_size=999\\n"; exec /bin/sleep 60');
  await expect(transcode(large, work, limits)).rejects.toThrow('too large');
  await expect(transcode(large, work, { ...limits, outputBytes: 10_000, timeout: 50 })).rejects.toThrow('too slow');
});
