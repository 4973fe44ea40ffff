import { readHit } from '../../collect/rowBinary';
import { hitColumns, keyOf, storedId } from '../../collect/row';
import type { HitRow } from '../../collect/row';
import { findStoredVisits, openVisitsInOrder, replacedBy } from '../../collect/storedVisits';
import type { StoredVisit } from '../../collect/storedVisits';
import { deriveVisits, mergeHits, mostHits } from '../../collect/visits';
import type { VisitRules } from '../../collect/visitRules';
import type { Before, VisitRow } from '../../collect/visits';
import { createRowReader } from '../../stores/clickhouse/rowBinary';
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
/** A visitor (or one over several midnights) with more than this is worked through in order of time instead of whole. */
const bytesAtOnce = 4 * 2 ** 20;
const fewestAtOnce = 1000;
const top = 2n ** 64n - 1n;
const none: Before = { count: 0, start: 0 };

const idList = (ids: readonly string[]): string => ids.map(storedId).join(',');
const selectHits = `SELECT ${hitColumns.map((column) => `hits.${column}`).join(', ')} FROM hits`;
const ofImport = 'site_id = {siteId:String} AND import_id = {number:UInt32}';

/**
 * Makes the visits of everybody whom an import has hits of, from all their hits. The collector's builder is not asked: it forgets what is
 * older than ten days, and imported visitors are never its own. Doing it again changes nothing. Memory is bounded: visitors are read by ranges of ids, and
 * those with very many hits in order of time. Readers see everybody as before or as after. `tell` is called after every step and throws to stop.
 */
