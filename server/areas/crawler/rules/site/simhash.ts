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

/** Pages of one bucket that are compared; in larger ones texts are so alike that a few neighbours tell enough. */
const mostNeighbours = 200;

/**
 * For each item, the number of others within a distance and one of them. Two hashes that differ in at most `distance` bits are equal in at least one of `distance + 1`
 * bands, so only items with an equal band are compared.
 */
export function nearPairs(items: readonly Simhash[], distance: number): Map<number, { readonly count: number; readonly other: number }> {
  const near = new Map<number, { count: number; other: number }>();
  const compared = new Set<number>();
  const bands = distance + 1;
  const width = Math.floor(64 / bands);
  const note = (one: number, other: number): void => {
    const before = near.get(one);
    near.set(one, before ? { ...before, count: before.count + 1 } : { count: 1, other });
  };
  for (let band = 0; band < bands; band += 1) {
    const buckets = new Map<bigint, number[]>();
    const mask = (1n << BigInt(width)) - 1n;
    items.forEach(({ high, low }, at) => {
      const key = (((BigInt(high) << 32n) | BigInt(low)) >> BigInt(band * width)) & mask;
      const bucket = buckets.get(key);
      if (bucket) bucket.push(at);
      else buckets.set(key, [at]);
    });
    for (const bucket of buckets.values())
      for (let i = 0; i < bucket.length; i += 1)
        for (let j = i + 1; j < Math.min(bucket.length, i + mostNeighbours); j += 1) {
          const [one, other] = [bucket[i] ?? 0, bucket[j] ?? 0];
          const [first, second] = [items[one], items[other]];
          const key = one * items.length + other;
          if (!first || !second || compared.has(key) || hamming(first, second) > distance) continue;
          compared.add(key);
          note(one, other);
          note(other, one);
        }
  }
  return near;
}
