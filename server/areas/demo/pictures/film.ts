import { backdrop, drawing, group, land, line, palettes, path, polygon, rect, sun, times, width } from '../../../kit/pictures/drawing';

/** Frames of the film, and of a second. */
const frames = 24;
const perSecond = 12;
const pixels = { width: 480, height: 300 };

/** A boat that rocks on the sea: one round of waves, so that the film can start again without a jump. `at` is between 0 and 1. */
function frameOf(at: number): string {
  const palette = palettes.dawn;
  const turn = 2 * Math.PI * at;
  return [
    backdrop(palette),
    sun(palette, 560, 380 - 14 * Math.sin(turn), 120),
    rect(0, 540, width, 460, palette.layers[1]),
    times(13, (row) => line(`M${450 + row * 6 + 24 * Math.sin(turn + row)} ${570 + row * 30}h${(15 - row) * 14}`, palette.light, 7, 'opacity=".5"')),
    land((x) => 660 + 16 * Math.sin(x / 150 - turn), palette.layers[2]),
    group(
      `translate(1060 ${Math.round(666 + 14 * Math.sin(turn))}) rotate(${(4 * Math.cos(turn)).toFixed(2)})`,
      polygon(
        [
          [0, -300],
          [0, -60],
          [130, -60],
        ],
        palette.paper,
      ) +
        polygon(
          [
            [-14, -250],
            [-14, -60],
            [-90, -60],
          ],
          palette.paper,
          'opacity=".8"',
        ) +
        path('M-80-40h190l-34 52h-122z', palette.accent),
    ),
    land((x) => 770 + 20 * Math.sin(x / 190 + turn + 1), palette.layers[3]),
    land((x) => 890 + 18 * Math.sin(x / 170 - turn + 2), palette.layers[4]),
  ].join('');
}

/** An element of Matroska (RFC 8794): its id, its size in eight bytes, its content. */
function element(id: string, ...content: readonly (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(content.map((part) => (typeof part === 'number' ? Buffer.from([part]) : typeof part === 'string' ? Buffer.from(part) : part)));
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
function block(frame: Uint8Array, milliseconds: number): Buffer {
  const head = Buffer.alloc(4);
  head[0] = 0x81;
  head.writeInt16BE(milliseconds, 1);
  // Every frame is complete in itself.
  head[3] = 0x80;
  return element('a3', head, Buffer.from(frame));
}

/** The image of a WebP file (RFC 9649) is one frame of a VP8 video. */
function vp8Of(webp: Uint8Array): Uint8Array {
  const file = Buffer.from(webp);
  for (let at = 12; at + 8 <= file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2))
    if (file.toString('latin1', at, at + 4) === 'VP8 ') return file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
  throw new Error('not a lossy WebP image');
}

/** A film of two seconds in WebM. `webpOf` encodes a drawing as WebP. */
export async function film(webpOf: (svg: string) => Promise<Uint8Array>): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (let at = 0; at < frames; at += 1) {
    const webp = await webpOf(drawing(frameOf(at / frames), pixels.width));
    blocks.push(block(vp8Of(webp), Math.round((at * 1000) / perSecond)));
  }
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE((frames * 1000) / perSecond);
  return Buffer.concat([
    element(
      '1a45dfa3',
      element('4286', 1),
      element('42f7', 1),
      element('42f2', 4),
      element('42f3', 8),
      element('4282', 'webm'),
      element('4287', 2),
      element('4285', 2),
    ),
    element(
      '18538067',
      element('1549a966', element('2ad7b1', uint32(1_000_000)), element('4489', duration), element('4d80', 'Sitewright'), element('5741', 'Sitewright')),
      element(
        '1654ae6b',
        element(
          'ae',
          element('d7', 1),
          element('73c5', 1),
          element('83', 1),
          element('86', 'V_VP8'),
          element('23e383', uint32(Math.round(1e9 / perSecond))),
          element('e0', element('b0', uint32(pixels.width)), element('ba', uint32(pixels.height))),
        ),
      ),
      element('1f43b675', element('e7', 0), ...blocks),
    ),
  ]);
}
