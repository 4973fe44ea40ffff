import { readHit, visitColumns, writeVisit } from '../../collect/rowBinary';
import { hitColumns, storedId } from '../../collect/row';
import type { HitRow } from '../../collect/row';
import { deriveVisits, mergeHits } from '../../collect/visits';
import type { Before, VisitRow } from '../../collect/visits';
import { createRowReader, createRowWriter } from '../../stores/clickhouse/rowBinary';
import type { ImportStore } from './hitStore';
import { chainsOf, dropOlder, findLinks, idsPerQuery, measure, ownChains } from './visitQueries';
import type { Chain, Link, Part } from './visitQueries';

export type BuildRequest = {
  readonly siteId: string;
  /** Of the import. */
  readonly number: number;
  /** Leaves the hits of the import itself out: it is about to go. */
  readonly without: boolean;
};

/** Bytes of hits read at a time; in memory they take several times as much. */
const bytesPerStep = 16 * 2 ** 20;
/** A visitor (or one over several midnights) with more than this is worked through in order of time instead of whole. */
const bytesAtOnce = 4 * 2 ** 20;
const fewestAtOnce = 1000;
/** Bytes of visits stored at once. */
const bytesPerInsert = 16 * 2 ** 20;
const top = 2n ** 64n - 1n;
const none: Before = { count: 0, start: 0 };

const idList = (ids: readonly string[]): string => ids.map(storedId).join(',');
const selectHits = `SELECT ${hitColumns.map((column) => `hits.${column}`).join(', ')} FROM hits`;
const ofImport = 'site_id = {siteId:String} AND import_id = {number:UInt32}';

/**
 * Makes the visits of everybody whom an import has hits of, from all their hits. The collector's builder is not asked: it forgets what is
 * older than ten days, and imported visitors are never its own. Doing it again changes nothing. Memory is bounded: visitors are read by ranges of ids, and
 * those with very many hits in order of time. `tell` is called after every step and throws to stop.
 */
