import { Readable } from 'node:stream';
import type { FileKey, FileRoot } from '../../server/stores/files/keys';
import { headOf, storedFile } from '../../server/stores/files/storedFile';
import { isMissing } from '../../server/stores/files/types';
import type { FileRange, FileStore } from '../../server/stores/files/types';

export type OpenedFileStore = { readonly files: FileStore; readonly close: () => Promise<void> };

/** What every file store does. Call it in a test file; `open` opens an empty store. */
export function fileStoreTests(open: () => Promise<OpenedFileStore>): void {
  let opened: OpenedFileStore;
  let files: FileStore;
  beforeEach(async () => {
    opened = await open();
    ({ files } = opened);
  });
  afterEach(() => opened.close());

  const textOf = async (key: FileKey, range?: FileRange): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of files.read(key, range) as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const keysIn = async (folder: FileRoot | FileKey): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of files.list(folder)) keys.push(key);
    return keys.toSorted();
  };

  test('a stored file is read back, whole or in ranges', async () => {
    const bytes = Buffer.alloc(700_000, 'tea ');
    await files.put('imports/a/0', bytes);
    await files.put('imports/a/1', Readable.from([Buffer.from('0123'), Buffer.from('456789')]));
    expect(await textOf('imports/a/0')).toBe(bytes.toString());
    expect(await textOf('imports/a/1')).toBe('0123456789');
    const ranges: [FileRange, string][] = [
      [{ start: 3 }, '3456789'],
      [{ end: 0 }, '0'],
      [{ start: 2, end: 5 }, '2345'],
      [{ start: 8, end: 99 }, '89'],
      [{ start: 10 }, ''],
      [{ start: 50, end: 60 }, ''],
    ];
    for (const [range, text] of ranges) expect([range, await textOf('imports/a/1', range)]).toEqual([range, text]);
    expect((await headOf(storedFile(files, 'imports/a/1'), 4)).toString()).toBe('0123');
  });

  test('an empty file is a file', async () => {
    await files.put('imports/a/0', Buffer.alloc(0));
    expect(await files.stat('imports/a/0')).toMatchObject({ size: 0 });
    expect(await textOf('imports/a/0')).toBe('');
  });

  test('a missing file has no size and cannot be read', async () => {
    expect(await files.stat('imports/a/0')).toBeNull();
    const failure = await textOf('imports/a/0').catch((error: unknown) => error);
    expect(isMissing(failure)).toBe(true);
    await files.remove('imports/a/0');
    await files.removeAll('imports/a');
  });

  test('a file changes only where the caller says so', async () => {
    await files.put('imports/a/0', Buffer.from('first'));
    await expect(files.put('imports/a/0', Buffer.from('second'))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await textOf('imports/a/0')).toBe('first');
    await files.put('imports/a/0', Buffer.from('third'), { replace: true });
    expect(await textOf('imports/a/0')).toBe('third');
  });

  test('a file whose content fails never appears', async () => {
    let isFailing = false;
    async function* content(): AsyncGenerator<string> {
      yield 'torn';
      expect([await files.stat('imports/a/0'), await keysIn('imports'), await keysIn('imports/a')]).toEqual([null, [], []]);
      if (isFailing) throw new Error('the source failed');
      yield ' no more';
    }
    isFailing = true;
    await expect(files.put('imports/a/0', content())).rejects.toThrow('the source failed');
    expect(await keysIn('imports')).toEqual([]);
    isFailing = false;
    await files.put('imports/a/0', content());
    expect(await textOf('imports/a/0')).toBe('torn no more');
  });

  test('a replacement that fails leaves the previous file', async () => {
    await files.put('imports/a/0', Buffer.from('before'));
    const content = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('the source failed');
      })(),
    );
    await expect(files.put('imports/a/0', content, { replace: true })).rejects.toThrow('the source failed');
    expect(await textOf('imports/a/0')).toBe('before');
  });

  test('chunks are added at the end of a file only, and read as one', async () => {
    expect(await files.append('imports/a/0', 3, Buffer.from('early'))).toBe(false);
    expect(await files.stat('imports/a/0')).toBeNull();
    expect(await files.append('imports/a/0', 0, Buffer.from('0123'))).toBe(true);
    for (const offset of [0, 3, 5]) expect([offset, await files.append('imports/a/0', offset, Buffer.from('x'))]).toEqual([offset, false]);
    expect(await files.append('imports/a/0', 4, Buffer.from('456'))).toBe(true);
    expect(await files.append('imports/a/0', 7, Buffer.from('789'))).toBe(true);
    expect(await files.stat('imports/a/0')).toMatchObject({ size: 10 });
    expect([await textOf('imports/a/0'), await textOf('imports/a/0', { start: 3, end: 7 })]).toEqual(['0123456789', '34567']);
    expect(await keysIn('imports')).toEqual(['imports/a/0']);
    await files.remove('imports/a/0');
    expect([await files.stat('imports/a/0'), await keysIn('imports')]).toEqual([null, []]);
  });

  test('files are listed by folder, with their sizes and times', async () => {
    const before = Date.now() - 5000;
    for (const key of ['imports/a/0', 'imports/a/deep/1', 'imports/ab/0', 'table-imports/a/upload'] as const) await files.put(key, Buffer.from(key));
    expect(await keysIn('imports')).toEqual(['imports/a/0', 'imports/a/deep/1', 'imports/ab/0']);
    expect(await keysIn('imports/a')).toEqual(['imports/a/0', 'imports/a/deep/1']);
    expect(await keysIn('table-restores')).toEqual([]);
    expect((await files.folders('imports')).toSorted()).toEqual(['a', 'ab']);
    expect([await files.folders('imports/a'), await files.folders('table-restores')]).toEqual([['deep'], []]);
    for await (const { key, size, modifiedAt } of files.list('imports')) {
      expect([key, size]).toEqual([key, key.length]);
      expect(modifiedAt).toBeGreaterThan(before);
      expect(modifiedAt).toBeLessThan(Date.now() + 5000);
    }
  });

  test('removing a folder removes nothing beside it', async () => {
    for (const key of ['imports/a/0', 'imports/a/deep/1', 'imports/ab/0', 'table-imports/a/upload'] as const) await files.put(key, Buffer.from('x'));
    await files.removeAll('imports/a');
    expect([await keysIn('imports'), await keysIn('table-imports')]).toEqual([['imports/ab/0'], ['table-imports/a/upload']]);
  });

  test('hostile keys are refused by every operation', async () => {
    const hostile = [
      '',
      '/',
      'imports',
      'imports/',
      '/imports/a',
      'imports//a',
      'imports/./a',
      'imports/..',
      'imports/../journal/1',
      'imports/a/../../lock',
      'postgres/1',
      '..',
      'imports/.tmp/a',
      'imports/a\\b',
      'imports/a\0',
      'imports/a b',
      'imports/茶',
      'imports/a.',
      'IMPORTS/a',
      'imports/a\n',
      'C:/a',
      `imports/${'a'.repeat(201)}`,
      `imports${'/a'.repeat(300)}`,
    ] as FileKey[];
    for (const key of hostile) {
      const operations = [
        () => files.put(key, Buffer.from('x')),
        () => files.append(key, 0, Buffer.from('x')),
        () => textOf(key),
        () => files.stat(key),
        () => files.remove(key),
        () => files.removeAll(key),
      ];
      for (const operation of operations) await expect((async () => operation())()).rejects.toThrow('not a file key');
    }
    for (const folder of ['', '..', 'journal', 'imports/..', 'imports/../postgres'] as FileKey[]) {
      await expect(keysIn(folder)).rejects.toThrow('not a file key');
      await expect(files.folders(folder)).rejects.toThrow('not a file key');
    }
  });
}
