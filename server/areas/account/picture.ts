import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** Edge of a stored picture and longest accepted edge, in pixels. */
export const pictureSize = 256;
const longestEdge = 1024;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples per pixel and allowed bit depths, by colour type (PNG 3rd edition, table 12). */
const colourTypes: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** The chunks needed to decode pixels. All others (text, profiles, animation) are removed before decoding. */
const allowedChunks: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);

type Chunk = { readonly type: string; readonly data: Buffer; readonly whole: Buffer };

/** The chunks up to IEND, or null if the file is truncated or malformed. */
function chunksOf(file: Buffer): Chunk[] | null {
  if (!file.subarray(0, 8).equals(signature)) return null;
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    const type = file.toString('latin1', at + 4, at + 8);
    if (end > file.length || !/^[A-Za-z]{4}$/.test(type)) return null;
    chunks.push({ type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  return null;
}

/** Size of the unpacked pixel data in bytes (one filter byte per row), or null if the header is not that of an accepted square picture. */
function unpackedBytes(header: Buffer): number | null {
  if (header.length !== 13) return null;
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const [depth = 0, colour = 0, compression, filter, interlace] = header.subarray(8);
  const type = colourTypes[colour];
  if (width === 0 || width !== height || width > longestEdge) return null;
  // Interlaced pictures need more memory than their size suggests, and no browser's canvas produces them.
  if (!type?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace !== 0) return null;
  return height * (1 + Math.ceil((width * type.samples * depth) / 8));
}

/**
 * The stored form of a PNG file: 256 × 256, redrawn from its pixels only. null unless the file is exactly a PNG of a square of at most 1024 pixels. The size is
 * checked in the header before decoding, and the data may unpack to exactly the size that the header implies.
 */
export function storedPicture(file: Buffer): Buffer | null {
  const chunks = chunksOf(file);
  const [first, ...rest] = chunks ?? [];
  if (!chunks || first?.type !== 'IHDR' || rest.some(({ type }) => type === 'IHDR' || (isCritical(type) && !allowedChunks.has(type)))) return null;
  const bytes = unpackedBytes(first.data);
  if (bytes === null) return null;
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
  try {
    if (inflateSync(packed, { maxOutputLength: bytes }).length !== bytes) return null;
    const clean = Buffer.concat([signature, ...chunks.flatMap(({ type, whole }) => (allowedChunks.has(type) ? [whole] : []))]);
    return encode(resized(PNG.sync.read(clean)));
  } catch {
    // Invalid checksums, filters or palettes: any decoder error means that the file is not a valid picture.
    return null;
  }
}

type Picture = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** For each new pixel along an edge: the first old pixel that contributes and the weights of that and the following ones. The weights add up to 1. */
function sharesFor(from: number, to: number): { readonly start: number; readonly shares: readonly number[] }[] {
  const scale = from / to;
  // A triangle filter as wide as the pixels that are merged: area averaging when shrinking, linear interpolation when enlarging.
  const reach = Math.max(1, scale);
  return Array.from({ length: to }, (_, i) => {
    const centre = (i + 0.5) * scale - 0.5;
    const start = Math.max(0, Math.ceil(centre - reach));
    const end = Math.min(from - 1, Math.floor(centre + reach));
    const weights = Array.from({ length: end - start + 1 }, (_w, k) => Math.max(0, 1 - Math.abs(start + k - centre) / reach));
    const sum = weights.reduce((a, b) => a + b, 0);
    return { start, shares: weights.map((weight) => weight / sum) };
  });
}

/** Colours are weighted by their opacity, so that the colour of transparent pixels does not bleed into edges. */
function resized({ width, height, data }: Picture): PNG {
  const size = pictureSize;
  const columns = sharesFor(width, size);
  const rows = sharesFor(height, size);
  const narrow = new Float32Array(size * height * 4);
  for (let y = 0; y < height; y++) {
    columns.forEach(({ start, shares }, x) => {
      const target = (y * size + x) * 4;
      shares.forEach((share, k) => {
        const source = (y * width + start + k) * 4;
        const opacity = share * (data[source + 3] ?? 0);
        for (let c = 0; c < 3; c++) narrow[target + c] = (narrow[target + c] ?? 0) + opacity * (data[source + c] ?? 0);
        narrow[target + 3] = (narrow[target + 3] ?? 0) + opacity;
      });
    });
  }
  const result = new PNG({ width: size, height: size });
  rows.forEach(({ start, shares }, y) => {
    for (let x = 0; x < size; x++) {
      const sums = [0, 0, 0, 0];
      shares.forEach((share, k) => {
        const source = ((start + k) * size + x) * 4;
        for (let c = 0; c < 4; c++) sums[c] = (sums[c] ?? 0) + share * (narrow[source + c] ?? 0);
      });
      const [r = 0, g = 0, b = 0, opacity = 0] = sums;
      const target = (y * size + x) * 4;
      [r, g, b].forEach((sum, c) => void (result.data[target + c] = opacity === 0 ? 0 : Math.round(sum / opacity)));
      result.data[target + 3] = Math.round(opacity);
    }
  });
  return result;
}

function encode(picture: PNG): Buffer {
  let opaque = true;
  for (let at = 3; at < picture.data.length; at += 4) if (picture.data[at] !== 255) opaque = false;
  return PNG.sync.write(picture, { colorType: opaque ? 2 : 6, inputColorType: 6, inputHasAlpha: true });
}
