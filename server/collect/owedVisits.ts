import type { ClickHouse } from '../stores/clickhouse/types';
import { streamHits } from './queries';
import type { HitRow } from './row';
import type { VisitorEntry } from './visitorCache';
import { longestGapMs } from './visitRules';

type Owed = { readonly siteId: string; readonly members: readonly string[]; readonly from: number; readonly since: number };

export type OwedVisits = {
  /** Adds visitors with unwritten visits that are about to be evicted from memory. */
  readonly add: (entry: VisitorEntry) => void;
  /** The first call with hits of the owed visits; infinite if there are none. */
  readonly since: () => number;
  /** Passes the stored hits of owed visits to `absorb` again. After a failure they remain owed. */
  readonly settle: (ch: ClickHouse, absorb: (hits: readonly HitRow[], call: number) => Promise<void>) => Promise<void>;
};

/** Hits processed at a time. */
const hitsAtOnce = 5000;

/**
 * Visits of visitors that had to be evicted before they were written. The journal may release their hits only after they are in visits, even if other visits of
 * these visitors have been written in the meantime.
 */
export function createOwedVisits(): OwedVisits {
  let owed: Owed[] = [];
  const since = (): number => owed.reduce((least, one) => Math.min(least, one.since), Number.POSITIVE_INFINITY);
  return {
    since,
    add({ visitor, unwritten, staleFrom }) {
      if (unwritten === null) return;
      const starts = [...unwritten.drafts, ...unwritten.gone].map(({ start }) => start);
      const from = starts.reduce((least, start) => Math.min(least, start), Math.min(visitor.lastAt, staleFrom)) - longestGapMs;
      owed.push({ siteId: visitor.siteId, members: visitor.members, from, since: unwritten.since });
    },
    async settle(ch, absorb) {
      if (owed.length === 0) return;
      const handled = new Set(owed);
      const call = since();
      const names = owed.flatMap(({ siteId, members }) => members.map((id) => ({ siteId, id })));
      const from = owed.reduce((least, one) => Math.min(least, one.from), Number.POSITIVE_INFINITY);
      let step: HitRow[] = [];
      for await (const { hits } of streamHits(ch, names, from)) {
        step.push(...hits);
        if (step.length < hitsAtOnce) continue;
        await absorb(step, call);
        step = [];
      }
      await absorb(step, call);
      owed = owed.filter((one) => !handled.has(one));
    },
  };
}
