import type { Log } from '../log';
import { ClickHouseAway } from '../stores/clickhouse/types';

const firstWaitMs = 100;
const longestWaitMs = 5000;

export type Retry = {
  /** Retries work with growing pauses until it succeeds; false if stopped first. `failures`: how often an available server has refused it. */
  readonly insist: (what: string, work: (failures: number) => Promise<void>) => Promise<boolean>;
  /** Since when the work has been failing (epoch ms); null if it is not. */
  readonly stuckSince: () => number | null;
  readonly stop: () => void;
};

/** For work that must not be given up, because its data is only in the journal. `details`: added to log entries. */
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
