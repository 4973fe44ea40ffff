import { setImmediate as nextTurn } from 'node:timers/promises';

/** Simhashes as two halves of 32 bits, which JavaScript compares without allocating. */
export type Simhash = { readonly high: number; readonly low: number };

/** `value`: 64 bits as a decimal number, signed or not. */
export function simhashOf(value: string | bigint): Simhash {
  const bits = BigInt.asUintN(64, BigInt(value));
  return { high: Number(bits >> 32n), low: Number(bits & 0xffffffffn) };
}

function ones(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
export const hamming = (one: Simhash, other: Simhash): number => ones(one.high ^ other.high) + ones(one.low ^ other.low);

/** Members of a bucket that an item is compared with; in larger buckets texts are so alike that these neighbours suffice. */
const mostNeighbours = 200;
/** Items after which other work gets its turn. */
const itemsPerTurn = 1000;

/** Items by the value of one band of their bits: the bucket of each item, and its place there. */
function bucketsOf(items: readonly Simhash[], offset: number, width: number) {
  const mask = (1n << BigInt(width)) - 1n;
  const byValue = new Map<bigint, number[]>();
  const places = new Uint32Array(items.length);
  const buckets = items.map(({ high, low }, at) => {
    const value = (((BigInt(high) << 32n) | BigInt(low)) >> BigInt(offset)) & mask;
    const bucket = byValue.get(value) ?? [];
    if (bucket.length === 0) byValue.set(value, bucket);
    places[at] = bucket.length;
    bucket.push(at);
    return bucket;
  });
  return { buckets, places };
}

/**
 * For each item, the number of others within a distance and one of them. Two hashes that differ in at most `distance` bits are equal in at least one of `distance + 1`
 * bands, so only items with an equal band are compared.
 */
export async function nearPairs(items: readonly Simhash[], distance: number): Promise<Map<number, { readonly count: number; readonly other: number }>> {
  const near = new Map<number, { count: number; readonly other: number }>();
  const note = (one: number, other: number): void => {
    const found = near.get(one);
    if (found) found.count += 1;
    else near.set(one, { count: 1, other });
  };
  const width = Math.floor(64 / (distance + 1));
  const bands = Array.from({ length: distance + 1 }, (_, band) => bucketsOf(items, band * width, width));
  /** The last item that each one was compared with: a pair may share several bands. */
  const comparedWith = new Int32Array(items.length).fill(-1);
  for (const [one, hash] of items.entries()) {
    for (const { buckets, places } of bands) {
      const place = places[one] ?? 0;
      for (const other of buckets[one]?.slice(place + 1, place + mostNeighbours) ?? []) {
        const otherHash = items[other];
        if (comparedWith[other] === one || otherHash === undefined) continue;
        comparedWith[other] = one;
        if (hamming(hash, otherHash) > distance) continue;
        note(one, other);
        note(other, one);
      }
    }
    if (one % itemsPerTurn === itemsPerTurn - 1) await nextTurn();
  }
  return near;
}
