import { appendFile, mkdtemp, open, readFile, readdir, rm, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '../log';
import { crc32c } from './crc32c';
import { JournalFull, openJournal } from './journal';
import type { Journal, JournalOptions } from './journal';

const said: { level: string; message: string; fields: object | undefined }[] = [];
const recordEntry = (level: string) => (message: string, fields?: object) => void said.push({ level, message, fields });
const log: Log = { debug: recordEntry('debug'), info: recordEntry('info'), warn: recordEntry('warn'), error: recordEntry('error'), child: () => log };

let folder = '';
const opened: Journal[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'journal-'));
  said.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((journal) => journal.close()));
  await rm(folder, { recursive: true });
});

const start = async (options: Partial<JournalOptions> = {}): Promise<Journal> => {
  const journal = await openJournal({ folder, maxBytes: 10_000_000, columns: ['a', 'b'], log, ...options });
  opened.push(journal);
  return journal;
};
const stop = (journal: Journal): Promise<void> => (opened.splice(opened.indexOf(journal), 1), journal.close());
const payloads = async (journal: Journal, from = journal.released, bytes = 1_000_000): Promise<string[]> => {
  const all: string[] = [];
  for (let at = from; ;) {
    const { records, to } = await journal.read(at, bytes);
    all.push(...records.map((record) => record.payload));
    if (to.segment === at.segment && to.offset === at.offset) return all;
    at = to;
  }
};
const segmentFiles = async (): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => name.endsWith('.log'))
    .sort()
    .map((name) => path.join(folder, name));
/** Writes the given records and returns the path of their file. */
const written = async (...records: string[]): Promise<string> => {
  const journal = await start();
  for (const record of records) await journal.append(record);
  await stop(journal);
  return (await segmentFiles()).at(-1) as string;
};

it('computes standard CRC-32C checksums', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
});

it('returns acknowledged records in order, also after reopening', async () => {
  const records = Array.from({ length: 300 }, (_, i) => `${i} 记录 ${'x'.repeat(i)}`);
  const journal = await start({ segmentBytes: 5000 });
  await Promise.all(records.map((record) => journal.append(record)));
  expect(await payloads(journal, journal.released, 700)).toEqual(records);
  await stop(journal);
  expect(await payloads(await start())).toEqual(records);
});

it('reads a record larger than the requested range', async () => {
  const journal = await start();
  await journal.append('y'.repeat(50_000));
  await journal.append('z');
  expect((await payloads(journal, journal.released, 1000)).map((one) => one.length)).toEqual([50_000, 1]);
});

it('deletes the files of released records and keeps the rest', async () => {
  const journal = await start({ segmentBytes: 2000 });
  const places = [];
  for (let i = 0; i < 20; i += 1) places.push(await journal.append(`${i}`.padEnd(500, '.')));
  await journal.release(places[14] as { segment: number; offset: number });
  expect((await segmentFiles()).length).toBeLessThan(5);
  await stop(journal);
  expect((await payloads(await start())).map((one) => Number.parseInt(one, 10))).toEqual([15, 16, 17, 18, 19]);
});

it('leaves no hit on disk once all are stored', async () => {
  const journal = await start();
  await journal.append('secret'.repeat(20_000));
  await journal.release(journal.end());
  const left = await Promise.all((await segmentFiles()).map((file) => readFile(file, 'utf8')));
  expect(left.join('')).not.toContain('secret');
  await journal.append('next');
  await stop(journal);
  expect(await payloads(await start())).toEqual(['next']);
});

it('refuses records when full and accepts them once there is room', async () => {
  const journal = await start({ maxBytes: 100_000 });
  await journal.append('a'.repeat(90_000));
  await expect(journal.append('b'.repeat(20_000))).rejects.toThrow(JournalFull);
  await journal.release(journal.end());
  await journal.append('c'.repeat(20_000));
  expect(await payloads(journal, { segment: 0, offset: 0 })).toEqual(['c'.repeat(20_000)]);
});

describe('damage', () => {
  it.each(['an incomplete write', 'garbage after the end'])('%s is cut off and reported', async (kind) => {
    const file = await written('one', 'two', 'three');
    const { length } = await readFile(file);
    if (kind === 'an incomplete write') await truncate(file, length - 2);
    else await appendFile(file, 'SWJ\u0001rubbish');
    const journal = await start();
    expect(await payloads(journal)).toEqual(kind === 'an incomplete write' ? ['one', 'two'] : ['one', 'two', 'three']);
    expect(said).toMatchObject([{ level: 'warn', fields: { file } }]);
    await journal.append('four');
    expect((await payloads(journal)).at(-1)).toBe('four');
  });

  it('in the middle is reported, saved as .corrupt, and the rest recovered', async () => {
    const file = await written('one', 'the damaged one', 'three', 'four');
    const before = await readFile(file);
    const at = before.indexOf('damaged');
    const handle = await open(file, 'r+');
    await handle.write('DAMAGED', at);
    await handle.close();

    const journal = await start();
    expect(await payloads(journal)).toEqual(['one', 'three', 'four']);
    const offset = before.indexOf('the damaged one') - 12;
    expect(said).toMatchObject([{ level: 'error', fields: { file, offset, bytes: 12 + 'the damaged one'.length, original: `${file}.corrupt` } }]);
    expect((await readFile(`${file}.corrupt`)).includes('DAMAGED')).toBe(true);
    await stop(journal);

    said.length = 0;
    expect(await payloads(await start())).toEqual(['one', 'three', 'four']);
    expect(said).toEqual([]);
  });

  it('of the file header loses no record', async () => {
    const file = await written('one', 'two');
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(8), 0, 8, 0);
    await handle.close();
    expect(await payloads(await start())).toEqual(['one', 'two']);
  });

  it('of the checkpoint causes all records to be drained again', async () => {
    const journal = await start();
    await journal.append('one');
    await journal.release(await journal.append('two'));
    await journal.append('three');
    await stop(journal);
    await truncate(path.join(folder, 'checkpoint'), 3);
    expect(await payloads(await start())).toEqual(['one', 'two', 'three']);
  });
});

it('returns the columns with which each record was written', async () => {
  await written('["x","y"]');
  const journal = await start({ columns: ['a', 'b', 'c'] });
  await journal.append('["x","y","z"]');
  const first = await journal.read(journal.released, 1000);
  const second = await journal.read(first.to, 1000);
  expect([...first.records, ...second.records].map((record) => record.columns)).toEqual([
    ['a', 'b'],
    ['a', 'b', 'c'],
  ]);
});
