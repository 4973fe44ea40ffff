import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { sweepRemovals } from '../kit/removals';
import { sweepOutbox } from '../mail';
import type { JobHandler, Schedule } from '../worker';
import { area as account } from './account';
import { area as analytics } from './analytics';
import type { Area } from './area';
import { area as audit, denialRecorder } from './audit';
import { area as contacts, tellSecurity } from './contacts';
import { area as countryBlock } from './countryBlock';
import { area as crawler } from './crawler';
import { area as dashboard } from './dashboard';
import { area as demo } from './demo';
import { area as digests } from './digests';
import { area as filings } from './filings';
import { area as hostnames } from './hostnames';
import { area as imports } from './imports';
import { area as insights } from './insights';
import { area as jobs } from './jobs';
import { area as languages } from './languages';
import { area as live } from './live';
import { area as measuring } from './measuring';
import { area as notices } from './notices';
import { area as people } from './people';
import { area as publishing } from './publishing';
import { area as resources } from './resources';
import { area as seo } from './seo';
import { area as session, readSession } from './session';
import { area as publicLinks, publicLinkAccess } from './publicLinks';
import { area as starters } from './starters';
import { area as siteImport } from './siteImport';
import { siteAccess, sitesArea, visitedSites } from './sites';
import { area as support } from './support';
import { area as tables } from './tables';
import { area as tokens, tokenAccess } from './tokens';
import { area as trades } from './trades';
import { area as uptime } from './uptime';
import { area as vitals } from './vitals';

/**
 * All areas of the product, in the order in which they add their sections to a person's export and erase a person. To remove one, delete its folder and its
 * entry here; the compiler reports the remaining references.
 */
export const areas: readonly Area[] = [
  account,
  session,
  tokens,
  sitesArea(() => areas),
  people,
  trades,
  audit,
  contacts,
  notices,
  uptime,
  vitals,
  analytics,
  imports,
  measuring,
  insights,
  tables,
  resources,
  publishing,
  siteImport,
  seo,
  hostnames,
  countryBlock,
  filings,
  languages,
  crawler,
  support,
  starters,
  publicLinks,
  digests,
  dashboard,
  demo,
  jobs,
  live,
];

/** Jobs that the worker can run. */
export const jobHandlers: readonly JobHandler[] = areas.flatMap((area) => area.jobs ?? []);

/** Recurring tasks of the worker. */
export const schedules: readonly Schedule[] = [
  ...areas.flatMap((area) => area.schedules ?? []),
  { name: 'outbox.sweep', every: 3_600_000, run: sweepOutbox },
  { name: 'removals.sweep', every: 3_600_000, run: sweepRemovals },
];

/** Registers everything that the areas add to the app. Tests pass their own manifests. */
export async function registerAreas(app: FastifyInstance, ctx: Context, registered: readonly Area[] = areas): Promise<void> {
  app.decorate('accessSource', {
    session: (request, reply, touch) => readSession(ctx, request, reply, touch),
    token: tokenAccess(ctx),
    site: siteAccess(ctx),
    siteOf: new Map(registered.flatMap(({ siteOf = {} }) => Object.entries(siteOf).map(([kind, find]) => [kind, (id: string) => find(ctx, id)] as const))),
    visitedSite: visitedSites(app, ctx),
    publicLink: publicLinkAccess(ctx),
    denied: denialRecorder(ctx),
    attacked: ({ loginName }) => tellSecurity(ctx, ctx.postgres.db, { kind: 'many_failures', person: loginName }),
  });
  for (const area of registered) area.register(app, ctx, registered);
}
