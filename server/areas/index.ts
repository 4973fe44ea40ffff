import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import type { JobHandler, Schedule } from '../worker';
import * as account from './account';
import * as analytics from './analytics';
import * as jobs from './jobs';
import * as live from './live';
import * as session from './session';
import * as sites from './sites';

/** Every area of the product, in the order in which it is registered. An area is taken away by deleting its folder and its lines here. */
const areas: readonly { readonly register: (app: FastifyInstance, ctx: Context) => void }[] = [session, account, sites, analytics, jobs, live];

/** Long pieces of work that the worker knows how to do. */
export const jobHandlers: readonly JobHandler[] = [sites.sitePurge, analytics.demoTraffic];

/** What the worker does again and again. */
export const schedules: readonly Schedule[] = [
  { name: 'sites.purge', every: 3_600_000, run: sites.purgeSites },
  { name: 'sessions.sweep', every: 3_600_000, run: session.sweepSessions },
  { name: 'names.release', every: 24 * 3_600_000, run: account.releaseNames },
];

export async function registerAreas(app: FastifyInstance, ctx: Context): Promise<void> {
  app.decorate('accessSource', { session: (request, touch) => session.readSession(ctx, request, touch), site: sites.siteAccess(ctx) });
  for (const area of areas) area.register(app, ctx);
}
