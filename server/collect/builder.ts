import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouse } from '../stores/clickhouse/types';
import { findVisitors, insertVisitors, insertVisits, streamHits } from './queries';
import type { Versioned, VisitorName } from './queries';
import { floodDay, isFloodMark } from './flood';
import { groupByVisitor, namesIn } from './hitGroups';
import { createOwedVisits } from './owedVisits';
import { isPast, nameAllVisits } from './pastVisits';
import { keyOf, noId } from './row';
import type { HitRow } from './row';
import { createVisitorCache, defaultCacheBytes, entriesAtAStretch, newEntry, replaceUnwritten } from './visitorCache';
import type { Unwritten, VisitorEntry } from './visitorCache';
import { addHit, belongs, comesAfter, compareHits, copyIn, markFlood, openDraft, visitIdOf, visitRow } from './visitDraft';
import type { VisitDraft } from './visitDraft';
import { continues, join, neededFrom, newVisitor, rebuild, settle } from './visitor';
import type { Tombstone } from './visitor';
import { defaultVisitRules, longestGapMs } from './visitRules';
import type { VisitRules } from './visitRules';
import type { VisitRow } from './visitRow';
import { createWritePace } from './writePace';

/** A visit that was written. */
export type WrittenVisit = { readonly siteId: string; readonly visitId: string };

