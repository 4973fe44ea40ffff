import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouse } from '../stores/clickhouse/types';
import { findHits, findVisitors, insertVisitors, insertVisits } from './queries';
import type { Versioned, VisitorName } from './queries';
import { keyOf, noId } from './row';
import type { HitRow } from './row';
import { continues, join, neededFrom, newVisitor, rebuild, settle } from './visitor';
import type { Tombstone, Visitor } from './visitor';
import { maxHits, mergeHits } from './visits';
import type { VisitRow } from './visits';

export type VisitBuilder = {
  /**
   * Works hits that are already in `hits` into `visits`. Hits may come in any order and more than once; a failed or
   * repeated call does no harm. One call at a time. Answers the visits that have changed.
   */
  readonly apply: (hits: readonly HitRow[]) => Promise<readonly VisitRow[]>;
  /** Drops what is remembered of the sites that `choose` names: somebody else may have written them. */
  readonly forget: (choose: (siteId: string) => boolean) => void;
  /** Hits and visitors in memory. */
  readonly size: () => number;
};

/** A visitor in memory, with every hit from `hitsFrom` (epoch ms) on. */
type Entry = { readonly visitor: Visitor; hits: readonly HitRow[]; hitsFrom: number };
type Work = { readonly entry: Entry; added: HitRow[]; from: number };

/** Hits and visitors kept in memory; about one kilobyte each. */
const defaultCapacity = 100_000;

/** Visitors worked on before others get their turn; a few milliseconds. */
const visitorsAtAStretch = 100;

