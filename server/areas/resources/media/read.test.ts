import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { StoredFile } from '../../../stores/files/storedFile';
import { readMedia } from './read';

const fileOf = (bytes: Buffer): StoredFile => ({
  read: ({ start = 0, end = bytes.length - 1 } = {}) => Readable.from([bytes.subarray(start, end + 1)]),
  stat: () => Promise.resolve({ size: bytes.length, modifiedAt: 0 }),
});
const read = (bytes: Buffer, contentType: string) => readMedia(fileOf(bytes), bytes.length, contentType);

/** A box of MP4 with a content. */
function box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.length, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}

/** The film `tiny.mp4` with more boxes at the beginning of its description. */
async function filmWith(boxes: Buffer): Promise<Buffer> {
  const film = await readFile('test/support/tiny.mp4');
  const at = film.indexOf('moov') - 4;
  const size = film.readUInt32BE(at);
  return Buffer.concat([film.subarray(0, at), box('moov', Buffer.concat([boxes, film.subarray(at + 8, at + size)])), film.subarray(at + size)]);
}
const empty = (type: string, count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => box(type, Buffer.alloc(0))));

test('a film with some more boxes is read', async () => {
  expect(await read(await filmWith(empty('free', 20)), 'video/mp4')).toMatchObject({ width: 32, durationMs: 1000, media: { container: 'mp4' } });
});

test('of very many boxes and tracks only the first are read', async () => {
  expect(await read(await filmWith(empty('free', 2000)), 'video/mp4')).toMatchObject({ width: null, durationMs: null });
  expect(await read(await filmWith(empty('trak', 100)), 'video/mp4')).toMatchObject({ width: null, durationMs: 1000 });
});

test.each([
  [20, { media: { container: 'webm', videoCodec: 'vp9' } }],
  [2000, null],
])('a WebM file with %i empty elements is read within limits', async (count, facts) => {
  const header = Buffer.from('1a45dfa387428284', 'hex');
  const tracks = Buffer.concat([Buffer.from('1654ae6b8cae8a8381018685', 'hex'), Buffer.from('V_VP9')]);
  const segment = Buffer.concat([Buffer.from('18538067ff', 'hex'), Buffer.from('ec80'.repeat(count), 'hex'), tracks]);
  const found = await read(Buffer.concat([header, Buffer.from('webm'), segment]), 'video/webm');
  if (facts === null) expect(found).toBeNull();
  else expect(found).toMatchObject(facts);
});
