/** CRC-32C (Castagnoli, reflected 0x82F63B78), four bytes per step. */
const tables = makeTables();

function makeTables(): Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
    return value >>> 0;
  });
  const all = [first];
  for (let t = 1; t < 4; t += 1) {
    const before = all[t - 1] as Uint32Array;
    all.push(before.map((value) => (value >>> 8) ^ (first[value & 0xff] as number)));
  }
  return all;
}

/** The checksum of bytes `from` to `to` (exclusive) as an unsigned number. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const [t0, t1, t2, t3] = tables as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let crc = 0xffffffff;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    crc ^= (bytes[i] as number) | ((bytes[i + 1] as number) << 8) | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24);
    crc = (t3[crc & 0xff] as number) ^ (t2[(crc >>> 8) & 0xff] as number) ^ (t1[(crc >>> 16) & 0xff] as number) ^ (t0[crc >>> 24] as number);
  }
  for (; i < to; i += 1) crc = (t0[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
