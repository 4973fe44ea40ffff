import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { sweepOutbox } from '../mail';
import type { JobHandler, Schedule } from '../worker';
import { area as account } from './account';
import { area as analytics } from './analytics';
import type { Area } from './area';
import { area as audit, denialRecorder } from './audit';
import { area as contacts, tellSecurity } from './contacts';
import { area as digests } from './digests';
import { area as imports } from './imports';
import { area as insights } from './insights';
import { area as jobs } from './jobs';
import { liveArea } from './live';
import { area as measuring } from './measuring';
import { area as people } from './people';
import { area as session, readSession } from './session';
import { area as shares, shareAccess } from './shares';
import { siteAccess, sitesArea } from './sites';
import { area as tables } from './tables';
import { area as tokens, tokenAccess } from './tokens';
import { area as trades } from './trades';
import { area as uptime } from './uptime';

const ownAreas: readonly Area[] = [
  session,
  account,
  people,
  tokens,
  audit,
  contacts,
  trades,
  uptime,
  analytics,
  imports,
  measuring,
  insights,
  tables,
  shares,
  digests,
  jobs,
];

/** All areas of the product. To remove one, delete its folder and its entry here; the compiler shows the rest. */
export const areas: readonly Area[] = [...ownAreas, sitesArea(ownAreas), liveArea(ownAreas.flatMap(({ siteTopics }) => siteTopics ?? []))];

/** Long pieces of work that the worker knows how to do. */
export const jobHandlers: readonly JobHandler[] = areas.flatMap((area) => area.jobs ?? []);

/** What the worker does again and again. */
export const schedules: readonly Schedule[] = [...areas.flatMap((area) => area.schedules ?? []), { name: 'outbox.sweep', every: 3_600_000, run: sweepOutbox }];

export async function registerAreas(app: FastifyInstance, ctx: Context): Promise<void> {
  app.decorate('accessSource', {
    session: (request, reply, touch) => readSession(ctx, request, reply, touch),
    token: tokenAccess(ctx),
    site: siteAccess(ctx),
    share: shareAccess(ctx),
    denied: denialRecorder(ctx),
    attacked: ({ loginName }) => tellSecurity(ctx, ctx.postgres.db, { kind: 'many_failures', person: loginName }),
  });
  for (const area of areas) area.register(app, ctx);
}
