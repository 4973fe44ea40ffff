import type { FastifyInstance, FastifyReply } from 'fastify';
import { analyticsEndpoints as endpoints } from '../../../contract/analytics';
import { mayOnSite } from '../../../contract/permissions';
import { siteEndpoints } from '../../../contract/sites';
import type { Context } from '../../context';
import type { SiteAccess } from '../../http/access';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { sitesOf } from '../sites';
import { noArrivals } from './arrivals';
import { exportFile } from './exportFile';
import { figuresOf } from './figures';
import { compileFilters, parseFilter } from './filters';
import { checkInstall, sameHost, tagFor } from './install/check';
import { fetchPage } from './install/fetchPage';
import { valuesOfDimension } from './queries';
import type { Ask } from './queries';
import { rangeOf } from './range';
import { makeReport } from './report';
import { createShare } from './share';
import type { Share } from './share';
import { arrivedAt, hitsOfView, latestVisits, onlineNow, visitOfView } from './visitQueries';
import type { Cursor } from './visitQueries';

export type { Arrivals } from './arrivals';
export { demoTraffic, startDemo } from './demo';

const mostValues = 50;

/** Stops the query of a reader who has gone. */
function readerOf(ctx: Context, reply: FastifyReply, share: Share): Ask {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return { clickhouse: ctx.clickhouse, signal: gone.signal, share };
}

function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const match = /^(\d{1,15})\.([0-9a-f]{16})$/.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? { last: Number(match[1]), visitId: match[2] } : fail('bad_request');
}

/** Only addresses of the site itself are fetched for a reader: `given` must be on one of its hosts. */
function addressToCheck(site: SiteAccess, given: string | undefined): URL | null {
  const own = site.row.url !== null && URL.canParse(site.row.url) ? new URL(site.row.url) : null;
  if (given === undefined) return own;
  if (!URL.canParse(given)) return failField('url', 'not_a_url');
  const url = new URL(given);
  return own && sameHost(own, url) && (url.protocol === 'http:' || url.protocol === 'https:') ? url : failField('url', 'out_of_range');
}

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host);

export function register(app: FastifyInstance, ctx: Context): void {
  /** Addresses of this machine and its networks are fetched only where nobody from outside can ask for it. */
  const allowNear = isLoopback(ctx.config.host) && isLoopback(new URL(ctx.config.publicUrl).hostname);
  const share = createShare();
  const reader = (reply: FastifyReply): Ask => readerOf(ctx, reply, share);
  const arrivals = () => app.arrivals ?? noArrivals;
  const reportSite = (site: SiteAccess) => ({ id: site.id, timeZone: site.row.timeZone });

  route(app, ctx, endpoints.report, ({ site, query, reply }) => makeReport(reader(reply), reportSite(site), query, { now: ctx.now }));

  route(app, ctx, endpoints.exportReport, async ({ site, query, locale, reply }) => {
    // Without rows the file is the series.
    const asked = query.by === undefined ? { ...query, series: '1' as const } : query;
    const report = await makeReport(reader(reply), reportSite(site), asked, { now: ctx.now });
    const order = query.order.length > 0 ? query.order : [`time.${query.dir}` as const];
    const file = exportFile(report, site.row.slug, { by: query.by, sort: query.sort, locale, measures: query.measure, order }, query.format);
    return reply.type(file.type).header('content-disposition', `attachment; filename="${file.name}"`).send(file.text);
  });

  route(app, ctx, endpoints.latest, async ({ site, query, reply }) => {
    const filters = compileFilters(query.filter.map(parseFilter));
    const { rows, more } = await latestVisits(reader(reply), {
      siteId: site.id,
      who: query.who,
      filters,
      cursor: readCursor(query.cursor),
      size: query.size,
      now: ctx.now(),
    });
    const end = rows.at(-1);
    return { rows, next: more && end ? `${end.last}.${end.visitId}` : null };
  });

  route(app, ctx, endpoints.online, ({ site, query, reply }) =>
    onlineNow(reader(reply), { siteId: site.id, who: query.who, filters: compileFilters(query.filter.map(parseFilter)), now: ctx.now() }),
  );

  route(app, ctx, endpoints.pageEvents, async ({ site, params, reply }) => {
    const to = reader(reply);
    const hits = await hitsOfView(to, site.id, params.pageId);
    const [first] = hits;
    if (!first) return fail('not_found');
    const visit = await visitOfView(
      to,
      site.id,
      params.pageId,
      hits.reduce((earliest, hit) => Math.min(earliest, hit.at), first.at),
      ctx.now(),
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
  });

  route(app, ctx, endpoints.values, ({ site, query, reply }) => {
    const range = rangeOf(query.from, query.to, site.row.timeZone);
    const scan = { siteId: site.id, start: range.start, end: range.end, who: 'all' as const, filters: compileFilters([]), zone: site.row.timeZone };
    return valuesOfDimension(reader(reply), scan, query.by, query.q, mostValues);
  });

  route(app, ctx, endpoints.install, async ({ site, reply }) => {
    const arrived = await arrivedAt(reader(reply), site.id);
    return {
      tag: tagFor(ctx.config.publicUrl, site.id, site.row.identity),
      ...arrived,
      scriptLoads: arrivals().scriptLoads(site.id),
      refusals: arrivals().refusals(site.id),
    };
  });

  route(app, ctx, endpoints.installCheck, async ({ site, body, reply }) => {
    const url = addressToCheck(site, body.url);
    const { lastHitAt } = await arrivedAt(reader(reply), site.id);
    const seen = { hits: lastHitAt !== null, scriptLoads: arrivals().scriptLoads(site.id), refusals: arrivals().refusals(site.id) };
    return checkInstall({ siteId: site.id, url, seen, now: ctx.now(), fetch: (address) => fetchPage(address, { allowNear }) });
  });

  route(app, ctx, siteEndpoints.figures, async ({ session, reply }) => {
    const sites = (await sitesOf(ctx, session)).filter((site) => mayOnSite(site.role, 'analytics.read'));
    return figuresOf(
      reader(reply),
      sites.map(({ id, timeZone, createdAt }) => ({ id, timeZone, createdAt: Date.parse(createdAt) })),
      ctx.now(),
    );
  });
}

/** Properties are stored as the tracker sent them, checked at the line. */
function propsOf(text: string): Record<string, unknown> {
  if (text === '') return {};
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
