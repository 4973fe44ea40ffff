import type { FastifyInstance } from 'fastify';
import { errorStatus } from '../../../contract/errors';
import type { ErrorCode } from '../../../contract/errors';
import { jobEndpoints as endpoints } from '../../../contract/jobs/schemas';
import type { Job } from '../../../contract/jobs/schemas';
import { may, mayOnSite } from '../../../contract/permissions';
import type { Site } from '../../../contract/sites/schemas';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import type { Locale } from '../../http/access';
import { fail } from '../../http/failure';
import { errorMessageFor } from '../../http/messages';
import { route } from '../../http/route';
import * as queries from '../../worker/queries';
import type { JobRecord } from '../../worker/queries';
import { siteAccess, sitesOf } from '../sites';
import type { Area } from '../area';

/** How long the job list shows a job after its end, in milliseconds. */
const recent = 24 * 3_600_000;

const isErrorCode = (text: string): text is ErrorCode => text in errorStatus;

const jobView = (row: JobRecord, locale: Locale): Job => ({
  id: row.id,
  kind: row.kind,
  siteId: row.siteId,
  label: row.label,
  state: row.state,
  done: row.done,
  total: row.total,
  error: row.error === null ? null : errorMessageFor(isErrorCode(row.error) ? row.error : 'internal', locale),
  cancellable: row.cancellable && !row.cancelAsked && (row.state === 'queued' || row.state === 'running'),
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});

export { jobView };

/** Labels of content table jobs contain names of tables, choices and files that not everyone on the site may see. */
const namesTables = ({ kind }: JobRecord): boolean => kind.startsWith('tables.');

/** A person sees their own jobs, the jobs of sites they can see (of content tables: only those who design them), or all jobs if they see all sites. */
async function isVisible(ctx: Context, session: SessionInfo, job: JobRecord): Promise<boolean> {
  if (job.createdBy === session.userId || may(session.role, 'site.seeAll')) return true;
  const site = job.siteId === null ? null : await siteAccess(ctx)(session, job.siteId);
  return site !== null && (!namesTables(job) || mayOnSite(site.role, 'tables.design'));
}

/** A job may be cancelled by the person who started it, and by those who may archive the site. */
async function mayCancel(ctx: Context, session: SessionInfo, job: JobRecord): Promise<boolean> {
  if (job.createdBy === session.userId) return true;
  const site = job.siteId === null ? null : await siteAccess(ctx)(session, job.siteId);
  return site === null ? may(session.role, 'site.seeAll') : mayOnSite(site.role, 'site.archive');
}

export async function maySeeJob(ctx: Context, session: SessionInfo, jobId: string): Promise<boolean> {
  const job = await queries.findJob(ctx.postgres.db, jobId);
  return job !== null && isVisible(ctx, session, job);
}

export { failedJobs, latestJob } from '../../worker/queries';

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.jobs, async ({ session, locale }) => {
    const since = new Date(ctx.now() - recent);
    if (may(session.role, 'site.seeAll')) return (await queries.recentJobs(db, since, null)).map((row) => jobView(row, locale));
    const sites = await sitesOf(ctx, session);
    const idsOf = (some: readonly Site[]): string[] => some.map(({ id }) => id);
    const mine = { userId: session.userId, siteIds: idsOf(sites), tableSiteIds: idsOf(sites.filter(({ role }) => mayOnSite(role, 'tables.design'))) };
    return (await queries.recentJobs(db, since, mine)).map((row) => jobView(row, locale));
  });

  route(app, ctx, endpoints.cancelJob, async ({ session, params, locale }) => {
    const job = await queries.findJob(db, params.id);
    if (!job || !(await isVisible(ctx, session, job))) return fail('not_found');
    if (!(await mayCancel(ctx, session, job))) fail('forbidden');
    const cancelled = await queries.cancelJob(db, job.id, new Date(ctx.now()));
    if (!cancelled) return fail('bad_transition');
    ctx.live.publish({ type: 'job', jobId: job.id });
    return jobView(cancelled, locale);
  });
}

export const area: Area = { register };
