import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import { Failure, fail } from '../../../http/failure';
import { JobInterrupted } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { jobs } from '../../../worker/schema';
import { designing, removeTable } from '../schema';
import { historyTable, newRecordId } from '../core/ids';
import { undoChoices } from '../core/write/choices';
import { siteModel } from '../core/model';
import type { SiteModel } from '../core/model';
import { inWrite } from '../core/write/call';
import type { TableContext } from '../core/tableContext';
import { lockBatch, undoChunk } from '../core/write/undo';
import type { Skipped } from '../core/write/undoLines';
import { dropCreatedFields } from './addedFields';
import * as queries from './queries';
import type { ImportRow } from './queries';
import { takeBackFiles } from './addedFiles';
import { removeFiles } from './archive';
import type { StartedBy } from '../core/starter';

/** Records that are undone in one transaction and looked up at once. */
const atOnce = 1000;
const lookUp = 20_000;
/** Maximum number of fields retried at the end: the limit of one transaction. */
const mostLate = 10_000;
/** Larger undos run as a job. */
export const mostAtOnce = 2000;

type Place = { readonly tableId: string; readonly recordId: string };
type State = {
  readonly undoId: string;
  readonly after: Place | null;
  readonly seen: number;
  readonly left: number;
  readonly any: boolean;
  /** Fields that wait for a unique value held by a record of another chunk; null: already retried. */
  readonly late?: readonly (Place & { readonly field: string })[] | null;
};
type Keep = (w: Parameters<typeof undoChunk>[0], before: State, state: State) => Promise<void>;

async function nextRecords(ctx: Context, siteId: string, batchId: string, after: Place | null): Promise<Place[]> {
  const { rows } = await ctx.postgres.pool.query<Place>(
    `SELECT DISTINCT table_id AS "tableId", record_id AS "recordId" FROM ${historyTable(siteId)}
     WHERE batch = $1::uuid AND ($2::text IS NULL OR (table_id, record_id) > ($2::text, $3::uuid)) ORDER BY 1, 2 LIMIT ${lookUp}`,
    [batchId, after?.tableId ?? null, after?.recordId ?? null],
  );
  return rows;
}

/** What a chunk has skipped: fields that are not unique are final; of the others, as many as fit one transaction are retried at the end. */
function waitingOf(
  model: SiteModel,
  piece: readonly Place[],
  skipped: readonly Skipped[],
  { late }: State,
): { late: NonNullable<State['late']>; left: number } {
  const tables = new Map(piece.map(({ tableId, recordId }) => [recordId, tableId]));
  const more = skipped.flatMap(({ recordId, field }) => {
    const isUnique = field !== null && model.fieldById.get(field)?.field.isUnique === true;
    return isUnique ? [{ tableId: tables.get(recordId) ?? '', recordId, field }] : [];
  });
  const known = late ?? [];
  return known.length + more.length <= mostLate ? { late: [...known, ...more], left: skipped.length - more.length } : { late: known, left: skipped.length };
}

/**
 * Undoes everything that an import wrote, a thousand records per transaction, all in one batch; `keep` stores the progress in the same transaction.
 * Later changes are kept and counted. A table that the import created goes into the bin; so do fields that it created and that are now empty.
 */
