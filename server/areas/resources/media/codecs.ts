/** Names of codecs as in RFC 6381, from the configurations that containers store for decoders. */

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const two = (number: number): string => String(number).padStart(2, '0');

/** H.264, from `avcC`. */
export const avcName = (config: Buffer, entry = 'avc1'): string => `${entry}.${hex(config.readUInt8(1))}${hex(config.readUInt8(2))}${hex(config.readUInt8(3))}`;

function reversedBits(value: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 32; bit += 1) if ((value >>> bit) & 1) reversed |= 1 << (31 - bit);
  return reversed >>> 0;
}

/** H.265, from `hvcC` (ISO 14496-15, annex E). */
export function hevcName(config: Buffer, entry = 'hvc1'): string {
  const profile = config.readUInt8(1);
  const space = ['', 'A', 'B', 'C'][profile >> 6] ?? '';
  const constraints = [...config.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const parts = [
    `${space}${profile & 31}`,
    reversedBits(config.readUInt32BE(2)).toString(16).toUpperCase(),
    `${profile & 32 ? 'H' : 'L'}${config.readUInt8(12)}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ];
  return `${entry}.${parts.join('.')}`;
}

/** AV1, from `av1C`. */
export function av1Name(config: Buffer): string {
  const [profile, flags] = [config.readUInt8(1), config.readUInt8(2)];
  const depth = flags & 64 ? (flags & 32 ? 12 : 10) : 8;
  return `av01.${profile >> 5}.${two(profile & 31)}${flags & 128 ? 'H' : 'M'}.${two(depth)}`;
}

/** VP9, from `vpcC`, whose first four bytes are version and flags. */
export const vp9Name = (config: Buffer): string => `vp09.${two(config.readUInt8(4))}.${two(config.readUInt8(5))}.${two(config.readUInt8(6) >> 4)}`;

/** The body of an MPEG-4 descriptor with one of `tags`; null if it does not begin at `at`. Its length has seven bits per byte. */
function descriptor(bytes: Buffer, at: number, tag: number): { readonly begin: number; readonly end: number } | null {
  if (bytes.readUInt8(at) !== tag) return null;
  let begin = at + 1;
  let length = 0;
  for (let count = 0; count < 4; count += 1) {
    const byte = bytes.readUInt8(begin);
    begin += 1;
    length = length * 128 + (byte & 127);
    if (byte < 128) break;
  }
  return { begin, end: begin + length };
}

/** AAC, MP3 and others, from `esds`. */
export function esdsName(config: Buffer): string {
  const stream = descriptor(config, 4, 3);
  if (!stream) return 'mp4a';
  const flags = config.readUInt8(stream.begin + 2);
  const skipped = (flags & 128 ? 2 : 0) + (flags & 64 ? 1 + config.readUInt8(stream.begin + 3) : 0) + (flags & 32 ? 2 : 0);
  const decoder = descriptor(config, stream.begin + 3 + skipped, 4);
  if (!decoder) return 'mp4a';
  const type = config.readUInt8(decoder.begin);
  if (type !== 0x40) return `mp4a.${hex(type)}`;
  const specific = descriptor(config, decoder.begin + 13, 5);
  return specific ? `mp4a.40.${config.readUInt8(specific.begin) >> 3}` : 'mp4a.40';
}
