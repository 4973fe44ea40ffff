import { setMaxListeners } from 'node:events';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { analyticsEndpoints as endpoints, pathDimensions } from '../../../contract/analytics/schemas';
import { normalizePath } from '../../../contract/paths';
import type { SiteFigures } from '../../../contract/sites/list';
import { parseUrl } from '../../../contract/parseUrl';
import type { Context } from '../../context';
import type { SessionInfo, SiteAccess } from '../../http/access';
import { failureResponse } from '../../http/errors';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import type { ResponseOf, CallOf } from '../../http/route';
import { settingsOf } from '../measuring/settings';
import { scoresOf } from '../measuring/score';
import { noArrivals } from './arrivals';
import type { Arrivals } from './arrivals';
import { goalsOfSite } from './definitions';
import { exportFile } from './exportFile';
import { registerExports, sendFile } from './exports';
import { figuresOf } from './figures';
import { checkInstall, sameHost } from './install/check';
import { fetchPage } from './install/fetchPage';
import { groupsOf } from './measures';
import { valuesOfDimension } from './queries';
import type { QueryContext } from './queries';
import { beganIn, rangeOf } from './range';
import { makeReport } from './report';
import { scanOf, scopeFor } from './scope';
import type { ScopeQuery } from './scope';
import { registerScreens, screensOf } from './screens';
import { createShare } from './share';
import type { Share } from './share';
import { arrivedAt, hitsOfView, latestVisits, onlineNow, pagesNow, visitOfView } from './visitQueries';
import type { Cursor } from './visitQueries';
import type { Area, FiguredSite } from '../area';
import { auditRollups, recomputeRollups, settleMonths } from './rollup';

export { noArrivals } from './arrivals';
export type { Arrivals } from './arrivals';
export { fetchPage } from './install/fetchPage';
export { binder, conditionSql, countedEvent, goalSql } from './events';
export { compileFilters, parseFilter } from './filters';
export { runQuery } from './queries';
export type { QueryContext } from './queries';
export { comparisonOf, rangeOf, seriesSteps } from './range';
export { csv, fileName } from './exportFile';
export { sendFile } from './exports';
export { scanOf, scopeFor } from './scope';
export type { ScopeQuery } from './scope';
export { visitsOf } from './slices';
export type { Scan } from './slices';
export { reportFor, rowName } from './reportFor';
export { createShare } from './share';
export { visitorChange } from './visitorChange';
export { visitsOfVisitor } from './visitQueries';

type Reader = (reply: FastifyReply) => QueryContext;

const mostValues = 50;
const humans = { filter: [], who: 'humans', segment: [] } as const satisfies ScopeQuery;
const everybody = { filter: [], who: 'all', segment: [] } as const satisfies ScopeQuery;

/** Stops the query of a reader who has gone. */
export function queryContextFor(ctx: Context, reply: FastifyReply, share?: Share): QueryContext {
  const gone = new AbortController();
  // One listener for each query of each report.
  setMaxListeners(0, gone.signal);
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return { clickhouse: ctx.clickhouse, signal: gone.signal, ...(share ? { share } : {}) };
}

function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const match = /^(\d{1,15})\.([0-9a-f]{16})$/.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? { last: Number(match[1]), visitId: match[2] } : fail('bad_request');
}

/** Only pages of the site itself are fetched for a reader: `address` must be on one of its hosts. */
function addressToCheck(site: SiteAccess, address: string | undefined): URL | null {
  const own = parseUrl(site.row.url ?? '');
  if (address === undefined) return own;
  const url = parseUrl(address);
  if (url === null) return failField('url', 'not_a_url');
  return own && sameHost(own, url) && (url.protocol === 'http:' || url.protocol === 'https:') ? url : failField('url', 'out_of_range');
}

const reportSite = (site: SiteAccess) => ({ id: site.id, timeZone: site.row.timeZone, filters: site.filters });

/** A scan of visits without a range. */
const visitScan = async (ctx: Context, site: SiteAccess, scopeQuery: Pick<ScopeQuery, 'filter' | 'who' | 'segment'>, session: SessionInfo) => {
  const { siteId, who, filters, zone, score, cities } = scanOf(reportSite(site), scopeQuery, await scopeFor(ctx, reportSite(site), scopeQuery, session), {
    start: 0,
    end: 0,
  });
  return { siteId, who, filters, zone, score, cities, now: ctx.now() };
};

