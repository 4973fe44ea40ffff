import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { pictureSize, storedPicture } from './picture';
import { caseCounts } from '../../../test/support/caseCounts';

type Pixel = readonly [number, number, number, number];
const red = (): Pixel => [200, 10, 10, 255];

const table = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const crc = (bytes: Buffer): number => {
  let c = 0xffffffff;
  for (const byte of bytes) c = (table[(c ^ byte) & 255] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
};
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc(body), whole.length - 4);
  return whole;
}
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
function header(width: number, height: number, rest: readonly number[]): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set(rest, 8);
  return chunk('IHDR', data);
}
const end = chunk('IEND', Buffer.alloc(0));
/** A PNG file that consists of the given chunks. */
const file = (...chunks: Buffer[]): Buffer => Buffer.concat([signature, ...chunks, end]);
const rgba = [8, 6, 0, 0, 0];
const rows = (size: number): Buffer => chunk('IDAT', deflateSync(Buffer.alloc(size * (1 + size * 4))));
/** A PNG file of the given pixels, without filters. The encoder of pngjs tries every filter, which is slow where each access to `Math` is looked up anew. */
function png(size: number, pixel: (x: number, y: number) => Pixel, height = size): Buffer {
  const raw = Buffer.alloc(height * (1 + size * 4));
  for (let y = 0, at = 0; y < height; y++) {
    at++;
    for (let x = 0; x < size; x++, at += 4) [raw[at], raw[at + 1], raw[at + 2], raw[at + 3]] = pixel(x, y);
  }
  return file(header(size, height, rgba), chunk('IDAT', deflateSync(raw)));
}
/** Inserts a chunk after the header of a valid file. */
const insert = (good: Buffer, extra: Buffer): Buffer => Buffer.concat([good.subarray(0, 33), extra, good.subarray(33)]);

const pixelAt = (stored: Buffer | null, x: number, y: number): number[] => {
  const picture = PNG.sync.read(stored ?? Buffer.alloc(0));
  return [...picture.data.subarray((y * picture.width + x) * 4, (y * picture.width + x) * 4 + 4)];
};

