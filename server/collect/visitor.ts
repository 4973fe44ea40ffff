import { floodDays } from './flood';
import { noId } from './row';
import type { HitRow } from './row';
import { visitIdOf, visitRow } from './visitDraft';
import type { VisitDraft } from './visitDraft';
import { defaultVisitRules } from './visitRules';
import type { VisitRules } from './visitRules';
import type { VisitRow } from './visitRow';
import { deriveDrafts, mergeHits } from './visits';
import type { Before } from './visits';

/**
 * The builder's state of one visitor between hits; a row of `visitors`. It lists every visit written in the last days, so that a late hit finds the visits it
 * changes, and a visit whose key has changed gets a tombstone.
 */
export type Visitor = {
  readonly siteId: string;
  readonly id: string;
  version: number;
  /** The visitor that this one was joined to (a cookieless visitor across midnight); `noId` if none. */
  sameAs: string;
  /** All ids whose hits belong to this visitor, its own first. */
  members: string[];
  /** Ids that have this visitor as their id of the previous day and have not been joined yet. */
  heirs: string[];
  /** The id of the previous day, and the earliest hit that contained it (epoch ms). */
  altId: string;
  altAt: number;
  /** Latest hit of any kind; 0 if there is none. */
  lastAt: number;
  /** Visits that are too old to change: their number, and the start of the last. */
  base: Before;
  visits: KnownVisit[];
};
export type KnownVisit = { id: string; readonly start: number; last: number; gone: boolean };
export type Tombstone = { readonly site_id: string; readonly visit_id: string; readonly start: number };

/** A late hit is at most seven days old; the journal may then wait some more days before it is consumed. */
export const changeableMs = 10 * 24 * 3600 * 1000;

export const newVisitor = (siteId: string, id: string): Visitor => ({
  siteId,
  id,
  version: 0,
  sameAs: noId,
  members: [id],
  heirs: [],
  altId: noId,
  altAt: 0,
  lastAt: 0,
  base: { count: 0, start: 0 },
  visits: [],
});

/**
 * Whether a visitor is the same as the one with the previous day's id, i.e. one that was active within the gap before (or after) midnight. Both ids are derived
 * from the same address and browser.
 */
export const continues = (heir: Visitor, ancestor: Visitor, rules: VisitRules = defaultVisitRules): boolean =>
  heir.altId !== noId && ancestor.lastAt > 0 && heir.altAt <= ancestor.lastAt + rules.gapMs;

/** Joins a visitor to the one with its previous day's id. Returns the time from which the visits of both must be derived again. */
export function join(ancestor: Visitor, heir: Visitor): number {
  const from = Math.min(heir.altAt, ...heir.visits.map((visit) => visit.start));
  ancestor.members = [...ancestor.members, ...heir.members];
  ancestor.heirs = [...new Set([...ancestor.heirs, ...heir.heirs])].filter((id) => !ancestor.members.includes(id));
  ancestor.visits = [...ancestor.visits, ...heir.visits].sort((a, b) => a.start - b.start);
  ancestor.lastAt = Math.max(ancestor.lastAt, heir.lastAt);
  ancestor.version = Math.max(ancestor.version, heir.version);
  Object.assign(heir, { sameAs: ancestor.id, members: [heir.id], heirs: [], visits: [], version: ancestor.version });
  return from;
}

/** The time from which hits are needed to process a hit at `at`. */
export function neededFrom(visitor: Visitor, at: number, rules: VisitRules = defaultVisitRules): number {
  return visitor.visits.reduce((from, visit) => (visit.gone || visit.last < at - rules.gapMs ? from : Math.min(from, visit.start)), at);
}

export type Rebuilt = { readonly drafts: VisitDraft[]; readonly visits: VisitRow[]; readonly gone: Tombstone[] };

/**
 * Derives all visits from `from` on again. `hits`: all hits of the visitor from `from` on (earlier ones are only used as flood marks). Updates `visitor`
 * accordingly; returns the rows to write. Visits before `from` are not changed.
 */
export function rebuild(visitor: Visitor, hits: readonly HitRow[], from: number, rules: VisitRules = defaultVisitRules): Rebuilt {
  const merged = mergeHits(
    [],
    hits.filter((hit) => hit.set_aside !== 1),
  );
  const used = merged.filter((hit) => hit.at >= from);
  const unchanged = visitor.visits.filter((visit) => visit.start < from && !visit.gone);
  const before: Before = { count: visitor.base.count + unchanged.length, start: unchanged.at(-1)?.start ?? visitor.base.start };
  const drafts = deriveDrafts(used, before, rules, floodDays(merged));
  const known = drafts.map((draft) => ({ id: visitIdOf(draft), start: draft.start, last: draft.last.at, gone: false }));

  const live = new Set([...unchanged, ...known].map(nameOf));
  const past = visitor.visits.filter((visit) => !live.has(nameOf(visit)));
  visitor.visits = [...unchanged, ...known, ...past.map((visit) => ({ ...visit, gone: true }))].sort((a, b) => a.start - b.start);
  visitor.lastAt = used.reduce((latest, hit) => Math.max(latest, hit.at), visitor.lastAt);
  return {
    drafts,
    // Rows are created on access: there may be many, and each contains all of its visit.
    get visits() {
      return drafts.map((draft) => visitRow(draft, visitor.id, rules));
    },
    gone: past.map((visit) => ({ site_id: visitor.siteId, visit_id: visit.id, start: visit.start })),
  };
}

const nameOf = (visit: { readonly id: string; readonly start: number }): string => `${visit.id}${visit.start}`;

/** Moves visits that can no longer change into the count. `now`: epoch ms of the newest receipt. */
export function settle(visitor: Visitor, now: number): void {
  const edge = now - changeableMs;
  if (!visitor.visits.some((visit) => visit.last < edge)) return;
  const old = visitor.visits.filter((visit) => visit.last < edge && !visit.gone);
  visitor.base = { count: visitor.base.count + old.length, start: old.at(-1)?.start ?? visitor.base.start };
  visitor.visits = visitor.visits.filter((visit) => visit.last >= edge);
}