export async function buildVisits(store: ImportStore, request: BuildRequest, onProgress: (bytes: number) => Promise<void>): Promise<void> {
  const { siteId, number, without, rules } = request;
  const params = { siteId, number };
  const leaveOut = without ? 'AND hits.import_id != {number:UInt32}' : '';
  // Higher than all that was written before, so that what this does not write again can be told and taken away.
  const version = Date.now() * 1000;
  const out = createVisitOutput(store, siteId, version);
  // A site's first import finds none.
  const replaces = await hasImportedVisits(store, siteId);

  const read = async (condition: string, more: Readonly<Record<string, unknown>> = {}, settings = {}): Promise<HitRow[]> => {
    const reader = createRowReader(await store.queryBytes(`${selectHits} ${condition}`, { params: { ...params, ...more }, settings }));
    const hits: HitRow[] = [];
    while (!reader.ended()) hits.push(readHit(reader));
    return hits;
  };
  const readVisitors = (ids: readonly string[]): Promise<HitRow[]> =>
    read(`WHERE hits.site_id = {siteId:String} AND hits.visitor_id IN (${idList(ids)}) ${leaveOut}`);

  /** All hits of a visitor in order of time, some at a time. */
  async function* inOrder(id: string, { hits: count, bytes }: Part): AsyncGenerator<HitRow[]> {
    const limit = Math.max(fewestAtOnce, Math.floor((bytesAtOnce * count) / Math.max(1, bytes)));
    let after = '';
    let last: Readonly<Record<string, unknown>> = {};
    for (;;) {
      const hits = await read(
        `FINAL WHERE hits.site_id = {siteId:String} AND hits.visitor_id = ${storedId(id)} ${leaveOut} ${after}
         ORDER BY hits.at, hits.kind = 'engage', hits.view_id, hits.seq LIMIT {limit:UInt32}`,
        { ...last, limit },
      );
      yield hits;
      const end = hits.at(-1);
      if (end === undefined || hits.length < limit) return;
      after = `AND (hits.at, hits.kind = 'engage', hits.view_id, hits.seq) > (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {engage:UInt8}, toUInt64({view:String}), {seq:UInt16})`;
      last = { at: end.at, engage: Number(end.kind === 'engage'), view: storedId(end.view_id), seq: end.seq };
    }
  }

  /** The visits that people have now. */
  const storedOf = async (ids: readonly string[]): Promise<StoredVisit[]> =>
    replaces
      ? [
          ...(
            await findStoredVisits(
              store,
              ids.map((id) => ({ siteId, id })),
            )
          ).values(),
        ].flat()
      : [];

  /** One person, under the ids of one day after the other. */
  async function writeInOrder(chain: Chain): Promise<void> {
    const visits = createVisitStream(chain.ids[0] as string, await storedOf(chain.ids), rules);
    for (const [index, id] of chain.ids.entries()) {
      for await (const hits of inOrder(id, chain.parts[index] as Part)) {
        await out.add(visits.add(hits));
        await onProgress(0);
      }
    }
    await out.add(visits.end());
  }

  async function writePack(families: readonly Family[]): Promise<void> {
    const chains = families.flat();
    const found = new Map<string, HitRow[]>(chains.flatMap((chain) => chain.ids.map((id) => [id, []])));
    const stored = replaces
      ? await findStoredVisits(
          store,
          [...found.keys()].map((id) => ({ siteId, id })),
        )
      : new Map<string, StoredVisit[]>();
    for (const hit of await readVisitors([...found.keys()])) found.get(hit.visitor_id)?.push(hit);
    const hitsOf = ({ ids }: Chain): HitRow[] => ids.flatMap((id) => found.get(id) ?? []);
    for (const family of families) {
      const visits = family.flatMap((chain) => deriveVisits(chain.ids[0] as string, mergeHits([], hitsOf(chain)), none, rules));
      const before = family.flatMap(({ ids }) => ids).flatMap((id) => stored.get(keyOf(siteId, id)) ?? []);
      await out.add({ made: visits, gone: replacedBy(visits, before) });
    }
  }

  const touched = await ownChains(store, params, await findLinks(store, params, rules.gapMs, false));
  // Without its hits, what it held together falls apart.
  const families = without ? regrouped(touched, await findLinks(store, params, rules.gapMs, true)) : touched.map((chain) => [chain]);
  const chained = new Set(touched.flatMap((chain) => chain.ids));
  const { giants, bytes } = await measure(store, params, bytesAtOnce);

  const ranges = Math.max(1, Math.ceil(bytes / bytesPerStep));
  const endOf = (step: number): bigint => (top * BigInt(step)) / BigInt(ranges);
  const range = (step: number) => ({ least: (endOf(step) + (step === 0 ? 0n : 1n)).toString(), most: endOf(step + 1).toString() });
  const giantIds = giants.flatMap((giant) => giant.ids);
  const readRange = (step: number): Promise<HitRow[]> =>
    read(
      `WHERE hits.site_id = {siteId:String} AND hits.visitor_id BETWEEN {least:UInt64} AND {most:UInt64} AND hits.visitor_id IN
         (SELECT visitor_id FROM hits WHERE ${ofImport} AND visitor_id BETWEEN {least:UInt64} AND {most:UInt64})
       ${giantIds.length === 0 ? '' : `AND hits.visitor_id NOT IN (${idList(giantIds)})`} ${leaveOut}`,
      range(step),
    );
  const stored = await openVisitsInOrder(store, siteId, importedVisits);
  try {
    let next = readRange(0);
    for (let step = 0; step < ranges; step += 1) {
      const hits = await next;
      // Read beside what is made of this one.
      if (step + 1 < ranges) {
        next = readRange(step + 1);
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
    for (const giant of giants) if (!chained.has(giant.ids[0] as string)) await writeInOrder(giant);
    for (const pack of packed(families)) {
      if (pack.length === 1 && bytesOf(pack[0] as Family) > bytesAtOnce) for (const chain of pack[0] as Family) await writeInOrder(chain);
      else await writePack(pack);
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

/** Visits of people who have one id each, from all their hits. `stored`: those that they have now. */
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
    yield { made: visits, gone: before === undefined ? [] : replacedBy(visits, before) };
  }
}

type VisitStream = { readonly add: (hits: readonly HitRow[]) => Replacement; readonly end: () => Replacement };

/** Makes visits of hits that come in order of time; a visit is given out when a later one has begun, with what it takes the place of. */
function createVisitStream(visitorId: string, stored: readonly StoredVisit[], rules: VisitRules): VisitStream {
  const before = [...stored].sort((a, b) => b.start - a.start);
  let open: readonly HitRow[] = [];
  let done = none;
  const derive = (hits: readonly HitRow[]): VisitRow[] => deriveVisits(visitorId, hits, done, rules);
  /** `until`: where the visit begins that is not given out yet. */
  function replace(visits: readonly VisitRow[], until: number): Replacement {
    const past: StoredVisit[] = [];
    while ((before.at(-1)?.start ?? until) < until) past.push(before.pop() as StoredVisit);
    return { made: visits, gone: replacedBy(visits, past) };
  }
  return {
    add(hits) {
      const known = mergeHits(open, hits);
      const visits = derive(known);
      const last = visits.pop();
      if (last === undefined) return { made: [], gone: [] };
      // In order, as they came: those beyond are in no visit, and must not gather.
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
