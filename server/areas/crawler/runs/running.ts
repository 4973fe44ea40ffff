import type { FastifyInstance } from 'fastify';
import type { AuditAction } from '../../../../contract/audit/schemas';
import { crawlerEndpoints as endpoints } from '../../../../contract/crawler/schemas';
import type { CrawlFamily, CrawlRun } from '../../../../contract/crawler/schemas';
import { isOpenRun } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { enqueueRun, pauseRun, resumeRun, setFamily, stopRun } from '../engine';
import type { RunRow } from '../engine';
import { found } from './crawlers';
import * as queries from './queries';
import { runDetail, runResponse } from './responses';

type RunCall = CallOf<typeof endpoints.pauseCrawl>;

async function note(
  ctx: Context,
  call: RunCall | CallOf<typeof endpoints.startCrawl>,
  action: AuditAction,
  run: Pick<RunRow, 'crawlerId' | 'number'>,
): Promise<void> {
  const { id, name, siteId } = await found(ctx, run.crawlerId);
  await record(ctx, ctx.postgres.db, actorOf(call), { action, siteId, target: { kind: 'crawler', id, name }, after: { run: run.number } });
}

export const foundRun = async (ctx: Context, id: string): Promise<queries.RunRecord> => (await queries.findRun(ctx.postgres.db, id)) ?? fail('not_found');

async function start(ctx: Context, call: CallOf<typeof endpoints.startCrawl>): Promise<CrawlRun> {
  const { params, session } = call;
  const run = await enqueueRun(ctx, params.crawlerId, { trigger: session.token ? 'api' : 'manual', who: { userId: session.userId } });
  await note(ctx, call, 'crawler.started', run);
  return runResponse(run);
}

async function turn(ctx: Context, call: RunCall, action: AuditAction, change: typeof pauseRun): Promise<CrawlRun> {
  const run = await change(ctx, call.params.crawlRunId, { userId: call.session.userId });
  await note(ctx, call, action, run);
  return runResponse(run);
}

const families = async (ctx: Context, runId: string): Promise<CrawlFamily[]> =>
  (await queries.familiesOf(ctx.postgres.db, runId)).map(({ host, family, pages, waiting, state, reason }) => ({
    host,
    family,
    pages,
    waiting,
    state,
    reason,
  }));

export function registerRunning(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.crawlRuns, async ({ params, query }) => {
    const all = await queries.runsOf(db, params.crawlerId, query.before === undefined ? null : Number(query.before), query.size);
    const rows = all.slice(0, query.size);
    return { rows: rows.map(runResponse), next: all.length > query.size ? String(rows.at(-1)?.number) : null };
  });
  route(app, ctx, endpoints.startCrawl, (call) => start(ctx, call));
  route(app, ctx, endpoints.crawlRun, async ({ params }) => runDetail(ctx, await foundRun(ctx, params.crawlRunId)));
  route(app, ctx, endpoints.pauseCrawl, (call) => turn(ctx, call, 'crawler.paused', pauseRun));
  route(app, ctx, endpoints.resumeCrawl, (call) => turn(ctx, call, 'crawler.resumed', resumeRun));
  route(app, ctx, endpoints.stopCrawl, (call) => turn(ctx, call, 'crawler.stopped', stopRun));
  route(app, ctx, endpoints.crawlFamilies, ({ params }) => families(ctx, params.crawlRunId));
  route(app, ctx, endpoints.setCrawlFamily, async ({ params, body }) => {
    const run = await foundRun(ctx, params.crawlRunId);
    if (!isOpenRun(run)) fail('bad_transition');
    const { host, family, state } = body;
    if (!(await families(ctx, run.id)).some((one) => one.host === host && one.family === family)) fail('not_found');
    await setFamily(ctx, { runId: run.id, host, family }, state);
    return families(ctx, run.id);
  });
}
