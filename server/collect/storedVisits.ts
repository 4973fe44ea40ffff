import { createRowReader } from '../stores/clickhouse/rowBinary';
import type { RowReader } from '../stores/clickhouse/rowBinary';
import type { ClickHouse } from '../stores/clickhouse/types';
import { keyOf, storedId } from './row';
import type { VisitorName } from './queries';

/** The key and end of a visit that readers see. */
export type StoredVisit = { readonly id: string; readonly start: number; readonly last: number };
type Reading = Pick<ClickHouse, 'queryBytes' | 'query'>;

/** Ids per statement: the text of a query is limited to 256 kB. */
const idsPerQuery = 2000;
/** Versions of a visit are never in two partitions. */
const settings = { do_not_merge_across_partitions_select_final: 1 };

async function read(ch: Reading, condition: string, params: Readonly<Record<string, unknown>>, each: (visitorId: string, visit: StoredVisit) => void) {
  const bytes = await ch.queryBytes(
    `SELECT visitor_id, visit_id, toUnixTimestamp64Milli(start), toUnixTimestamp64Milli(last) FROM visits FINAL WHERE site_id = {siteId:String} AND deleted = 0 AND ${condition}`,
    { params, settings },
  );
  const next = (reader: RowReader): void => each(reader.id(), { id: reader.id(), start: reader.i64(), last: reader.i64() });
  for (const reader = createRowReader(bytes); !reader.ended();) next(reader);
}

/** The stored visits of some visitors, by `keyOf` of the visitor. */
export async function findStoredVisits(ch: Reading, names: readonly VisitorName[]): Promise<Map<string, StoredVisit[]>> {
  const bySite = new Map<string, string[]>();
  for (const { siteId, id } of names) {
    const ids = bySite.get(siteId);
    if (ids === undefined) bySite.set(siteId, [id]);
    else ids.push(id);
  }
  const found = new Map<string, StoredVisit[]>();
  for (const [siteId, ids] of bySite)
    for (let at = 0; at < ids.length; at += idsPerQuery)
      await read(
        ch,
        `visitor_id IN (${ids
          .slice(at, at + idsPerQuery)
          .map(storedId)
          .join(',')})`,
        { siteId },
        (visitorId, visit) => {
          const key = keyOf(siteId, visitorId);
          const visits = found.get(key);
          if (visits === undefined) found.set(key, [visit]);
          else visits.push(visit);
        },
      );
  return found;
}

export type VisitsInOrder = {
  /** The visits of all visitors up to an id that were not returned before, by visitor. Ids must increase from call to call. */
  readonly upTo: (visitorId: string) => Promise<ReadonlyMap<string, readonly StoredVisit[]>>;
};

/** Visits held in memory at a time. */
const visitsAtOnce = 250_000;
const ids = 2n ** 64n;
const noVisits: VisitsInOrder = { upTo: () => Promise.resolve(new Map()) };

/**
 * Reads the stored visits of a site in the order of their visitors, in parts: ids are hashes, so equal ranges of them contain about the same number of visits.
 * `only`: a condition on `visits`.
 */
export async function openVisitsInOrder(ch: Reading, siteId: string, only = '1'): Promise<VisitsInOrder> {
  const [row] = await ch.query<{ n: string }>(`SELECT count() AS n FROM visits WHERE site_id = {siteId:String} AND deleted = 0 AND ${only}`, {
    params: { siteId },
  });
  const count = Number(row?.n ?? 0);
  if (count === 0) return noVisits;
  const stretches = BigInt(Math.ceil(count / visitsAtOnce));
  const edge = (stretch: bigint): bigint => (ids * stretch) / stretches;
  let found: (readonly [string, StoredVisit])[] = [];
  let at = 0;
  let next = 0n;

  async function readStretch(): Promise<void> {
    const [least, end] = [edge(next), edge(next + 1n)];
    found = found.slice(at);
    at = 0;
    const more: typeof found = [];
    const between = `${only} AND visitor_id BETWEEN {least:UInt64} AND {most:UInt64}`;
    await read(ch, between, { siteId, least: least.toString(), most: (end - 1n).toString() }, (visitor, visit) => more.push([visitor, visit]));
    found.push(...more.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    next += 1n;
  }

  return {
    async upTo(visitorId) {
      const most = BigInt(`0x${visitorId}`);
      const visits = new Map<string, StoredVisit[]>();
      for (;;) {
        for (; at < found.length && (found[at] as (typeof found)[number])[0] <= visitorId; at += 1) {
          const [visitor, visit] = found[at] as (typeof found)[number];
          const own = visits.get(visitor);
          if (own === undefined) visits.set(visitor, [visit]);
          else own.push(visit);
        }
        if (next >= stretches || edge(next) > most) return visits;
        await readStretch();
      }
    },
  };
}

/** The stored visits that are replaced: those that were not created again. */
export function replacedBy(created: Iterable<{ readonly visit_id: string; readonly start: number }>, stored: Iterable<StoredVisit>): StoredVisit[] {
  const names = new Set<string>();
  for (const { visit_id: id, start } of created) names.add(`${id}${start}`);
  return [...stored].filter(({ id, start }) => !names.has(`${id}${start}`));
}
