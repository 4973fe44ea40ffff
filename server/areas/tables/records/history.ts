import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import { resourcesOf } from '../../../../contract/tables/fieldTypes';
import type { RecordChange } from '../../../../contract/tables/records';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { resourceLabels } from '../../resources';
import { grantOf, readerOf } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import { asking } from '../core/read/run';
import type { TableContext } from '../core/tableContext';
import { latestBatches } from '../core/write/batches';
import { writeContextOf, originAt } from '../core/write/call';
import { revertRecord } from '../core/write/commands';
import { historyOf, requireVisible } from '../core/write/past';
import { recordResponse } from './responses';

/** Changes with names of the resources in their values, also of those that the record no longer uses. */
async function withResourceLabels(ctx: Context, { model, table }: TableContext, changes: readonly RecordChange[]): Promise<RecordChange[]> {
  const typeOf = new Map(table.fields.map(({ id, type }) => [id, type]));
  const idsIn = ({ fields }: RecordChange): readonly string[] =>
    Object.entries(fields).flatMap(([key, { before, after }]) => {
      const type = typeOf.get(key.split('@')[0] ?? '');
      return type === undefined ? [] : [before, after].flatMap((value) => resourcesOf(type, value));
    });
  const ids = new Set(changes.flatMap(idsIn));
  if (ids.size === 0) return [...changes];
  const labels = await resourceLabels(asking(ctx), model.siteId, [...ids]);
  return changes.map((change) => {
    const own = idsIn(change).flatMap((id) => (labels[id] ? [[id, labels[id]] as const] : []));
    return own.length === 0 ? change : { ...change, resources: Object.fromEntries(own) };
  });
}

/** Record history, reverting to earlier values, and the latest batches. */
export function registerHistory(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.recordHistory, async (call) => {
    const context = await writeContextOf(ctx, call);
    await db.transaction((tx) => requireVisible({ ctx, tx }, context, call.params.id));
    const changes = await historyOf(ctx, context, call.params.id, call.query.before);
    return mayOnSite(call.site.role, 'resources.read') ? withResourceLabels(ctx, context, changes) : changes;
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
