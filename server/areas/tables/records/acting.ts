import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Target, WrittenOrJob } from '../../../../contract/tables/records';
import { tableLimits } from '../../../../contract/tables/terms';
import type { z } from 'zod';
import type { Context } from '../../../context';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { ResponseOf, CallOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { requireGrant } from '../core/access';
import { inWrite, writeContextOf, originAt } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { permitted } from '../core/write/lookups';
import { bulkWriteResponse } from '../core/write/commands';
import type { TableContext } from '../core/tableContext';
import type { Change } from '../core/write/types';
import { actionOf, changesOf, originOf, requireAct, valuesFor } from './acts';
import type { Act } from './acts';
import { tryBulk } from './bulkPreview';
import { enqueueBulk } from './bulkJob';
import { readState, refuseOthers, requireSame } from './bulkState';
import type { BulkState } from './bulkState';
import { Referenced, blockersFor } from './consequences';
import { copiesOf } from './duplicating';
import { firstFrom } from './queries';
import { moves } from './moving';
import { purge } from './purge';
import { restoreRecords } from './restoring';
import { allowedInBin, idsOf, revisionsOf } from './target';

export type RecordsCall = {
  readonly site: SiteAccess;
  readonly session: SessionInfo;
  readonly request: FastifyRequest;
  readonly params: { readonly table: string };
};

/** Maximum number of skipped records in a response. */
const shownSkips = 100;

/** Paths of record errors in a request body that names records; a single missing record yields 404. */
const pathOf =
  (part: string, ids: readonly string[]) =>
  (at: number): string =>
    ids.length === 1 ? '' : `${part}.${at}`;

/** Actions on records: bulk edit, bin, publishing, order, copies. */
export function registerActs(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.bulkChange, (call) => bulkChange(ctx, call));
  route(app, ctx, endpoints.trashRecords, (call) => act(ctx, call, call.body.target, { kind: 'trash' }));
  route(app, ctx, endpoints.unpublishRecords, (call) => act(ctx, call, call.body.target, { kind: 'unpublish' }));
  route(app, ctx, endpoints.publishRecords, (call) => publishRecords(ctx, call));
  route(app, ctx, endpoints.restoreRecords, (call) => restoreFromBin(ctx, call));
  route(app, ctx, endpoints.purgeRecords, (call) => purgeRecords(ctx, call));
  route(app, ctx, endpoints.moveRecords, (call) => moveRecords(ctx, call));
  route(app, ctx, endpoints.duplicateRecords, (call) => duplicateRecords(ctx, call));
}

/**
 * Applies an action immediately to named records and to up to a thousand matches of a filter; larger sets become a job. `seen`: the state that the
 * caller was shown before.
 */
async function act(
  ctx: Context,
  call: RecordsCall,
  target: z.output<typeof Target>,
  deed: Act,
  expectedState: BulkState | null = null,
): Promise<WrittenOrJob & { readonly matched: number }> {
  const context = await writeContextOf(ctx, call);
  requireAct(context, deed);
  const viaToken = call.session.token !== null;
  const ids = await targeted(ctx, context, target, deed);
  const isMany = !('ids' in target) && ids.length > tableLimits.batch;
  const values = await valuesFor(context, deed, isMany ? [] : ids);
  const action = actionOf(deed);
  const many = isMany && deed.kind === 'change' ? await revisionsOf(ctx, context, action, target, null) : null;
  const written = inWrite(ctx, call, async (w) => {
    if (isMany) {
      if (expectedState && many) await refuseOthers(ctx, context, action, target, expectedState, many);
      const jobId = await enqueueBulk(w, { ...context, viaToken }, target, deed, many?.at ?? null);
      return { batchId: null, created: 0, updated: 0, unchanged: 0, records: [], jobId, matched: many?.count ?? ids.length };
    }
    if (expectedState) await requireSame(w, context, action, ids, 'ids' in target ? { filter: null, ids } : target, expectedState);
    const changes = await changesOf(w, context, deed, ids, values);
    const options = {
      origin: originOf(deed, viaToken),
      path: deed.kind === 'change' ? () => 'values' : pathOf('target.ids', ids),
      ...(deed.kind === 'change' ? { locale: deed.locale } : {}),
    };
    return { ...bulkWriteResponse(await writeBatch(w, context, changes, options)), matched: ids.length };
  });
  return written.catch(async (error: unknown) => {
    if (!(error instanceof Referenced)) throw error;
    return fail('referenced', { current: await blockersFor(ctx, context, error) });
  });
}

/** Ids of the targeted records; for a filter, up to one more than a batch may hold. */
async function targeted(ctx: Context, context: TableContext, target: z.output<typeof Target>, deed: Act): Promise<string[]> {
  if ('ids' in target) return [...new Set(target.ids)];
  const action = actionOf(deed);
  return idsOf(ctx, ctx.postgres.db, context, action, target, { after: null, until: new Date(ctx.now()), most: tableLimits.batch + 1 }, 'people');
}

