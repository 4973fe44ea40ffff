import { hitColumns, storedId } from '../../collect/row';
import type { HitRow } from '../../collect/row';
import { readHit } from '../../collect/rowBinary';
import { createRowReader } from '../../stores/clickhouse/rowBinary';
import type { ImportStore } from './hitStore';
import type { Part } from './visitQueries';

/** A visitor (or one over several midnights) with more than this is worked through in order of time instead of whole. */
export const bytesAtOnce = 4 * 2 ** 20;
const fewestAtOnce = 1000;

/** Ids of visitors, both ends included, as decimal numbers. */
export type IdRange = { readonly least: string; readonly most: string };

export type HitReader = {
  readonly ofVisitors: (ids: readonly string[]) => Promise<HitRow[]>;
  /** All hits of a visitor in order of time, some at a time. */
  readonly inOrder: (id: string, part: Part) => AsyncGenerator<HitRow[]>;
  /** Hits of everybody in a range of ids whom the import has hits of, but for the visitors named. */
  readonly inRange: (range: IdRange, except: readonly string[]) => Promise<HitRow[]>;
};

const idList = (ids: readonly string[]): string => ids.map(storedId).join(',');
const selectHits = `SELECT ${hitColumns.map((column) => `hits.${column}`).join(', ')} FROM hits`;
const ofImport = 'site_id = {siteId:String} AND import_id = {number:UInt32}';

/** Reads stored hits of the visitors of an import. `without` leaves its own out. */
export function createHitReader(
  store: ImportStore,
  { siteId, number, without }: { readonly siteId: string; readonly number: number; readonly without: boolean },
): HitReader {
  const params = { siteId, number };
  const leaveOut = without ? 'AND hits.import_id != {number:UInt32}' : '';

  const read = async (condition: string, more: Readonly<Record<string, unknown>> = {}, settings = {}): Promise<HitRow[]> => {
    const reader = createRowReader(await store.queryBytes(`${selectHits} ${condition}`, { params: { ...params, ...more }, settings }));
    const hits: HitRow[] = [];
    while (!reader.ended()) hits.push(readHit(reader));
    return hits;
  };

  return {
    ofVisitors: (ids) => read(`WHERE hits.site_id = {siteId:String} AND hits.visitor_id IN (${idList(ids)}) ${leaveOut}`),

    inOrder: async function* (id, { hits: count, bytes }) {
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
    },

    inRange: (range, except) =>
      read(
        `WHERE hits.site_id = {siteId:String} AND hits.visitor_id BETWEEN {least:UInt64} AND {most:UInt64} AND hits.visitor_id IN
         (SELECT visitor_id FROM hits WHERE ${ofImport} AND visitor_id BETWEEN {least:UInt64} AND {most:UInt64})
       ${except.length === 0 ? '' : `AND hits.visitor_id NOT IN (${idList(except)})`} ${leaveOut}`,
        range,
      ),
  };
}
