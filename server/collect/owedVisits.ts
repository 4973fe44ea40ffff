import type { ClickHouse } from '../stores/clickhouse/types';
import { streamHits } from './queries';
import type { HitRow } from './row';
import type { VisitorEntry } from './visitorCache';
import { longestGapMs } from './visitRules';

type Owed = { readonly siteId: string; readonly members: readonly string[]; readonly from: number; readonly since: number };

export type OwedVisits = {
  /** Notes visitors whose visits were not written and are about to be forgotten. */
  readonly add: (entry: VisitorEntry) => void;
  /** The first call that brought something of it; infinite when nothing is owed. */
  readonly since: () => number;
  /** Gives what is owed to `absorb` again, from the stored hits. After a failure it is owed as before. */
  readonly settle: (ch: ClickHouse, absorb: (hits: readonly HitRow[], call: number) => Promise<void>) => Promise<void>;
};

/** Hits worked in at a time. */
const hitsAtOnce = 5000;

/**
 * What is owed to visitors who had to be forgotten with something unwritten: the journal may only let go of their hits when these are in visits, whoever
 * wrote visits of them meanwhile.
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
