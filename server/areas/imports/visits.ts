import { chainsOf, groupByVisitor } from '../../collect/rebuild';
import { findHits, insertVisits, readHits } from '../../collect/queries';
import { noId, storedId } from '../../collect/row';
import type { HitRow } from '../../collect/row';
import { newVisitor, rebuild } from '../../collect/visitor';
import type { ClickHouse } from '../../stores/clickhouse/types';

/** Hits held in memory at a time. */
const hitsPerStep = 50_000;
const top = 2n ** 64n - 1n;

const idText = (column: string): string => `lower(leftPad(hex(${column}), 16, '0'))`;
const ofImport = 'SELECT visitor_id FROM hits WHERE site_id = {siteId:String} AND import_id = {number:UInt32}';
/** Visitors with another name on the other side of midnight. */
const linkedIds = `SELECT arrayJoin([visitor_id, visitor_alt]) FROM hits WHERE site_id = {siteId:String} AND import_id != 0 AND visitor_alt != 0`;

export type BuildOptions = {
  readonly siteId: string;
  readonly number: number;
  /** Leaves the hits of the import itself out: it is about to go. */
  readonly without: boolean;
  /** Called after every step; throws to stop. */
  readonly onStep: (share: number) => Promise<void>;
};

/**
 * Makes the visits of everybody whom an import has hits of, from all their hits. The collector's builder is not asked: it forgets what is
 * older than ten days, and imported visitors are never its own. Doing it again changes nothing.
 */
export async function buildVisits(ch: ClickHouse, { siteId, number, without, onStep }: BuildOptions): Promise<void> {
  const params = { siteId, number };
  // Higher than all that was written before, so that what this does not write again can be told and taken away.
  const version = Date.now() * 1000;

  const write = async (hits: readonly HitRow[], heirs: Parameters<typeof groupByVisitor>[2] = []): Promise<void> => {
    const visits = [...groupByVisitor(siteId, hits, heirs).values()].flatMap(({ visitor, hits: own }) =>
      visitor.sameAs === noId ? rebuild(visitor, own, Number.NEGATIVE_INFINITY).visits : [],
    );
    await insertVisits(
      ch,
      visits.map((row) => ({ row, version })),
      [],
    );
  };
  /** Visits of these people that were not written again are no longer true. */
  const dropOlder = (people: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> =>
    ch.command(
      `INSERT INTO visits (site_id, visit_id, start, visitor_id, version, deleted)
       SELECT site_id, visit_id, start, visitor_id, {version:UInt64}, 1 FROM visits FINAL
       WHERE site_id = {siteId:String} AND deleted = 0 AND version < {version:UInt64} AND origin IN ('log', 'audit', 'import') AND ${people}`,
      { params: { ...params, version: String(version), ...more } },
    );
  const leaveOut = without ? 'AND import_id != {number:UInt32}' : '';

  const links = await ch.query<{ id: string; alt: string; at: string }>(
    `SELECT ${idText('visitor_id')} AS id, ${idText('visitor_alt')} AS alt, toString(min(toUnixTimestamp64Milli(at))) AS at FROM hits
     WHERE site_id = {siteId:String} AND import_id != 0 AND visitor_alt != 0 ${leaveOut} GROUP BY visitor_id, visitor_alt`,
    { params },
  );
  // Only who touches this import; the others stay as they are.
  const own = new Set(
    (
      await ch.query<{ id: string }>(
        `SELECT DISTINCT ${idText('visitor_id')} AS id FROM hits WHERE site_id = {siteId:String} AND import_id = {number:UInt32} AND visitor_id IN (${linkedIds})`,
        { params },
      )
    ).map((row) => row.id),
  );
  const chains = chainsOf(links.map(({ id, alt }) => ({ id, altId: alt }))).filter((chain) => [...chain].some((id) => own.has(id)));
  const chained = new Set(chains.flatMap((chain) => [...chain]));
  for (const chain of chains) {
    const found = await findHits(
      ch,
      [...chain].map((id) => ({ siteId, id })),
      0,
    );
    const hits = without ? await leavingOut(ch, params, found) : found;
    const heirs = links.filter(({ id }) => chain.has(id)).map(({ id, alt, at }) => ({ ...newVisitor(siteId, id), altId: alt, altAt: Number(at) }));
    await write(hits, heirs);
    await dropOlder('visitor_id IN (SELECT arrayJoin(arrayMap(id -> toUInt64(id), {chain:Array(String)})))', { chain: [...chain].map(storedId) });
    await onStep(0);
  }

  const [count] = await ch.query<{ n: string }>(`SELECT toString(count()) AS n FROM hits WHERE site_id = {siteId:String} AND import_id = {number:UInt32}`, {
    params,
  });
  const steps = Math.max(1, Math.ceil(Number(count?.n ?? 0) / hitsPerStep));
  for (let step = 0; step < steps; step += 1) {
    const least = (top * BigInt(step)) / BigInt(steps) + (step === 0 ? 0n : 1n);
    const most = (top * BigInt(step + 1)) / BigInt(steps);
    const hits = await readHits(
      ch,
      `hits.site_id = {siteId:String} AND hits.visitor_id BETWEEN {least:UInt64} AND {most:UInt64} AND hits.visitor_id IN (${ofImport}) ${leaveOut}`,
      { ...params, least: least.toString(), most: most.toString() },
    );
    await write(hits.filter((hit) => !chained.has(hit.visitor_id)));
    await onStep((step + 1) / steps);
  }

  await dropOlder(`visitor_id IN (${ofImport})`);
}

/** Of some hits those that another import brought. */
async function leavingOut(ch: ClickHouse, params: { readonly siteId: string; readonly number: number }, hits: readonly HitRow[]): Promise<HitRow[]> {
  const visitors = [...new Set(hits.map((hit) => hit.visitor_id))];
  if (visitors.length === 0) return [];
  const going = new Set(
    (
      await ch.query<{ name: string }>(
        `SELECT concat(${idText('visitor_id')}, ${idText('view_id')}, toString(seq)) AS name FROM hits
         WHERE site_id = {siteId:String} AND import_id = {number:UInt32} AND visitor_id IN (SELECT arrayJoin(arrayMap(id -> toUInt64(id), {visitors:Array(String)})))`,
        { params: { ...params, visitors: visitors.map(storedId) } },
      )
    ).map((row) => row.name),
  );
  return hits.filter((hit) => !going.has(`${hit.visitor_id}${hit.view_id}${hit.seq}`));
}
