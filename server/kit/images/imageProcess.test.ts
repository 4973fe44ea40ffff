import sharp from 'sharp';
import { ImagesBusy, UnreadableImage, imageProcess } from './imageProcess';
import type { ImageProcess, VariantSpec } from './imageProcess';

let images: ImageProcess;
afterEach(() => images.close());

const spec: VariantSpec = { width: 100, height: 100, fit: 'inside', focalX: 0.5, focalY: 0.5, rotation: 0, crop: null, format: 'webp' };
/** A picture whose left half is red and whose right half is blue. */
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0000ff' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
  ]);
const photo = (orientation = 1): Promise<Buffer> =>
  picture(400, 200)
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '30/1 15/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '120/1 9/1 0/1' } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();

test('facts of a photo are read, with its size after turning it upright', async () => {
  images = imageProcess();
  const facts = await images.inspect(await photo(6));
  expect(facts).toMatchObject({ format: 'jpeg', width: 200, height: 400, pages: 1 });
  expect(facts.thumbhash).toMatch(/^[\w+/]{20,40}=*$/);
});

test('similar images have the same hash, and one without differences has none', async () => {
  images = imageProcess();
  const hashes = [await photo(), await picture(200, 100).webp().toBuffer(), await picture(200, 100).negate().png().toBuffer()].map((bytes) =>
    images.inspect(bytes),
  );
  const [first, same, other] = (await Promise.all(hashes)).map(({ perceptualHash }) => perceptualHash);
  expect(first).toMatch(/^[\da-f]{16}$/);
  expect([same, other]).toEqual([first, null]);
});

test('a position inside a photo is found and is in no variant', async () => {
  images = imageProcess();
  const withGps = await photo();
  expect([(await images.inspect(withGps)).hasGps, (await images.inspect(await picture(40, 20).jpeg().toBuffer())).hasGps]).toEqual([true, false]);
  for (const format of ['avif', 'webp', 'jpeg', 'png'] as const) {
    const { data } = await images.variant(withGps, { ...spec, format });
    expect((await sharp(data).metadata()).exif).toBeUndefined();
    expect(Buffer.from(data).includes('Exif')).toBe(false);
  }
});

test.each([
  // Upright, red is on the left: a quarter turn clockwise puts it on top.
  [1, 90, { x: 0, y: 0, width: 1, height: 0.4 }, [40, 32], '#ff0000'],
  [1, 90, { x: 0, y: 0.6, width: 1, height: 0.4 }, [40, 32], '#0000ff'],
  [1, 180, null, [40, 20], null],
  // Turned upright first: red is on top, and on the right after a quarter turn.
  [6, 90, { x: 0.6, y: 0, width: 0.4, height: 0.5 }, [40, 25], '#ff0000'],
] as const)('an image with orientation %i is turned by %i degrees and then cropped', async (orientation, rotation, crop, size, color) => {
  images = imageProcess();
  const { data, width, height } = await images.variant(await photo(orientation), { ...spec, width: 40, height: 40, rotation, crop, format: 'png' });
  expect([width, height]).toEqual(size);
  const [r, g, b] = (await sharp(data).resize(1, 1, { fit: 'fill' }).raw().toBuffer()) as unknown as [number, number, number];
  if (color !== null) expect([r > 200, g > 50, b > 200]).toEqual([color === '#ff0000', false, color === '#0000ff']);
});

test('a filled box takes its part from the cropped area', async () => {
  images = imageProcess();
  const crop = { x: 0.5, y: 0, width: 0.5, height: 1 };
  const { data } = await images.variant(await photo(), { ...spec, fit: 'cover', width: 20, height: 40, focalX: 0, crop, format: 'png' });
  const { channels } = await sharp(data).stats();
  expect([(channels[0]?.max ?? 255) < 60, (channels[2]?.min ?? 0) > 200]).toEqual([true, true]);
});

test.each([
  [0, '#ff0000'],
  [1, '#0000ff'],
])('a crop around %f shows %s', async (focalX, color) => {
  images = imageProcess();
  const { data, width, height } = await images.variant(await picture(400, 200).png().toBuffer(), {
    ...spec,
    width: 50,
    height: 100,
    fit: 'cover',
    focalX,
    format: 'png',
  });
  const { dominant } = await sharp(data).stats();
  expect([width, height]).toEqual([50, 100]);
  expect(color).toBe(dominant.r > dominant.b ? '#ff0000' : '#0000ff');
});

const twoPictures = async () =>
  sharp(await Promise.all([picture(60, 30).png().toBuffer(), picture(60, 30).negate().png().toBuffer()]), { join: { animated: true } });
const pagesOf = async (data: Uint8Array): Promise<number> => (await sharp(data).metadata()).pages ?? 1;

test('of several pages of a document the first is shown', async () => {
  images = imageProcess();
  const tiff = await (await twoPictures()).tiff().toBuffer();
  expect(await pagesOf(tiff)).toBe(2);
  const { data, width, height } = await images.variant(tiff, spec);
  expect([width, height, await pagesOf(data)]).toEqual([60, 30, 1]);
});

