import { visitColumns, writeTombstone, writeVisit } from '../../collect/rowBinary';
import type { StoredVisit } from '../../collect/storedVisits';
import type { VisitRow } from '../../collect/visits';
import { createRowWriter } from '../../stores/clickhouse/rowBinary';
import type { ImportStore } from './hitStore';

/** Bytes of visits per insert: far below the size of one ClickHouse block, so that each insert becomes visible atomically. */
const bytesPerInsert = 16 * 2 ** 20;

/** New visits and those that they replace; readers see either the old or the new ones. */
export type Replacement = { readonly visits: readonly VisitRow[]; readonly replaced: readonly StoredVisit[] };

/** Stores visits in few large inserts; one is stored while the next is collected. */
export function createVisitOutput(store: ImportStore, siteId: string, version: number) {
  const writer = createRowWriter(bytesPerInsert + 2 ** 20);
  let storing: Promise<void> = Promise.resolve();
  async function flush(): Promise<void> {
    const rows = writer.take();
    await storing;
    storing = store.insertBytes('visits', visitColumns, rows);
    storing.catch(() => undefined);
  }
  return {
    async add({ visits, replaced }: Replacement): Promise<void> {
      for (const visit of visits) writeVisit(writer, visit, version);
      for (const visit of replaced) writeTombstone(writer, { site_id: siteId, visit_id: visit.id, start: visit.start }, version);
      if (writer.size() >= bytesPerInsert) await flush();
    },
    /** Resolves when everything is stored. */
    async flush(): Promise<void> {
      await flush();
      await storing;
    },
    settle: (): Promise<void> => storing.catch(() => undefined),
  };
}