export async function buildVisits(store: ImportStore, request: BuildRequest, tell: (bytes: number) => Promise<void>): Promise<void> {
  const { siteId, number, without } = request;
  const params = { siteId, number };
  const leaveOut = without ? 'AND hits.import_id != {number:UInt32}' : '';
  // Higher than all that was written before, so that what this does not write again can be told and taken away.
  const version = Date.now() * 1000;
  const out = createVisitOutput(store, version);

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

  /** One person, under the ids of one day after the other. */
  async function writeInOrder(chain: Chain): Promise<void> {
    const visits = createVisitStream(chain.ids[0] as string);
    for (const [index, id] of chain.ids.entries()) {
      for await (const hits of inOrder(id, chain.parts[index] as Part)) {
        await out.add(visits.add(hits));
        await tell(0);
      }
    }
    await out.add(visits.end());
  }

  const touched = await ownChains(store, params, await findLinks(store, params, false));
  // Without its hits, what it held together falls apart.
  const chains = without ? regrouped(touched, await findLinks(store, params, true)) : touched;
  const chained = new Set(chains.flatMap((chain) => chain.ids));
  const { giants, bytes } = await measure(store, params, bytesAtOnce);

  const ranges = Math.max(1, Math.ceil(bytes / bytesPerStep));
  const range = (step: number) => ({
    least: ((top * BigInt(step)) / BigInt(ranges) + (step === 0 ? 0n : 1n)).toString(),
    most: ((top * BigInt(step + 1)) / BigInt(ranges)).toString(),
  });
  const giantIds = giants.flatMap((giant) => giant.ids);
  const readRange = (step: number): Promise<HitRow[]> =>
    read(
      `WHERE hits.site_id = {siteId:String} AND hits.visitor_id BETWEEN {least:UInt64} AND {most:UInt64} AND hits.visitor_id IN
         (SELECT visitor_id FROM hits WHERE ${ofImport} AND visitor_id BETWEEN {least:UInt64} AND {most:UInt64})
       ${giantIds.length === 0 ? '' : `AND hits.visitor_id NOT IN (${idList(giantIds)})`} ${leaveOut}`,
      range(step),
    );
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
      await out.add(visitsOf(own));
      await tell(0);
    }
    for (const giant of giants) if (!chained.has(giant.ids[0] as string)) await writeInOrder(giant);
    for (const pack of packed(chains)) {
      if (pack.length === 1 && bytesOf(pack[0] as Chain) > bytesAtOnce) await writeInOrder(pack[0] as Chain);
      else {
        const found = new Map<string, HitRow[]>(pack.flatMap((chain) => chain.ids.map((id) => [id, []])));
        for (const hit of await readVisitors([...found.keys()])) found.get(hit.visitor_id)?.push(hit);
        const hitsOf = ({ ids }: Chain): HitRow[] => ids.flatMap((id) => found.get(id) ?? []);
        await out.add(pack.flatMap((chain) => deriveVisits(chain.ids[0] as string, mergeHits([], hitsOf(chain)), none)));
      }
      await tell(0);
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

/** Visits of people who have one id each, from all their hits. */
function visitsOf(hits: readonly HitRow[]): VisitRow[] {
  const byVisitor = new Map<string, HitRow[]>();
  for (const hit of hits) {
    const own = byVisitor.get(hit.visitor_id);
    if (own === undefined) byVisitor.set(hit.visitor_id, [hit]);
    else own.push(hit);
  }
  const visits: VisitRow[] = [];
  for (const [id, own] of byVisitor) for (const visit of deriveVisits(id, own.length === 1 ? own : mergeHits([], own), none)) visits.push(visit);
  return visits;
}

/** Makes visits of hits that come in order of time; a visit is given out when a later one has begun. */
function createVisitStream(visitorId: string): { readonly add: (hits: readonly HitRow[]) => VisitRow[]; readonly end: () => VisitRow[] } {
  let open: readonly HitRow[] = [];
  let before = none;
  const derive = (hits: readonly HitRow[]): VisitRow[] => deriveVisits(visitorId, hits, before);
  return {
    add(hits) {
      const known = mergeHits(open, hits);
      const visits = derive(known);
      const last = visits.pop();
      if (last === undefined) return [];
      open = known.filter((hit) => hit.at >= last.start);
      before = { count: before.count + visits.length, start: visits.at(-1)?.start ?? before.start };
      return visits;
    },
    end: () => derive(open),
  };
}

/** Stores visits in few large inserts, one while the next gathers. */
function createVisitOutput(store: ImportStore, version: number) {
  const writer = createRowWriter();
  let storing: Promise<void> = Promise.resolve();
  async function flush(): Promise<void> {
    const rows = writer.take();
    await storing;
    storing = store.insertBytes('visits', visitColumns, rows);
    storing.catch(() => undefined);
  }
  return {
    async add(visits: readonly VisitRow[]): Promise<void> {
      for (const visit of visits) {
        writeVisit(writer, visit, version);
        if (writer.size() >= bytesPerInsert) await flush();
      }
    },
    /** Resolves when everything is stored. */
    async flush(): Promise<void> {
      await flush();
      await storing;
    },
    settle: (): Promise<void> => storing.catch(() => undefined),
  };
}

/** The same people by other links; who is linked to nobody any more stands alone. */
function regrouped(chains: readonly Chain[], links: readonly Link[]): Chain[] {
  const parts = new Map(chains.flatMap((chain) => chain.ids.map((id, index) => [id, chain.parts[index] as Part] as const)));
  const linked = chainsOf(links.filter(({ heir, ancestor }) => parts.has(heir) && parts.has(ancestor)));
  const inChain = new Set(linked.flat());
  const alone = [...parts.keys()].filter((id) => !inChain.has(id)).map((id) => [id]);
  return [...linked, ...alone].map((ids) => ({ ids, parts: ids.map((id) => parts.get(id) as Part) }));
}

const bytesOf = ({ parts }: Chain): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** Small chains together, as many as are read at once; a large one alone. */
function* packed(chains: readonly Chain[]): Generator<Chain[]> {
  let pack: Chain[] = [];
  let bytes = 0;
  let ids = 0;
  for (const chain of chains) {
    if (pack.length > 0 && (bytes + bytesOf(chain) > bytesAtOnce || ids + chain.ids.length > idsPerQuery)) {
      yield pack;
      [pack, bytes, ids] = [[], 0, 0];
    }
    pack.push(chain);
    bytes += bytesOf(chain);
    ids += chain.ids.length;
  }
  if (pack.length > 0) yield pack;
}
