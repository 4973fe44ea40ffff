import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { grantOf, readerOf } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import { latestBatches } from '../core/write/batches';
import { contextOf, doorAt } from '../core/write/callContext';
import { revertRecord } from '../core/write/commands';
import { historyOf, requireSeen } from '../core/write/past';
import { shownRecord } from './shown';

/** What became of records: their history, going back in it, and the latest batches. */
export function registerHistory(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.recordHistory, async (call) => {
    const context = await contextOf(ctx, call);
    await db.transaction((tx) => requireSeen({ ctx, tx }, context, call.params.id));
    return historyOf(ctx, context, call.params.id, call.query.before);
  });

  route(app, ctx, endpoints.revertRecord, async (call) => {
    const context = await contextOf(ctx, call);
    const { id } = call.params;
    await revertRecord(ctx, call, context, { id, ...call.body, door: doorAt(call.session, 'console') });
    return shownRecord(ctx, context, id, call.query.names);
  });

  route(app, ctx, endpoints.batches, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    const reader = readerOf(call);
    const asked = call.query.table === undefined ? model.tables : [tableOf(model, call.query.table)];
    const tables = asked.filter((table) => grantOf(table, reader, 'read').allowed).map((table) => table.id);
    if (tables.length === 0) return [];
    const who = { model, reader, timeZone: call.site.row.timeZone };
    return latestBatches(ctx, who, tables, call.query.own ? call.session.userId : null);
  });
}
