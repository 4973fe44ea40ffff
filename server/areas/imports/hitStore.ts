import { hitColumns, storedId } from '../../collect/row';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { createRowReader } from '../../stores/clickhouse/rowBinary';

/** The ClickHouse operations that reading and building use. All of them can be called from another thread: no signals, no streams. */
export type ImportStore = Pick<ClickHouse, 'query' | 'queryBytes' | 'command' | 'insertBytes'>;

/** The columns of an imported hit: those of every hit, and the number of its import. */
const importedColumns = [...hitColumns, 'import_id'];

/** Stores hits with the number of their import. Repeating a token adds nothing. */
export const insertImported = (store: Pick<ImportStore, 'insertBytes'>, rows: Uint8Array, token: string): Promise<void> =>
  store.insertBytes('hits', importedColumns, rows, { token });

/** Whether the site has hits of another import. */
export const hasOthers = async (store: Pick<ImportStore, 'query'>, siteId: string, importNumber: number): Promise<boolean> =>
  (
    await store.query('SELECT 1 FROM hits WHERE site_id = {siteId:String} AND import_id NOT IN (0, {number:UInt32}) LIMIT 1', {
      params: { siteId, number: importNumber },
    })
  ).length > 0;

/** The key of an imported hit; its sequence number is always 0. */
export type HitName = { readonly visitor: string; readonly view: string };
export const hitName = ({ visitor, view }: HitName): string => visitor + view;

export type NamedHits = {
  readonly names: readonly HitName[];
  /** Epoch ms, both inclusive. */
  readonly firstAt: number;
  readonly lastAt: number;
};

/**
 * Which of the given hits already exist from another import. One pass over the time range of the hits: their keys are scattered over the whole primary key, so
 * looking up each of them would read far more.
 */
export async function knownHits(store: Pick<ImportStore, 'queryBytes'>, siteId: string, importNumber: number, hits: NamedHits): Promise<Set<string>> {
  const ids = (list: readonly string[]): string => `[${list.map(storedId).join(',')}]`;
  const bytes = await store.queryBytes(
    `SELECT hits.visitor_id, hits.view_id FROM hits
     WHERE site_id = {siteId:String} AND import_id NOT IN (0, {number:UInt32}) AND seq = 0
       AND at BETWEEN fromUnixTimestamp64Milli({first:Int64}, 'UTC') AND fromUnixTimestamp64Milli({last:Int64}, 'UTC')
       AND (hits.visitor_id, hits.view_id) IN (SELECT visitor, view FROM (SELECT CAST(${ids(hits.names.map((name) => name.visitor))}, 'Array(UInt64)') AS v, CAST(${ids(hits.names.map((name) => name.view))}, 'Array(UInt64)') AS w) ARRAY JOIN v AS visitor, w AS view)`,
    { params: { siteId, number: importNumber, first: hits.firstAt, last: hits.lastAt }, settings: { max_query_size: 256 * 1024 + 50 * hits.names.length } },
  );
  const found = new Set<string>();
  for (const reader = createRowReader(bytes); !reader.ended();) found.add(hitName({ visitor: reader.id(), view: reader.id() }));
  return found;
}
