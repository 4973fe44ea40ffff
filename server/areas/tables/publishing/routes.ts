import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import { publicationEndpoints as endpoints } from '../../../../contract/tables/publications';
import type { PublicationFailure } from '../../../../contract/tables/publications';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { grantOf, readerOf, requireGrant } from '../core/access';
import type { Caller } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import type { SiteModel } from '../core/model';
import { recordNames } from '../core/read';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { permitted } from '../core/write/lookups';
import { writtenOf } from '../core/write/answers';
import { doorAt } from '../core/write/callContext';
import { deleteFailure, failuresOf } from './failures';
import type { FailureRow } from './failures';

const most = 200;
type Found = { readonly failure: FailureRow; readonly by: string };

/** Scheduled publications that failed: read, tried again and given up by who may publish the record or has scheduled it. */
export function registerPublications(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  /** Of failures, those that the caller may handle. Of tables in the bin and of those that are gone, who designs tables or has scheduled it. */
  async function visible(call: Caller, model: SiteModel, found: readonly Found[]): Promise<Found[]> {
    const reader = readerOf(call);
    const isOwn = ({ failure }: Found): boolean => failure.scheduledBy === call.session.userId;
    const kept = new Set<Found>();
    for (const tableId of new Set(found.map(({ failure }) => failure.tableId))) {
      const some = found.filter(({ failure }) => failure.tableId === tableId);
      const table = model.tables.find((one) => one.id === tableId);
      if (!table) {
        for (const one of some) if (mayOnSite(call.site.role, 'tables.design')) kept.add(one);
        continue;
      }
      const [read, publish] = [grantOf(table, reader, 'read'), grantOf(table, reader, 'publish')];
      if (!read.allowed) continue;
      const context = { model, table, reader, timeZone: call.site.row.timeZone };
      const ids = some.map(({ failure }) => failure.recordId);
      await db.transaction(async (tx) => {
        const w = { ctx, tx, now: new Date(ctx.now()), after: () => undefined };
        const seen = await permitted(w, context, table, ids, { grants: [read] });
        const open = publish.allowed ? await permitted(w, context, table, ids, { grants: [read, publish] }) : new Set<string>();
        for (const one of some) if (open.has(one.failure.recordId) || (isOwn(one) && seen.has(one.failure.recordId))) kept.add(one);
      });
    }
    return found.filter((one) => kept.has(one));
  }
  async function failureOf(call: Caller & { readonly params: { readonly failure: string } }, model: SiteModel): Promise<FailureRow> {
    const [one] = await visible(call, model, await failuresOf(db, call.site.id, { id: call.params.failure }, 1));
    return one?.failure ?? fail('not_found');
  }

  route(app, ctx, endpoints.publicationFailures, async (call): Promise<PublicationFailure[]> => {
    const model = await siteModel(ctx, call.site.id);
    const table = call.query.table === undefined ? undefined : tableOf(model, call.query.table);
    const reader = readerOf(call);
    if (table) requireGrant(table, reader, 'read');
    const found = await visible(call, model, await failuresOf(db, call.site.id, { table: table?.id }, most));
    const names = new Map<string, string>();
    for (const one of model.tables) {
      const ids = found.filter(({ failure }) => failure.tableId === one.id).map(({ failure }) => failure.recordId);
      if (ids.length === 0) continue;
      const context = { model, table: one, reader, timeZone: call.site.row.timeZone };
      for (const [id, name] of Object.entries(await recordNames(ctx, context, ids))) names.set(id, name);
    }
    return found.map(({ failure, by }) => {
      const of = model.tables.find((one) => one.id === failure.tableId);
      const read = of && grantOf(of, reader, 'read');
      return {
        id: failure.id,
        tableId: failure.tableId,
        tableTitle: of?.title ?? failure.tableTitle,
        recordId: failure.recordId,
        label: of ? (names.get(failure.recordId) ?? '') : null,
        dueAt: failure.dueAt.toISOString(),
        failedAt: failure.failedAt.toISOString(),
        by,
        reason: failure.reason,
        errors: failure.errors.filter(({ field }) => {
          const known = of?.byName.get(field);
          return known !== undefined && read?.covers(known) === true;
        }),
      };
    });
  });

  route(app, ctx, endpoints.retryPublication, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    const failure = await failureOf(call, model);
    const table = model.tables.find((one) => one.id === failure.tableId) ?? fail('conflict');
    const reader = readerOf(call);
    requireGrant(table, reader, 'publish');
    if (!table.drafts) fail('conflict');
    const context = { model, table, reader, timeZone: call.site.row.timeZone };
    return inWrite(ctx, call, async (w) =>
      writtenOf(await writeBatch(w, context, [{ kind: 'publish', id: failure.recordId }], { door: doorAt(call.session, 'console'), path: () => '' })),
    );
  });

  route(app, ctx, endpoints.discardPublication, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    const failure = await failureOf(call, model);
    await deleteFailure(db, failure.id);
    ctx.live.publish({ type: 'records', siteId: call.site.id, tableId: failure.tableId, ids: [failure.recordId], by: call.session.userId });
  });
}
