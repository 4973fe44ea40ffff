import { Readable } from 'node:stream';
import type { StoredFile } from '../../../stores/files/storedFile';
import { backupFormat, openBackup } from './file';

const header = { format: backupFormat, version: 1, madeAt: '2026-11-25T08:00:00.000Z', siteId: 's', tableId: 't', table: {}, trash: false };

/** A backup file, and the streams that were opened to read it. */
const backupOf = (...lines: readonly object[]): { readonly file: StoredFile; readonly streams: readonly Readable[] } => {
  const streams: Readable[] = [];
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const read: StoredFile['read'] = ({ end = bytes.length - 1 } = {}) => {
    const stream = Readable.from([bytes.subarray(0, end + 1)]);
    streams.push(stream);
    return stream;
  };
  return { file: { read, stat: async () => ({ size: bytes.length, modifiedAt: 0 }) }, streams };
};

test('a backup is closed although its records were not read', async () => {
  const { file, streams } = backupOf(header, { end: true, records: 0 });
  const opened = await openBackup(file);
  expect(streams.at(-1)?.destroyed).toBe(false);
  await opened.close();
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test('a backup that was read to its end can be closed', async () => {
  const { file } = backupOf(header, { end: true, records: 0 });
  const opened = await openBackup(file);
  expect((await opened.records.next()).done).toBe(true);
  await expect(opened.close()).resolves.toBeUndefined();
});
