import { setImmediate } from 'node:timers/promises';

/** What resources are compared by. `hash`: the perceptual hash of an image, 16 hexadecimal digits; `thumbhash` in base64; `ratio`: width by height. */
export type Comparable = {
  readonly id: string;
  readonly sha256: string;
  readonly hash: string | null;
  readonly thumbhash: string | null;
  readonly ratio: number | null;
};
export type Group = { readonly exact: boolean; readonly ids: readonly string[] };

/** Bits in which the hashes of two images that look the same differ at most: resizing and compressing an image changes up to three. */
const nearBits = 5;
/** Bits from the left of each of six bands: of two hashes that differ in five bits, one band is equal. */
const bands = [11, 11, 11, 11, 10, 10] as const;
/** Neighbours in a band with which an image is compared. More have the same band only where images have little in common but large areas of one colour. */
const mostCompared = 300;
/** Images that are compared before other work gets a turn. */
const atOnce = 2000;

const bitsOf = (bits: number): number => {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};

/** The bands of a hash, each with its number, as keys. */
function bandsOf(high: number, low: number): number[] {
  const bits = (BigInt(high) << 32n) | BigInt(low);
  let shift = 64;
  return bands.map((width, band) => {
    shift -= width;
    return band * 2048 + Number((bits >> BigInt(shift)) & BigInt(2 ** width - 1));
  });
}

/** Average lightness and colours of a thumbhash, each from 0 to 63 (https://github.com/evanw/thumbhash): the perceptual hash knows no colours. */
function averageOf(thumbhash: string | null): readonly number[] {
  const [a = 0, b = 0, c = 0] = Buffer.from(thumbhash ?? '', 'base64');
  return [a & 63, (a >> 6) | ((b & 15) << 2), (b >> 4) | ((c & 3) << 4)];
}
/** Largest difference of each of them, and of the ratio of width to height: compressing and rounding change them a little. */
const [nearColor, nearRatio] = [3, 0.03];
function looksAlike(a: Comparable, b: Comparable): boolean {
  if (a.sha256 === b.sha256) return true;
  const [first, second] = [averageOf(a.thumbhash), averageOf(b.thumbhash)];
  const ratio = (a.ratio ?? 1) / (b.ratio ?? 1);
  return Math.abs(Math.log(ratio)) <= nearRatio && first.every((value, at) => Math.abs(value - (second[at] ?? 0)) <= nearColor);
}

/** Images that look like an earlier one, as pairs of positions: the first image of a group represents it, so that groups do not grow from one to the next. */
async function lookAlikes(resources: readonly Comparable[]): Promise<Map<number, number>> {
  const leaderOf = new Map<number, number>();
  const high = new Uint32Array(resources.length);
  const low = new Uint32Array(resources.length);
  const leaders = new Map<number, number[]>();
  for (const [at, resource] of resources.entries()) {
    if (at % atOnce === atOnce - 1) await setImmediate();
    const { hash } = resource;
    if (hash === null) continue;
    high[at] = Number.parseInt(hash.slice(0, 8), 16);
    low[at] = Number.parseInt(hash.slice(8), 16);
    const keys = bandsOf(high[at] ?? 0, low[at] ?? 0);
    const isNear = (other: number): boolean => {
      const bits = bitsOf((high[at] ?? 0) ^ (high[other] ?? 0)) + bitsOf((low[at] ?? 0) ^ (low[other] ?? 0));
      return bits <= nearBits && looksAlike(resource, resources[other] ?? resource);
    };
    let leader: number | undefined;
    for (const key of keys) {
      leader = leaders.get(key)?.slice(-mostCompared).find(isNear);
      if (leader !== undefined) break;
    }
    if (leader !== undefined) leaderOf.set(at, leader);
    else
      for (const key of keys) {
        const known = leaders.get(key);
        if (known) known.push(at);
        else leaders.set(key, [at]);
      }
  }
  return leaderOf;
}

/**
 * Groups of resources with the same content or, of images, that look the same; in the order of `resources`, as are the members. The cost grows with the number
 * of resources, not with that of pairs: 100 000 take about a second.
 */
export async function groupsOf(resources: readonly Comparable[]): Promise<Group[]> {
  const leaderOf = await lookAlikes(resources);
  const members = new Map<string, Comparable[]>();
  resources.forEach((resource, at) => {
    const leader = resources[leaderOf.get(at) ?? at] ?? resource;
    // What has no perceptual hash is compared by its content, and of copies each has the same leader or none.
    const key = leader.sha256;
    const known = members.get(key);
    if (known) known.push(resource);
    else members.set(key, [resource]);
  });
  return [...members.values()]
    .filter(({ length }) => length > 1)
    .map((group) => ({ exact: new Set(group.map(({ sha256 }) => sha256)).size === 1, ids: group.map(({ id }) => id) }));
}
