import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { grantOf, readerOf } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import { latestBatches } from '../core/write/batches';
import { writeContextOf, originAt } from '../core/write/call';
import { revertRecord } from '../core/write/commands';
import { historyOf, requireVisible } from '../core/write/past';
import { recordResponse } from './responses';

/** Record history, reverting to earlier values, and the latest batches. */
export function registerHistory(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.recordHistory, async (call) => {
    const context = await writeContextOf(ctx, call);
    await db.transaction((tx) => requireVisible({ ctx, tx }, context, call.params.id));
    return historyOf(ctx, context, call.params.id, call.query.before);
  });

  route(app, ctx, endpoints.revertRecord, async (call) => {
    const context = await writeContextOf(ctx, call);
    const { id } = call.params;
    await revertRecord(ctx, call, context, { id, ...call.body, origin: originAt(call.session, 'console') });
    return recordResponse(ctx, context, id, call.query.names);
  });

  route(app, ctx, endpoints.batches, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    const reader = readerOf(call);
    const requestedTables = call.query.table === undefined ? model.tables : [tableOf(model, call.query.table)];
    const tables = requestedTables.filter((table) => grantOf(table, reader, 'read').allowed).map((table) => table.id);
    if (tables.length === 0) return [];
    const who = { model, reader, timeZone: call.site.row.timeZone };
    return latestBatches(ctx, who, tables, call.query.own ? call.session.userId : null);
  });
}
