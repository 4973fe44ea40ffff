import type { z } from 'zod';
import type { Install } from '../../../contract/analytics/schemas';
import type { Collector } from '../../collect';

/**
 * What the collector of this process has observed about a site since it started, other than hits. The composition root passes it to the app as `app.arrivals`;
 * it is absent in a process without a collector.
 */
export type Arrivals = {
  /** Number of times `/t.js` was requested by pages of this site. */
  readonly scriptLoads: (siteId: string) => number;
  readonly refusals: (siteId: string) => z.infer<typeof Install>['refusals'];
  /** Accepts hits sent by a site's own server. */
  readonly acceptFromServer?: Collector['acceptFromServer'];
};

declare module 'fastify' {
  interface FastifyInstance {
    arrivals?: Arrivals;
  }
}

export const noArrivals: Arrivals = { scriptLoads: () => 0, refusals: () => [] };
