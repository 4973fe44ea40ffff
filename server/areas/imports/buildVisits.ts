import { keyOf } from '../../collect/row';
import type { HitRow } from '../../collect/row';
import { findStoredVisits, openVisitsInOrder, replacedBy } from '../../collect/storedVisits';
import type { StoredVisit } from '../../collect/storedVisits';
import { deriveVisits, mergeHits, mostHits } from '../../collect/visits';
import type { VisitRules } from '../../collect/visitRules';
import type { Before, VisitRow } from '../../collect/visits';
import { bytesAtOnce, createHitReader } from './hitReader';
import type { HitReader } from './hitReader';
import type { ImportStore } from './hitStore';
import { createVisitOutput } from './visitOutput';
import type { Replacement } from './visitOutput';
import { chainsOf, dropOlder, findLinks, hasImportedVisits, idsPerQuery, importedVisits, measure, ownChains } from './visitQueries';
import type { Chain, Link, Part } from './visitQueries';

export type BuildRequest = {
  readonly siteId: string;
  /** Of the import. */
  readonly number: number;
  /** Leaves the hits of the import itself out: it is about to go. */
  readonly without: boolean;
  /** The site's. */
  readonly rules: VisitRules;
};

/** Bytes of hits read at a time; in memory they take several times as much. */
const bytesPerStep = 16 * 2 ** 20;
const top = 2n ** 64n - 1n;
const none: Before = { count: 0, start: 0 };

/**
 * Builds the visits of every visitor with hits in an import, from all their hits. The collector's builder is not used: it forgets what is older than ten
 * days, and never holds imported visitors. A repeated call changes nothing. Memory is bounded: visitors are read by ranges of ids, and those with very many
 * hits in order of time. Readers see the visits of a visitor either before or after. `onProgress` is called after every step and throws to stop.
 */
export async function buildVisits(store: ImportStore, request: BuildRequest, onProgress: (bytes: number) => Promise<void>): Promise<void> {
  const { siteId, number, without, rules } = request;
  const params = { siteId, number };
  // Higher than all versions written before, so that visits that are not written again can be recognized and removed.
  const version = Date.now() * 1000;
  const out = createVisitOutput(store, siteId, version);
  const stores: Stores = { hits: createHitReader(store, request), visits: await openStoredVisits(store, siteId), out, onProgress };

  const touched = await ownChains(store, params, await findLinks(store, params, rules.gapMs, false));
  // Without its hits, what it held together falls apart.
  const families = without ? regrouped(touched, await findLinks(store, params, rules.gapMs, true)) : touched.map((chain) => [chain]);
  const chained = new Set(touched.flatMap((chain) => chain.ids));
  const { giants, bytes } = await measure(store, params, bytesAtOnce);

  const ranges = Math.max(1, Math.ceil(bytes / bytesPerStep));
  const endOf = (step: number): bigint => (top * BigInt(step)) / BigInt(ranges);
  const range = (step: number) => ({ least: (endOf(step) + (step === 0 ? 0n : 1n)).toString(), most: endOf(step + 1).toString() });
  const giantIds = giants.flatMap((giant) => giant.ids);
  const stored = await openVisitsInOrder(store, siteId, importedVisits);
  try {
    let next = stores.hits.inRange(range(0), giantIds);
    for (let step = 0; step < ranges; step += 1) {
      const hits = await next;
      // Read beside what is made of this one.
      if (step + 1 < ranges) {
        next = stores.hits.inRange(range(step + 1), giantIds);
        next.catch(() => undefined);
      }
      const own = chained.size === 0 ? hits : hits.filter((hit) => !chained.has(hit.visitor_id));
      const before = await stored.upTo(
        endOf(step + 1)
          .toString(16)
          .padStart(16, '0'),
      );
      for (const replacement of replacementsOf(own, before, rules)) await out.add(replacement);
      await onProgress(0);
    }
    for (const giant of giants) if (!chained.has(giant.ids[0] as string)) await writeInOrder(stores, giant, rules);
    for (const pack of packed(families)) {
      if (pack.length === 1 && bytesOf(pack[0] as Family) > bytesAtOnce) for (const chain of pack[0] as Family) await writeInOrder(stores, chain, rules);
      else await writePack(stores, siteId, pack, rules);
      await onProgress(0);
    }
    await out.flush();
  } finally {
    await out.settle();
  }
  await dropOlder(
    store,
    params,
    version,
    touched.flatMap((chain) => chain.ids.filter((_, index) => !chain.parts[index]?.own)),
  );
}

type Stores = {
  readonly hits: HitReader;
  readonly visits: StoredVisits;
  readonly out: ReturnType<typeof createVisitOutput>;
  readonly onProgress: (bytes: number) => Promise<void>;
};

/** The visits that people have now; a site's first import finds none. */
type StoredVisits = {
  readonly of: (ids: readonly string[]) => Promise<{ readonly byVisitor: ReadonlyMap<string, readonly StoredVisit[]>; readonly all: readonly StoredVisit[] }>;
};

async function openStoredVisits(store: ImportStore, siteId: string): Promise<StoredVisits> {
  const replaces = await hasImportedVisits(store, siteId);
  return {
    async of(ids) {
      if (!replaces) return { byVisitor: new Map(), all: [] };
      const byVisitor = await findStoredVisits(
        store,
        ids.map((id) => ({ siteId, id })),
      );
      return { byVisitor, all: [...byVisitor.values()].flat() };
    },
  };
}