/** Who is on a site now, and on which pages most of them are. */
export async function liveOf(ctx: Context, site: Pick<SiteAccess, 'id' | 'row' | 'filters'>, pages: number) {
  const { id, row } = site;
  const { score } = await scopeFor(ctx, { id, timeZone: row.timeZone }, humans, null);
  const to = { clickhouse: ctx.clickhouse };
  const scan = scanOf({ id, timeZone: row.timeZone }, humans, { filters: [], ...(score === undefined ? {} : { score }) }, { start: 0, end: 0 });
  const query = { siteId: id, who: scan.who, filters: scan.filters, zone: scan.zone, score, cities: undefined, now: ctx.now() };
  const [online, top] = await Promise.all([onlineNow(to, query), pagesNow(to, query, pages)]);
  return { ...online, pages: top };
}

/** When the first hit of a site arrived, epoch ms; null: none yet. */
export const firstArrivalOf = async (ctx: Context, siteId: string): Promise<number | null> =>
  (await arrivedAt({ clickhouse: ctx.clickhouse }, siteId)).firstHitAt;

async function exportReport(
  ctx: Context,
  { site, query, session, locale, reply }: CallOf<typeof endpoints.exportReport>,
  reader: Reader,
): Promise<FastifyReply> {
  const groups = [...new Set([...query.with, ...groupsOf(query.measure)])];
  // Without rows the file is the series.
  const scopeQuery = { ...query, with: groups, ...(query.by === undefined ? { series: '1' as const } : {}) };
  const scope = await scopeFor(ctx, reportSite(site), scopeQuery, session);
  const report = await makeReport(reader(reply), reportSite(site), scopeQuery, { now: ctx.now, scope });
  const order = query.order.length > 0 ? query.order : [`time.${query.dir}` as const];
  const names = query.by === 'goal' ? new Map((await goalsOfSite(ctx, site.id)).map(({ id, name }) => [id, name])) : null;
  const file = exportFile(
    report,
    site.row.slug,
    { by: query.by, sort: query.sort, locale, measures: query.measure, groups, order, ...(names ? { names } : {}) },
    query.format,
    query,
  );
  return sendFile(reply, file.name, query.format, file.text);
}

async function latestOf(
  ctx: Context,
  { site, query, session, reply }: CallOf<typeof endpoints.latest>,
  reader: Reader,
): Promise<ResponseOf<typeof endpoints.latest>> {
  const { rows, more } = await latestVisits(reader(reply), {
    ...(await visitScan(ctx, site, query, session)),
    range: beganIn(query, site.row.timeZone),
    cursor: readCursor(query.cursor),
    size: query.size,
  });
  const end = rows.at(-1);
  return { rows, next: more && end ? `${end.last}.${end.visitId}` : null };
}

async function eventsOfPage(
  ctx: Context,
  { site, params, session, reply }: CallOf<typeof endpoints.pageEvents>,
  reader: Reader,
): Promise<ResponseOf<typeof endpoints.pageEvents>> {
  const to = reader(reply);
  const reading = await visitScan(ctx, site, everybody, session);
  const hits = await hitsOfView(to, site.id, params.pageId);
  const [first] = hits;
  if (!first) return fail('not_found');
  const visit = await visitOfView(
    to,
    site.id,
    params.pageId,
    hits.reduce((earliest, hit) => Math.min(earliest, hit.at), first.at),
    reading,
  );
  if (!visit) return fail('not_found');
  const place = visit.pages.findIndex((page) => page.pageId === params.pageId);
  return {
    visit,
    pageId: params.pageId,
    previous: visit.pages[place - 1]?.pageId ?? null,
    next: visit.pages[place + 1]?.pageId ?? null,
    events: hits.map((hit) => ({ ...hit, props: propsOf(hit.props) })),
  };
}

async function valuesToPick(ctx: Context, { site, query, session, reply }: CallOf<typeof endpoints.values>, reader: Reader): Promise<string[]> {
  if (query.by === 'goal') {
    const found = (await goalsOfSite(ctx, site.id)).filter(({ name }) => name.toLowerCase().includes(query.q.toLowerCase()));
    return found.map(({ id }) => id);
  }
  const scope = await scopeFor(ctx, reportSite(site), everybody, session);
  const scan = scanOf(reportSite(site), everybody, scope, rangeOf(query.from, query.to, site.row.timeZone));
  const part = pathDimensions.has(query.by) ? normalizePath(query.q) : query.q;
  return valuesOfDimension(reader(reply), scan, query.by, part, mostValues);
}

async function installState(
  ctx: Context,
  { site, reply }: CallOf<typeof endpoints.install>,
  reader: Reader,
  arrivals: () => Arrivals,
): Promise<ResponseOf<typeof endpoints.install>> {
  const arrived = await arrivedAt(reader(reply), site.id);
  return {
    tag: (await settingsOf(ctx, site.row)).tag,
    ...arrived,
    scriptLoads: arrivals().scriptLoads(site.id),
    refusals: arrivals().refusals(site.id),
  };
}

