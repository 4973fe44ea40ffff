import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { resourceAddress } from '../../contract/resources/addresses';
import type { Resource } from '../../contract/resources/schemas';
import { resourceLimits, resourcePresets } from '../../contract/resources/terms';
import { startCollector } from '../../server/collect';
import { createDelivery } from '../../server/delivery';
import { dataOf, makeTestApp } from '../../test/support/app';
import { startTestStores } from '../../test/support/testStores';
import { median, writeFigures, writeSection } from '../sections';

/**
 * `npm run bench:resources`: variants of images that are computed and stored, and uploads, over HTTP with real stores and files on disk. The same run measures
 * the limit: the same picture through sharp alone, the same file read from disk, the same chunks written and flushed to disk. Medians.
 */
const images = 7;
const hits = 300;
const uploads = 5;
const uploadBytes = 64 * 1024 * 1024;
const [width, height] = [4000, 3000];
const preset = 'medium';

/** A picture with the detail of a photo: blurred noise over finer noise. */
async function photo(): Promise<Buffer> {
  const coarse = await sharp(randomBytes(40 * 30 * 3), { raw: { width: 40, height: 30, channels: 3 } })
    .resize(width, height, { kernel: 'cubic' })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const fine = await sharp(randomBytes(1000 * 750 * 4), { raw: { width: 1000, height: 750, channels: 4 } })
    .ensureAlpha(0.1)
    .resize(width, height)
    .png({ compressionLevel: 0 })
    .toBuffer();
  return sharp(coarse)
    .composite([{ input: fine, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** The work of a variant without anything around it, with the settings of `server/kit/images/child.mjs`. */
const alone = {
  avif: (image: Sharp) => image.avif({ quality: 55, effort: 2 }),
  webp: (image: Sharp) => image.webp({ quality: 80, effort: 3 }),
  jpeg: (image: Sharp) => image.flatten({ background: '#fff' }).jpeg({ quality: 82, mozjpeg: true }),
} as const;
const formats = ['avif', 'webp', 'jpeg'] as const;
type Format = (typeof formats)[number];

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

const loadBefore = os.loadavg()[0] ?? 0;
const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sitewright-bench-'));
const t = await makeTestApp({ config: { dataDir, trustedProxies: ['loopback'] } });
const collector = await startCollector(t.ctx);
const delivery = await createDelivery(t.ctx, collector);
await delivery.listen({ host: '127.0.0.1', port: 0 });
await t.app.listen({ host: '127.0.0.1', port: 0 });
const originOf = (app: typeof delivery): string => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

const owner = await t.signUpOwner();
const site = await t.makeSite(owner, { name: 'Bench', slug: 'bench' });
const token = dataOf<{ value: string }>(await owner.send('POST', '/api/acc/tokens', { name: 'bench', scopes: ['resources:read', 'resources:write'] })).value;
const base = `${originOf(t.app)}/api/site/${site.id}/resource`;

async function call(method: string, address: string, headers: Record<string, string>, body?: Buffer): Promise<Response> {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`);
  return response;
}

/** Uploads a file in chunks; milliseconds until all are acknowledged, and until it is a resource. */
async function upload(bytes: Buffer, name: string): Promise<{ sent: number; accepted: number; resource: Resource }> {
  const created = await call('POST', `${base}/uploads`, {
    'upload-length': String(bytes.length),
    'upload-metadata': `name ${Buffer.from(name).toString('base64')}`,
  });
  const address = `${base}/uploads/${created.headers.get('location')?.split('/').at(-1) ?? ''}`;
  const { ms: sent } = await timed(async () => {
    for (let at = 0; at < bytes.length; at += resourceLimits.chunkBytes) {
      const chunk = bytes.subarray(at, at + resourceLimits.chunkBytes);
      await call('PATCH', address, { 'upload-offset': String(at), 'content-type': 'application/offset+octet-stream' }, chunk);
    }
  });
  const { ms: accepted, result } = await timed(async () => (await call('POST', `${address}/finish`, {})).json() as Promise<{ data: Resource }>);
  return { sent, accepted, resource: result.data };
}

/** Writes and flushes the same chunks to the disk of the data folder. */
async function writeAlone(bytes: Buffer): Promise<number> {
  const file = path.join(dataDir, 'alone');
  const { ms } = await timed(async () => {
    const handle = await open(file, 'w');
    for (let at = 0; at < bytes.length; at += resourceLimits.chunkBytes) {
      await handle.write(bytes.subarray(at, at + resourceLimits.chunkBytes));
      await handle.sync();
    }
    await handle.close();
  });
  await rm(file);
  return ms;
}

async function read(address: string, accept: string, headers: Record<string, string> = {}): Promise<{ bytes: number; status: number }> {
  const response = await fetch(originOf(delivery) + address, { headers: { 'x-forwarded-host': 'bench.localhost', accept, ...headers } });
  const bytes = (await response.arrayBuffer()).byteLength;
  if (response.status !== 200 && response.status !== 304) throw new Error(`${address}: ${response.status}`);
  return { bytes, status: response.status };
}

async function measureVariants(): Promise<Record<Format, { miss: number; sharp: number; hit: number; disk: number; bytes: number }>> {
  const misses: Record<Format, number[]> = { avif: [], webp: [], jpeg: [] };
  const bare: Record<Format, number[]> = { avif: [], webp: [], jpeg: [] };
  let last: Resource | null = null;
  sharp.concurrency(1);
  for (let n = 0; n < images; n += 1) {
    const bytes = await photo();
    const { resource } = await upload(bytes, `${n}.jpg`);
    last = resource;
    const address = resourceAddress({ ...resource, preset });
    const box = resourcePresets[preset];
    for (const format of formats) {
      misses[format].push((await timed(() => read(address, `image/${format}`))).ms);
      const image = sharp(bytes, { sequentialRead: true }).autoOrient().resize(box.width, box.height, { fit: box.fit, withoutEnlargement: true });
      bare[format].push((await timed(() => alone[format](image).toBuffer())).ms);
    }
  }
  if (!last) throw new Error('nothing was uploaded');
  const address = resourceAddress({ ...last, preset });
  const results = {} as Record<Format, { miss: number; sharp: number; hit: number; disk: number; bytes: number }>;
  for (const format of formats) {
    const [times, disk]: [number[], number[]] = [[], []];
    const file = path.join(dataDir, 'resources', site.id, last.sha256, `${preset}.${format}`);
    let bytes = 0;
    for (let n = 0; n < hits; n += 1) {
      const { ms, result } = await timed(() => read(address, `image/${format}`));
      times.push(ms);
      bytes = result.bytes;
      disk.push((await timed(() => readFile(file))).ms);
    }
    results[format] = { miss: median(misses[format]), sharp: median(bare[format]), hit: median(times), disk: median(disk), bytes };
  }
  return results;
}

async function measureUploads(): Promise<{ sent: number; accepted: number; disk: number }> {
  const [sent, accepted, disk]: [number[], number[], number[]] = [[], [], []];
  for (let n = 0; n < uploads; n += 1) {
    const bytes = randomBytes(uploadBytes);
    disk.push(await writeAlone(bytes));
    const measured = await upload(bytes, `${n}.bin`);
    sent.push(measured.sent);
    accepted.push(measured.accepted);
  }
  return { sent: median(sent), accepted: median(accepted), disk: median(disk) };
}

try {
  await upload(await photo(), 'warm.jpg');
  const variants = await measureVariants();
  const uploaded = await measureUploads();
  const perSecond = (ms: number): string => (uploadBytes / 2 ** 20 / (ms / 1000)).toFixed(0);
  await writeFigures('resources', { variants, uploads: uploaded });
  const section = [
    '## Resources (`npm run bench:resources`)',
    '',
    `Over HTTP, with real stores and files on disk, on ${os.cpus().length} cores (Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}, load average ${loadBefore.toFixed(1)} before and ${(os.loadavg()[0] ?? 0).toFixed(1)} after).`,
    `Variants: preset \`${preset}\` of JPEGs of ${width} × ${height} pixels, medians of ${images} (miss) and ${hits} (hit). "sharp" is the same picture through sharp alone, on one thread, "disk" reading the same file.`,
    '',
    '| format | kB | miss ms | sharp ms | × | hit ms | disk ms |',
    '|---|---|---|---|---|---|---|',
    ...formats.map((format) => {
      const { miss, sharp: limit, hit, disk, bytes } = variants[format];
      return `| ${format} | ${(bytes / 1024).toFixed(0)} | ${miss.toFixed(0)} | ${limit.toFixed(0)} | ${(miss / limit).toFixed(2)} | ${hit.toFixed(1)} | ${disk.toFixed(1)} |`;
    }),
    '',
    `Uploads of ${uploadBytes / 2 ** 20} MB in chunks of ${resourceLimits.chunkBytes / 2 ** 20} MB, each flushed before it is acknowledged, medians of ${uploads}: ${perSecond(uploaded.sent)} MB/s;`,
    `the same chunks written and flushed without the program: ${perSecond(uploaded.disk)} MB/s (× ${(uploaded.sent / uploaded.disk).toFixed(2)}). Acceptance (hash, type, copy under the hash): ${uploaded.accepted.toFixed(0)} ms.`,
  ].join('\n');
  await writeSection('resources', section);
  process.stdout.write(`${section}\n`);
} finally {
  await delivery.close();
  await collector.close();
  t.ctx.images.close();
  await t.close();
  await stores.stop();
  await rm(dataDir, { recursive: true });
}
