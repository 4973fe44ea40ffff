import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { withoutMetadata } from './jpegMetadata';

const position = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '30/1 15/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '120/1 9/1 0/1' } };
const noise = (): Sharp => sharp(Buffer.from(Array.from({ length: 60 * 40 * 3 }, (_, i) => (i * 7919) % 251)), { raw: { width: 60, height: 40, channels: 3 } });
const xmp =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="30,15N"/></rdf:RDF></x:xmpmeta>';
const photo = (orientation: number, progressive = false): Promise<Buffer> =>
  noise().withExif(position).withMetadata({ orientation }).withXmp(xmp).jpeg({ progressive }).toBuffer();
const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).autoOrient().raw().toBuffer();

test.each([
  [1, false],
  [6, false],
  [8, true],
])('pixels and orientation %i stay, all else goes (progressive: %s)', async (orientation, progressive) => {
  const bytes = await photo(orientation, progressive);
  expect(bytes.includes('GPSLatitude')).toBe(true);
  const clean = withoutMetadata(bytes) ?? Buffer.alloc(0);
  const metadata = await sharp(clean).metadata();
  expect([metadata.xmp, metadata.orientation ?? 1]).toEqual([undefined, orientation]);
  expect((await pixels(clean)).equals(await pixels(bytes))).toBe(true);
  // The tag of the GPS directory, in both byte orders.
  const start = clean.subarray(0, 200);
  expect([clean.includes('GPS'), clean.includes('Exif'), start.includes(Buffer.from([0x88, 0x25])), start.includes(Buffer.from([0x25, 0x88]))]).toEqual([
    false,
    orientation !== 1,
    false,
    false,
  ]);
});

test('another image behind the first, with a position of its own, is cut off', async () => {
  const bytes = await photo(1);
  expect(withoutMetadata(Buffer.concat([bytes, bytes]))).toEqual(withoutMetadata(bytes));
});

test('comments and data of other programs go, the colour profile stays', async () => {
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 10]), Buffer.from('30.25,12'), Buffer.from([0xff, 0xed, 0, 10]), Buffer.from('Hangzhou')]);
  const profiled = await noise().withIccProfile('p3').jpeg().toBuffer();
  const clean = withoutMetadata(Buffer.concat([profiled.subarray(0, 2), comment, profiled.subarray(2)])) ?? Buffer.alloc(0);
  expect([clean.includes('30.25'), clean.includes('Hangzhou')]).toEqual([false, false]);
  expect((await sharp(clean).metadata()).icc).toBeDefined();
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['cut inside a segment', Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0x40, 0, 1, 2])],
  ['without segments', Buffer.from([0xff, 0xd8, 1, 2, 3, 4])],
  ['with a segment of impossible length', Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0, 0xff, 0xd9])],
])('a file that is %s is no JPEG', (_what, bytes) => expect(withoutMetadata(bytes)).toBeNull());
