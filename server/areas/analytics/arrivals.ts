import type { z } from 'zod';
import type { Install } from '../../../contract/analytics/schemas';
import type { Collector } from '../../collect';

/**
 * What the collector of this process has noticed about a site since it started, besides hits. The composition hands it to
 * the app as `app.arrivals`; without a collector in the process nothing has been noticed.
 */
export type Arrivals = {
  /** How often `/t.js` was fetched for pages of this site. */
  readonly scriptLoads: (siteId: string) => number;
  readonly refusals: (siteId: string) => z.infer<typeof Install>['refusals'];
  /** Takes hits that somebody's server tells. */
  readonly acceptFromServer?: Collector['acceptFromServer'];
};

declare module 'fastify' {
  interface FastifyInstance {
    arrivals?: Arrivals;
  }
}

export const noArrivals: Arrivals = { scriptLoads: () => 0, refusals: () => [] };