test.each(['gif', 'webp'] as const)('an animated %s stays animated as WebP', async (format) => {
  images = imageProcess();
  const { data, width, height } = await images.variant(await (await twoPictures()).toFormat(format).toBuffer(), spec);
  expect([width, height, await pagesOf(data)]).toEqual([60, 30, 2]);
});

test.each([
  ['time', { animationTimeout: 1 }],
  // One picture has 1800, both together have 3600.
  ['pixels', { pixels: 2000 }],
])('an animation that exceeds the %s allowed becomes its first picture', async (_what, limits) => {
  images = imageProcess(limits);
  for (const format of ['gif', 'webp'] as const) {
    const { data, width, height } = await images.variant(await (await twoPictures()).toFormat(format).toBuffer(), spec);
    expect([width, height, await pagesOf(data)]).toEqual([60, 30, 1]);
    const [red = 0, , blue = 255] = await sharp(data).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
    expect([red > 200, blue < 60]).toEqual([true, true]);
  }
});

test('formats that are no images here are not decoded', async () => {
  images = imageProcess();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>');
  expect(await images.variant(svg, { ...spec, isDrawing: true })).toMatchObject({ width: 9, height: 9 });
  await expect(images.variant(svg, spec)).rejects.toThrow(UnreadableImage);
  await images.variant(svg, { ...spec, isDrawing: true });
  await expect(images.inspect(svg)).rejects.toThrow(UnreadableImage);
  for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const)
    expect(await images.inspect(await picture(40, 20).toFormat(format).toBuffer())).toMatchObject({ width: 40, height: 20 });
});

test('a variant is never larger than the image', async () => {
  images = imageProcess();
  expect(await images.variant(await picture(40, 20).png().toBuffer(), spec)).toMatchObject({ width: 40, height: 20 });
});

test.each([
  ['truncated', async () => (await photo()).subarray(0, 900)],
  ['no image', async () => Buffer.from('<html><script>alert(1)</script>')],
  ['empty', async () => Buffer.alloc(0)],
  ['too many pixels', async () => picture(2000, 2000).png().toBuffer()],
])('an image that is %s is refused, and the next one is read', async (_what, bytes) => {
  images = imageProcess({ pixels: 1_000_000 });
  await expect(images.inspect(await bytes())).rejects.toThrow(UnreadableImage);
  expect(await images.inspect(await photo())).toMatchObject({ width: 400 });
});

test.each([
  ['memory', { memory: 1 }],
  ['time', { timeout: 1 }],
])('an image that exceeds the %s allowed kills only its process', async (_what, limits) => {
  images = imageProcess(limits);
  const bytes = await photo();
  await expect(images.inspect(bytes)).rejects.toThrow(UnreadableImage);
  await expect(images.inspect(bytes)).rejects.toThrow(UnreadableImage);
});

test('more images than may wait are refused at once', async () => {
  images = imageProcess({ waiting: 1 });
  const bytes = await photo();
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => images.inspect(bytes)));
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect((outcomes[2] as PromiseRejectedResult).reason).toBeInstanceOf(ImagesBusy);
});

test('an image of a visitor has lower limits and waits behind those of members', async () => {
  images = imageProcess({ visitorPixels: 1000 });
  const bytes = await photo();
  const order: string[] = [];
  const inspect = async (name: string, sender: 'member' | 'visitor', what = bytes): Promise<void> => {
    await images.inspect(what, sender).catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableImage));
    order.push(name);
  };
  const small = await picture(20, 10).png().toBuffer();
  await Promise.all([inspect('first', 'member'), inspect('visitor', 'visitor', small), inspect('second', 'member')]);
  expect(order).toEqual(['first', 'second', 'visitor']);
  expect(await images.inspect(small, 'visitor')).toMatchObject({ width: 20 });
  await expect(images.inspect(bytes, 'visitor')).rejects.toThrow(UnreadableImage);
});

test('an optimised SVG keeps its view box and text, and has prefixed ids', async () => {
  images = imageProcess();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><title>Tea</title><desc>Green</desc><style>.a{opacity:.5}.a:hover{opacity:1}</style>' +
    '<defs><path id="leaf" d="M 0.00001 0.00 L 10.0000 10.000"/></defs><g><g><use href="#leaf" class="a"/><use href="#leaf" x="1"/></g></g></svg>';
  const optimised = await images.optimiseSvg(svg, 'tea');
  expect(optimised.length).toBeLessThan(svg.length);
  for (const part of ['viewBox="0 0 24 24"', '<title>Tea</title>', '<desc>Green</desc>', 'href="#tea-', 'class="tea-a"', '.tea-a:hover'])
    expect(optimised).toContain(part);
});

test('a slow or invalid SVG is refused, and the next one is optimised', async () => {
  images = imageProcess({ svgTimeout: 1 });
  await expect(images.optimiseSvg('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a')).rejects.toThrow(UnreadableImage);
  images.close();
  images = imageProcess();
  await expect(images.optimiseSvg('<svg><g></svg>', 'a')).rejects.toThrow(UnreadableImage);
  expect(await images.optimiseSvg('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a')).toContain('<svg');
});
