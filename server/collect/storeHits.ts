import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log';
import { isAboutData } from '../stores/clickhouse/errors';
import type { ClickHouse } from '../stores/clickhouse/types';
import type { JournalRecord } from './journal';
import { insertHits } from './queries';
import { decodeHits } from './row';
import type { HitRow } from './row';

/** Requests are answered by the same thread: records are read so many at a time. */
const recordsAtAStretch = 100;

export async function rowsOf(records: readonly JournalRecord[]): Promise<HitRow[]> {
  const rows: HitRow[] = [];
  for (const [index, record] of records.entries()) {
    rows.push(...decodeHits(record.payload, record.columns));
    if (index % recordsAtAStretch === recordsAtAStretch - 1) await nextTurn();
  }
  return rows;
}

export async function storeHits(clickhouse: ClickHouse, records: readonly JournalRecord[], rows: readonly HitRow[]): Promise<void> {
  // The content names the batch: the same hits again are dropped by the server, other hits never are.
  const hash = createHash('sha256');
  for (const record of records) hash.update(record.payload);
  await insertHits(clickhouse, rows, hash.digest('base64url'));
}

type AsideParts = {
  readonly clickhouse: ClickHouse;
  readonly folder: string;
  readonly log: Log;
  /** Hits that the store refused were put aside. */
  readonly onAside: (hits: readonly HitRow[]) => void;
};

/** For hits that the server takes exception to: all others are stored, these are put aside. */
export async function storeOneByOne({ clickhouse, folder, log, onAside }: AsideParts, records: readonly JournalRecord[]): Promise<void> {
  for (const record of records) {
    try {
      await storeHits(clickhouse, [record], decodeHits(record.payload, record.columns));
    } catch (error) {
      // A full disk or too little memory is no error of the hit: it waits in the journal, where it is safe.
      if (!isAboutData(error)) throw error;
      const file = path.join(folder, 'rejected.jsonl');
      await appendFile(file, `${JSON.stringify({ columns: record.columns, hits: record.payload })}\n`, { mode: 0o600, flush: true });
      onAside(decodeHits(record.payload, record.columns));
      log.error('ClickHouse refuses a hit: it was put aside', { file, error });
    }
  }
}
