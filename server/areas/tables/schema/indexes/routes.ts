import type { FastifyInstance } from 'fastify';
import { tableIndexEndpoints as endpoints } from '../../../../../contract/tables/indexes';
import type { Context } from '../../../../context';
import { Failure, fail } from '../../../../http/failure';
import { route } from '../../../../http/route';
import { readerOf } from '../../core/access';
import { designing } from '../design';
import { designerOf } from '../designer';
import type { DesignCall } from '../designer';
import { tableResponse } from '../responses';
import { fieldOf, siteModel, tableOf } from '../../core/model';
import { onTable } from '../../core/read';
import { adviceOn } from './advice';
import { findDuplicates } from './duplicates';
import { applyIndexFlags, checkIndexFlags } from './toggle';

export function registerIndexes(app: FastifyInstance, ctx: Context): void {
  const duplicatesOf = (call: DesignCall, table: string, field: string, limit: number) =>
    onTable(ctx, { id: call.site.id, timeZone: call.site.row.timeZone }, table, readerOf(call), (context) => findDuplicates(ctx, context, field, limit));

  route(app, ctx, endpoints.setFieldIndexes, async (call) => {
    const { site, params, body } = call;
    const found = tableOf(await siteModel(ctx, site.id), params.table);
    const requestedField = fieldOf(found, params.field);
    checkIndexFlags(requestedField, body);
    if (body.unique && !requestedField.isUnique) {
      // If counting takes too long, the build finds the duplicates.
      const { total } = await duplicatesOf(call, found.id, requestedField.id, 1).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'too_slow') return { total: 0 };
        throw error;
      });
      if (total > 0) fail('conflict', { fields: { unique: { code: 'duplicate' } }, current: { values: total, jobId: null } });
    }
    const jobId = await designing(ctx, designerOf(call), async (design) => {
      const table = await design.table(found.id);
      return applyIndexFlags(design, table, fieldOf(table, requestedField.id), body);
    });
    if (jobId !== null) ctx.live.publish({ type: 'job', jobId });
    const model = await siteModel(ctx, site.id);
    return { jobId, table: await tableResponse(ctx.postgres.db, model, tableOf(model, found.id), readerOf(call)) };
  });

  route(app, ctx, endpoints.duplicates, (call) => duplicatesOf(call, call.params.table, call.params.field, call.query.limit));

  route(app, ctx, endpoints.tableAdvice, async (call) => {
    const table = tableOf(await siteModel(ctx, call.site.id), call.params.table);
    return adviceOn(ctx, call.site.id, table);
  });
}
