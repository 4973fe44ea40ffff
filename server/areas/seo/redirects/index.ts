import type { FastifyInstance } from 'fastify';
import { redirectEndpoints as endpoints } from '../../../../contract/seo/redirectSchemas';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { changeNotFound, notFoundPaths, redirectNotFound, redirectUse, suggestTargets } from './redirects';
import { openSuggesters } from './suggesters';

export { forgetRedirectHits, storeNotFound, storeRedirectHits } from './counts';
export type { NotFoundCount, RedirectCount } from './counts';

/** What finds pages similar to missing ones, of all sites; one of 20 000 pages takes about 20 MB. */
const suggesterBytes = 64 * 1024 ** 2;

/** Uses of redirects, and paths without a page with what they could lead to. */
export function registerRedirects(app: FastifyInstance, ctx: Context): void {
  const suggesters = openSuggesters(ctx, suggesterBytes);
  app.addHook('onClose', async () => suggesters.close());
  route(app, ctx, endpoints.redirectUse, (call) => redirectUse(ctx, call));
  route(app, ctx, endpoints.notFoundPaths, (call) => notFoundPaths(ctx, suggesters, call));
  route(app, ctx, endpoints.changeNotFound, (call) => changeNotFound(ctx, call));
  route(app, ctx, endpoints.redirectNotFound, (call) => redirectNotFound(ctx, call));
  route(app, ctx, endpoints.suggestTargets, (call) => suggestTargets(ctx, suggesters, call));
}
