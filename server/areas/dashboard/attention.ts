import type { AttentionItem, CardData } from '../../../contract/dashboard/schemas';
import { attentionKinds, attentionNeeds, dashboardLimits as limits, jobNeeds } from '../../../contract/dashboard/terms';
import type { AttentionKind } from '../../../contract/dashboard/terms';
import { reminderDays } from '../../../contract/filings/deadlines';
import { hostnameLimits } from '../../../contract/hostnames/terms';
import { mayOnSite } from '../../../contract/permissions';
import { robotsProblemsOf } from '../../../contract/seo/robotsLint';
import { DAY, HOUR, addDays, dayAt } from '../../zone';
import { countHearers } from '../contacts';
import { ruleProblem } from '../countryBlock';
import { listedFilings } from '../filings';
import { listedHostnames } from '../hostnames';
import { failedJobs } from '../jobs';
import { failedRelease, failuresSince, listThemeFailures, workingParts } from '../publishing';
import { storageUse } from '../resources';
import { robotsTextOf } from '../seo';
import { reachabilityOf } from '../uptime';
import { exceededBudgets } from '../vitals';
import type { CardContent } from './cardReader';
import { isAllowed } from './reader';
import type { CardCall } from './reader';
import type { Snooze } from './snoozes';

type Found = Omit<AttentionItem, 'snooze'>;
/** Looks into one part of the site. */
type Source = (call: CardCall) => Promise<readonly Found[]>;

/** Failed jobs and failures of templates are remembered for so many days. */
const jobDays = 7;
const themeDays = 2;
/** Days before a deadline of a filing, at least. */
const leastNotice = 7;
const fullShare = 0.9;
const refusedToday = 10;

const item = (kind: AttentionKind, name: string, severity: Found['severity'], since: Date | string | number | null, values: Found['values'] = {}): Found => ({
  key: `${kind}:${name}`.slice(0, 200),
  kind,
  severity,
  since: since === null ? null : new Date(since).toISOString(),
  values,
});

/** People reach a site that is open; whatever is wrong with another one can wait. */
const isOpen = ({ site }: CardCall): boolean => site.row.state === 'published' && site.row.visibility === 'public';

const reachability: Source = async ({ ctx, site }) => {
  const { state, since, reason } = await reachabilityOf(ctx, site.id);
  return state === 'down' ? [item('site_down', since ?? '', 'bad', since, { reason: reason ?? '' })] : [];
};

const hostnames: Source = async ({ ctx, site }) =>
  (await listedHostnames(ctx, site.id)).flatMap((host): Found[] => {
    const { unicode, health, certificate, checkedAt, served, tls, createdAt } = host;
    const left = certificate === null ? null : Math.ceil((Date.parse(certificate.notAfter) - ctx.now()) / DAY);
    if (served && (tls === 'expired' || (left !== null && left <= 0)))
      return [item('certificate_expired', host.id, 'bad', certificate?.notAfter ?? null, { host: unicode })];
    if (health === 'error') return [item('hostname_error', host.id, 'bad', checkedAt, { host: unicode })];
    const expiring =
      left !== null && left <= hostnameLimits.expiryDays[0]
        ? [item('certificate_expiring', `${host.id} ${certificate?.serial ?? ''}`, 'warning', null, { host: unicode, days: left })]
        : [];
    const isStuck = health === 'attention' || health === 'paused';
    return [...expiring, ...(isStuck ? [item('hostname_problem', host.id, 'warning', checkedAt ?? createdAt, { host: unicode })] : [])];
  });

const requests: Source = async ({ ctx, site }) => {
  if (site.row.purpose !== 'built') return [];
  const since = ctx.now() - HOUR;
  const { requests: all, failed, first } = await failuresSince(ctx, site.id, since);
  const isSpike = failed >= limits.spikeErrors && failed >= all * limits.spikeShare;
  return isSpike ? [item('errors_spike', dayAt(ctx.now(), site.row.timeZone), 'bad', first, { failed, requests: all })] : [];
};

