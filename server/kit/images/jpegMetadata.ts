/** Markers of JPEG segments (ITU-T T.81, table B.1). */
const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const app0 = 0xe0;
const app1 = 0xe1;
const app2 = 0xe2;
const app14 = 0xee;

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
/** Tables, frames and scans. */
const isCoding = (marker: number): boolean => marker >= 0xc0 && marker <= 0xdf;

/** Whether pixels look different without a segment: it belongs to the coding, or contains the density (JFIF), the colour profile or the colour transform (Adobe). */
function isNeeded(marker: number, segment: Buffer): boolean {
  if (isCoding(marker) || marker === app14) return true;
  const label = segment.toString('latin1', 4, 16);
  return (marker === app0 && label.startsWith('JFIF\0')) || (marker === app2 && label.startsWith('ICC_PROFILE\0'));
}

/** The orientation (1 to 8) in a segment of EXIF (2.32, 4.6.4); 1 if it states none. */
function orientationOf(segment: Buffer): number {
  const start = 10;
  if (segment.toString('latin1', 4, start) !== 'Exif\0\0' || segment.length < start + 8) return 1;
  const little = segment.toString('latin1', start, start + 2) === 'II';
  const u16 = (at: number): number => (at + 2 > segment.length ? 0 : little ? segment.readUInt16LE(at) : segment.readUInt16BE(at));
  const directory = start + (little ? segment.readUInt32LE(start + 4) : segment.readUInt32BE(start + 4));
  for (let entry = directory + 2; entry < directory + 2 + 12 * u16(directory) && entry + 12 <= segment.length; entry += 12) {
    const value = u16(entry + 8);
    if (u16(entry) === 0x0112 && value >= 1 && value <= 8) return value;
  }
  return 1;
}

/** A segment of EXIF that contains nothing but an orientation. */
const orientationSegment = (orientation: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, app1, 0, 34]),
    Buffer.from('Exif\0\0MM\0*', 'latin1'),
    Buffer.from([0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]),
  ]);

/** Where the entropy-coded data that begins at `from` ends: at the next marker that is no restart. Encoders write a zero after each 0xff in the data. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  return bytes.length;
}

/**
 * A JPEG with the same pixels and orientation but without metadata: of what encoders and cameras add, only density and colours remain. What follows the image,
 * such as another image with metadata of its own, is cut off. Null if the file is no JPEG.
 */
export function withoutMetadata(bytes: Buffer): Buffer | null {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return null;
  const segments: Buffer[] = [];
  let orientation = 1;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    if (marker === endOfImage) break;
    // Markers may be preceded by any number of fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return null;
    const segment = bytes.subarray(at, end);
    if (isNeeded(marker, segment)) segments.push(segment);
    else if (marker === app1 && orientation === 1) orientation = orientationOf(segment);
    at = end;
    if (marker === startOfScan) {
      at = endOfScan(bytes, end);
      segments.push(bytes.subarray(end, at));
    }
  }
  return Buffer.concat([
    Buffer.from([0xff, startOfImage]),
    ...(orientation === 1 ? [] : [orientationSegment(orientation)]),
    ...segments,
    Buffer.from([0xff, endOfImage]),
  ]);
}
