import type { Written, WrittenOrJob } from '../../../../../contract/tables/records';
import type { BatchResult, ChangeResult } from './types';

/** The answer to a write; of records that were written more than once, as they are at last. */
export function written(result: BatchResult, most = result.results.length): Written {
  const last = new Map(result.results.map((one) => [one.id, one.revision]));
  const { batchId, created, updated, removed, unchanged } = result;
  return {
    batchId,
    created,
    updated: updated + removed,
    unchanged,
    records: result.results.slice(0, most).map(({ id, n, revision }) => ({ id, n, revision: last.get(id) ?? revision })),
  };
}

/**
 * What a batch did to the records that were named, as the contract says it; of records that several changes touched, as the last left them. What it brought
 * about besides (records that went along, places that moved on) may be hidden from the caller and is left out.
 */
export function writtenOf({ batchId, results }: BatchResult): WrittenOrJob {
  const done = results.filter(({ outcome, system }) => outcome !== 'failed' && !system);
  const records = new Map(done.map(({ id, n, revision }) => [id, { id, n, revision }]));
  const idsOf = (wanted: ChangeResult['outcome']): Set<string> => new Set(done.filter(({ outcome }) => outcome === wanted).map(({ id }) => id));
  const [created, changed] = [idsOf('created'), idsOf('updated')];
  const updated = [...changed].filter((id) => !created.has(id)).length;
  return {
    batchId,
    created: created.size,
    updated,
    unchanged: records.size - created.size - updated,
    records: [...records.values()],
    jobId: null,
  };
}
