import type { FieldType } from '../../../../contract/tables/fieldTypes';
import type { BatchOrigin } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { grantOf, requireGrant } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import { writeBatch } from '../core/write/engine';
import { findBatch } from '../core/write/undo';
import type { Change, WriteTx } from '../core/write/types';
import { newRecordId } from '../core/ids';
import { upserts } from '../core/write/upsert';
import type { TextReader } from './translations';

export type WritableField = { readonly id: string; readonly key: string; readonly title: string; readonly type: FieldType; readonly isKey: boolean };

/** The fields of a table that somebody may write. `isKey`: unique or indexed, so that records can be found by its values. Throws `not_found`, `forbidden`. */
export async function writableFields(ctx: Context, who: TextReader, tableId: string): Promise<WritableField[]> {
  const table = tableOf(await siteModel(ctx, who.siteId), tableId);
  requireGrant(table, who.reader, 'read');
  const [creates, updates] = [requireGrant(table, who.reader, 'create'), grantOf(table, who.reader, 'update')];
  return table.fields
    .filter((field) => creates.covers(field) && updates.covers(field))
    .map(({ id, key, title, type, isUnique, indexed }) => ({ id, key, title, type, isKey: isUnique || indexed }));
}

/** Whether a batch of changes exists: what writes it was done before. */
export const hasBatch = async (ctx: Context, siteId: string, batchId: string): Promise<boolean> => (await findBatch(ctx.postgres.db, siteId, batchId)) !== null;

/** Records to write into a table. `keyField`: a unique or indexed field; records with the same value are updated. */
export type RecordInput = {
  readonly tableId: string;
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly keyField: string | null;
  readonly batchId: string;
  readonly origin: BatchOrigin;
};
/** Writes records into one batch. Those with values that a field refuses are left out and counted. */
export async function writeRecords(
  w: WriteTx,
  who: TextReader,
  { tableId, records, keyField, batchId, origin }: RecordInput,
): Promise<{ created: number; updated: number; unchanged: number; refused: number }> {
  const model = await siteModel(w.ctx, who.siteId);
  const context = { model, table: tableOf(model, tableId), reader: who.reader, timeZone: who.timeZone };
  const makes: Change[] = records.map((values) => ({ kind: 'create', values, id: newRecordId(w.now.getTime()) }));
  const changes = keyField === null ? makes : await upserts(w, context, records, keyField);
  const { created, updated, unchanged, results } = await writeBatch(w, context, changes, { origin, errors: 'collect', batchId });
  return { created, updated, unchanged, refused: results.filter(({ outcome }) => outcome === 'failed').length };
}
