import { visitColumns, writeTombstone, writeVisit } from '../../collect/rowBinary';
import type { StoredVisit } from '../../collect/storedVisits';
import type { VisitRow } from '../../collect/visits';
import { createRowWriter } from '../../stores/clickhouse/rowBinary';
import type { ImportStore } from './hitStore';

/** Bytes of visits stored at once: far less than ClickHouse takes for one block, so that each insert is seen whole or not at all. */
const bytesPerInsert = 16 * 2 ** 20;

/** Visits, and those that they take the place of: readers see the one or the other. */
export type Replacement = { readonly made: readonly VisitRow[]; readonly gone: readonly StoredVisit[] };

/** Stores visits in few large inserts, one while the next gathers. */
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
    async add({ made: visits, gone }: Replacement): Promise<void> {
      for (const visit of visits) writeVisit(writer, visit, version);
      for (const visit of gone) writeTombstone(writer, { site_id: siteId, visit_id: visit.id, start: visit.start }, version);
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