test.each([1, 7, 255, 256, 257, 1024])('a square of %i pixels becomes one of 256', (size) => {
  const stored = storedPicture(png(size, red));
  const picture = PNG.sync.read(stored ?? Buffer.alloc(0));
  expect([picture.width, picture.height]).toEqual([pictureSize, pictureSize]);
  expect(picture.data.equals(Buffer.alloc(picture.data.length, Buffer.from(red())))).toBe(true);
});
test('downscaling mixes colours, ignoring fully transparent pixels', () => {
  const board = storedPicture(png(600, (x, y) => ((x + y) % 2 === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255])));
  for (const value of pixelAt(board, 100, 100).slice(0, 3)) expect(Math.abs(value - 127)).toBeLessThanOrEqual(2);
  const edge = storedPicture(png(512, (x) => (x < 256 ? [250, 0, 0, 255] : [0, 0, 255, 0])));
  expect(pixelAt(edge, 20, 20)).toEqual([250, 0, 0, 255]);
  expect(pixelAt(edge, 200, 20)[3]).toBe(0);
  const [r = 0, , b] = pixelAt(edge, 127, 20);
  expect([r > 240, b]).toEqual([true, 0]);
});
test('the picture is neither mirrored nor flipped', () => {
  const quarters = storedPicture(png(300, (x, y) => [x < 150 ? 255 : 0, y < 150 ? 255 : 0, 0, 255]));
  expect([pixelAt(quarters, 10, 10), pixelAt(quarters, 240, 10), pixelAt(quarters, 10, 240)].map((p) => p.slice(0, 2))).toEqual([
    [255, 255],
    [0, 255],
    [255, 0],
  ]);
});
test('only the pixels of the file are stored', () => {
  const secret = Buffer.from('GPS 30.2741, 120.1551');
  const written = insert(png(64, red), Buffer.concat([chunk('tEXt', secret), chunk('eXIf', secret), chunk('iCCP', deflateSync(Buffer.alloc(9_000_000)))]));
  const stored = storedPicture(Buffer.concat([written, secret, Buffer.from('<script>alert(1)</script>')]));
  expect(stored?.includes(secret.subarray(0, 8))).toBe(false);
  expect(stored).toEqual(storedPicture(png(64, red)));
});
test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46])],
  ['the first bytes alone', signature],
  ['a cut file', png(64, red).subarray(0, -20)],
  ['a broken checksum', Buffer.concat([png(64, red).subarray(0, 29), Buffer.from([1, 2, 3, 4]), png(64, red).subarray(33)])],
  ['a rectangle', png(64, red, 63)],
  ['one pixel too many', png(1025, red)],
  ['no width', file(header(0, 0, rgba), rows(1))],
  ['a header that promises two billion pixels', file(header(46_000, 46_000, rgba), rows(8))],
  ['data that unpacks to more than the header says', file(header(8, 8, rgba), chunk('IDAT', deflateSync(Buffer.alloc(64_000_000))))],
  ['data that unpacks to less', file(header(8, 8, rgba), rows(7))],
  ['data that is not packed', file(header(8, 8, rgba), chunk('IDAT', Buffer.alloc(300)))],
  ['no data', file(header(8, 8, rgba))],
  ['an interlaced picture', file(header(8, 8, [8, 6, 0, 0, 1]), rows(8))],
  ['a colour type that does not exist', file(header(8, 8, [8, 5, 0, 0, 0]), rows(8))],
  ['a depth that does not go with it', file(header(8, 8, [4, 6, 0, 0, 0]), rows(8))],
  ['another compression', file(header(8, 8, [8, 6, 1, 0, 0]), rows(8))],
  ['a palette that is missing', file(header(8, 8, [8, 3, 0, 0, 0]), chunk('IDAT', deflateSync(Buffer.alloc(8 * 9))))],
  ['two headers', file(header(8, 8, rgba), header(8, 8, rgba), rows(8))],
  ['a header that is not first', file(chunk('tEXt', Buffer.from('x')), header(8, 8, rgba), rows(8))],
  ['a critical chunk that nobody knows', insert(png(8, red), chunk('EVIL', Buffer.from('x')))],
  ['a length beyond the file', Buffer.concat([signature, Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from('IHDR')])],
])('refuses %s', (_name, bytes) => expect(storedPicture(bytes)).toBeNull());
test('greyscale, palette and 16-bit pictures are accepted', () => {
  const grey = file(header(8, 8, [8, 0, 0, 0, 0]), chunk('IDAT', deflateSync(Buffer.alloc(8 * 9, 0))));
  const deep = file(header(8, 8, [16, 6, 0, 0, 0]), chunk('IDAT', deflateSync(Buffer.alloc(8 * (1 + 64)))));
  const palette = file(header(8, 8, [1, 3, 0, 0, 0]), chunk('PLTE', Buffer.from([9, 8, 7, 1, 2, 3])), chunk('IDAT', deflateSync(Buffer.alloc(16))));
  expect([pixelAt(storedPicture(grey), 5, 5), pixelAt(storedPicture(deep), 5, 5), pixelAt(storedPicture(palette), 5, 5)]).toEqual([
    [0, 0, 0, 255],
    [0, 0, 0, 0],
    [9, 8, 7, 255],
  ]);
});
test('any bytes give a picture of 256 pixels or null', () => {
  // Rows with any filter type (5 is invalid) over arbitrary pixels, with correct checksums; then some bytes of the file are changed, or none.
  const side = 5;
  const row = fc.tuple(fc.nat(5), fc.uint8Array({ minLength: side * 4, maxLength: side * 4 })).map(([filter, pixels]) => Buffer.from([filter, ...pixels]));
  const picture = fc
    .array(row, { minLength: side, maxLength: side })
    .map((rowsOfPicture) => file(header(side, side, rgba), chunk('IDAT', deflateSync(Buffer.concat(rowsOfPicture)))));
  const damage = fc.oneof(fc.constant([]), fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 6 }));
  const cases = caseCounts();
  fc.assert(
    fc.property(picture, damage, (intact, changes) => {
      const bytes = Buffer.from(intact);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      const stored = storedPicture(bytes);
      if (stored === null) return;
      cases.count();
      expect(PNG.sync.read(stored).width).toBe(pictureSize);
    }),
    { numRuns: 80 },
  );
  cases.expectAtLeast(4);
});
