import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import { publicationEndpoints as endpoints } from '../../../../contract/tables/publications';
import type { Written } from '../../../../contract/tables/records';
import type { PublicationFailure } from '../../../../contract/tables/publications';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import { grantOf, readerOf, requireGrant } from '../core/access';
import type { Caller } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import type { SiteModel } from '../core/model';
import { recordNames } from '../core/read';
import { inWrite, originAt } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { permitted } from '../core/write/lookups';
import { bulkWriteResponse } from '../core/write/commands';
import { deleteFailure, failuresOf } from './failures';
import type { FailureRow } from './failures';

const most = 200;
type Found = { readonly failure: FailureRow; readonly by: string };

/** Failed scheduled publications: listed, retried and discarded by people who may publish the record or have scheduled it. */
export function registerPublications(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.publicationFailures, (call) => publicationFailures(ctx, call));
  route(app, ctx, endpoints.retryPublication, (call) => retryPublication(ctx, call));
  route(app, ctx, endpoints.discardPublication, async (call) => {
    const failure = await failureOf(ctx, call, await siteModel(ctx, call.site.id));
    await deleteFailure(ctx.postgres.db, failure.id);
    ctx.live.publish({ type: 'records', siteId: call.site.id, tableId: failure.tableId, ids: [failure.recordId], by: call.session.userId });
  });
}

/** Failures that the caller may handle. Failures of deleted tables are for people who design tables or have scheduled them. */
async function visible(ctx: Context, call: Caller, model: SiteModel, found: readonly Found[]): Promise<Found[]> {
  const reader = readerOf(call);
  const isOwn = ({ failure }: Found): boolean => failure.scheduledBy === call.session.userId;
  const allowed = new Set<Found>();
  for (const tableId of new Set(found.map(({ failure }) => failure.tableId))) {
    const ofTable = found.filter(({ failure }) => failure.tableId === tableId);
    const table = model.tables.find((one) => one.id === tableId);
    if (!table) {
      for (const one of ofTable) if (mayOnSite(call.site.role, 'tables.design')) allowed.add(one);
      continue;
    }
    const [read, publish] = [grantOf(table, reader, 'read'), grantOf(table, reader, 'publish')];
    if (!read.allowed) continue;
    const context = { model, table, reader, timeZone: call.site.row.timeZone };
    const ids = ofTable.map(({ failure }) => failure.recordId);
    await ctx.postgres.db.transaction(async (tx) => {
      const w = { ctx, tx, now: new Date(ctx.now()), after: () => undefined };
      const readableIds = await permitted(w, context, table, ids, { grants: [read] });
      const publishableIds = publish.allowed ? await permitted(w, context, table, ids, { grants: [read, publish] }) : new Set<string>();
      for (const one of ofTable) if (publishableIds.has(one.failure.recordId) || (isOwn(one) && readableIds.has(one.failure.recordId))) allowed.add(one);
    });
  }
  return found.filter((one) => allowed.has(one));
}

async function failureOf(ctx: Context, call: Caller & { readonly params: { readonly failure: string } }, model: SiteModel): Promise<FailureRow> {
  const [one] = await visible(ctx, call, model, await failuresOf(ctx.postgres.db, call.site.id, { id: call.params.failure }, most));
  return one?.failure ?? fail('not_found');
}

/** Names of the failed records by id, as the caller may read them. */
async function namesOf(ctx: Context, call: Caller, model: SiteModel, found: readonly Found[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const table of model.tables) {
    const ids = found.filter(({ failure }) => failure.tableId === table.id).map(({ failure }) => failure.recordId);
    if (ids.length === 0) continue;
    const context = { model, table, reader: readerOf(call), timeZone: call.site.row.timeZone };
    for (const [id, name] of Object.entries(await recordNames(ctx, context, ids))) names.set(id, name);
  }
  return names;
}

async function publicationFailures(ctx: Context, call: CallOf<typeof endpoints.publicationFailures>): Promise<PublicationFailure[]> {
  const model = await siteModel(ctx, call.site.id);
  const table = call.query.table === undefined ? undefined : tableOf(model, call.query.table);
  const reader = readerOf(call);
  if (table) requireGrant(table, reader, 'read');
  const found = await visible(ctx, call, model, await failuresOf(ctx.postgres.db, call.site.id, { table: table?.id }, most));
  const names = await namesOf(ctx, call, model, found);
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
}

/** Publishes the record now. Throws `conflict` if its table is gone or does not use drafts. */
async function retryPublication(ctx: Context, call: CallOf<typeof endpoints.retryPublication>): Promise<Written> {
  const model = await siteModel(ctx, call.site.id);
  const failure = await failureOf(ctx, call, model);
  const table = model.tables.find((one) => one.id === failure.tableId) ?? fail('conflict');
  const reader = readerOf(call);
  requireGrant(table, reader, 'publish');
  if (!table.drafts) fail('conflict');
  const context = { model, table, reader, timeZone: call.site.row.timeZone };
  return inWrite(ctx, call, async (w) =>
    bulkWriteResponse(await writeBatch(w, context, [{ kind: 'publish', id: failure.recordId }], { origin: originAt(call.session, 'console'), path: () => '' })),
  );
}
