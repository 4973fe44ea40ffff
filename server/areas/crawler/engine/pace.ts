import { crawlLimits } from '../../../../contract/crawler/terms';
import type { LiveBus } from '../../../http/live';

/** Requests per second of a crawl while people use the console. */
const first = 30;
const least = 10;
/** As a host takes at most. A pace that grew for hours would take long to fall to one that holds the crawl up. */
const most = crawlLimits.own.requestsPerSecond;
const step = 4;
const decrease = 0.7;
/** All in milliseconds. */
const stepEvery = 400;
const quietAfter = 5000;

/**
 * How fast a crawl may be while people use the console, from what `server/http/use.ts` announces: more while requests are answered as fast as usual, by a factor less when they
 * wait (additive increase, multiplicative decrease), and as fast as its site allows when nobody has used the console for a while. All times are of `now`.
 */
export function createPace() {
  let perSecond: number | null = null;
  let receivedAt = -Infinity;
  let steppedAt = -Infinity;
  return {
    /** `slow`: requests wait longer than usual. */
    receive(now: number, slow: boolean): void {
      receivedAt = now;
      // Several processes of the program may announce the same.
      if (now - steppedAt < stepEvery) return;
      steppedAt = now;
      if (perSecond === null) perSecond = first;
      else perSecond = slow ? Math.max(least, perSecond * decrease) : Math.min(most, perSecond + step);
    },
    /** Requests per second; null: nobody uses the console. */
    at(now: number): number | null {
      if (now - receivedAt >= quietAfter) perSecond = null;
      return perSecond === null ? null : Math.round(perSecond);
    },
  };
}

/** Passes the pace on to a process that requests pages. Returns a function that ends it. */
export function followUse(live: Pick<LiveBus, 'subscribe'>, send: (perSecond: number | null) => void): () => void {
  const pace = createPace();
  let sent: number | null = null;
  const tell = (): void => {
    const perSecond = pace.at(performance.now());
    if (perSecond !== sent) send(perSecond);
    sent = perSecond;
  };
  const unsubscribe = live.subscribe((event) => {
    if (event.type !== 'use') return;
    pace.receive(performance.now(), event.slow);
    tell();
  });
  const watch = setInterval(tell, 1000);
  return () => {
    clearInterval(watch);
    unsubscribe();
  };
}
