import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouse } from '../stores/clickhouse/types';
import { createDeriveVisits } from './deriveVisits';
import { createExtendVisits } from './extendVisits';
import { namesIn } from './hitGroups';
import { createKnownVisitors } from './knownVisitors';
import { createOwedVisits } from './owedVisits';
import { isPast, nameAllVisits } from './pastVisits';
import type { HitRow } from './row';
import { defaultCacheBytes } from './visitorCache';
import { settle } from './visitor';
import { createVisitorWork } from './visitorWork';
import type { Work } from './visitorWork';
import { defaultVisitRules, longestGapMs } from './visitRules';
import type { VisitRules } from './visitRules';
import { createWriteVisits, visitorsAtAStretch } from './writeVisits';
import type { WriteVisits, WrittenVisit } from './writeVisits';

export type { WrittenVisit } from './writeVisits';

export type VisitBuilder = {
  /**
   * Works hits that are already in `hits` into the visits in memory. Hits may come in any order and more than once; a failed or repeated
   * call does no harm. `call`: a number that grows from call to call, which `writtenBelow` returns.
   */
  readonly absorb: (hits: readonly HitRow[], call: number) => Promise<void>;
  readonly write: WriteVisits;
  /** Both, everything at once. */
  readonly apply: (hits: readonly HitRow[]) => Promise<WrittenVisit[]>;
  /** Everything that calls before this number brought is written; infinite when nothing waits. */
  readonly writtenBelow: () => number;
  /** Drops what is remembered of the sites that `choose` names: somebody else may have written them. What was not written yet is made of stored hits again. */
  readonly forget: (choose: (siteId: string) => boolean) => void;
  /** Bytes of visitors in memory. */
  readonly bytes: () => number;
};

export type BuilderOptions = {
  /** Bytes of visitors kept in memory. */
  readonly cacheBytes?: number;
  readonly rulesOf?: (siteId: string) => VisitRules;
  readonly now?: () => number;
};

/**
 * Builds visits from hits. Hits that come in order, nearly all of them, are added to the latest visit of their visitor, at the same cost however long it is;
 * for others the visits concerned are derived again from stored hits. Calls are made one after the other.
 */
export function createBuilder(ch: ClickHouse, options: BuilderOptions = {}): VisitBuilder {
  const { cacheBytes = defaultCacheBytes(), rulesOf = () => defaultVisitRules, now = Date.now } = options;
  const visitors = createKnownVisitors(ch, cacheBytes);
  const owed = createOwedVisits();
  const { gather, joinHeirs } = createVisitorWork(ch, visitors, rulesOf);
  const extend = createExtendVisits(visitors, rulesOf);
  const writeChanged = createWriteVisits(ch, visitors, rulesOf, now);
  const deriveAgain = createDeriveVisits(ch, visitors, rulesOf, () => write('due'));
  let latestReceived = 0;
  let calls = 0;

  async function absorb(received: readonly HitRow[], call: number): Promise<void> {
    const hits = received.filter((hit) => hit.set_aside !== 1);
    if (hits.length === 0) return;
    await visitors.ensure(namesIn(hits));
    latestReceived = hits.reduce((latest, hit) => Math.max(latest, hit.received_at), latestReceived);
    const past = new Set(hits.filter((hit) => isPast(hit, latestReceived)).map((hit) => visitors.rootOf(visitors.get(hit.site_id, hit.visitor_id))));
    await nameAllVisits(ch, past);
    const todo = gather(hits, call);
    await joinHeirs(todo, call);
    // Until this call is through, whatever it has begun must not be built upon.
    for (const item of todo.values()) if (item.again) item.entry.staleFrom = Math.min(item.entry.staleFrom, item.from);
    const again: Work[] = [];
    let worked = 0;
    for (const item of todo.values()) {
      // Requests are answered by the same thread: they must not wait for a whole batch.
      if ((worked += 1) % visitorsAtAStretch === 0) await nextTurn();
      if (item.again || !extend(item, call)) again.push(item);
    }
    await deriveAgain(again, call);
    // More of the past may follow: what it concerns stays named.
    for (const { entry } of todo.values()) if (!past.has(entry)) settle(entry.visitor, latestReceived);
  }

  async function write(which: 'due' | 'all'): Promise<WrittenVisit[]> {
    const written = await writeChanged(which);
    await visitors.trim(latestReceived - longestGapMs);
    return written;
  }

  async function writeWithOwed(which: 'due' | 'all'): Promise<WrittenVisit[]> {
    await owed.settle(ch, absorb);
    return write(which);
  }

  return {
    absorb: (hits, call) => {
      calls = Math.max(calls, call);
      return absorb(hits, call);
    },
    write: writeWithOwed,
    async apply(hits) {
      await absorb(hits, (calls += 1));
      return writeWithOwed('all');
    },
    writtenBelow() {
      let least = owed.since();
      for (const entry of visitors.unwritten()) least = Math.min(least, entry.unwritten?.since ?? least);
      return least;
    },
    forget: (choose) => visitors.forget(choose, owed.add),
    bytes: visitors.bytes,
  };
}
