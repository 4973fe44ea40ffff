/** Hits per address and minute. Whole offices share an address, so the limit is only a protection against floods. */
export const hitsPerMinute = 6000;
const mostAddresses = 100_000;

export type Limiter = {
  /** Consumes `hits` of an address's remaining quota in this minute; false if too little is left. */
  readonly take: (address: string, hits: number, now: number) => boolean;
};

/** A window of one minute in memory. With more addresses than it can store, it drops them all instead of growing. */
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
