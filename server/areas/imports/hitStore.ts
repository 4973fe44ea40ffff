import { hitColumns, storedId } from '../../collect/row';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { createRowReader } from '../../stores/clickhouse/rowBinary';

/** What reading and building need of ClickHouse. All of it can be asked for from another thread: no signals, no streams. */
export type ImportStore = Pick<ClickHouse, 'query' | 'queryBytes' | 'command' | 'insertBytes'>;

/** The columns of an imported hit: those of every hit, and the import that brought it. */
const importedColumns = [...hitColumns, 'import_id'];

/** Stores hits marked with the import that brought them. The same token again adds nothing. */
export const insertImported = (store: Pick<ImportStore, 'insertBytes'>, rows: Uint8Array, token: string): Promise<void> =>
  store.insertBytes('hits', importedColumns, rows, { token });

/** Whether the site has hits of another import. */
export const hasOthers = async (store: Pick<ImportStore, 'query'>, siteId: string, importNumber: number): Promise<boolean> =>
  (
    await store.query('SELECT 1 FROM hits WHERE site_id = {siteId:String} AND import_id NOT IN (0, {number:UInt32}) LIMIT 1', {
      params: { siteId, number: importNumber },
    })
  ).length > 0;

/** What tells hits apart; imported ones have the sequence number 0. */
export type HitName = { readonly visitor: string; readonly view: string };
export const hitName = ({ visitor, view }: HitName): string => visitor + view;

export type NamedHits = {
  readonly names: readonly HitName[];
  /** Epoch ms, both included. */
  readonly firstAt: number;
  readonly lastAt: number;
};

/**
 * Which of some hits are there already from another import. One pass over the time of the hits: their names lie all over the primary key, so looking
 * each of them up reads far more.
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
