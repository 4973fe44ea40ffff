import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { importFiles } from '../../server/areas/imports/files';
import { restoreFiles, restorePart } from '../../server/areas/tables/maintenance/restore';
import { uploads as transferFiles } from '../../server/areas/tables/transfer/files';
import { abandonedAfter } from '../../server/kit/uploads';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';

const id = '0198c0de-0000-7000-8000-000000000001';
const now = Date.now();
let dataDir: string;
let t: TestApp;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'uploads-'));
  t = await makeTestApp({ config: { dataDir, importMaxBytes: 1000 }, now: () => now });
});
afterEach(() => importFiles.remove(t.ctx, id));
afterAll(async () => {
  await t.close();
  await rm(dataDir, { recursive: true });
});

const receive = (offset: number, text: string, size = 10): Promise<boolean> =>
  importFiles.receive(t.ctx, { id, part: 0, size, offset, body: Buffer.from(text) });
const refusal = (receiving: Promise<boolean>): Promise<unknown> =>
  receiving.then(
    () => null,
    (error: { code?: string }) => error.code,
  );

test.each([
  ['imports', '0', importFiles, 0],
  ['table-imports', 'upload', transferFiles, 'upload'],
  ['table-restores', 'backup', restoreFiles, restorePart],
] as const)('a half-finished upload of an earlier version resumes in %s', async (folder, file, uploads, part) => {
  await mkdir(path.join(dataDir, folder, id), { recursive: true, mode: 0o700 });
  await writeFile(path.join(dataDir, folder, id, file), '0123', { mode: 0o600 });
  expect(await uploads.storedSize(t.ctx, id, part)).toBe(4);
  const chunk = { id, part, size: 10, body: Buffer.from('456789') };
  expect([await uploads.receive(t.ctx, { ...chunk, offset: 0 }), await uploads.receive(t.ctx, { ...chunk, offset: 4 })]).toEqual([false, true]);
  expect(await readFile(path.join(dataDir, folder, id, file), 'utf8')).toBe('0123456789');
  await uploads.remove(t.ctx, id);
  expect(await t.ctx.files.folders(folder)).toEqual([]);
});

test('an upload continues behind the part of a chunk that a crash left', async () => {
  await receive(0, '0123');
  await receive(4, '4567');
  await truncate(path.join(dataDir, 'imports', id, '0'), 6);
  expect([await importFiles.storedSize(t.ctx, id, 0), await receive(8, '89'), await receive(6, '6789')]).toEqual([6, false, true]);
  expect(await readFile(path.join(dataDir, 'imports', id, '0'), 'utf8')).toBe('0123456789');
});

test('of two senders of the same chunk one is refused', async () => {
  const results = await Promise.all(Array.from({ length: 6 }, () => receive(0, '01234')));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await importFiles.storedSize(t.ctx, id, 0)).toBe(5);
});

test('chunks beyond the announced size or the limit are refused', async () => {
  expect(await refusal(receive(0, '01234567890'))).toBe('too_large');
  expect(await refusal(receive(0, 'x'.repeat(1001), 2000))).toBe('too_large');
  expect(await refusal(importFiles.receive(t.ctx, { id, part: 0, size: 10, offset: 0, body: { text: 'x' } }))).toBe('unsupported_media_type');
  expect(await importFiles.storedSize(t.ctx, id, 0)).toBe(0);
});

test('an upload is abandoned a week after its last chunk', async () => {
  const isAbandonedAt = (at: number): Promise<boolean> => importFiles.isAbandoned({ ...t.ctx, now: () => at }, id, new Date(now - 2 * abandonedAfter));
  expect(await isAbandonedAt(now)).toBe(true);
  await receive(0, '0123');
  expect([await isAbandonedAt(now + abandonedAfter - 60_000), await isAbandonedAt(now + abandonedAfter + 60_000)]).toEqual([false, true]);
});

test('only uploads that were listed before their owners are removed', async () => {
  await receive(0, '0123');
  const late = id.replace(/1$/, '2');
  await importFiles.sweep(t.ctx, async () => {
    await importFiles.receive(t.ctx, { id: late, part: 0, size: 10, offset: 0, body: Buffer.from('new') });
    return new Set();
  });
  expect(await t.ctx.files.folders('imports')).toEqual([late]);
  await importFiles.remove(t.ctx, late);
});
