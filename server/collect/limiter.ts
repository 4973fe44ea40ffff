/** Hits of one address in one minute. Whole offices share an address, so the bound is against floods alone. */
export const hitsPerMinute = 6000;
const mostAddresses = 100_000;

export type Limiter = {
  /** Takes `hits` from what an address has left in this minute; false when it has too little. */
  readonly take: (address: string, hits: number, now: number) => boolean;
};

/** A window of one minute in memory. When more addresses than it can remember come, it forgets them all rather than grow. */
export function createLimiter(): Limiter {
  let used = new Map<string, number>();
  let window = 0;
  return {
    take(address, hits, now) {
      const current = Math.floor(now / 60_000);
      if (current !== window || used.size > mostAddresses) {
        window = current;
        used = new Map();
      }
      const sum = (used.get(address) ?? 0) + hits;
      if (sum > hitsPerMinute) return false;
      used.set(address, sum);
      return true;
    },
  };
}