const robots: Source = async (call) => {
  const { ctx, site } = call;
  if (site.row.purpose !== 'built' || !isOpen(call)) return [];
  const [text, { settings }] = await Promise.all([robotsTextOf(ctx, site.id), workingParts(ctx.postgres.db, site.row)]);
  if (settings.content.robots === 'closed') return [item('robots_block_all', 'settings', 'bad', null, { by: 'settings' })];
  return robotsProblemsOf(text).some(({ code }) => code === 'blocks_all') ? [item('robots_block_all', 'file', 'bad', null, { by: 'file' })] : [];
};

const filings: Source = async ({ ctx, site }) => {
  const { timeZone } = site.row;
  const today = dayAt(ctx.now(), timeZone);
  return (await listedFilings(ctx, { id: site.id, timeZone })).rows.flatMap(({ id, displayed, serviceName, deadlines }) =>
    deadlines
      .filter(({ kind, on, overdue }) => overdue || on <= addDays(today, Math.max(...reminderDays[kind], leastNotice)))
      .map(({ kind, on, overdue }) =>
        item(overdue ? 'filing_overdue' : 'filing_due', `${id} ${kind} ${on}`, overdue ? 'bad' : 'warning', null, {
          deadline: kind,
          on,
          filing: displayed === '' ? (serviceName ?? '') : displayed,
        }),
      ),
  );
};

const conversations: Source = async ({ support }) => {
  const { summary: found } = await support();
  if (found === null || found.overdue === 0) return [];
  return [item('conversations_waiting', found.waitingSince ?? '', 'bad', found.waitingSince, { count: found.overdue })];
};

const countries: Source = async ({ ctx, site }) => {
  const problem = await ruleProblem(ctx, site.id);
  return problem === null ? [] : [item('country_database', problem, 'warning', null, { problem })];
};

const releases: Source = async ({ ctx, site }) => {
  const failed = await failedRelease(ctx, site.id);
  return failed === null ? [] : [item('publish_failed', String(failed.number), 'warning', failed.at, { number: failed.number })];
};

const kindOfJob = (kind: string): AttentionKind =>
  kind === 'analytics.import' || kind.startsWith('siteImport.') ? 'import_failed' : kind.startsWith('crawler.') ? 'crawl_failed' : 'job_failed';

const maySeeJob = (kind: string, call: CardCall): boolean => {
  const need = jobNeeds.find(({ of }) => kind.startsWith(of))?.need;
  return need === undefined ? call.session.token === null && mayOnSite(call.site.role, 'site.compose') : isAllowed(need, call);
};

const jobs: Source = async (call) =>
  (await failedJobs(call.ctx.postgres.db, call.site.id, new Date(call.ctx.now() - jobDays * DAY)))
    .filter(({ kind }) => maySeeJob(kind, call))
    .map(({ id, kind, label, finishedAt }) => item(kindOfJob(kind), id, 'warning', finishedAt, { job: kind, label }));

const storage: Source = async ({ ctx, site }) => {
  const { usedBytes, maxBytes } = await storageUse(ctx, site.id);
  return usedBytes >= maxBytes * fullShare ? [item('storage_full', '', 'warning', null, { usedBytes, maxBytes })] : [];
};

const refusals: Source = async ({ ctx, site, arrivals }) =>
  arrivals()
    .refusals(site.id)
    .filter(({ code, count, lastAt }) => code === 'wrong_host' && count >= refusedToday && lastAt >= ctx.now() - DAY)
    .map(({ host, count, lastAt }) => item('hits_refused', host, 'warning', lastAt, { host, count }));

const templates: Source = async ({ ctx, site }) => {
  const recent = (await listThemeFailures(ctx, site.id)).filter(({ lastAt }) => Date.parse(lastAt) >= ctx.now() - themeDays * DAY);
  const [latest] = recent;
  return latest ? [item('theme_failing', latest.firstAt, 'warning', latest.lastAt, { page: latest.page, count: recent.length })] : [];
};