async function undoAll(ctx: Context, row: ImportRow, by: StartedBy, begun: State, keep: Keep, step: (processedCount: number) => Promise<void>): Promise<void> {
  const { db } = ctx.postgres;
  const { siteId, batchId, tableId } = row;
  const designer = { siteId, lang: by.lang, actor: by.actor, userId: by.userId, reader: { role: by.role, userId: by.userId }, locale: by.locale };
  let state = begun;
  if (row.createdTable) {
    if (!by.designs) fail('forbidden');
    await designing(ctx, designer, async (design) => {
      const table = (await design.model()).tables.find((one) => one.id === tableId);
      if (table) await removeTable(design, table);
    });
  } else if (batchId !== null) {
    for (let some = await nextRecords(ctx, siteId, batchId, state.after); some.length > 0; some = await nextRecords(ctx, siteId, batchId, state.after)) {
      for (let at = 0; at < some.length; at += atOnce) {
        const piece = some.slice(at, at + atOnce);
        const before = state;
        const who: Pick<TableContext, 'model' | 'reader' | 'timeZone'> = {
          model: await siteModel(ctx, siteId),
          reader: designer.reader,
          timeZone: by.timeZone,
        };
        state = await inWrite(ctx, null, async (w) => {
          const batch = await lockBatch(w, siteId, batchId);
          const undone = await undoChunk(w, who, batch, before.undoId, piece);
          const { late, left } = waitingOf(who.model, piece, undone.skipped, before);
          const next: State = {
            ...before,
            after: piece.at(-1) ?? before.after,
            seen: before.seen + piece.length,
            left: before.left + left,
            any: before.any || undone.undone > 0,
            late,
          };
          await keep(w, before, next);
          return next;
        });
        await step(state.seen);
      }
    }
    const { late } = state;
    // Values swapped between records of different chunks are restored at once.
    if (late && late.length > 0) {
      const before = state;
      const who = { model: await siteModel(ctx, siteId), reader: designer.reader, timeZone: by.timeZone };
      state = await inWrite(ctx, null, async (w) => {
        const records = new Map(late.map(({ tableId: table, recordId }) => [`${table} ${recordId}`, { tableId: table, recordId }]));
        const undone = await undoChunk(w, who, await lockBatch(w, siteId, batchId), before.undoId, [...records.values()]);
        const left = late.filter((one) => undone.skipped.some(({ recordId, field }) => recordId === one.recordId && (field === null || field === one.field)));
        const next: State = { ...before, seen: before.seen + 1, left: before.left + left.length, any: before.any || undone.undone > 0, late: null };
        await keep(w, before, next);
        return next;
      });
    }
    await inWrite(ctx, null, async (w) => {
      const model = await siteModel(ctx, siteId);
      const batch = await lockBatch(w, siteId, batchId).catch((error: unknown) =>
        error instanceof Failure && error.code === 'not_found' ? null : Promise.reject(error),
      );
      if (batch) await undoChoices(w, { model, reader: designer.reader }, by.actor, batch, state.any ? state.undoId : null);
    });
    if (by.designs) await dropCreatedFields(ctx, designer, row);
  }
  if (by.storesFiles === true) await takeBackFiles(ctx, { importId: row.id, siteId, actor: by.actor });
  await queries.changeImport(db, row.id, {
    requested: null,
    ended: 'done',
    undone: true,
    left: state.left,
    finishedAt: row.finishedAt ?? new Date(ctx.now()),
    pace: null,
  });
  await removeFiles(ctx, row.id);
}
const newState = (ctx: Context): State => ({ undoId: newRecordId(ctx.now()), after: null, seen: 0, left: 0, any: false });

/** For few records, within the call. */
export const undoNow = (ctx: Context, row: ImportRow, by: StartedBy): Promise<void> =>
  undoAll(
    ctx,
    row,
    by,
    newState(ctx),
    async () => undefined,
    async () => undefined,
  );

/** For many, as a job that continues after a crash. */
export async function undoRows(ctx: Context, job: RunningJob, row: ImportRow, by: StartedBy): Promise<void> {
  const total = (row.counts?.insert ?? 0) + (row.counts?.update ?? 0);
  let saved = job.saved as State | null;
  // The id of the undo batch is stored before anything is undone.
  if (!saved) await job.save((saved = newState(ctx)));
  const keep: Keep = async (w, before, state) => {
    const moved = await w.tx
      .update(jobs)
      .set({ stateData: state })
      .where(and(eq(jobs.id, job.id), eq(jobs.state, 'running'), sql`(${jobs.stateData}->>'seen')::int = ${before.seen}`))
      .returning({ id: jobs.id });
    if (moved.length === 0) throw new JobInterrupted('lost');
  };
  await undoAll(ctx, row, by, saved, keep, (processedCount) => job.progress(Math.min(processedCount, total), total));
}
