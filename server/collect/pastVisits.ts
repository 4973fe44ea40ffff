import type { ClickHouse } from '../stores/clickhouse/types';
import { findStoredVisits } from './storedVisits';
import { keyOf } from './row';
import type { HitRow } from './row';
import { visitIdOf } from './visitDraft';
import { changeableMs } from './visitor';
import type { KnownVisit } from './visitor';
import type { VisitorEntry } from './visitorCache';

const nameOf = ({ id, start }: { readonly id: string; readonly start: number }): string => `${id}${start}`;
/** Margin, because processes do not settle visits at exactly the same time. */
const marginMs = 24 * 3600 * 1000;

/**
 * Whether a hit may affect visits that are counted but no longer listed by name; `received`: epoch ms of the newest receipt. Browsers do not send hits that
 * old.
 */
export const isPast = (hit: HitRow, received: number): boolean => hit.at < received - changeableMs + marginMs;

/**
 * Lists every visit of some visitors by name again, as if none had been settled. The state in memory takes precedence: it may not be written yet. A failure
 * changes nothing.
 */
export async function nameAllVisits(ch: ClickHouse, entries: Iterable<VisitorEntry>): Promise<void> {
  const withSettled = [...new Set(entries)].filter(({ visitor }) => visitor.base.count > 0);
  if (withSettled.length === 0) return;
  const stored = await findStoredVisits(
    ch,
    withSettled.map(({ visitor: { siteId, id } }) => ({ siteId, id })),
  );
  for (const { visitor, unwritten } of withSettled) {
    const named = new Set(visitor.visits.map(nameOf));
    for (const { visit_id: id, start } of unwritten?.gone ?? []) named.add(nameOf({ id, start }));
    const add = (visit: KnownVisit): void => {
      if (named.has(nameOf(visit))) return;
      named.add(nameOf(visit));
      visitor.visits.push(visit);
    };
    for (const draft of unwritten?.drafts ?? []) add({ id: visitIdOf(draft), start: draft.start, last: draft.last.at, gone: false });
    for (const { id, start, last } of stored.get(keyOf(visitor.siteId, visitor.id)) ?? []) add({ id, start, last, gone: false });
    visitor.visits.sort((a, b) => a.start - b.start);
    visitor.base = { count: 0, start: 0 };
  }
}
