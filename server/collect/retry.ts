import type { Log } from '../log';
import { ClickHouseAway } from '../stores/clickhouse/types';

const firstWaitMs = 100;
const longestWaitMs = 5000;

export type Retry = {
  /**
   * Tries work again, with growing pauses, until it succeeds; false when it was stopped first. `failures`: how often a server that was there has refused.
   */
  readonly insist: (what: string, work: (failures: number) => Promise<void>) => Promise<boolean>;
  /** Since when the work has not succeeded (epoch ms); null while all is well. */
  readonly stuckSince: () => number | null;
  readonly stop: () => void;
};

/** Work that must not be given up, because the journal holds what it is about. `details`: added to what is logged. */
export function createRetry(log: Log, details: () => Readonly<Record<string, unknown>> = () => ({})): Retry {
  let stopped = false;
  let stuck: number | null = null;
  let endWait = (): void => undefined;

  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => (clearTimeout(timer), resolve());
    });

  return {
    async insist(what, work) {
      for (let failures = 0, waitMs = firstWaitMs; !stopped; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
        try {
          await work(failures);
          if (stuck !== null) log.info('the collector goes on', { after: Date.now() - stuck });
          stuck = null;
          return true;
        } catch (error) {
          if (stopped) return false;
          const away = error instanceof ClickHouseAway;
          if (!away) failures += 1;
          if (stuck === null || !away) log.warn(`${what}: trying again, the journal keeps the hits`, { error, ...details() });
          stuck ??= Date.now();
          await wait(waitMs);
        }
      }
      return false;
    },
    stuckSince: () => stuck,
    stop() {
      stopped = true;
      endWait();
    },
  };
}
