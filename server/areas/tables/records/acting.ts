import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Target, WrittenOrJob } from '../../../../contract/tables/records';
import { tableLimits } from '../../../../contract/tables/terms';
import type { z } from 'zod';
import type { Context } from '../../../context';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { requireGrant } from '../core/access';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { permitted } from '../core/write/lookups';
import { contextOf, doorAt } from '../core/write/callContext';
import { writtenOf } from '../core/write/answers';
import type { TableContext } from '../core/tableContext';
import type { Change } from '../core/write/types';
import { actionOf, changesOf, doorOf, requireAct, valuesFor } from './acts';
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

/** Named of what stays as it is, at most. */
const shownSkips = 100;

/** Where faults of records stand in a body that names them; one alone that is not there is an address that leads nowhere. */
const pathOf =
  (part: string, ids: readonly string[]) =>
  (at: number): string =>
    ids.length === 1 ? '' : `${part}.${at}`;

/** Acts on records: many at once, the bin, publishing, order, copies. */
export function registerActs(app: FastifyInstance, ctx: Context): void {
  /** Does an act at once to named records and to at most a thousand of a filter; more become a job. */
  async function act(
    call: RecordsCall,
    target: z.output<typeof Target>,
    deed: Act,
    seen: BulkState | null = null,
  ): Promise<WrittenOrJob & { readonly matched: number }> {
    const context = await contextOf(ctx, call);
    requireAct(context, deed);
    const viaToken = call.session.token !== null;
    const ids = await targeted(context, target, deed);
    const isMany = !('ids' in target) && ids.length > tableLimits.batch;
    const values = await valuesFor(context, deed, isMany ? [] : ids);
    const action = actionOf(deed);
    const many = isMany && deed.kind === 'change' ? await revisionsOf(ctx, context, action, target, null) : null;
    const written = inWrite(ctx, call, async (w) => {
      if (isMany) {
        if (seen && many) await refuseOthers(ctx, context, action, target, seen, many);
        const jobId = await enqueueBulk(w, { ...context, viaToken }, target, deed, many?.at ?? null);
        return { batchId: null, created: 0, updated: 0, unchanged: 0, records: [], jobId, matched: many?.count ?? ids.length };
      }
      if (seen) await requireSame(w, context, action, ids, 'ids' in target ? { filter: null, ids } : target, seen);
      const changes = await changesOf(w, context, deed, ids, values);
      const options = {
        door: doorOf(deed, viaToken),
        path: deed.kind === 'change' ? () => 'values' : pathOf('target.ids', ids),
        ...(deed.kind === 'change' ? { locale: deed.locale } : {}),
      };
      return { ...writtenOf(await writeBatch(w, context, changes, options)), matched: ids.length };
    });
    return written.catch(async (error: unknown) => {
      if (!(error instanceof Referenced)) throw error;
      return fail('referenced', { current: await blockersFor(ctx, context, error) });
    });
  }
  async function targeted(context: TableContext, target: z.output<typeof Target>, deed: Act): Promise<string[]> {
    if ('ids' in target) return [...new Set(target.ids)];
    const action = actionOf(deed);
    return idsOf(ctx, ctx.postgres.db, context, action, target, { after: null, until: new Date(ctx.now()), most: tableLimits.batch + 1 }, 'people');
  }
  route(app, ctx, endpoints.bulkChange, async (call) => {
    const { target, values, locale, state, dryRun: isTrial } = call.body;
    const deed: Act = { kind: 'change', values, locale };
    if (!isTrial) return { ...(await act(call, target, deed, state === undefined ? null : readState(state))), state: null, samples: [] };
    const context = await contextOf(ctx, call);
    requireAct(context, deed);
    return tryBulk(ctx, context, target, await targeted(context, target, deed), deed, { door: doorOf(deed, call.session.token !== null), locale: call.locale });
  });

  route(app, ctx, endpoints.trashRecords, (call) => act(call, call.body.target, { kind: 'trash' }));
  route(app, ctx, endpoints.unpublishRecords, (call) => act(call, call.body.target, { kind: 'unpublish' }));
  route(app, ctx, endpoints.publishRecords, (call) => {
    const { target, at, unpublishAt, cancel } = call.body;
    if (typeof unpublishAt === 'string' && Date.parse(unpublishAt) <= Math.max(ctx.now(), at === null ? 0 : Date.parse(at)))
      fail('invalid_fields', { fields: { unpublishAt: { code: 'out_of_range' } } });
    if (cancel) return act(call, target, { kind: 'schedule', publishAt: null, unpublishAt });
    const later = at !== null && Date.parse(at) > ctx.now();
    return act(call, target, later ? { kind: 'schedule', publishAt: at, unpublishAt } : { kind: 'publish', unpublishAt });
  });

  route(app, ctx, endpoints.restoreRecords, async (call) => {
    const context = await contextOf(ctx, call);
    requireGrant(context.table, context.reader, 'delete');
    const ids = [...new Set(call.body.ids)];
    return inWrite(ctx, call, async (w) => {
      const restored = await restoreRecords(w, context, ids, { door: doorAt(call.session, 'console'), path: pathOf('ids', ids) });
      return { ...writtenOf(restored), updated: restored.updated, skipped: restored.skipped.slice(0, shownSkips), skippedCount: restored.skipped.length };
    });
  });

  route(app, ctx, endpoints.purgeRecords, async (call) => {
    const context = await contextOf(ctx, call);
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
  });

  route(app, ctx, endpoints.moveRecords, async (call) => {
    const context = await contextOf(ctx, call);
    requireGrant(context.table, context.reader, 'update');
    return inWrite(ctx, call, async (w) => {
      const ids = [...new Set(call.body.ids)];
      const changes = await moves(w, context, ids, call.body.before);
      return writtenOf(await writeBatch(w, context, changes, { door: doorAt(call.session, 'console'), path: pathOf('ids', ids) }));
    });
  });

  route(app, ctx, endpoints.duplicateRecords, async (call) => {
    const context = await contextOf(ctx, call);
    const { model, table, reader } = context;
    const read = requireGrant(table, reader, 'read');
    if (table.kind === 'singleton') fail('conflict');
    const originals = [...new Set(call.body.ids)];
    const door = doorAt(call.session, 'console');
    return inWrite(ctx, call, async (w) => {
      const seen = await permitted(w, context, table, originals, { grants: [read] });
      const copies = await copiesOf(w, context, seen, originals);
      const made = await writeBatch(w, context, copies.made, { door, path: (at) => `ids.${at}` });
      const { batchId } = made;
      if (batchId === null) return writtenOf(made);
      for (const [locale, changes] of copies.translated) await writeBatch(w, context, changes, { door, batchId, locale });
      const [original = ''] = originals;
      const behind = originals.length === 1 ? await firstFrom(w.tx, model.siteId, table.id, original, [original, ...copies.ids]) : null;
      if (behind) {
        const changes = (await moves(w, context, copies.ids, behind.id)).map((change): Change => ({ ...change, system: true }));
        await writeBatch(w, context, changes, { door, batchId });
      }
      return writtenOf(made);
    });
  });
}
