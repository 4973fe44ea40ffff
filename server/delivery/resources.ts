import type { FastifyInstance } from 'fastify';
import { resourceRoot } from '../../contract/resources/alias';
import { openResourceDelivery } from '../areas/resources';
import type { Context } from '../context';
import { robotsContent } from '../../contract/seo/pageRules';
import type { Services } from './services';
import { arrivalOf } from './step';
import { isForPreview } from './steps/preview';
import { state } from './steps/state';
import { Failure } from '../http/failure';

/** Files of the requested site. What is not found goes on to the pages of the site. */
export function registerResources(app: FastifyInstance, ctx: Context, { releases }: Pick<Services, 'releases'>): void {
  const delivery = openResourceDelivery(ctx);
  app.addHook('onClose', () => delivery.close());
  app.route({
    method: ['GET', 'HEAD'],
    url: `${resourceRoot}/*`,
    handler: async (request, reply) => {
      const site = request.deliveredSite;
      if (site === null) return reply.callNotFound();
      const arrival = arrivalOf(ctx, site, request);
      if (!isForPreview(arrival) && (await state(arrival))) return reply.callNotFound();
      const rule = (await releases.live(site.id))?.pageRules.robots(request.url);
      if (rule?.header) void reply.header('x-robots-tag', robotsContent(rule, rule.indexing === 'index'));
      try {
        return (await delivery.send(request, reply, site.id)) ?? reply.callNotFound();
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.code === 'not_found') return reply.callNotFound();
        if (error.retryAfter !== undefined) void reply.header('retry-after', error.retryAfter);
        return reply.code(error.status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('');
      }
    },
  });
}
