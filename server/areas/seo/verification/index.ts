import type { FastifyInstance } from 'fastify';
import { verificationEndpoints as endpoints } from '../../../../contract/seo/verificationSchemas';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { addVerification, checkVerification, listVerifications, removeVerification } from './verifications';

export function registerVerifications(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.verifications, (call) => listVerifications(ctx, call));
  route(app, ctx, endpoints.addVerification, (call) => addVerification(ctx, call));
  route(app, ctx, endpoints.removeVerification, (call) => removeVerification(ctx, call));
  route(app, ctx, endpoints.checkVerification, (call) => checkVerification(ctx, call));
}
