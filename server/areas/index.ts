import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { sweepOutbox } from '../mail';
import type { JobHandler, Schedule } from '../worker';
import * as account from './account';
import * as analytics from './analytics';
import * as audit from './audit';
import * as contacts from './contacts';
import * as imports from './imports';
import * as digests from './digests';
import * as insights from './insights';
import * as jobs from './jobs';
import * as live from './live';
import * as measuring from './measuring';
import * as people from './people';
import * as session from './session';
import * as shares from './shares';
import * as sites from './sites';
import * as tables from './tables';
import * as tokens from './tokens';
import * as trades from './trades';
import * as uptime from './uptime';

/** Every area of the product, in the order in which it is registered. An area is taken away by deleting its folder and its lines here. */
const areas: readonly { readonly register: (app: FastifyInstance, ctx: Context) => void }[] = [
  session,
  account,
  people,
  tokens,
  audit,
  contacts,
  trades,
  sites,
  uptime,
  analytics,
  imports,
  measuring,
  insights,
  tables,
  shares,
  digests,
  jobs,
  live,
];

/** Long pieces of work that the worker knows how to do. */
export const jobHandlers: readonly JobHandler[] = [
  sites.sitePurge,
  analytics.demoTraffic,
  measuring.eraseJob,
  measuring.rebuildJob,
  imports.analyticsImport,
  tables.bulkJob,
  tables.choiceJob,
  tables.importJob,
  tables.indexJob,
  tables.convertJob,
  tables.purgeJob,
  tables.rebuildJob,
  tables.checkJob,
  tables.compactJob,
  tables.emptyJob,
  tables.restoreJob,
];

/** What the worker does again and again. */
export const schedules: readonly Schedule[] = [
  { name: 'tables.due', every: 15_000, run: tables.publishDue },
  { name: 'imports.tend', every: 60_000, run: imports.tendImports },
  { name: 'rollups.compute', every: 60_000, run: analytics.recomputeRollups },
  { name: 'rollups.audit', every: 24 * 3_600_000, run: analytics.auditRollups },
  { name: 'visits.settle', every: 6 * 3_600_000, run: analytics.settleMonths },
  { name: 'tables.purge', every: 6 * 3_600_000, run: tables.purgeTables },
  { name: 'tables.indexes', every: 10 * 60_000, run: tables.tendIndexes },
  { name: 'tables.conversions', every: 60_000, run: (ctx) => tables.tendConversions(ctx) },
  { name: 'tables.imports', every: 60_000, run: tables.tendTableImports },
  { name: 'tables.restores', every: 3_600_000, run: tables.tendRestores },
  { name: 'tables.checks', every: 24 * 3_600_000, run: tables.checkNightly },
  { name: 'tables.tend', every: 60_000, run: tables.tendPending },
  { name: 'sites.purge', every: 3_600_000, run: sites.purgeSites },
  { name: 'trades.expiry', every: 3_600_000, run: trades.expireOrders },
  { name: 'trades.renewals', every: 3_600_000, run: trades.notifyRenewals },
  { name: 'sessions.sweep', every: 3_600_000, run: session.sweepSessions },
  { name: 'links.sweep', every: 24 * 3_600_000, run: session.sweepLinks },
  { name: 'tokens.sweep', every: 24 * 3_600_000, run: tokens.sweepTokens },
  { name: 'audit.sweep', every: 6 * 3_600_000, run: audit.sweepAudit },
  { name: 'contactLinks.sweep', every: 3_600_000, run: contacts.sweepContactLinks },
  { name: 'measuring.retention', every: 6 * 3_600_000, run: measuring.sweepRetention },
  { name: 'insights.upgrade', every: 24 * 3_600_000, run: insights.rebuildOldVisits },
  { name: 'outbox.sweep', every: 3_600_000, run: sweepOutbox },
  { name: 'uptime.sweep', every: 3_600_000, run: uptime.sweepUptime },
  { name: 'digests.send', every: 5 * 60_000, run: digests.sendDigests },
  { name: 'tables.hooks', every: 3_600_000, run: tables.sweepHooks },
  { name: 'tables.calls', every: 3_600_000, run: tables.sweepCalls },
  { name: 'tables.bins', every: 3_600_000, run: tables.emptyBins },
  { name: 'tables.history', every: 24 * 3_600_000, run: tables.forgetHistory },
  { name: 'names.release', every: 24 * 3_600_000, run: account.releaseNames },
];

export async function registerAreas(app: FastifyInstance, ctx: Context): Promise<void> {
  app.decorate('accessSource', {
    session: (request, reply, touch) => session.readSession(ctx, request, reply, touch),
    token: tokens.tokenAccess(ctx),
    site: sites.siteAccess(ctx),
    share: shares.shareAccess(ctx),
    denied: audit.denialRecorder(ctx),
    attacked: ({ loginName }) => contacts.tellSecurity(ctx, ctx.postgres.db, { kind: 'many_failures', person: loginName }),
  });
  for (const area of areas) area.register(app, ctx);
}
