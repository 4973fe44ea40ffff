import { floodDay } from './flood';
import type { KnownVisitors } from './knownVisitors';
import { addHit, belongs, comesAfter, compareHits, copyIn, markFlood, openDraft, visitIdOf } from './visitDraft';
import type { VisitDraft } from './visitDraft';
import type { HitRow } from './row';
import type { Visitor } from './visitor';
import type { Unwritten, VisitorEntry } from './visitorCache';
import type { Work } from './visitorWork';
import type { VisitRules } from './visitRules';

/** How far the times of two copies of a hit may lie apart: each time is computed from the age of the hit when it is received. */
export const copyJitterMs = 250;

/** Adds hits to the latest visit of a visitor, or begins new ones; false (and nothing changed) where that would not be exact. */
export type ExtendVisits = (work: Work, call: number) => boolean;

export function createExtendVisits({ wait, touch }: KnownVisitors, rulesOf: (siteId: string) => VisitRules): ExtendVisits {
  return (work, call) => {
    const { entry } = work;
    const rules = rulesOf(entry.visitor.siteId);
    const fresh = newHits(work, rules);
    if (fresh === null) return false;
    let { draft } = entry;
    for (const hit of fresh.values()) {
      // Its time is noted even where it belongs to no visit.
      const rows = wait(entry, call);
      if (draft !== null && belongs(draft, hit, rules)) addHit(draft, hit);
      else if (hit.kind !== 'engage') draft = begin(entry, hit);
      else continue;
      noteVisit(entry.visitor, rows, draft);
    }
    entry.draft = draft;
    touch(entry);
    return true;
  };
}

/** The hits that are no copies, in order; null where one of them comes too early to be added to the latest visit. */
function newHits({ entry, added, lastBefore }: Work, rules: VisitRules): ReadonlyMap<string, HitRow> | null {
  const fresh = new Map<string, HitRow>();
  for (const hit of [...added].sort(compareHits)) {
    const name = `${hit.view_id}${hit.seq}`;
    const copy = entry.draft === null ? 'none' : copyIn(entry.draft, hit);
    if (copy === 'same') continue;
    if (copy === 'other' || fresh.has(name) || !isInOrder(entry, hit, lastBefore, rules)) return null;
    if (mayCopyStray(entry.draft, hit)) return null;
    fresh.set(name, hit);
  }
  return fresh;
}

/** Whether a hit comes after everything that is known of a visitor, and it is known what it has to be added to. */
function isInOrder({ draft }: VisitorEntry, hit: HitRow, lastBefore: number, rules: VisitRules): boolean {
  if (hit.at > lastBefore) return draft !== null || hit.at > lastBefore + rules.gapMs || lastBefore === 0;
  return draft !== null && draft.last.at === lastBefore && comesAfter(draft, hit);
}

/** Whether a ping at the beginning of a visit may be the copy of one just before it, which was part of no visit and is not known any more. */
const mayCopyStray = (draft: VisitDraft | null, hit: HitRow): boolean => draft !== null && hit.kind === 'engage' && hit.at < draft.start + copyJitterMs;

function begin({ visitor, draft: before }: VisitorEntry, hit: HitRow): VisitDraft {
  const live = visitor.visits.filter((visit) => !visit.gone);
  const draft = openDraft(hit, visitor.base.count + live.length + 1, live.at(-1)?.start ?? visitor.base.start);
  if (before?.botReasons.includes('flood') && floodDay(before.start) === floodDay(draft.start)) markFlood(draft);
  return draft;
}

/** Keeps the list of a visitor's visits in step with the latest of them. */
function noteVisit(visitor: Visitor, rows: Unwritten, draft: VisitDraft): void {
  const id = visitIdOf(draft);
  const known = visitor.visits.findLast((visit) => !visit.gone);
  if (known === undefined || known.start !== draft.start) {
    visitor.visits.push({ id, start: draft.start, last: draft.last.at, gone: false });
    rows.urgent = true;
  } else {
    known.last = draft.last.at;
    if (known.id !== id) {
      // A page was opened in a visit of events alone: it names the visit now.
      visitor.visits.push({ ...known, gone: true });
      rows.gone.push({ site_id: visitor.siteId, visit_id: known.id, start: known.start });
      known.id = id;
      rows.urgent = true;
    }
  }
  rows.drafts.add(draft);
}