export type VisitBuilder = {
  /**
   * Works hits that are already in `hits` into the visits in memory. Hits may come in any order and more than once; a failed or repeated
   * call does no harm. `call`: a number that grows from call to call, told by `writtenBelow`.
   */
  readonly absorb: (hits: readonly HitRow[], call: number) => Promise<void>;
  /**
   * Writes visits that have changed: with `due` those that may not wait any longer, with `all` every one of them. Answers which. After a failure what
   * was not written still waits.
   */
  readonly write: (which: 'due' | 'all') => Promise<WrittenVisit[]>;
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

type Work = {
  readonly entry: VisitorEntry;
  added: HitRow[];
  from: number;
  /** The latest hit known before this call. */
  readonly lastBefore: number;
  /** Has to be derived again from stored hits. */
  again: boolean;
};

/** Visitors worked on before others get their turn; a few milliseconds. */
const visitorsAtAStretch = 100;
/** Bytes of rows sent at a time. */
const writeBytes = 4 * 1024 * 1024;
/** The share of the memory for visitors that may wait to be written. */
const unwrittenShare = 0.7;
/** How far the times of two copies of a hit may lie apart: they are told by the age that each has when it is received. */
const copyJitterMs = 250;

/**
 * Builds visits from hits. Hits that come in order, nearly all of them, are added to the latest visit of their visitor, at the same cost however long it is;
 * for others the visits concerned are derived again from stored hits. Calls are made one after the other.
 */
export function createBuilder(ch: ClickHouse, options: BuilderOptions = {}): VisitBuilder {
  const { cacheBytes = defaultCacheBytes(), rulesOf = () => defaultVisitRules, now = Date.now } = options;
  const cache = createVisitorCache(cacheBytes);
  /** In the order of `since`. */
  const unwritten = new Set<VisitorEntry>();
  const owed = createOwedVisits();
  const pace = createWritePace();
  let latestVersion = 0;
  let latestReceived = 0;

  const get = (siteId: string, id: string): VisitorEntry => cache.get(keyOf(siteId, id)) as VisitorEntry;
  const touch = (entry: VisitorEntry): void => cache.touch(keyOf(entry.visitor.siteId, entry.visitor.id), entry);
  function rootOf(entry: VisitorEntry): VisitorEntry {
    let root = entry;
    while (root.visitor.sameAs !== noId) root = get(root.visitor.siteId, root.visitor.sameAs);
    return root;
  }

  /** Brings visitors into memory, those that they turned out to be as well. */
  async function ensure(names: Iterable<VisitorName>): Promise<void> {
    let open = [...names];
    while (open.length > 0) {
      const missing = new Map<string, VisitorName>();
      for (const [index, name] of open.entries()) {
        if (cache.get(keyOf(name.siteId, name.id)) === undefined) missing.set(keyOf(name.siteId, name.id), name);
        if (index % entriesAtAStretch === entriesAtAStretch - 1) await nextTurn();
      }
      const found = new Map((await findVisitors(ch, [...missing.values()])).map((visitor) => [keyOf(visitor.siteId, visitor.id), visitor]));
      for (const [key, name] of missing) cache.add(key, newEntry(found.get(key) ?? newVisitor(name.siteId, name.id)));
      open = open.flatMap(({ siteId, id }) => {
        const { sameAs } = get(siteId, id).visitor;
        return sameAs === noId ? [] : [{ siteId, id: sameAs }];
      });
    }
  }

  function wait(entry: VisitorEntry, call: number): Unwritten {
    entry.unwritten ??= { since: call, drafts: new Set(), gone: [], urgent: false };
    unwritten.add(entry);
    return entry.unwritten;
  }

  async function absorb(received: readonly HitRow[], call: number): Promise<void> {
    const hits = received.filter((hit) => hit.set_aside !== 1);
    if (hits.length === 0) return;
    await ensure(namesIn(hits));
    latestReceived = hits.reduce((latest, hit) => Math.max(latest, hit.received_at), latestReceived);
    const past = new Set(hits.filter((hit) => isPast(hit, latestReceived)).map((hit) => rootOf(get(hit.site_id, hit.visitor_id))));
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

  function gather(hits: readonly HitRow[], call: number): Map<VisitorEntry, Work> {
    const todo = new Map<VisitorEntry, Work>();
    for (const group of groupByVisitor(hits)) {
      const { site_id: siteId, visitor_id: id } = group[0] as HitRow;
      const own = get(siteId, id);
      const root = rootOf(own);
      const item = workOn(todo, root);
      item.added.push(...group);
      item.from = group.reduce((from, hit) => Math.min(from, hit.at), item.from);
      root.visitor.lastAt = group.reduce((latest, hit) => Math.max(latest, hit.at), root.visitor.lastAt);
      const flood = group.find(isFloodMark);
      // It says something of all visits of its day.
      if (flood !== undefined) Object.assign(item, { again: true, from: Math.min(item.from, floodDay(flood.at)) });
      if (own === root) nameAncestor(own, group, todo, call);
    }
    return todo;
  }

  function workOn(todo: Map<VisitorEntry, Work>, entry: VisitorEntry): Work {
    let item = todo.get(entry);
    if (item === undefined) {
      item = { entry, added: [], from: entry.staleFrom, lastBefore: entry.visitor.lastAt, again: entry.staleFrom !== Number.POSITIVE_INFINITY };
      todo.set(entry, item);
    }
    return item;
  }

  /** Notes whom a cookieless visitor of the first minutes of a day names as its self of yesterday. */
  function nameAncestor(own: VisitorEntry, group: readonly HitRow[], todo: Map<VisitorEntry, Work>, call: number): void {
    for (const hit of group) {
      if (hit.visitor_alt === noId) continue;
      const { visitor } = own;
      visitor.altAt = visitor.altId === noId ? hit.at : Math.min(visitor.altAt, hit.at);
      visitor.altId = hit.visitor_alt;
      const ancestor = rootOf(get(visitor.siteId, hit.visitor_alt));
      if (ancestor === own) continue;
      workOn(todo, ancestor);
      if (ancestor.visitor.heirs.includes(visitor.id)) continue;
      ancestor.visitor.heirs.push(visitor.id);
      wait(ancestor, call).urgent = true;
    }
  }

  /** Joins visitors across midnight where one turned out to go on as another. */
  async function joinHeirs(todo: Map<VisitorEntry, Work>, call: number): Promise<void> {
    const open = [...todo.keys()];
    for (let ancestor = open.pop(); ancestor !== undefined; ancestor = open.pop()) {
      const { siteId, heirs, sameAs } = ancestor.visitor;
      if (sameAs !== noId || heirs.length === 0) continue;
      await ensure(heirs.map((id) => ({ siteId, id })));
      for (const id of heirs) {
        const heir = get(siteId, id);
        if (heir.visitor.sameAs !== noId || heir === ancestor || !continues(heir.visitor, ancestor.visitor, rulesOf(siteId))) continue;
        await nameAllVisits(ch, [heir, ancestor]);
        const theirs = todo.get(heir);
        const ours = workOn(todo, ancestor);
        ours.from = Math.min(ours.from, heir.staleFrom, theirs?.from ?? Number.POSITIVE_INFINITY, join(ancestor.visitor, heir.visitor));
        ours.added.push(...(theirs?.added ?? []));
        ours.again = true;
        ancestor.staleFrom = Math.min(ancestor.staleFrom, ours.from);
        todo.delete(heir);
        // What the heir has not written is part of the ancestor's visits now, which are derived again.
        Object.assign(heir, { draft: null, staleFrom: Number.POSITIVE_INFINITY });
        const theirRows = wait(heir, call);
        theirRows.drafts.clear();
        wait(ancestor, call).gone.push(...theirRows.gone.splice(0));
        for (const entry of [heir, ancestor]) wait(entry, call).urgent = true;
        open.push(ancestor);
        break;
      }
    }
  }

  /** Adds hits to the latest visit of a visitor, or begins new ones; false (and nothing changed) where that would not be exact. */
  function extend({ entry, added, lastBefore }: Work, call: number): boolean {
    const { visitor } = entry;
    const rules = rulesOf(visitor.siteId);
    const fresh = new Map<string, HitRow>();
    for (const hit of [...added].sort(compareHits)) {
      const name = `${hit.view_id}${hit.seq}`;
      const copy = entry.draft === null ? 'none' : copyIn(entry.draft, hit);
      if (copy === 'same') continue;
      if (copy === 'other' || fresh.has(name) || !isInOrder(entry, hit, lastBefore, rules)) return false;
      if (mayCopyStray(entry.draft, hit)) return false;
      fresh.set(name, hit);
    }
    let { draft } = entry;
    for (const hit of fresh.values()) {
      // Its time is noted even where it belongs to no visit.
      wait(entry, call);
      if (draft !== null && belongs(draft, hit, rules)) addHit(draft, hit);
      else if (hit.kind !== 'engage') draft = begin(entry, hit);
      else continue;
      noteVisit(entry, draft, call);
    }
    entry.draft = draft;
    touch(entry);
    return true;
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
  function noteVisit(entry: VisitorEntry, draft: VisitDraft, call: number): void {
    const { visitor } = entry;
    const rows = wait(entry, call);
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

  /** Derives visits from the hits that are stored, one visitor after the other, however much each of them has. */
  async function deriveAgain(items: readonly Work[], call: number): Promise<void> {
    if (items.length === 0) return;
    const waiting = new Map<VisitorEntry, { item: Work; from: number; hits: HitRow[]; missing: number }>();
    const rootOfMember = new Map<string, VisitorEntry>();
    const names: VisitorName[] = [];
    for (const item of items) {
      const { visitor } = item.entry;
      item.entry.staleFrom = Math.min(item.entry.staleFrom, item.from);
      const from = neededFrom(visitor, item.from, rulesOf(visitor.siteId));
      waiting.set(item.entry, { item, from, hits: item.added, missing: visitor.members.length });
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
      if (bytes <= cache.capacity / 4) continue;
      await write('due');
      bytes = 0;
    }
    for (const [root, { hits, from }] of waiting) derive(root, hits, from, call);
  }

  function derive(entry: VisitorEntry, hits: readonly HitRow[], from: number, call: number): void {
    const rules = rulesOf(entry.visitor.siteId);
    const { drafts, gone } = rebuild(entry.visitor, hits, from, rules);
    replaceUnwritten(wait(entry, call), from, drafts, gone);
    entry.draft = drafts.at(-1) ?? null;
    entry.staleFrom = Number.POSITIVE_INFINITY;
    touch(entry);
  }

  async function write(which: 'due' | 'all'): Promise<WrittenVisit[]> {
    const at = now();
    const ready = [...unwritten].filter((entry) => entry.staleFrom === Number.POSITIVE_INFINITY);
    const written: WrittenVisit[] = [];
    let batch: VisitorEntry[] = [];
    let bytes = 0;
    for (const entry of which === 'all' ? ready : pace.choose(ready, at, cache.capacity * unwrittenShare)) {
      batch.push(entry);
      bytes += entry.bytes;
      if (bytes < writeBytes) continue;
      written.push(...(await writeBatch(batch, at)));
      batch = [];
      bytes = 0;
    }
    written.push(...(await writeBatch(batch, at)));
    await cache.trim(latestReceived - longestGapMs);
    return written;
  }

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
    for (const entry of batch) {
      entry.unwritten = null;
      entry.writtenAt = at;
      unwritten.delete(entry);
      touch(entry);
    }
    return visits.map(({ row }) => ({ siteId: row.site_id, visitId: row.visit_id }));
  }

  async function writeWithOwed(which: 'due' | 'all'): Promise<WrittenVisit[]> {
    await owed.settle(ch, absorb);
    return write(which);
  }

  let calls = 0;
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
      for (const entry of unwritten) least = Math.min(least, entry.unwritten?.since ?? least);
      return least;
    },
    forget(choose) {
      for (const entry of unwritten) if (choose(entry.visitor.siteId) && unwritten.delete(entry)) owed.add(entry);
      cache.drop(choose);
    },
    bytes: cache.bytes,
  };
}