const budgets: Source = async ({ ctx, site }) => {
  const { count, since } = await exceededBudgets(ctx, site.id);
  return count === 0 ? [] : [item('vitals_over_budget', since?.toISOString() ?? '', 'warning', since, { count })];
};

const contacts: Source = async ({ ctx, site }) =>
  (await countHearers(ctx, ctx.postgres.db, 'security', site.id)) === 0 ? [item('no_security_contact', '', 'info', null)] : [];

/** By the kinds that each may report, so that nothing is looked into that the reader may not see. */
const sources: readonly { readonly name: string; readonly kinds: readonly AttentionKind[]; readonly find: Source }[] = [
  { name: 'reachability', kinds: ['site_down'], find: reachability },
  { name: 'hostnames', kinds: ['certificate_expired', 'hostname_error', 'certificate_expiring', 'hostname_problem'], find: hostnames },
  { name: 'requests', kinds: ['errors_spike'], find: requests },
  { name: 'robots', kinds: ['robots_block_all'], find: robots },
  { name: 'filings', kinds: ['filing_overdue', 'filing_due'], find: filings },
  { name: 'support', kinds: ['conversations_waiting'], find: conversations },
  { name: 'countries', kinds: ['country_database'], find: countries },
  { name: 'releases', kinds: ['publish_failed'], find: releases },
  { name: 'jobs', kinds: ['import_failed', 'crawl_failed', 'job_failed'], find: jobs },
  { name: 'storage', kinds: ['storage_full'], find: storage },
  { name: 'refusals', kinds: ['hits_refused'], find: refusals },
  { name: 'templates', kinds: ['theme_failing'], find: templates },
  { name: 'budgets', kinds: ['vitals_over_budget'], find: budgets },
  { name: 'contacts', kinds: ['no_security_contact'], find: contacts },
];

const rank = (kind: AttentionKind): number => attentionKinds.indexOf(kind);

export type AttentionFound = { readonly items: readonly Found[]; readonly unread: readonly string[] };

/** Everything about a site that somebody has to look into, the most urgent first. A part that cannot be read leaves the others. */
export async function attentionCard(call: CardCall): Promise<CardContent<AttentionFound>> {
  const allowed = (kind: AttentionKind): boolean => isAllowed(attentionNeeds[kind], call);
  const read = sources.filter(({ kinds }) => kinds.some(allowed));
  const results = await Promise.allSettled(read.map(({ find }) => find(call)));
  const failed = read.filter((_source, index) => results[index]?.status === 'rejected').map(({ name }) => name);
  for (const result of results)
    if (result.status === 'rejected')
      call.ctx.log.warn('A part of a site could not be looked into for its dashboard', { siteId: call.site.id, error: result.reason });
  if (failed.length === read.length) throw new Error('no part of the site could be read');
  const items = results
    .flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    .filter(({ kind }) => allowed(kind))
    .toSorted((a, b) => rank(a.kind) - rank(b.kind) || (a.key < b.key ? -1 : 1));
  return { data: { items, unread: failed } };
}

/** What a person sees of it: what they or an administrator have snoozed comes last. */
export function withSnoozes({ items, unread }: AttentionFound, snoozes: readonly Snooze[]): CardData<'attention'> {
  const all = items.map((found): AttentionItem => {
    const own = snoozes.filter(({ key }) => key === found.key).toSorted((a, b) => b.until.getTime() - a.until.getTime())[0];
    return { ...found, snooze: own ? { until: own.until.toISOString(), forAll: own.forAll } : null };
  });
  const ordered = [...all.filter(({ snooze }) => snooze === null), ...all.filter(({ snooze }) => snooze !== null)];
  return { items: ordered.slice(0, limits.attention), more: Math.max(0, ordered.length - limits.attention), unread: [...unread] };
}
