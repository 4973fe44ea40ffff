import { storedId } from '../../collect/row';
import { createRowReader } from '../../stores/clickhouse/rowBinary';
import type { ImportStore } from './hitStore';

type Params = { readonly siteId: string; readonly number: number };

/** Two ids of one visitor who was active on both sides of midnight. */
export type Link = { readonly heir: string; readonly ancestor: string };

/** The ids of one visitor, one per day and in order; most visitors have one. */
export type Chain = {
  readonly ids: readonly string[];
  readonly parts: readonly Part[];
};
/** `own`: whether the import has hits of this id. `bytes` and `hits`: of all imports. */
export type Part = { readonly own: boolean; readonly bytes: number; readonly hits: number };

/** Ids per statement: the text of a query is limited to 256 kB. */
export const idsPerQuery = 5000;

/** Approximate size of a hit: its numbers and short texts, plus the texts that may be long. */
const hitBytes =
  '(250 + length(path) + length(query) + length(title) + length(props) + length(keyword) + length(ref_path) + length(ref_url) + length(utm_term) + length(utm_content))';
const idText = (column: string): string => `lower(leftPad(hex(${column}), 16, '0'))`;
const idList = (ids: readonly string[]): string => ids.map(storedId).join(',');

/**
 * Imported visitors of the site who continue under another id after midnight: a visitor with a hit soon after midnight and an alternative id that has an
 * earlier hit within the gap (server/collect/visitor.ts, `continues`). `without`: as if the import had no hits.
 */
export async function findLinks(store: ImportStore, params: Params, gapMs: number, without: boolean): Promise<Link[]> {
  const imported = `hits.site_id = {siteId:String} AND hits.import_id ${without ? 'NOT IN (0, {number:UInt32})' : '!= 0'}`;
  const reader = createRowReader(
    await store.queryBytes(
      `SELECT heir.visitor_id, heir.visitor_alt FROM
         (SELECT visitor_id, visitor_alt, min(at) AS first FROM hits WHERE ${imported} AND visitor_alt != 0 GROUP BY visitor_id, visitor_alt) AS heir
       INNER JOIN
         (SELECT visitor_id, max(at) AS last FROM hits WHERE ${imported} AND visitor_id IN (SELECT visitor_alt FROM hits WHERE ${imported} AND visitor_alt != 0) GROUP BY visitor_id) AS ancestor
       ON heir.visitor_alt = ancestor.visitor_id
       WHERE toUnixTimestamp64Milli(heir.first) <= toUnixTimestamp64Milli(ancestor.last) + {gap:Int64}`,
      { params: { ...params, gap: gapMs } },
    ),
  );
  const links: Link[] = [];
  while (!reader.ended()) links.push({ heir: reader.id(), ancestor: reader.id() });
  return links;
}

/** The ids of each linked visitor, the earliest first. */
export function chainsOf(links: readonly Link[]): string[][] {
  const heirs = new Map<string, string[]>();
  for (const { heir, ancestor } of links) heirs.set(ancestor, [...(heirs.get(ancestor) ?? []), heir]);
  const isHeir = new Set(links.map(({ heir }) => heir));
  return [...heirs.keys()]
    .filter((id) => !isHeir.has(id))
    .map((root) => {
      const ids = [root];
      for (const id of ids) ids.push(...(heirs.get(id) ?? []));
      return ids;
    });
}

/** Visitors across midnight of whom the import has hits, with the size of each of their ids. */
export async function ownChains(store: ImportStore, params: Params, links: readonly Link[]): Promise<Chain[]> {
  const chains = chainsOf(links);
  const all = chains.flat();
  const parts = new Map<string, Part>();
  for (let at = 0; at < all.length; at += idsPerQuery) {
    const rows = await store.query<{ id: string; own: number; hits: string; bytes: string }>(
      `SELECT ${idText('visitor_id')} AS id, max(import_id = {number:UInt32}) AS own, count() AS hits, sum(${hitBytes}) AS bytes
       FROM hits WHERE site_id = {siteId:String} AND visitor_id IN (${idList(all.slice(at, at + idsPerQuery))}) GROUP BY visitor_id`,
      { params },
    );
    for (const { id, own, hits, bytes } of rows) parts.set(id, { own: own === 1, hits: Number(hits), bytes: Number(bytes) });
  }
  return chains
    .map((ids) => ({ ids, parts: ids.map((id) => parts.get(id) ?? { own: false, hits: 0, bytes: 0 }) }))
    .filter((chain) => chain.parts.some(({ own }) => own));
}

/** Total bytes of hits of an import's visitors, and a list of visitors with more than `most`, which are not part of the sum. */
export async function measure(store: ImportStore, params: Params, most: number): Promise<{ readonly bytes: number; readonly giants: readonly Chain[] }> {
  const [row] = await store.query<{ bytes: string; giants: [string, string, string][] }>(
    `SELECT sumIf(size, size <= {most:UInt64}) AS bytes, groupArrayIf((${idText('visitor_id')}, toString(hits), toString(size)), size > {most:UInt64}) AS giants FROM
       (SELECT visitor_id, count() AS hits, sum(${hitBytes}) AS size, max(import_id = {number:UInt32}) AS own
        FROM hits WHERE site_id = {siteId:String} AND import_id != 0 GROUP BY visitor_id HAVING own)`,
    { params: { ...params, most }, settings: { optimize_aggregation_in_order: 1 } },
  );
  const giants = (row?.giants ?? []).map(([id, hits, bytes]) => ({ ids: [id], parts: [{ own: true, hits: Number(hits), bytes: Number(bytes) }] }));
  return { bytes: Number(row?.bytes ?? 0), giants };
}

/** Condition on visits built from imports. */
export const importedVisits = "origin IN ('log', 'audit', 'import')";

/** Whether the site already has visits from imports. */
export const hasImportedVisits = async (store: ImportStore, siteId: string): Promise<boolean> =>
  (await store.query(`SELECT 1 FROM visits WHERE site_id = {siteId:String} AND deleted = 0 AND ${importedVisits} LIMIT 1`, { params: { siteId } })).length > 0;

/** Deletes visits of an import's visitors (and of `others`, by id) that were not rewritten with `version`: those visitors have no hits left. */
export async function dropOlder(store: ImportStore, params: Params, version: number, others: readonly string[]): Promise<void> {
  const old = `site_id = {siteId:String} AND deleted = 0 AND version < {version:UInt64} AND ${importedVisits}`;
  const options = { params: { ...params, version: String(version) } };
  // A site's first import has none.
  if ((await store.query(`SELECT 1 FROM visits WHERE ${old} LIMIT 1`, options)).length === 0) return;
  const drop = (people: string): Promise<void> =>
    store.command(
      `INSERT INTO visits (site_id, visit_id, start, visitor_id, version, deleted)
       SELECT site_id, visit_id, start, visitor_id, {version:UInt64}, 1 FROM visits FINAL WHERE ${old} AND ${people}`,
      options,
    );
  for (let at = 0; at < others.length; at += idsPerQuery) await drop(`visitor_id IN (${idList(others.slice(at, at + idsPerQuery))})`);
  await drop('visitor_id IN (SELECT visitor_id FROM hits WHERE site_id = {siteId:String} AND import_id = {number:UInt32})');
}