/** Applies the same change to all targeted records, or (`dryRun`) previews it. */
async function bulkChange(ctx: Context, call: CallOf<typeof endpoints.bulkChange>): Promise<ResponseOf<typeof endpoints.bulkChange>> {
  const { target, values, locale, state, dryRun: isTrial } = call.body;
  const deed: Act = { kind: 'change', values, locale };
  if (!isTrial) return { ...(await act(ctx, call, target, deed, state === undefined ? null : readState(state))), state: null, samples: [] };
  const context = await writeContextOf(ctx, call);
  requireAct(context, deed);
  return tryBulk(ctx, context, target, await targeted(ctx, context, target, deed), deed, {
    origin: originOf(deed, call.session.token !== null),
    locale: call.locale,
  });
}

/** Publishes now or at a given time, or cancels a schedule. Throws `invalid_fields` if unpublishing would come first. */
async function publishRecords(ctx: Context, call: CallOf<typeof endpoints.publishRecords>): Promise<WrittenOrJob> {
  const { target, at, unpublishAt, cancel } = call.body;
  if (typeof unpublishAt === 'string' && Date.parse(unpublishAt) <= Math.max(ctx.now(), at === null ? 0 : Date.parse(at)))
    fail('invalid_fields', { fields: { unpublishAt: { code: 'out_of_range' } } });
  if (cancel) return act(ctx, call, target, { kind: 'schedule', publishAt: null, unpublishAt });
  const later = at !== null && Date.parse(at) > ctx.now();
  return act(ctx, call, target, later ? { kind: 'schedule', publishAt: at, unpublishAt } : { kind: 'publish', unpublishAt });
}

async function restoreFromBin(ctx: Context, call: CallOf<typeof endpoints.restoreRecords>): Promise<ResponseOf<typeof endpoints.restoreRecords>> {
  const context = await writeContextOf(ctx, call);
  requireGrant(context.table, context.reader, 'delete');
  const ids = [...new Set(call.body.ids)];
  return inWrite(ctx, call, async (w) => {
    const restored = await restoreRecords(w, context, ids, { origin: originAt(call.session, 'console'), path: pathOf('ids', ids) });
    return { ...bulkWriteResponse(restored), updated: restored.updated, skipped: restored.skipped.slice(0, shownSkips), skippedCount: restored.skipped.length };
  });
}

/** Permanently deletes records in the bin, with an entry in the audit log. */
async function purgeRecords(ctx: Context, call: CallOf<typeof endpoints.purgeRecords>): Promise<ResponseOf<typeof endpoints.purgeRecords>> {
  const context = await writeContextOf(ctx, call);
  const { model, table, reader } = context;
  requireGrant(table, reader, 'delete');
  const allowed = await allowedInBin(ctx, context);
  return inWrite(ctx, call, async (w) => {
    const gone = await purge(w.tx, model, table, { ids: call.body.ids, allowed });
    if (gone.length > 0) {
      const target = { kind: 'table', id: table.id, name: table.title };
      await record(ctx, w.tx, actorOf(call), { action: 'table.purged', siteId: model.siteId, target, after: { records: gone.length } });
      w.after(() => ctx.live.publish({ type: 'records', siteId: model.siteId, tableId: table.id, ids: gone.slice(0, 150), by: reader.userId }));
    }
    return { purged: gone.length };
  });
}

/** Moves records before another one (`before`; null: to the end). */
async function moveRecords(ctx: Context, call: CallOf<typeof endpoints.moveRecords>): Promise<ResponseOf<typeof endpoints.moveRecords>> {
  const context = await writeContextOf(ctx, call);
  requireGrant(context.table, context.reader, 'update');
  return inWrite(ctx, call, async (w) => {
    const ids = [...new Set(call.body.ids)];
    const changes = await moves(w, context, ids, call.body.before);
    return bulkWriteResponse(await writeBatch(w, context, changes, { origin: originAt(call.session, 'console'), path: pathOf('ids', ids) }));
  });
}

/** Copies records as one batch; the copy of a single record is placed after it. Throws `conflict` for a singleton. */
async function duplicateRecords(ctx: Context, call: CallOf<typeof endpoints.duplicateRecords>): Promise<ResponseOf<typeof endpoints.duplicateRecords>> {
  const context = await writeContextOf(ctx, call);
  const { model, table, reader } = context;
  const read = requireGrant(table, reader, 'read');
  if (table.kind === 'singleton') fail('conflict');
  const originals = [...new Set(call.body.ids)];
  const origin = originAt(call.session, 'console');
  return inWrite(ctx, call, async (w) => {
    const readableIds = await permitted(w, context, table, originals, { grants: [read] });
    const copies = await copiesOf(w, context, readableIds, originals);
    const batchResult = await writeBatch(w, context, copies.creations, { origin, path: (at) => `ids.${at}` });
    const { batchId } = batchResult;
    if (batchId === null) return bulkWriteResponse(batchResult);
    for (const [locale, changes] of copies.translated) await writeBatch(w, context, changes, { origin, batchId, locale });
    const [original = ''] = originals;
    const behind = originals.length === 1 ? await firstFrom(w.tx, model.siteId, table.id, original, [original, ...copies.ids]) : null;
    if (behind) {
      const changes = (await moves(w, context, copies.ids, behind.id)).map((change): Change => ({ ...change, system: true }));
      await writeBatch(w, context, changes, { origin, batchId });
    }
    return bulkWriteResponse(batchResult);
  });
}