async function checkInstallation(
  ctx: Context,
  { site, body, reply }: CallOf<typeof endpoints.installCheck>,
  reader: Reader,
  arrivals: () => Arrivals,
): Promise<ResponseOf<typeof endpoints.installCheck>> {
  const url = addressToCheck(site, body.url);
  const { lastHitAt } = await arrivedAt(reader(reply), site.id);
  const signs = { hits: lastHitAt !== null, scriptLoads: arrivals().scriptLoads(site.id), refusals: arrivals().refusals(site.id) };
  return checkInstall({ siteId: site.id, url, signs, now: ctx.now(), fetch: (address) => fetchPage(address, { allowNear: ctx.config.privateSites }) });
}

/** Figures of the list of sites: those of visits. */
async function siteFigures(ctx: Context, sites: readonly FiguredSite[]): Promise<ReadonlyMap<string, Pick<SiteFigures, 'visits'>>> {
  const scores = await scoresOf(
    ctx,
    sites.map(({ id }) => id),
  );
  const measured = sites.map(({ id, timeZone, createdAt }) => ({ id, timeZone, createdAt: Date.parse(createdAt), score: scores.get(id) }));
  const found = await figuresOf({ clickhouse: ctx.clickhouse }, measured, ctx.now());
  return new Map(Array.from(found, ([id, visits]) => [id, { visits }]));
}

const reportFor = async (
  ctx: Context,
  to: QueryContext,
  { site, session }: Pick<CallOf<typeof endpoints.report>, 'site' | 'session'>,
  query: CallOf<typeof endpoints.report>['query'],
): Promise<ResponseOf<typeof endpoints.report>> =>
  makeReport(to, reportSite(site), query, { now: ctx.now, scope: await scopeFor(ctx, reportSite(site), query, session) });

/** Makes each report independently: if one fails, the others are still returned. */
async function reportsTogether(ctx: Context, call: CallOf<typeof endpoints.reports>, reader: Reader): Promise<ResponseOf<typeof endpoints.reports>> {
  const to = reader(call.reply);
  return Promise.all(
    call.query.q.map(async (query) => {
      try {
        return { data: await reportFor(ctx, to, call, query) };
      } catch (error) {
        const { failure, body } = failureResponse(error, call.request, ctx.log);
        return { status: failure.status, ...body };
      }
    }),
  );
}

function register(app: FastifyInstance, ctx: Context): void {
  const share = createShare();
  const reader: Reader = (reply) => queryContextFor(ctx, reply, share);
  const arrivals = (): Arrivals => app.arrivals ?? noArrivals;
  route(app, ctx, endpoints.report, (call) => reportFor(ctx, reader(call.reply), call, call.query));
  route(app, ctx, endpoints.reports, (call) => reportsTogether(ctx, call, reader));
  route(app, ctx, endpoints.exportReport, (call) => exportReport(ctx, call, reader));
  route(app, ctx, endpoints.latest, (call) => latestOf(ctx, call, reader));
  route(app, ctx, endpoints.online, async ({ site, query, session, reply }) => onlineNow(reader(reply), await visitScan(ctx, site, query, session)));
  route(app, ctx, endpoints.pageEvents, (call) => eventsOfPage(ctx, call, reader));
  route(app, ctx, endpoints.values, (call) => valuesToPick(ctx, call, reader));
  const screens = screensOf(ctx, reader);
  registerScreens(app, ctx, screens);
  registerExports(app, ctx, { reader, screens, visitsAsked: (site, query, session) => visitScan(ctx, site, query, session) });
  route(app, ctx, endpoints.install, (call) => installState(ctx, call, reader, arrivals));
  route(app, ctx, endpoints.installCheck, (call) => checkInstallation(ctx, call, reader, arrivals));
}

/** Properties are stored as the tracker sent them, checked at the line. */
function propsOf(text: string): Record<string, unknown> {
  if (text === '') return {};
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export const area: Area = {
  register,
  schedules: [
    { name: 'rollups.compute', every: 60_000, run: recomputeRollups },
    { name: 'rollups.audit', every: 24 * 3_600_000, run: auditRollups },
    { name: 'visits.settle', every: 6 * 3_600_000, run: settleMonths },
  ],
  siteFigures: { source: 'visits', action: 'analytics.read', token: 'analytics:read', read: siteFigures },
  siteTopics: [{ kind: 'als', action: 'analytics.read', events: ['als'] }],
};
