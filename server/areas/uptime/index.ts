import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { SiteFigures } from '../../../contract/sites/list';
import { isChecked } from '../../../contract/sites/terms';
import { uptimeEndpoints as endpoints } from '../../../contract/uptime/schemas';
import type { UptimeInput, UptimeSettings, UptimeStatus } from '../../../contract/uptime/schemas';
import type { Context } from '../../context';
import type { SiteAccess } from '../../http/access';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { mailWorks } from '../../mail';
import { MINUTE } from '../../zone';
import { actorOf, difference, record } from '../audit';
import { countHearers } from '../contacts';
import { countReaders } from '../notices';
import { sitesOf } from '../sites';
import { startChecker, sweepUptime, uptimeChannel } from './checker';
import * as queries from './queries';
import type { MonitorRecord } from './queries';
import { addressOf } from './target';
import type { Area, FiguredSite } from '../area';

export { probe } from './probe';

const defaults: UptimeInput = { enabled: false, intervalMinutes: 5, path: '', expectedStatus: null, keyword: '' };
/** The settings as recorded in the audit log. */
const factsOf = ({ path, ...others }: UptimeInput) => ({ ...others, checkedPath: path });
const factKeys = ['enabled', 'intervalMinutes', 'checkedPath', 'expectedStatus', 'keyword'] as const;
const inputOf = (monitor: MonitorRecord | null): UptimeInput => {
  const { enabled, intervalMinutes, path, expectedStatus, keyword } = monitor ?? defaults;
  return { enabled, intervalMinutes, path, expectedStatus, keyword };
};

/** After this time without a check, in milliseconds, the last result is outdated. */
const lateAfter = ({ intervalMinutes }: MonitorRecord): number => 2 * intervalMinutes * MINUTE + 2 * MINUTE;

/** A monitor as readers see it. An outdated result counts as unknown. */
function statusOf(siteId: string, monitor: MonitorRecord | null, now: number): UptimeStatus {
  const unknown = { siteId, enabled: monitor?.enabled ?? false, state: 'unknown', since: null, reason: null, detail: '' } as const;
  const empty = { checkedAt: null, responseMs: null, certificateExpiresAt: null };
  if (!monitor?.enabled) return { ...unknown, ...empty };
  const { state, since, reason, detail, checkedAt, responseMs, certificateExpiresAt } = monitor;
  const found = { checkedAt: checkedAt?.toISOString() ?? null, responseMs, certificateExpiresAt: certificateExpiresAt?.toISOString() ?? null };
  if (checkedAt === null) return { ...unknown, ...empty, reason: 'pending' };
  if (now - checkedAt.getTime() > lateAfter(monitor)) return { ...unknown, ...found, reason: 'overdue' };
  if (state === 'unknown') return { ...unknown, ...found, reason: reason ?? 'pending', detail };
  return { siteId, enabled: true, state, since: since?.toISOString() ?? null, reason: state === 'up' ? null : reason, detail, ...found };
}

/** Whether a site can be reached. */
export const reachabilityOf = async (ctx: Context, siteId: string): Promise<UptimeStatus> =>
  statusOf(siteId, await queries.findMonitor(ctx.postgres.db, siteId), ctx.now());

/** When a site could not be reached, the newest first. */
export const outagesOf = async (ctx: Context, siteId: string, most: number): Promise<{ readonly startedAt: Date; readonly endedAt: Date | null }[]> =>
  queries.incidentsOf(ctx.postgres.db, siteId, null, most);

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  async function settingsOf({ id, row }: SiteAccess): Promise<UptimeSettings> {
    const [monitor, recipients, people] = await Promise.all([
      queries.findMonitor(db, id),
      countHearers(ctx, db, 'uptime', id),
      countReaders(ctx, 'uptime', id),
    ]);
    return { ...inputOf(monitor), address: addressOf(ctx.config, row), recipients, people, mail: mailWorks(ctx.config), revision: monitor?.revision ?? 0 };
  }

  route(app, ctx, endpoints.uptimeStatuses, async ({ session }) => {
    const active = (await sitesOf(ctx, session)).filter(isChecked);
    const monitors = await queries.findMonitors(
      db,
      active.map(({ id }) => id),
    );
    return monitors.map((monitor) => statusOf(monitor.siteId, monitor, ctx.now()));
  });

  route(app, ctx, endpoints.uptime, async ({ site }) => statusOf(site.id, await queries.findMonitor(db, site.id), ctx.now()));

  route(app, ctx, endpoints.uptimeIncidents, async ({ site, query }) => {
    const found = await queries.incidentsOf(db, site.id, query.before === undefined ? null : Number(query.before), query.size);
    const rows = found.slice(0, query.size);
    return {
      rows: rows.map(({ id, startedAt, endedAt, reason, detail }) => ({
        id: String(id),
        startedAt: startedAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
        reason,
        detail,
      })),
      next: found.length > query.size ? String(rows.at(-1)?.id) : null,
    };
  });

  route(app, ctx, endpoints.uptimeSettings, ({ site }) => settingsOf(site));

  route(app, ctx, endpoints.changeUptime, async (call) => {
    const { site, body } = call;
    const revision = call.ifMatch();
    const now = new Date(ctx.now());
    const written = await db.transaction(async (tx) => {
      const before = inputOf(await queries.lockMonitor(tx, site.id));
      const switched = before.enabled !== body.enabled;
      if (!(await queries.putSettings(tx, site.id, body, revision, now, switched))) return false;
      if (switched) await queries.closeIncident(tx, site.id, now);
      await record(ctx, tx, actorOf(call), {
        action: 'uptime.changed',
        siteId: site.id,
        target: { kind: 'site', id: site.id, name: site.row.name },
        ...difference(factsOf(before), factsOf(body), factKeys),
      });
      await tx.execute(sql`select pg_notify(${uptimeChannel}, '')`);
      return true;
    });
    if (!written) return fail('stale_revision', { current: await settingsOf(site) });
    ctx.live.publish({ type: 'site', siteId: site.id, change: 'changed' });
    return settingsOf(site);
  });
}

/** Figures of the list of sites: availability, and the certificates that checks saw. */
async function siteFigures(ctx: Context, sites: readonly FiguredSite[]): Promise<ReadonlyMap<string, Pick<SiteFigures, 'uptime' | 'certificate'>>> {
  const monitors = await queries.findMonitors(
    ctx.postgres.db,
    sites.filter(isChecked).map(({ id }) => id),
  );
  return new Map(
    monitors.map((monitor) => {
      const { state, certificateExpiresAt } = statusOf(monitor.siteId, monitor, ctx.now());
      return [monitor.siteId, { uptime: state, certificate: certificateExpiresAt === null ? null : { until: certificateExpiresAt, failed: false } }];
    }),
  );
}

export const area: Area = {
  register,
  siteFigures: { source: 'uptime', action: 'site.read', token: 'site:read', read: siteFigures },
  schedules: [{ name: 'uptime.sweep', every: 3_600_000, run: sweepUptime }],
  services: [startChecker],
};