/** One person, under the ids of one day after the other. */
async function writeInOrder({ hits: reader, visits: storedVisits, out, onProgress }: Stores, chain: Chain, rules: VisitRules): Promise<void> {
  const visits = createVisitStream(chain.ids[0] as string, (await storedVisits.of(chain.ids)).all, rules);
  for (const [index, id] of chain.ids.entries()) {
    for await (const hits of reader.inOrder(id, chain.parts[index] as Part)) {
      await out.add(visits.add(hits));
      await onProgress(0);
    }
  }
  await out.add(visits.end());
}

async function writePack({ hits: reader, visits: storedVisits, out }: Stores, siteId: string, families: readonly Family[], rules: VisitRules): Promise<void> {
  const chains = families.flat();
  const found = new Map<string, HitRow[]>(chains.flatMap((chain) => chain.ids.map((id) => [id, []])));
  const { byVisitor: stored } = await storedVisits.of([...found.keys()]);
  for (const hit of await reader.ofVisitors([...found.keys()])) found.get(hit.visitor_id)?.push(hit);
  const hitsOf = ({ ids }: Chain): HitRow[] => ids.flatMap((id) => found.get(id) ?? []);
  for (const family of families) {
    const visits = family.flatMap((chain) => deriveVisits(chain.ids[0] as string, mergeHits([], hitsOf(chain)), none, rules));
    const before = family.flatMap(({ ids }) => ids).flatMap((id) => stored.get(keyOf(siteId, id)) ?? []);
    await out.add({ visits, replaced: replacedBy(visits, before) });
  }
}

/** Visits of visitors with a single id, from all their hits. `stored`: their current visits. */
function* replacementsOf(hits: readonly HitRow[], stored: ReadonlyMap<string, readonly StoredVisit[]>, rules: VisitRules): Generator<Replacement> {
  const byVisitor = new Map<string, HitRow[]>();
  for (const hit of hits) {
    const own = byVisitor.get(hit.visitor_id);
    if (own === undefined) byVisitor.set(hit.visitor_id, [hit]);
    else own.push(hit);
  }
  for (const [id, own] of byVisitor) {
    const visits = deriveVisits(id, own.length === 1 ? own : mergeHits([], own), none, rules);
    const before = stored.get(id);
    yield { visits, replaced: before === undefined ? [] : replacedBy(visits, before) };
  }
}

type VisitStream = { readonly add: (hits: readonly HitRow[]) => Replacement; readonly end: () => Replacement };

/** Builds visits from hits in order of time; a visit is returned once a later one has begun, with the stored visits that it replaces. */
function createVisitStream(visitorId: string, stored: readonly StoredVisit[], rules: VisitRules): VisitStream {
  const before = [...stored].sort((a, b) => b.start - a.start);
  let open: readonly HitRow[] = [];
  let done = none;
  const derive = (hits: readonly HitRow[]): VisitRow[] => deriveVisits(visitorId, hits, done, rules);
  /** `until`: start of the visit that is not returned yet. */
  function replace(visits: readonly VisitRow[], until: number): Replacement {
    const past: StoredVisit[] = [];
    while ((before.at(-1)?.start ?? until) < until) past.push(before.pop() as StoredVisit);
    return { visits, replaced: replacedBy(visits, past) };
  }
  return {
    add(hits) {
      const known = mergeHits(open, hits);
      const visits = derive(known);
      const last = visits.pop();
      if (last === undefined) return { visits: [], replaced: [] };
      // In their order; hits beyond the limit are in no visit and must not accumulate.
      open = known.filter((hit) => hit.at >= last.start).slice(0, mostHits);
      done = { count: done.count + visits.length, start: visits.at(-1)?.start ?? done.start };
      return replace(visits, last.start);
    },
    end: () => replace(derive(open), Number.POSITIVE_INFINITY),
  };
}

/** People who are, or until now were, one person. */
type Family = readonly Chain[];

/** The same people by other links; who is linked to nobody any more stands alone. */
function regrouped(chains: readonly Chain[], links: readonly Link[]): Family[] {
  const parts = new Map(chains.flatMap((chain) => chain.ids.map((id, index) => [id, chain.parts[index] as Part] as const)));
  const linked = chainsOf(links.filter(({ heir, ancestor }) => parts.has(heir) && parts.has(ancestor)));
  const chainAt = new Map(linked.map((ids) => [ids[0] as string, ids]));
  const inChain = new Set(linked.flat());
  return chains.map((chain) =>
    chain.ids
      .filter((id) => chainAt.has(id) || !inChain.has(id))
      .map((root) => chainAt.get(root) ?? [root])
      .map((ids) => ({ ids, parts: ids.map((id) => parts.get(id) as Part) })),
  );
}

const bytesOf = (family: Family): number => family.reduce((sum, { parts }) => parts.reduce((own, { bytes }) => own + bytes, sum), 0);
const idsIn = (family: Family): number => family.reduce((sum, { ids }) => sum + ids.length, 0);

/** Small families together, as many as are read at once; a large one alone. */
function* packed(families: readonly Family[]): Generator<Family[]> {
  let pack: Family[] = [];
  let bytes = 0;
  let ids = 0;
  for (const family of families) {
    if (pack.length > 0 && (bytes + bytesOf(family) > bytesAtOnce || ids + idsIn(family) > idsPerQuery)) {
      yield pack;
      [pack, bytes, ids] = [[], 0, 0];
    }
    pack.push(family);
    bytes += bytesOf(family);
    ids += idsIn(family);
  }
  if (pack.length > 0) yield pack;
}
