import type { FastifyInstance } from 'fastify';
import { redirectEndpoints as endpoints } from '../../../../contract/seo/redirectSchemas';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { changeNotFound, notFoundPaths, redirectNotFound, redirectUse, suggestTargets } from './redirects';

export { forgetRedirectHits, storeNotFound, storeRedirectHits } from './counts';
export type { NotFoundCount, RedirectCount } from './counts';

/** Uses of redirects, and paths without a page with what they could lead to. */
export function registerRedirects(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.redirectUse, (call) => redirectUse(ctx, call));
  route(app, ctx, endpoints.notFoundPaths, (call) => notFoundPaths(ctx, call));
  route(app, ctx, endpoints.changeNotFound, (call) => changeNotFound(ctx, call));
  route(app, ctx, endpoints.redirectNotFound, (call) => redirectNotFound(ctx, call));
  route(app, ctx, endpoints.suggestTargets, (call) => suggestTargets(ctx, call));
}
