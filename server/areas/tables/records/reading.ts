import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { Reader } from '../core/access';
import { aggregateRecords } from '../core/read/aggregate';
import { flushCosts } from '../core/read/costs';
import { listRecords, positionOf, recordsByIds } from '../core/read/list';
import { onTable } from '../core/read/run';
import type { TableContext } from '../core/tableContext';
import { linksTo } from '../core/read/whereUsed';

export function registerReading(app: FastifyInstance, ctx: Context): void {
  const on = <T>(call: { site: SiteAccess; session: SessionInfo; params: { table: string } }, work: (context: TableContext) => Promise<T>): Promise<T> => {
    const reader: Reader = { role: call.site.role, userId: call.session.userId, name: call.session.displayName };
    const { id, row, contentRevision } = call.site;
    return onTable(ctx, { id, timeZone: row.timeZone, contentRevision }, call.params.table, reader, work);
  };
  const split = (text: string | undefined): string[] | undefined => text?.split(',').map((part) => part.trim());

  route(app, ctx, endpoints.records, (call) => {
    const { fields, ids, ...query } = call.query;
    return on(call, (context) => listRecords(ctx, context, { ...query, fields: split(fields), ids: split(ids) }));
  });
  route(app, ctx, endpoints.record, (call) =>
    on(call, async (context) => {
      const { rows, labels } = await recordsByIds(ctx, context, [call.params.id], call.query);
      const [row] = rows;
      return row ? { ...row, labels } : fail('not_found');
    }),
  );
  route(app, ctx, endpoints.recordPosition, (call) => on(call, async (context) => ({ before: await positionOf(ctx, context, call.params.id, call.query) })));
  route(app, ctx, endpoints.aggregate, (call) => on(call, (context) => aggregateRecords(ctx, context, call.query)));
  route(app, ctx, endpoints.recordLinks, (call) => on(call, (context) => linksTo(ctx, context, call.params.id)));

  app.addHook('onClose', () => flushCosts(ctx));
}
