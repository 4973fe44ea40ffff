import type { ClickHouse } from '../stores/clickhouse/types';
import { copyJitterMs } from './extendVisits';
import type { KnownVisitors } from './knownVisitors';
import { streamHits } from './queries';
import type { VisitorName } from './queries';
import { keyOf } from './row';
import type { HitRow } from './row';
import { neededFrom, rebuild } from './visitor';
import { replaceUnwritten } from './visitorCache';
import type { VisitorEntry } from './visitorCache';
import type { Work } from './visitorWork';
import type { VisitRules } from './visitRules';

/** Derives visits from the hits that are stored, one visitor after the other, however much each of them has. */
export type DeriveVisits = (items: readonly Work[], call: number) => Promise<void>;

/** Hits of a visitor that are still being read; `missing`: how many of its members have not come yet. */
type Reading = { readonly from: number; hits: HitRow[]; missing: number };

/** `writeDue` makes room when what was derived takes much memory. */
export function createDeriveVisits(
  ch: ClickHouse,
  { wait, touch, capacity }: KnownVisitors,
  rulesOf: (siteId: string) => VisitRules,
  writeDue: () => Promise<unknown>,
): DeriveVisits {
  function derive(entry: VisitorEntry, hits: readonly HitRow[], from: number, call: number): void {
    const rules = rulesOf(entry.visitor.siteId);
    const { drafts, gone } = rebuild(entry.visitor, hits, from, rules);
    replaceUnwritten(wait(entry, call), from, drafts, gone);
    entry.draft = drafts.at(-1) ?? null;
    entry.staleFrom = Number.POSITIVE_INFINITY;
    touch(entry);
  }

  return async (items, call) => {
    if (items.length === 0) return;
    const waiting = new Map<VisitorEntry, Reading>();
    const rootOfMember = new Map<string, VisitorEntry>();
    const names: VisitorName[] = [];
    for (const item of items) {
      const { visitor } = item.entry;
      item.entry.staleFrom = Math.min(item.entry.staleFrom, item.from);
      const from = neededFrom(visitor, item.from, rulesOf(visitor.siteId));
      waiting.set(item.entry, { from, hits: item.added, missing: visitor.members.length });
      for (const id of visitor.members) {
        rootOfMember.set(keyOf(visitor.siteId, id), item.entry);
        names.push({ siteId: visitor.siteId, id });
      }
    }
    const earliest = [...waiting.values()].reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
    let bytes = 0;
    // A copy that came first may lie a little before what it is a copy of.
    for await (const { name, hits } of streamHits(ch, names, earliest - copyJitterMs)) {
      const root = rootOfMember.get(keyOf(name.siteId, name.id)) as VisitorEntry;
      const one = waiting.get(root);
      if (one === undefined) continue;
      one.hits = [...one.hits, ...hits];
      one.missing -= 1;
      if (one.missing > 0) continue;
      waiting.delete(root);
      derive(root, one.hits, one.from, call);
      bytes += root.bytes;
      if (bytes <= capacity / 4) continue;
      await writeDue();
      bytes = 0;
    }
    for (const [root, { hits, from }] of waiting) derive(root, hits, from, call);
  };
}
