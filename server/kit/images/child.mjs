/**
 * Decodes and encodes images for the program (`imageProcess.ts`), in a process of its own: a hostile image can only kill this one. It answers one request at a
 * time by IPC and ends itself when it uses more memory than it was given. Argument: that limit in bytes.
 */
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';

const memoryLimit = Number(process.argv[2]);
// libvips works in threads of its own, so this timer fires during the work.
setInterval(() => {
  if (process.memoryUsage.rss() > memoryLimit) process.exit(137);
}, 20);
process.on('disconnect', () => process.exit());

sharp.cache(false);
// Only readers of the types that are images here: all others would be code that hostile files can reach. That of SVG is for drawings of the program itself.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((type) => `VipsForeignLoad${type}`) });
sharp.concurrency(1);

const open = (bytes, pixels, options = {}) => sharp(bytes, { limitInputPixels: pixels, failOn: 'truncated', sequentialRead: true, ...options });

/** Tag of the GPS directory in the first directory of EXIF (EXIF 2.32, 4.6.3), or its names in XMP. */
function hasGps({ exif, xmp }) {
  if (xmp?.includes('GPSLatitude')) return true;
  if (!exif || exif.length < 20) return false;
  const start = exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0;
  const little = exif.toString('latin1', start, start + 2) === 'II';
  const u16 = (at) => (at + 2 > exif.length ? 0 : little ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const u32 = (at) => (at + 4 > exif.length ? 0 : little ? exif.readUInt32LE(at) : exif.readUInt32BE(at));
  const directory = start + u32(start + 4);
  return Array.from({ length: u16(directory) }, (_, i) => u16(directory + 2 + 12 * i)).includes(0x8825);
}

/** Difference hash: whether each pixel of 9 × 8 grey ones is brighter than its right neighbour. 16 hexadecimal digits. */
async function perceptualHash(image) {
  const pixels = await image.clone().flatten({ background: '#fff' }).greyscale().resize(9, 8, { fit: 'fill' }).raw().toBuffer();
  let hash = '';
  for (let row = 0; row < 8; row++) {
    let byte = 0;
    for (let column = 0; column < 8; column++) byte = byte * 2 + Number(pixels[row * 9 + column] > pixels[row * 9 + column + 1]);
    hash += byte.toString(16).padStart(2, '0');
  }
  // An image without differences is similar to nothing.
  return /^0*$/.test(hash) ? null : hash;
}

async function inspect({ bytes, pixels }) {
  const metadata = await open(bytes, pixels).metadata();
  const { width, height } = metadata.autoOrient;
  // Small, and decoded completely: a truncated image fails here.
  const small = await open(bytes, pixels)
    .autoOrient()
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const image = sharp(small.data, { raw: { width: small.info.width, height: small.info.height, channels: 4 } });
  const { dominant } = await image.clone().flatten({ background: '#fff' }).stats();
  return {
    format: metadata.format,
    width,
    height,
    pages: metadata.pages ?? 1,
    hasGps: hasGps(metadata),
    thumbhash: Buffer.from(rgbaToThumbHash(small.info.width, small.info.height, small.data)).toString('base64'),
    color: `#${[dominant.r, dominant.g, dominant.b].map((value) => value.toString(16).padStart(2, '0')).join('')}`,
    perceptualHash: await perceptualHash(image),
  };
}

/** The part of an area with the proportions of the box, around the focal point as far as the edges allow. */
function fillingPart(area, { width, height, focalX, focalY }) {
  const scale = Math.min(area.width / width, area.height / height);
  const part = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const start = (from, whole, size, focal) => from + Math.round(Math.min(Math.max(focal * whole - size / 2, 0), whole - size));
  return { left: start(area.left, area.width, part.width, focalX), top: start(area.top, area.height, part.height, focalY), ...part };
}

/** The cropped area of a turned image, in pixels. */
function croppedArea({ width, height }, crop) {
  if (!crop) return { left: 0, top: 0, width, height };
  const left = Math.min(width - 1, Math.round(crop.x * width));
  const top = Math.min(height - 1, Math.round(crop.y * height));
  const size = (share, whole, from) => Math.max(1, Math.min(whole - from, Math.round(share * whole)));
  return { left, top, width: size(crop.width, width, left), height: size(crop.height, height, top) };
}

const encoders = {
  // Effort 2: a tenth of the time of the default for 6 % more bytes.
  avif: (image) => image.avif({ quality: 55, effort: 2 }),
  webp: (image) => image.webp({ quality: 80, effort: 3 }),
  jpeg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 82, mozjpeg: true }),
  png: (image) => image.png({ compressionLevel: 9 }),
};

/**
 * Pages of a document, such as of a TIFF, are no animation: the first one is shown. No metadata is copied, apart from converting colours to sRGB: in particular no position. An animation that is turned sideways becomes a still image, because
 * libvips cannot turn it. `still`: only the first picture of an animation.
 */
async function variant({ bytes, pixels, width, height, fit, focalX, focalY, rotation, crop, format, still }) {
  const metadata = await open(bytes, pixels).metadata();
  const moves = (metadata.format === 'gif' || metadata.format === 'webp') && (metadata.pages ?? 1) > 1;
  const animated = moves && format === 'webp' && rotation === 0 && !still;
  let image = open(bytes, pixels, { animated });
  if (!animated) image = image.autoOrient();
  if (rotation !== 0) image = image.rotate(rotation);
  const upright = animated ? { width: metadata.width, height: metadata.pageHeight ?? metadata.height } : metadata.autoOrient;
  const turned = rotation % 180 === 0 ? upright : { width: upright.height, height: upright.width };
  const area = croppedArea(turned, crop);
  const fills = fit === 'cover' && !animated;
  if (crop || fills) image = image.extract(fills ? fillingPart(area, { width, height, focalX, focalY }) : area);
  image = image.resize(width, height, { fit, withoutEnlargement: true });
  const { data, info } = await encoders[format](image).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.pageHeight ?? info.height };
}

/**
 * Shortens an SVG that was sanitised before, and is sanitised again afterwards: SVGO is no sanitiser. The view box, title and description stay; ids and classes get
 * a prefix, so that SVGs inlined in one page do not disturb each other.
 */
async function optimiseSvg({ bytes, prefix }) {
  const { optimize } = await import('svgo');
  return optimize(bytes.toString(), {
    multipass: true,
    plugins: [
      // Moving styles into elements loses rules for `:hover` and media.
      { name: 'preset-default', params: { overrides: { removeDesc: false, inlineStyles: false } } },
      { name: 'prefixIds', params: { prefix, delim: '-' } },
    ],
  }).data;
}

const operations = { inspect, variant, optimiseSvg };
async function respond({ id, operation, ...request }) {
  try {
    // Buffers arrive as Uint8Array.
    const bytes = Buffer.from(request.bytes.buffer, request.bytes.byteOffset, request.bytes.byteLength);
    sharp[request.isDrawing === true ? 'unblock' : 'block']({ operation: ['VipsForeignLoadSvg'] });
    process.send({ id, value: await operations[operation]({ ...request, bytes }) });
  } catch (error) {
    process.send({ id, refused: error instanceof Error ? error.message : 'failed' });
  }
}
process.on('message', (request) => void respond(request));
