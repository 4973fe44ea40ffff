import { and, eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { actorOf } from '../../audit';
import { readerOf, requireGrant } from '../core/access';
import type { Caller, Reader } from '../core/access';
import { siteModel } from '../core/model';
import type { SiteModel } from '../core/model';
import { contentBatches } from '../core/schema';
import { inWrite } from '../core/write/call';
import { undoChoices } from '../core/write/choices';
import type { WriteTx } from '../core/write/types';
import { lockBatch, undoBatch } from '../core/write/undo';
import type { Undone } from '../core/write/undo';

type UndoCall = Caller & { readonly request: FastifyRequest; readonly locale: Locale };
/** What some batches make besides records, which goes and comes back with them: whoever makes it says how. */
export type MadeBesides<Made> = {
  /** Brings it back before a batch that made it is done again, so that its values have a place. null: this caller may not. */
  readonly bringBack: (ctx: Context, call: UndoCall, batchId: string) => Promise<Made | null>;
  /** Notes in the transaction that the batch was undone (`left`: places that stayed), or stands again. null: the batch made nothing besides. */
  readonly note: (w: WriteTx, siteId: string, batchId: string, change: { readonly undone: boolean; readonly left: number | null }) => Promise<Made | null>;
  /** Takes it away once the batch is undone, where this caller may. */
  readonly takeAway: (ctx: Context, call: UndoCall, made: Made) => Promise<void>;
};

const shownSkips = 100;
const undoAnswer = ({ batchId, shown: { undone, skipped } }: Undone) => ({
  batchId,
  undone,
  skipped: skipped.slice(0, shownSkips),
  skippedCount: skipped.length,
});

/** Undoing of whatever was done, and doing it again. */
export function registerUndoing<Made>(app: FastifyInstance, ctx: Context, besides: MadeBesides<Made>): void {
  /** The batch of a table that the caller may read; all others are not there. */
  async function batchOf(w: WriteTx, model: SiteModel, reader: Reader, id: string): ReturnType<typeof lockBatch> {
    const batch = await lockBatch(w, model.siteId, id);
    requireGrant(model.tables.find((table) => table.id === batch.tableId) ?? fail('not_found'), reader, 'read');
    return batch;
  }
  type Undoing = UndoCall & { readonly params: { readonly batch: string } };
  /** Undoes a batch, or (`redo`) the batch that has undone it. */
  async function undo(call: Undoing, redo: boolean): Promise<ReturnType<typeof undoAnswer>> {
    const siteId = call.site.id;
    const reader = readerOf(call);
    const [asked] = await ctx.postgres.db
      .select()
      .from(contentBatches)
      .where(and(eq(contentBatches.siteId, siteId), eq(contentBatches.id, call.params.batch)));
    const again = redo ? asked?.undoneBy !== null : asked?.door === 'undo' && asked.undoneBy === null;
    const back = asked && again ? await besides.bringBack(ctx, call, asked.of ?? asked.id) : null;
    const model = await siteModel(ctx, siteId);
    const who = { model, reader, timeZone: call.site.row.timeZone };
    const taken = inWrite(ctx, call, async (w): Promise<ReturnType<typeof undoAnswer> & { readonly made: Made | null }> => {
      const named = await batchOf(w, model, reader, call.params.batch);
      const batch = !redo ? named : await lockBatch(w, siteId, named.undoneBy ?? fail('bad_transition'));
      const result = await undoBatch(w, who, batch);
      await undoChoices(w, who, actorOf(call), batch, result.batchId);
      const goes = batch.door !== 'undo';
      const change = { undone: goes, left: goes ? result.skipped.length : null };
      const noted = result.batchId === null ? null : await besides.note(w, siteId, batch.of ?? batch.id, change);
      return { ...undoAnswer(result), made: goes ? noted : null };
    });
    const { made, ...answer } = await taken.catch(async (error: unknown) => {
      // What came back for nothing goes again.
      if (back) await besides.takeAway(ctx, call, back).catch(() => undefined);
      throw error;
    });
    if (made) await besides.takeAway(ctx, call, made);
    return answer;
  }
  route(app, ctx, endpoints.undoBatch, (call) => undo(call, false));
  route(app, ctx, endpoints.redoBatch, (call) => undo(call, true));
}
