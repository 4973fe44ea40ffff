import type { FastifyInstance } from 'fastify';
import { crawlerEndpoints as endpoints } from '../../../../contract/crawler/schemas';
import type { Crawler, CrawlerInput } from '../../../../contract/crawler/schemas';
import { mayOnSite } from '../../../../contract/permissions';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import { isTimeZone } from '../../../../contract/timeZone';
import { actorOf, difference, record } from '../../audit';
import { sitesOf } from '../../sites';
import { eraseLinks } from '../engine';
import * as queries from './queries';
import type { CrawlerRecord } from './queries';
import { crawlerResponse, crawlerSummaries } from './responses';
import { checkSchedule, nextTime } from './schedule';
import { changeHeaders } from '../secrets';
import { checkPatterns } from './trying';

/** Crawlers that one site may have. */
const mostOfSite = 200;
const unsafeHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'proxy-authorization', 'user-agent']);

const target = ({ id, name }: Pick<CrawlerRecord, 'id' | 'name'>) => ({ kind: 'crawler', id, name });
/** The settings as the audit log has them: no values of headers. */
const logged = ({ name, kind, schedule, timeZone, enabled, retainedRuns, alerts, config }: CrawlerInput | CrawlerRecord) => {
  const { fetch, ...others } = config;
  const { headers, ...fetchSettings } = fetch;
  return { name, kind, schedule, timeZone, enabled, retainedRuns, alerts, ...others, ...fetchSettings, headerNames: Object.keys(headers).toSorted() };
};
const loggedKeys = [
  ...(['name', 'kind', 'schedule', 'timeZone', 'enabled', 'retainedRuns', 'alerts', 'seeds', 'scope', 'limits', 'politeness', 'audit'] as const),
  ...(['extractions', 'store', 'userAgent', 'sitemaps', 'external', 'resources', 'headerNames'] as const),
];

function check(ctx: Context, input: CrawlerInput): void {
  if (!isTimeZone(input.timeZone)) failField('timeZone', 'not_a_time_zone');
  checkSchedule(input.schedule, input.timeZone, ctx.now());
  for (const name of [...Object.keys(input.config.fetch.headers), ...Object.keys(input.secrets)])
    if (unsafeHeaders.has(name.toLowerCase())) failField('config.fetch.headers', 'reserved');
  const names = input.config.extractions.map(({ name }) => name);
  if (new Set(names).size < names.length) failField('config.extractions', 'duplicate');
  checkPatterns(input.config);
}

const rowOf = (ctx: Context, input: CrawlerInput) => ({
  name: input.name,
  kind: input.kind,
  config: input.config,
  schedule: input.schedule,
  timeZone: input.timeZone,
  enabled: input.enabled,
  retainedRuns: input.retainedRuns,
  alerts: input.alerts,
  nextAt: input.enabled ? nextTime(input.schedule, input.timeZone, ctx.now()) : null,
  updatedAt: new Date(ctx.now()),
});

async function add(ctx: Context, call: CallOf<typeof endpoints.addCrawler>): Promise<Crawler> {
  const { site, body, session } = call;
  check(ctx, body);
  const created = await ctx.postgres.db.transaction(async (tx) => {
    if ((await queries.countCrawlers(tx, site.id)) >= mostOfSite) fail('conflict');
    const row = await queries.insertCrawler(tx, {
      ...rowOf(ctx, body),
      siteId: site.id,
      secrets: changeHeaders(ctx, null, body.secrets),
      createdBy: session.userId,
      createdAt: new Date(ctx.now()),
    });
    await record(ctx, tx, actorOf(call), {
      action: 'crawler.added',
      siteId: site.id,
      target: target(row),
      after: { name: row.name, kind: row.kind, seeds: row.config.seeds.slice(0, 20) },
    });
    return row;
  });
  ctx.live.publish({ type: 'crawl', siteId: site.id, runId: '' });
  return crawlerResponse(ctx, created);
}

async function change(ctx: Context, call: CallOf<typeof endpoints.changeCrawler>): Promise<Crawler> {
  const { params, body, site } = call;
  const revision = call.ifMatch();
  check(ctx, body);
  const written = await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.lockCrawler(tx, params.crawlerId)) ?? fail('not_found');
    if (before.revision !== revision) return null;
    const after = await queries.changeCrawler(tx, before.id, revision, { ...rowOf(ctx, body), secrets: changeHeaders(ctx, before.secrets, body.secrets) });
    if (after)
      await record(ctx, tx, actorOf(call), {
        action: 'crawler.changed',
        siteId: site.id,
        target: target(after),
        ...difference(logged(before), logged(body), loggedKeys),
      });
    return after;
  });
  if (!written) return fail('stale_revision', { current: await crawlerResponse(ctx, await found(ctx, params.crawlerId)) });
  ctx.live.publish({ type: 'crawl', siteId: site.id, runId: '' });
  return crawlerResponse(ctx, written);
}

async function remove(ctx: Context, call: CallOf<typeof endpoints.removeCrawler>): Promise<void> {
  const { params, body, site } = call;
  const runs = await ctx.postgres.db.transaction(async (tx) => {
    const row = (await queries.lockCrawler(tx, params.crawlerId)) ?? fail('not_found');
    if (body.confirm.trim() !== row.name) fail('confirm_mismatch');
    // A run that goes on would write into what is deleted.
    if (await queries.openRun(tx, row.id)) fail('bad_transition');
    const runIds = await queries.runIdsOf(tx, row.id);
    await queries.deleteCrawler(tx, row.id);
    await record(ctx, tx, actorOf(call), { action: 'crawler.removed', siteId: site.id, target: target(row) });
    return runIds;
  });
  for (const id of runs) await eraseLinks(ctx, site.id, id);
  ctx.live.publish({ type: 'crawl', siteId: site.id, runId: '' });
}

export const found = async (ctx: Context, id: string): Promise<CrawlerRecord> => (await queries.findCrawler(ctx.postgres.db, id)) ?? fail('not_found');

export function registerCrawlers(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.crawlers, async ({ session, query }) => {
    const { page, size, siteId, ...filter } = query;
    const readable = (await sitesOf(ctx, session)).filter(({ role }) => mayOnSite(role, 'crawler.read')).map(({ id }) => id);
    const siteIds = siteId === undefined ? readable : readable.filter((id) => id === siteId);
    const { rows, total } = await queries.crawlersOf(db, { ...filter, siteIds }, { page, size });
    return { rows: await crawlerSummaries(ctx, rows), total };
  });
  route(app, ctx, endpoints.addCrawler, (call) => add(ctx, call));
  route(app, ctx, endpoints.crawler, async ({ params }) => crawlerResponse(ctx, await found(ctx, params.crawlerId)));
  route(app, ctx, endpoints.changeCrawler, (call) => change(ctx, call));
  route(app, ctx, endpoints.removeCrawler, async (call) => {
    await remove(ctx, call);
  });
}
