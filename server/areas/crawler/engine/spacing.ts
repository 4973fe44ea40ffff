/** Spreads the requests of a process evenly while its crawl is held to a pace (`pace.ts`). All times are of `now`. */
export function createSpacing() {
  let delayMs = 0;
  let nextAt = 0;
  let heldAt = -Infinity;
  return {
    /** Requests per second; null: any number. */
    set(perSecond: number | null): void {
      delayMs = perSecond === null ? 0 : 1000 / perSecond;
      if (perSecond === null) nextAt = 0;
    },
    isSet: (): boolean => delayMs > 0,
    readyAt: (): number => nextAt,
    started(now: number): void {
      // Time that was lost while nobody looked is made up for, up to 50 ms.
      if (delayMs > 0) nextAt = Math.max(nextAt, now - 50) + delayMs;
    },
    /** Whether a request has to wait. `isWaiting`: whether one would be sent otherwise. */
    holds(now: number, isWaiting: () => boolean): boolean {
      if (nextAt <= now) return false;
      if (isWaiting()) heldAt = now;
      return true;
    },
    /** The pace, if it was what held the crawl up lately; otherwise null. */
    holding: (now: number): number | null => (delayMs > 0 && now - heldAt < 2000 ? Math.round(1000 / delayMs) : null),
  };
}
