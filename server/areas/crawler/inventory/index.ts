import type { FastifyInstance } from 'fastify';
import { inventoryEndpoints as endpoints } from '../../../../contract/crawler/inventorySchemas';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { reaudit, recheckPage } from './again';
import { changeIssues } from './changeIssues';
import { comparedPages, compareRuns } from './compare';
import { partOf } from './cursor';
import { exportPages, exportPlaces } from './exportPages';
import { graphOf } from './graph';
import { countIssues, groupIssues, listIssues } from './issueQueries';
import { linksOfPage, listLinks } from './linkQueries';
import { crawledSite } from './overview';
import { readPage, readPageBody } from './page';
import { countPages, facetsOf, listPages } from './pageQueries';
import { findRun } from './runs';
import { redirectsOf, sitemapsOf, templatesOf } from './structure';

export { issuesOfAddresses } from './addressIssues';
export { openIssuesOfPage, searchHealth } from './overview';

/** What crawls found: pages, links, issues, templates and comparisons. */
export function registerInventory(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const runOf = ({ site, params }: { readonly site: { readonly id: string }; readonly params: { readonly crawlRunId: string } }) =>
    findRun(db, site.id, params.crawlRunId);

  route(app, ctx, endpoints.crawledSite, (call) => crawledSite(ctx, call));
  route(app, ctx, endpoints.crawledPages, async (call) => {
    const run = await runOf(call);
    const { query } = call;
    // The number of rows stays the same while a reader goes on.
    const [part, total] = await Promise.all([listPages(db, run, query, query, query), query.before === undefined ? countPages(db, run, query) : null]);
    return { ...part, total };
  });
  route(app, ctx, endpoints.crawledPageFacets, async (call) => facetsOf(db, await runOf(call)));
  const place = exportPlaces();
  route(app, ctx, endpoints.exportCrawledPages, (call) => exportPages(ctx, call, place));
  route(app, ctx, endpoints.crawledPage, (call) => readPage(ctx, call));
  route(app, ctx, endpoints.recheckCrawledPage, (call) => recheckPage(ctx, call));
  route(app, ctx, endpoints.reauditCrawl, (call) => reaudit(ctx, call));
  route(app, ctx, endpoints.crawledPageBody, (call) => readPageBody(ctx, call));
  route(app, ctx, endpoints.crawledPageLinks, async (call) => linksOfPage(ctx, await runOf(call), call.params.urlId, call.query.direction, call.query));
  route(app, ctx, endpoints.crawlIssueGroups, async (call) => {
    const run = await runOf(call);
    const [rows, counts] = await Promise.all([groupIssues(db, run, call.query, call.query.by, ctx.now()), countIssues(db, run, ctx.now())]);
    return { rows, counts };
  });
  route(app, ctx, endpoints.crawlIssues, async (call) => {
    const { query } = call;
    return partOf(await listIssues(db, await runOf(call), query, { ...query, now: ctx.now() }), query.size, ({ impact, id }) => [impact, id]);
  });
  route(app, ctx, endpoints.changeCrawlIssues, (call) => changeIssues(ctx, call));
  route(app, ctx, endpoints.crawlLinks, async (call) => listLinks(ctx, await runOf(call), call.query, call.query));
  route(app, ctx, endpoints.crawlRedirects, async (call) => redirectsOf(db, await runOf(call), call.query));
  route(app, ctx, endpoints.crawlGraph, async (call) => graphOf(ctx, await runOf(call)));
  route(app, ctx, endpoints.crawlTemplates, async (call) => ({ rows: await templatesOf(db, await runOf(call)) }));
  route(app, ctx, endpoints.crawlSitemaps, async (call) => sitemapsOf(db, await runOf(call)));
  route(app, ctx, endpoints.compareCrawlRuns, (call) => compareRuns(ctx, call));
  route(app, ctx, endpoints.comparedCrawlPages, (call) => comparedPages(ctx, call));
}
