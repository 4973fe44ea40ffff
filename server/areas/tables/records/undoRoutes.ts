import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { redoChanges, undoChanges } from '../core/write/commands';
import type { BatchExtras } from '../core/write/commands';

export function registerUndo<Extra>(app: FastifyInstance, ctx: Context, extras: BatchExtras<Extra>): void {
  route(app, ctx, endpoints.undoBatch, (call) => undoChanges(ctx, call, { batchId: call.params.batch, extras }));
  route(app, ctx, endpoints.redoBatch, (call) => redoChanges(ctx, call, { batchId: call.params.batch, extras }));
}
