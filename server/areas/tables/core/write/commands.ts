import type { FastifyRequest } from 'fastify';
import type { Locale } from '../../../../http/access';
import { fail } from '../../../../http/failure';
import { actorOf } from '../../../audit';
import { readerOf, requireGrant } from '../access';
import type { Caller } from '../access';
import { siteModel } from '../model';
import { undoChoices } from './choices';
import { findBatch, lockBatch, undoBatch } from './undo';
import type { BatchRow } from './undo';
import type { UndoResult, Written, WrittenOrJob } from '../../../../../contract/tables/records';
import type { BatchOrigin } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { newRecordId } from '../ids';
import type { TableContext } from '../tableContext';
import { inWrite } from './call';
import type { WriteCaller } from './call';
import { writeBatch } from './engine';
import { withHashes } from './passwords';
import { pastValues } from './revert';
import type { WriteTx, Change, WriteOptions, BatchResult, ChangeResult } from './types';
import { upserts } from './upsert';

/** By id, key or alias of a field; passwords in plain text. */
type Values = Readonly<Record<string, unknown>>;

export type NewRecords = {
  readonly records: readonly Values[];
  /** Language for localized fields. Default: the table's first. */
  readonly locale?: string | undefined;
  /** A unique or indexed field: a record with the same value is updated instead. */
  readonly upsertOn?: string | undefined;
  /** Publishes the new or changed records in the same batch, if the table uses drafts. */
  readonly publish: boolean;
  /** Origin, for the history. */
  readonly origin: BatchOrigin;
};
/** Creates records as one batch, or updates existing ones (`upsertOn`). Error paths start with `records.<at>`. */
export async function addRecords(ctx: Context, caller: WriteCaller | null, context: TableContext, input: NewRecords): Promise<Written> {
  const { locale, upsertOn, origin } = input;
  const records = await withHashes(context, 'create', input.records);
  return inWrite(ctx, caller, async (w) => {
    const makes: Change[] = records.map((values) => ({ kind: 'create', values, id: newRecordId(w.now.getTime()) }));
    const changes = upsertOn === undefined ? makes : await upserts(w, context, records, upsertOn);
    const published = input.publish && context.table.drafts ? changes.flatMap(({ id }): Change[] => (id === undefined ? [] : [{ kind: 'publish', id }])) : [];
    const path = (at: number): string => `records.${at % changes.length}`;
    return writeResponse(await writeBatch(w, context, [...changes, ...published], { origin, locale, path }), records.length);
  });
}

export type RecordChanges = {
  /** Individual changes. `revision`: the one that the writer has read; other people's later changes to other fields are kept. */
  readonly changes: readonly { readonly id: string; readonly values: Values; readonly revision?: number | undefined }[];
  /** Language for localized fields. Default: the table's first. */
  readonly locale?: string | undefined;
  /** Origin, for the history. */
  readonly origin: BatchOrigin;
  /** Path of the errors of change `at` in the request body. */
  readonly path: (at: number) => string;
};
/** Updates records as one batch. Throws `Clashed` if others have changed the same fields since. */
export async function changeRecords(ctx: Context, caller: WriteCaller | null, context: TableContext, { changes, ...options }: RecordChanges): Promise<Written> {
  const hashed = await withHashes(
    context,
    'update',
    changes.map(({ values }) => values),
  );
  const updates = changes.map(({ id, values, revision }, at): Change => ({
    kind: 'update',
    id,
    values: hashed[at] ?? values,
    ...(revision === undefined ? {} : { revision }),
  }));
  return inWrite(ctx, caller, async (w) => writeResponse(await writeBatch(w, context, updates, options)));
}

export type Reversal = {
  readonly id: string;
  /** The record gets the values that it had after this revision. */
  readonly revision: number;
  /** Names of fields; `<name>@<locale>` for a translation. */
  readonly fields: readonly string[];
  /** Origin, for the history. */
  readonly origin: BatchOrigin;
};
/** Reverts fields of a record to earlier values, as one batch. */
export async function revertRecord(ctx: Context, caller: WriteCaller, context: TableContext, { id, origin, ...target }: Reversal): Promise<void> {
  await inWrite(ctx, caller, async (w) => {
    let batchId: string | null = null;
    for (const [locale, values] of await pastValues(w, context, id, target)) {
      const options: WriteOptions = { origin, path: () => '', ...(locale === '' ? {} : { locale }), ...(batchId === null ? {} : { batchId }) };
      batchId = (await writeBatch(w, context, [{ kind: 'update', id, values }], options)).batchId ?? batchId;
    }
    return null;
  });
}

