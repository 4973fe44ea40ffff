import { sql } from 'drizzle-orm';
import { collectCounts, collectorStates } from '../areas/measuring/schema';
import type { SiteIndex } from '../areas/sites';
import type { RefusalCode } from '../../contract/collect/schemas';
import type { Context } from '../context';
import { daySpanAt } from '../zone';

/**
 * What is counted: hits received (repeats included), hits put aside by the drain, hits with a spam referrer, hits above the limit of one visitor,
 * server hits of past days, and refusals by code.
 */
export type Counted = RefusalCode | 'received' | 'aside' | 'spam' | 'flood' | 'late';
export type CollectorNow = { readonly journalBytes: number; readonly stuckSince: number | null; readonly waiting: boolean; readonly drainedTo: number };

export type Counts = {
  readonly add: (siteId: string, what: Counted, count: number, at: number) => void;
  /** Writes the counts since the last call; `announce`: also writes the collector's state in any case. */
  readonly flush: (announce?: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
};

const everyMs = 1000;
/** Site ids are untrusted input; unknown ids are counted together under ''. */
const nobody = '';

/**
 * Counts by site and day of receipt (in the site's zone), written to PostgreSQL once a second if they changed. A killed process loses at most that second of
 * counts; hits are in the journal before they are counted.
 */
export function keepCounts(ctx: Context, sites: Pick<SiteIndex, 'get'>, process: string, now: () => CollectorNow): Counts {
  const { db } = ctx.postgres;
  let waiting = new Map<string, { siteId: string; day: string; what: Counted; count: number }>();
  let announced = '';

  async function write(announce: boolean): Promise<void> {
    const batch = [...waiting.values()];
    waiting = new Map();
    try {
      if (batch.length > 0)
        await db
          .insert(collectCounts)
          .values(batch)
          .onConflictDoUpdate({
            target: [collectCounts.siteId, collectCounts.day, collectCounts.what],
            set: { count: sql`${collectCounts.count} + excluded.count` },
          });
    } catch (error) {
      for (const one of batch) put(one.siteId, one.day, one.what, one.count);
      throw error;
    }
    const { journalBytes, stuckSince, waiting: some, drainedTo } = now();
    const state = {
      seenAt: new Date(ctx.now()),
      journalBytes,
      journalMaxBytes: ctx.config.journalMaxBytes,
      stuckSince: stuckSince === null ? null : new Date(stuckSince),
      waiting: some,
      drainedTo: new Date(drainedTo),
    };
    // Written when the state has changed, and twice a minute as a heartbeat.
    const key = JSON.stringify([state.journalBytes, stuckSince, some, some && drainedTo, Math.floor(ctx.now() / 30_000)]);
    if (key === announced && !announce) return;
    await db
      .insert(collectorStates)
      .values({ process, ...state })
      .onConflictDoUpdate({ target: collectorStates.process, set: state });
    announced = key;
  }

  function put(siteId: string, day: string, what: Counted, count: number): void {
    const key = `${siteId} ${day} ${what}`;
    const one = waiting.get(key);
    if (one === undefined) waiting.set(key, { siteId, day, what, count });
    else one.count += count;
  }

  let writing: Promise<void> = Promise.resolve();
  const flush = (announce = false): Promise<void> =>
    (writing = writing.then(
      () => write(announce),
      () => write(announce),
    ));
  const tolerate = (error: unknown): void => ctx.log.debug('what was counted could not be written; it is kept and tried again', { error });
  const timer = setInterval(() => void flush().catch(tolerate), everyMs);
  timer.unref();

  return {
    add(siteId, what, count, at) {
      if (count === 0) return;
      const site = sites.get(siteId);
      put(site?.id ?? nobody, daySpanAt(at, site?.timeZone ?? 'UTC').day, what, count);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush().catch(tolerate);
    },
  };
}
