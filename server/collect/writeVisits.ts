import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouse } from '../stores/clickhouse/types';
import type { KnownVisitors } from './knownVisitors';
import { insertVisitors, insertVisits } from './queries';
import type { Versioned } from './queries';
import { visitRow } from './visitDraft';
import type { Tombstone } from './visitor';
import type { VisitorEntry } from './visitorCache';
import type { VisitRules } from './visitRules';
import type { VisitRow } from './visitRow';
import { createWritePace } from './writePace';

/** A visit that was written. */
export type WrittenVisit = { readonly siteId: string; readonly visitId: string };

/**
 * Writes visits that have changed: with `due` those that may not wait any longer, with `all` every one of them. Answers which. After a failure what
 * was not written still waits.
 */
export type WriteVisits = (which: 'due' | 'all') => Promise<WrittenVisit[]>;

/** Visitors worked on before others get their turn; a few milliseconds. */
export const visitorsAtAStretch = 100;
/** Bytes of rows sent at a time. */
const writeBytes = 4 * 1024 * 1024;
/** The share of the memory for visitors that may wait to be written. */
const unwrittenShare = 0.7;

export function createWriteVisits(ch: ClickHouse, visitors: KnownVisitors, rulesOf: (siteId: string) => VisitRules, now: () => number): WriteVisits {
  const pace = createWritePace();
  let latestVersion = 0;

  async function writeBatch(batch: readonly VisitorEntry[], at: number): Promise<WrittenVisit[]> {
    if (batch.length === 0) return [];
    const visits: Versioned<VisitRow>[] = [];
    const gone: Versioned<Tombstone>[] = [];
    for (const [index, { visitor, unwritten: rows }] of batch.entries()) {
      if (index % visitorsAtAStretch === visitorsAtAStretch - 1) await nextTurn();
      const version = (visitor.version = latestVersion = Math.max(Date.now() * 1000, latestVersion + 1, visitor.version + 1));
      const rules = rulesOf(visitor.siteId);
      for (const draft of rows?.drafts ?? []) visits.push({ row: visitRow(draft, visitor.id, rules), version });
      for (const row of rows?.gone ?? []) gone.push({ row, version });
    }
    // The visitors first: after a crash in between, they still name every visit that may have to go.
    await insertVisitors(
      ch,
      batch.map((entry) => entry.visitor),
    );
    await insertVisits(ch, visits, gone);
    for (const entry of batch) visitors.markWritten(entry, at);
    return visits.map(({ row }) => ({ siteId: row.site_id, visitId: row.visit_id }));
  }

  return async (which) => {
    const at = now();
    const ready = [...visitors.unwritten()].filter((entry) => entry.staleFrom === Number.POSITIVE_INFINITY);
    const written: WrittenVisit[] = [];
    let batch: VisitorEntry[] = [];
    let bytes = 0;
    for (const entry of which === 'all' ? ready : pace.choose(ready, at, visitors.capacity * unwrittenShare)) {
      batch.push(entry);
      bytes += entry.bytes;
      if (bytes < writeBytes) continue;
      written.push(...(await writeBatch(batch, at)));
      batch = [];
      bytes = 0;
    }
    written.push(...(await writeBatch(batch, at)));
    return written;
  };
}
