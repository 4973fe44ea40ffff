import type { ClickHouse } from '../stores/clickhouse/types';
import { dropOlder, findAltLinks, findHits, insertVisitors, insertVisits, streamSiteHits } from './queries';
import { hitBytes, noId } from './row';
import type { HitRow } from './row';
import { continues, join, newVisitor, rebuild, settle } from './visitor';
import type { Visitor } from './visitor';
import { defaultVisitRules } from './visitRules';
import type { VisitRules } from './visitRules';
import { findStoredVisits, openVisitsInOrder, replacedBy } from './storedVisits';
import type { StoredVisit } from './storedVisits';
import { mergeHits } from './visits';

const lastId = 'f'.repeat(16);
/** Bytes of hits held in memory at a time, except for those of a single visitor. */
const stepBytes = 16 * 1024 * 1024;

export type RebuiltSite = { readonly visits: number; readonly visitors: number };

/**
 * Rebuilds all visits of a site from its hits, in steps that fit in memory; readers see each visitor either before or after. May run while hits arrive: visits
 * written in the meantime have a higher version and stay.
 */
export async function rebuildVisits(
  ch: ClickHouse,
  siteId: string,
  rules: VisitRules = defaultVisitRules,
  version: number = Date.now() * 1000,
): Promise<RebuiltSite> {
  const total = { visits: 0, visitors: 0 };

  /** `stored`: the current visits of these visitors. */
  const write = async (rows: readonly HitRow[], stored: Iterable<StoredVisit>, heirs: readonly Visitor[] = []): Promise<void> => {
    const visitors = [...groupByVisitor(siteId, rows, heirs, rules).values()];
    const received = rows.reduce((latest, hit) => Math.max(latest, hit.received_at), 0);
    const visits = visitors.flatMap(({ visitor, hits }) => {
      const rebuilt = visitor.sameAs === noId ? rebuild(visitor, hits, Number.NEGATIVE_INFINITY, rules).visits : [];
      settle(visitor, received);
      visitor.version = version;
      return rebuilt.map((row) => ({ row, version }));
    });
    await insertVisitors(
      ch,
      visitors.map(({ visitor }) => visitor),
    );
    // In one insert, so that no reader sees a visit together with its replacement.
    const gone = replacedBy(
      visits.map(({ row }) => row),
      stored,
    );
    await insertVisits(
      ch,
      visits,
      gone.map(({ id, start }) => ({ row: { site_id: siteId, visit_id: id, start }, version })),
    );
    total.visits += visits.length;
    total.visitors += visitors.filter(({ visitor }) => visitor.sameAs === noId).length;
  };

  // Visitors that may be linked across midnight are built together, all others by ranges of ids.
  const links = await findAltLinks(ch, siteId);
  const linked = new Set(links.flatMap((link) => [link.id, link.altId]));
  for (const chain of chainsOf(links)) {
    const names = [...chain].map((id) => ({ siteId, id }));
    const rows = await findHits(ch, names, 0);
    const stored = await findStoredVisits(ch, names);
    const heirs = links.filter((link) => chain.has(link.id)).map((link) => ({ ...newVisitor(siteId, link.id), altId: link.altId, altAt: link.altAt }));
    await write(rows, [...stored.values()].flat(), heirs);
  }

  const stored = await openVisitsInOrder(ch, siteId);
  const storedUpTo = async (id: string): Promise<StoredVisit[]> =>
    [...(await stored.upTo(id))].flatMap(([visitor, visits]) => (linked.has(visitor) ? [] : visits));
  let step: HitRow[] = [];
  let bytes = 0;
  for await (const { name, hits } of streamSiteHits(ch, siteId)) {
    if (linked.has(name.id)) continue;
    for (const hit of hits) {
      step.push(hit);
      bytes += hitBytes(hit);
    }
    if (bytes < stepBytes) continue;
    await write(step, await storedUpTo(name.id));
    step = [];
    bytes = 0;
  }
  await write(step, await storedUpTo(lastId));
  await dropOlder(ch, siteId, version);
  return total;
}

type Group = { readonly visitor: Visitor; hits: HitRow[] };

export function groupByVisitor(siteId: string, rows: readonly HitRow[], heirs: readonly Visitor[], rules: VisitRules): Map<string, Group> {
  const groups = new Map<string, Group>(heirs.map((visitor) => [visitor.id, { visitor, hits: [] }]));
  for (const row of mergeCopies(rows)) {
    const group = groups.get(row.visitor_id) ?? { visitor: newVisitor(siteId, row.visitor_id), hits: [] };
    groups.set(row.visitor_id, group);
    group.hits.push(row);
    group.visitor.lastAt = Math.max(group.visitor.lastAt, row.at);
  }
  for (const { visitor } of groups.values()) {
    if (visitor.altId === noId) continue;
    const ancestor = groups.get(visitor.altId) ?? { visitor: newVisitor(siteId, visitor.altId), hits: [] };
    groups.set(visitor.altId, ancestor);
    ancestor.visitor.heirs.push(visitor.id);
  }
  joinAll(groups, rules);
  return groups;
}

/** Repeats until no more visitors are joined. */
function joinAll(groups: ReadonlyMap<string, Group>, rules: VisitRules): void {
  const rootOf = (id: string): Group => {
    let group = groups.get(id) as Group;
    while (group.visitor.sameAs !== noId) group = groups.get(group.visitor.sameAs) as Group;
    return group;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const heir of groups.values()) {
      if (heir.visitor.sameAs !== noId || heir.visitor.altId === noId) continue;
      const ancestor = rootOf(heir.visitor.altId);
      if (ancestor === heir || !continues(heir.visitor, ancestor.visitor, rules)) continue;
      ancestor.hits = [...ancestor.hits, ...heir.hits];
      heir.hits = [];
      join(ancestor.visitor, heir.visitor);
      changed = true;
    }
  }
}

function mergeCopies(rows: readonly HitRow[]): HitRow[] {
  const byVisitor = new Map<string, HitRow[]>();
  for (const row of rows) {
    const list = byVisitor.get(row.visitor_id);
    if (list === undefined) byVisitor.set(row.visitor_id, [row]);
    else list.push(row);
  }
  return [...byVisitor.values()].flatMap((list) => mergeHits([], list));
}

/** Linked ids, in sets of at most a few thousand ids unless one chain is longer. */
export function chainsOf(links: readonly { readonly id: string; readonly altId: string }[]): Set<string>[] {
  const setOf = new Map<string, Set<string>>();
  for (const { id, altId } of links) {
    const a = setOf.get(id) ?? new Set([id]);
    const b = setOf.get(altId) ?? new Set([altId]);
    const [large, small] = a.size >= b.size ? [a, b] : [b, a];
    for (const one of small) large.add(one);
    for (const one of [...small, id, altId]) setOf.set(one, large);
  }
  const packed: Set<string>[] = [];
  for (const chain of new Set(setOf.values())) {
    const last = packed.at(-1);
    if (last !== undefined && last.size + chain.size <= 2000) for (const id of chain) last.add(id);
    else packed.push(new Set(chain));
  }
  return packed;
}
