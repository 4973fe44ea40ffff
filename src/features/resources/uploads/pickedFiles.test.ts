import { createHash } from 'node:crypto';
import { hashBlob } from './hashBlob';
import { cleanName, pickedFiles } from './pickedFiles';

test('names lose characters that could deceive, and stay short', () => {
  expect(cleanName(' a\u0000b\u202e.jpg ')).toBe('ab.jpg');
  expect(cleanName('\u0001')).toBe('file');
  const long = cleanName(`${'\u8336'.repeat(300)}.jpeg`);
  expect([long.length, long.endsWith('.jpeg')]).toEqual([200, true]);
});

test('files of a chosen folder know their path, and system files are left out', () => {
  const at = (path: string) => Object.defineProperty(new File([''], path.split('/').at(-1) ?? ''), 'webkitRelativePath', { value: path });
  expect(pickedFiles([at('trip/day 1/a.jpg'), at('trip/.DS_Store')]).map(({ file, folders }) => [file.name, folders])).toEqual([['a.jpg', ['trip', 'day 1']]]);
});

test.each([0, 1, 10, 64, 129])('a blob is hashed in chunks: %i bytes', async (size) => {
  const bytes = new Uint8Array(size).map((_, at) => (at * 7) % 256);
  expect(await hashBlob(new Blob([bytes]), 10)).toBe(createHash('sha256').update(bytes).digest('hex'));
});
