import type { ClickHouse } from '../stores/clickhouse/types';
import { floodDay, isFloodMark } from './flood';
import { groupByVisitor } from './hitGroups';
import type { KnownVisitors } from './knownVisitors';
import { nameAllVisits } from './pastVisits';
import { noId } from './row';
import type { HitRow } from './row';
import { continues, join } from './visitor';
import type { VisitorEntry } from './visitorCache';
import type { VisitRules } from './visitRules';

/** What one call of the builder has to do for a visitor. */
export type Work = {
  readonly entry: VisitorEntry;
  added: HitRow[];
  from: number;
  /** The latest hit known before this call. */
  readonly lastBefore: number;
  /** Has to be derived again from stored hits. */
  again: boolean;
};
export type Todo = Map<VisitorEntry, Work>;

export type VisitorWork = {
  /** The hits of a call by the visitor whose visits they concern. All of these visitors are in memory. */
  readonly gather: (hits: readonly HitRow[], call: number) => Todo;
  /** Joins visitors across midnight where one turned out to go on as another. */
  readonly joinHeirs: (todo: Todo, call: number) => Promise<void>;
};

export function createVisitorWork(ch: ClickHouse, visitors: KnownVisitors, rulesOf: (siteId: string) => VisitRules): VisitorWork {
  const { get, rootOf, ensure, wait } = visitors;

  /** Notes whom a cookieless visitor of the first minutes of a day names as its self of yesterday. */
  function nameAncestor(own: VisitorEntry, group: readonly HitRow[], todo: Todo, call: number): void {
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

  async function joinHeir(todo: Todo, ancestor: VisitorEntry, heir: VisitorEntry, call: number): Promise<void> {
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
  }

  return {
    gather(hits, call) {
      const todo: Todo = new Map();
      for (const group of groupByVisitor(hits)) {
        const { site_id: siteId, visitor_id: id } = group[0] as HitRow;
        const own = get(siteId, id);
        const root = rootOf(own);
        addGroup(workOn(todo, root), group);
        if (own === root) nameAncestor(own, group, todo, call);
      }
      return todo;
    },
    async joinHeirs(todo, call) {
      const open = [...todo.keys()];
      for (let ancestor = open.pop(); ancestor !== undefined; ancestor = open.pop()) {
        const { siteId, heirs, sameAs } = ancestor.visitor;
        if (sameAs !== noId || heirs.length === 0) continue;
        await ensure(heirs.map((id) => ({ siteId, id })));
        for (const id of heirs) {
          const heir = get(siteId, id);
          if (heir.visitor.sameAs !== noId || heir === ancestor || !continues(heir.visitor, ancestor.visitor, rulesOf(siteId))) continue;
          await joinHeir(todo, ancestor, heir, call);
          open.push(ancestor);
          break;
        }
      }
    },
  };
}

function workOn(todo: Todo, entry: VisitorEntry): Work {
  let item = todo.get(entry);
  if (item === undefined) {
    item = { entry, added: [], from: entry.staleFrom, lastBefore: entry.visitor.lastAt, again: entry.staleFrom !== Number.POSITIVE_INFINITY };
    todo.set(entry, item);
  }
  return item;
}

function addGroup(item: Work, group: readonly HitRow[]): void {
  const { visitor } = item.entry;
  item.added.push(...group);
  item.from = group.reduce((from, hit) => Math.min(from, hit.at), item.from);
  visitor.lastAt = group.reduce((latest, hit) => Math.max(latest, hit.at), visitor.lastAt);
  const flood = group.find(isFloodMark);
  // It says something of all visits of its day.
  if (flood !== undefined) Object.assign(item, { again: true, from: Math.min(item.from, floodDay(flood.at)) });
}
