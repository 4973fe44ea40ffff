import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { rowId, safeText } from '../text';
import { inventoryCalls as calls } from './inventoryCalls';
import {
  CompareParams,
  ComparedPage,
  CrawlGraph,
  CrawlIssue,
  CrawlRedirect,
  CrawlSitemaps,
  CrawlTemplate,
  CrawledPage,
  CrawledPageDetail,
  CrawledSite,
  DateTime,
  IssueChange,
  IssueGroup,
  LinkRow,
  PageFacets,
  PageParams,
  Rows,
  RunComparison,
  RunParams,
  flag,
  issueFilter,
  keyset,
  pageFilter,
  pageOrder,
} from './inventoryResponses';
import { comparedFields, issueLists, pageChanges } from './inventoryTerms';
import { linkKinds, linkPositions, pageReadings } from './terms';

export type * from './inventoryResponses';

const read = { access: { resource: 'crawlRun', action: 'crawler.read' }, token: 'crawler:read', params: RunParams } as const;

export const inventoryEndpoints = {
  crawledSite: endpoint(calls.crawledSite, {
    access: { site: 'crawler.read' },
    token: 'crawler:read',
    summary: 'What crawls know of a site: its runs, their scores, and the numbers of the newest run',
    params: z.object({ siteId: SiteId }),
    response: CrawledSite,
  }),
  crawledPages: endpoint(calls.crawledPages, {
    ...read,
    summary: 'Pages of a run, filtered and sorted, in parts by cursor',
    query: z.object({ ...pageFilter, ...pageOrder, ...keyset }),
    response: Rows(CrawledPage).extend({ total: z.int().nullable() }),
  }),
  crawledPageFacets: endpoint(calls.crawledPageFacets, { ...read, summary: 'Numbers of pages of a run by every filter', response: PageFacets }),
  exportCrawledPages: endpoint(calls.exportCrawledPages, {
    ...read,
    kind: 'file',
    summary: 'Pages of a run as CSV, filtered and sorted',
    query: z.object({ ...pageFilter, ...pageOrder }),
    ratePerMinute: 20,
  }),
  crawledPage: endpoint(calls.crawledPage, {
    ...read,
    summary: 'Everything that a run knows of one page, and its history over runs',
    params: PageParams,
    response: CrawledPageDetail,
  }),
  recheckCrawledPage: endpoint(calls.recheckCrawledPage, {
    access: { resource: 'crawlRun', action: 'crawler.run' },
    token: 'crawler:write',
    summary: 'Read one page again and update its issues in the last run of the crawler: those that are fixed are closed at once',
    params: PageParams,
    response: z.object({ status: z.int(), error: z.string().nullable(), open: z.int(), fixed: z.int(), reading: z.enum(pageReadings) }),
    errors: ['too_many_requests'],
    ratePerMinute: 30,
  }),
  reauditCrawl: endpoint(calls.reauditCrawl, {
    access: { resource: 'crawlRun', action: 'crawler.run' },
    token: 'crawler:write',
    summary: 'Evaluate the rules again over what a run stored, with the present configuration, as a job',
    params: RunParams,
    response: z.object({ jobId: z.string() }),
    errors: ['bad_transition'],
    ratePerMinute: 20,
  }),
  crawledPageLinks: endpoint(calls.crawledPageLinks, {
    ...read,
    summary: 'Links of a page, or links to it',
    params: PageParams,
    query: z.object({ direction: z.enum(['in', 'out']), ...keyset }),
    response: Rows(LinkRow),
    errors: ['analytics_unavailable'],
  }),
  crawledPageBody: endpoint(calls.crawledPageBody, {
    ...read,
    summary: 'The stored body of a page as text',
    params: PageParams,
    response: z.object({ text: z.string(), bytes: z.int(), cut: z.boolean() }),
    ratePerMinute: 120,
  }),
  crawlIssueGroups: endpoint(calls.crawlIssueGroups, {
    ...read,
    summary: 'Issues of a run in groups, those with the greatest impact first',
    query: z.object({ ...issueFilter, by: z.enum(['rule', 'template']).default('rule') }),
    response: z.object({ rows: z.array(IssueGroup), counts: z.record(z.enum(issueLists), z.int()) }),
  }),
  crawlIssues: endpoint(calls.crawlIssues, {
    ...read,
    summary: 'Issues of a run, those with the greatest impact first, in parts by cursor',
    query: z.object({ ...issueFilter, ...keyset }),
    response: Rows(CrawlIssue),
  }),
  changeCrawlIssues: endpoint(calls.changeCrawlIssues, {
    access: { resource: 'crawler', action: 'crawler.run' },
    token: 'crawler:write',
    summary: 'Ignore issues with a reason, reopen them, or undo such a change',
    params: z.object({ crawlerId: rowId }),
    body: IssueChange,
    response: z.object({ changed: z.int(), changedAt: DateTime }),
    errors: ['invalid_fields'],
  }),
  crawlLinks: endpoint(calls.crawlLinks, {
    ...read,
    summary: 'Links of a run, in parts by cursor',
    query: z.object({
      target: z.enum(['all', 'broken', 'redirect']).default('all'),
      kind: z.enum(linkKinds).optional(),
      position: z.enum(linkPositions).optional(),
      nofollow: flag,
      q: safeText(200).optional(),
      ...keyset,
    }),
    response: Rows(LinkRow),
    errors: ['analytics_unavailable'],
  }),
  crawlRedirects: endpoint(calls.crawlRedirects, {
    ...read,
    summary: 'Redirects of a run with every hop, in parts by cursor',
    query: z.object(keyset),
    response: Rows(CrawlRedirect),
  }),
  crawlGraph: endpoint(calls.crawlGraph, {
    ...read,
    summary: 'Links between the templates of a run, depths, and the pages with the highest and lowest PageRank',
    response: CrawlGraph,
    errors: ['analytics_unavailable'],
    ratePerMinute: 60,
  }),
  crawlTemplates: endpoint(calls.crawlTemplates, { ...read, summary: 'Templates of the pages of a run', response: z.object({ rows: z.array(CrawlTemplate) }) }),
  crawlSitemaps: endpoint(calls.crawlSitemaps, { ...read, summary: 'What sitemaps list, compared with what a run found', response: CrawlSitemaps }),
  compareCrawlRuns: endpoint(calls.compareCrawlRuns, {
    ...read,
    summary: 'What differs between a run and an earlier one of the same site',
    params: CompareParams,
    response: RunComparison,
  }),
  comparedCrawlPages: endpoint(calls.comparedCrawlPages, {
    ...read,
    summary: 'Pages that differ between two runs, in parts by cursor',
    params: CompareParams,
    query: z.object({ change: z.enum(pageChanges).optional(), field: z.enum(comparedFields).optional(), ...keyset }),
    response: Rows(ComparedPage),
  }),
} as const;