/** The response to a write; records written more than once appear in their final state. */
export function writeResponse(result: BatchResult, most = result.results.length): Written {
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
 * What a batch did to the records named in the request, in the contract's format; records with several changes appear in their final state. Side effects
 * on other records may be hidden from the caller and are omitted.
 */
export function bulkWriteResponse({ batchId, results }: BatchResult): WrittenOrJob {
  const done = results.filter(({ outcome, system }) => outcome !== 'failed' && !system);
  const records = new Map(done.map(({ id, n, revision }) => [id, { id, n, revision }]));
  const idsOf = (expectedOutcome: ChangeResult['outcome']): Set<string> =>
    new Set(done.filter(({ outcome }) => outcome === expectedOutcome).map(({ id }) => id));
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

/** Maximum number of skipped places in a response. */
const shownSkips = 100;
/** A call that undoes or redoes a batch. */
export type UndoCall = Caller & { readonly request: FastifyRequest; readonly locale: Locale };
/** Additional results of some batches (fields that an import adds), which are removed and restored with them. */
export type BatchExtras<Extra> = {
  /** Before a redo: restores the additional results, so that values have a column. null: the caller may not. */
  readonly restore: (ctx: Context, call: UndoCall, batchId: string) => Promise<Extra | null>;
  /**
   * In the transaction: marks the batch as undone (`left`: places that others have changed since) or as in effect again. null: it has no additional
   * results.
   */
  readonly note: (w: WriteTx, siteId: string, batchId: string, change: { readonly undone: boolean; readonly left: number | null }) => Promise<Extra | null>;
  /** After an undo: removes the additional results, if the caller may. */
  readonly remove: (ctx: Context, call: UndoCall, extra: Extra) => Promise<void>;
};

export type Undoing<Extra> = {
  /** Any batch; for `redoChanges`, one that is undone. */
  readonly batchId: string;
  readonly extras: BatchExtras<Extra>;
};
/**
 * Undoes a batch where nobody has changed its values since. Throws `not_found` if the caller may not read its table, and `bad_transition` if it is
 * already undone.
 */
export const undoChanges = <Extra>(ctx: Context, call: UndoCall, undoing: Undoing<Extra>): Promise<UndoResult> => reverse(ctx, call, undoing, false);
/** Redoes a batch by undoing the batch that undid it. Throws `bad_transition` if it is not undone. */
export const redoChanges = <Extra>(ctx: Context, call: UndoCall, undoing: Undoing<Extra>): Promise<UndoResult> => reverse(ctx, call, undoing, true);

async function reverse<Extra>(ctx: Context, call: UndoCall, { batchId, extras }: Undoing<Extra>, isRedo: boolean): Promise<UndoResult> {
  const siteId = call.site.id;
  const named = await findBatch(ctx.postgres.db, siteId, batchId);
  const standsAgain = named !== null && (isRedo ? named.undoneBy !== null : named.origin === 'undo' && named.undoneBy === null);
  const restored = standsAgain ? await extras.restore(ctx, call, named.of ?? named.id) : null;
  const context = { model: await siteModel(ctx, siteId), reader: readerOf(call), timeZone: call.site.row.timeZone };
  const done = inWrite(ctx, call, async (w) => {
    const batch = await lockReadableBatch(w, context, batchId);
    return reverseLocked(w, call, context, isRedo ? await lockBatch(w, siteId, batch.undoneBy ?? fail('bad_transition')) : batch, extras);
  });
  const { extraToRemove, ...response } = await done.catch(async (error: unknown) => {
    // The redo failed, so its preparation is reverted.
    if (restored !== null) await extras.remove(ctx, call, restored).catch(() => undefined);
    throw error;
  });
  if (extraToRemove !== null) await extras.remove(ctx, call, extraToRemove);
  return response;
}

/** Records, choices and the state of additional results. The response is stored for repeated calls; `extraToRemove`: what to remove after the commit. */
async function reverseLocked<Extra>(
  w: WriteTx,
  call: UndoCall,
  context: Omit<TableContext, 'table'>,
  batch: BatchRow,
  extras: BatchExtras<Extra>,
): Promise<UndoResult & { readonly extraToRemove: Extra | null }> {
  const result = await undoBatch(w, context, batch);
  await undoChoices(w, context, actorOf(call), batch, result.batchId);
  const isUndone = batch.origin !== 'undo';
  const change = { undone: isUndone, left: isUndone ? result.skipped.length : null };
  const extra = result.batchId === null ? null : await extras.note(w, call.site.id, batch.of ?? batch.id, change);
  const { undone, skipped } = result.visibleOutcome;
  return { batchId: result.batchId, undone, skipped: skipped.slice(0, shownSkips), skippedCount: skipped.length, extraToRemove: isUndone ? extra : null };
}

/** Batches of tables that the reader may not read count as missing. */
async function lockReadableBatch(w: WriteTx, { model, reader }: Omit<TableContext, 'table'>, batchId: string): Promise<BatchRow> {
  const batch = await lockBatch(w, model.siteId, batchId);
  requireGrant(model.tables.find((table) => table.id === batch.tableId) ?? fail('not_found'), reader, 'read');
  return batch;
}