export function createBuilder(ch: ClickHouse, capacity = defaultCapacity): VisitBuilder {
  /** In order of last use. */
  const entries = new Map<string, Entry>();
  let weight = 0;
  let latestVersion = 0;

  const weightOf = (entry: Entry): number => 1 + entry.hits.length;
  const nextVersion = (visitor: Visitor): number => (latestVersion = Math.max(Date.now() * 1000, latestVersion + 1, visitor.version + 1));

  /** Brings visitors into memory, those that they turned out to be as well. Nothing is evicted meanwhile. */
  async function ensure(names: Iterable<VisitorName>): Promise<void> {
    let missing = unknown(names);
    while (missing.length > 0) {
      const found = new Map((await findVisitors(ch, missing)).map((visitor) => [keyOf(visitor.siteId, visitor.id), visitor]));
      const roots: VisitorName[] = [];
      for (const name of missing) {
        const key = keyOf(name.siteId, name.id);
        const visitor = found.get(key) ?? newVisitor(name.siteId, name.id);
        entries.set(key, { visitor, hits: [], hitsFrom: visitor.lastAt === 0 ? Number.NEGATIVE_INFINITY : visitor.lastAt + 1 });
        weight += 1;
        if (visitor.sameAs !== noId) roots.push({ siteId: visitor.siteId, id: visitor.sameAs });
      }
      missing = unknown(roots);
    }
  }

  function unknown(names: Iterable<VisitorName>): VisitorName[] {
    const missing = new Map<string, VisitorName>();
    for (const name of names) {
      const key = keyOf(name.siteId, name.id);
      if (!entries.has(key)) missing.set(key, name);
    }
    return [...missing.values()];
  }

  const get = (siteId: string, id: string): Entry => entries.get(keyOf(siteId, id)) as Entry;
  function rootOf(entry: Entry): Entry {
    let root = entry;
    while (root.visitor.sameAs !== noId) root = get(root.visitor.siteId, root.visitor.sameAs);
    return root;
  }

  function evict(): void {
    for (const [key, entry] of entries) {
      if (weight <= capacity) return;
      entries.delete(key);
      weight -= weightOf(entry);
    }
  }

  function drop(choose: (entry: Entry) => boolean): void {
    for (const [key, entry] of entries) if (choose(entry) && entries.delete(key)) weight -= weightOf(entry);
  }

  function setHits(entry: Entry, hits: readonly HitRow[], hitsFrom: number): void {
    weight += hits.length - entry.hits.length;
    entry.hits = hits;
    entry.hitsFrom = hitsFrom;
  }

  async function work(hits: readonly HitRow[], involved: Set<Entry>): Promise<VisitRow[]> {
    const todo = new Map<Entry, Work>();
    const groups = groupByVisitor(hits);
    await ensure(namesIn(hits));

    for (const group of groups) {
      const { site_id: siteId, visitor_id: id } = group[0] as HitRow;
      const own = get(siteId, id);
      const root = rootOf(own);
      involved.add(own).add(root);
      const item = todo.get(root) ?? { entry: root, added: [], from: Number.POSITIVE_INFINITY };
      item.added.push(...group);
      item.from = Math.min(item.from, ...group.map((hit) => hit.at));
      todo.set(root, item);
      root.visitor.lastAt = Math.max(root.visitor.lastAt, ...group.map((hit) => hit.at));
      if (own === root) nameAncestor(own, group, involved);
    }
    await joinHeirs(todo, involved);
    await fetchHits([...todo.values()]);

    const visits: Versioned<VisitRow>[] = [];
    const gone: Versioned<Tombstone>[] = [];
    const received = hits.reduce((latest, hit) => Math.max(latest, hit.received_at), 0);
    for (const { visitor } of involved) visitor.version = nextVersion(visitor);
    let worked = 0;
    for (const { entry, added, from } of todo.values()) {
      // Requests are answered by the same thread: they must not wait for a whole batch.
      if ((worked += 1) % visitorsAtAStretch === 0) await nextTurn();
      const known = mergeHits(entry.hits, added);
      const { version } = entry.visitor;
      const rebuilt = rebuild(entry.visitor, known, neededFrom(entry.visitor, from));
      settle(entry.visitor, received);
      visits.push(...rebuilt.visits.map((row) => ({ row, version })));
      gone.push(...rebuilt.gone.map((row) => ({ row, version })));
      trim(entry, known);
    }
    // The visitors first: after a crash in between, they still name every visit that may have to go.
    await insertVisitors(
      ch,
      [...involved].map((entry) => entry.visitor),
    );
    await insertVisits(ch, visits, gone);
    return visits.map(({ row }) => row);
  }

  /** Notes whom a cookieless visitor of the first minutes of a day names as its self of yesterday. */
  function nameAncestor(own: Entry, group: readonly HitRow[], involved: Set<Entry>): void {
    for (const hit of group) {
      if (hit.visitor_alt === noId) continue;
      const { visitor } = own;
      visitor.altAt = visitor.altId === noId ? hit.at : Math.min(visitor.altAt, hit.at);
      visitor.altId = hit.visitor_alt;
      const ancestor = rootOf(get(visitor.siteId, hit.visitor_alt));
      if (ancestor === own || ancestor.visitor.heirs.includes(visitor.id)) continue;
      ancestor.visitor.heirs.push(visitor.id);
      involved.add(ancestor);
    }
  }

  /** Joins visitors across midnight where one turned out to go on as another. */
  async function joinHeirs(todo: Map<Entry, Work>, involved: Set<Entry>): Promise<void> {
    const open = [...involved];
    for (let ancestor = open.pop(); ancestor !== undefined; ancestor = open.pop()) {
      const { siteId, heirs, sameAs } = ancestor.visitor;
      if (sameAs !== noId || heirs.length === 0) continue;
      await ensure(heirs.map((id) => ({ siteId, id })));
      for (const id of heirs) {
        const heir = get(siteId, id);
        if (heir.visitor.sameAs !== noId || heir === ancestor || !continues(heir.visitor, ancestor.visitor)) continue;
        const theirs = todo.get(heir);
        const ours = todo.get(ancestor) ?? { entry: ancestor, added: [], from: Number.POSITIVE_INFINITY };
        const from = Math.min(ours.from, theirs?.from ?? Number.POSITIVE_INFINITY, join(ancestor.visitor, heir.visitor));
        todo.delete(heir);
        todo.set(ancestor, { entry: ancestor, added: [...ours.added, ...(theirs?.added ?? [])], from });
        setHits(ancestor, [...ancestor.hits, ...heir.hits], Math.max(ancestor.hitsFrom, heir.hitsFrom));
        setHits(heir, [], Number.NEGATIVE_INFINITY);
        involved.add(heir).add(ancestor);
        open.push(ancestor);
        break;
      }
    }
  }

  /** Reads the hits that a derivation needs and memory does not have. */
  async function fetchHits(todo: readonly Work[]): Promise<void> {
    const short = todo
      .map((item) => ({ entry: item.entry, from: neededFrom(item.entry.visitor, item.from) }))
      .filter(({ entry, from }) => from < entry.hitsFrom);
    if (short.length === 0) return;
    const names = short.flatMap(({ entry }) => entry.visitor.members.map((id) => ({ siteId: entry.visitor.siteId, id })));
    const rows = await findHits(ch, names, Math.min(...short.map(({ from }) => from)));
    const byRoot = new Map<Entry, HitRow[]>(short.map(({ entry }) => [entry, []]));
    const rootOfMember = new Map(short.flatMap(({ entry }) => entry.visitor.members.map((id) => [keyOf(entry.visitor.siteId, id), entry] as const)));
    for (const row of rows) byRoot.get(rootOfMember.get(keyOf(row.site_id, row.visitor_id)) as Entry)?.push(row);
    for (const { entry, from } of short) setHits(entry, mergeHits(entry.hits, byRoot.get(entry) ?? []), from);
  }

  /** Keeps the hits of the latest visit; earlier ones are read again should a late hit ask for them. */
  function trim(entry: Entry, hits: readonly HitRow[]): void {
    const latest = entry.visitor.visits.findLast((visit) => !visit.gone);
    const from = Math.max(entry.hitsFrom, latest?.start ?? entry.hitsFrom);
    const kept = hits.filter((hit) => hit.at >= from);
    if (kept.length > 2 * maxHits) setHits(entry, [], entry.visitor.lastAt + 1);
    else setHits(entry, kept, from);
    // Last used goes last.
    const key = keyOf(entry.visitor.siteId, entry.visitor.id);
    if (entries.delete(key)) entries.set(key, entry);
  }

  return {
    size: () => weight,
    forget: (choose) => drop((entry) => choose(entry.visitor.siteId)),

    async apply(hits) {
      const involved = new Set<Entry>();
      try {
        return await work(hits, involved);
      } catch (error) {
        // Half-made changes must not stay in memory: the next attempt begins with what is stored.
        drop((entry) => involved.has(entry));
        throw error;
      } finally {
        evict();
      }
    },
  };
}

function groupByVisitor(hits: readonly HitRow[]): HitRow[][] {
  const groups = new Map<string, HitRow[]>();
  for (const hit of hits) {
    const key = keyOf(hit.site_id, hit.visitor_id);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}

function* namesIn(hits: readonly HitRow[]): Generator<VisitorName> {
  for (const hit of hits) {
    yield { siteId: hit.site_id, id: hit.visitor_id };
    if (hit.visitor_alt !== noId) yield { siteId: hit.site_id, id: hit.visitor_alt };
  }
}
