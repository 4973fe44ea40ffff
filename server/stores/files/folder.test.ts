import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileStoreTests } from '../../../test/support/fileStoreTests';
import { folderStore, openFolderStore } from './folder';
import { fileStoreAt } from './open';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'files-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the interface', () => {
  fileStoreTests(async () => ({ files: await openFolderStore(folder), close: async () => undefined }));
});

test('a key is the path of the file, which only its owner may read', async () => {
  const files = folderStore(folder);
  await files.put('imports/a/0', Buffer.from('tea'));
  await files.append('table-imports/b/upload', 0, Buffer.from('tea'));
  for (const file of ['imports/a/0', 'table-imports/b/upload']) {
    expect(await readFile(path.join(folder, file), 'utf8')).toBe('tea');
    expect((await stat(path.join(folder, file))).mode & 0o077).toBe(0);
    expect((await stat(path.dirname(path.join(folder, file)))).mode & 0o077).toBe(0);
  }
});

test('the next start removes what a crash left of an unfinished file', async () => {
  let resume = (): void => undefined;
  async function* content(): AsyncGenerator<string> {
    yield 'torn';
    await new Promise<void>((resolve) => (resume = resolve));
  }
  const putting = folderStore(folder)
    .put('imports/a/0', content())
    .catch((error: unknown) => error);
  const unfinished = async (): Promise<string[]> => readdir(path.join(folder, 'imports', '.tmp')).catch(() => []);
  while ((await unfinished()).length === 0) await new Promise(setImmediate);
  const next = await openFolderStore(folder);
  expect([await unfinished(), await next.stat('imports/a/0'), await next.folders('imports')]).toEqual([[], null, []]);
  resume();
  expect(await putting).toMatchObject({ code: 'ENOENT' });
  await next.put('imports/a/0', Buffer.from('tea'));
  expect(await next.stat('imports/a/0')).toMatchObject({ size: 3 });
});

test('opening the store leaves all other files of the data folder', async () => {
  await mkdir(path.join(folder, 'journal'));
  await writeFile(path.join(folder, 'journal', '1'), 'hits');
  await mkdir(path.join(folder, 'imports', 'a'), { recursive: true });
  await writeFile(path.join(folder, 'imports', 'a', '0'), 'half');
  const files = await openFolderStore(folder);
  expect(await files.append('imports/a/0', 4, Buffer.from(' way'))).toBe(true);
  expect([await readFile(path.join(folder, 'journal', '1'), 'utf8'), await readFile(path.join(folder, 'imports', 'a', '0'), 'utf8')]).toEqual([
    'hits',
    'half way',
  ]);
});

test('another thread opens the same store by its location', async () => {
  const files = folderStore(folder);
  await files.put('imports/a/0', Buffer.from('tea'));
  expect(await fileStoreAt(structuredClone(files.location)).stat('imports/a/0')).toMatchObject({ size: 3 });
});

test('a part of the disk stays free for the other stores', async () => {
  const files = folderStore(folder);
  expect([await files.hasSpace(0), await files.hasSpace(2 ** 60)]).toEqual([true, false]);
});
