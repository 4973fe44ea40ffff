import { inventoryCalls } from '@contract/crawler/inventoryCalls';
import type { inventoryEndpoints } from '@contract/crawler/inventorySchemas';
import { api } from '@/store/api';
import { addressOf, mutation, pages, query, typed } from '@/store/endpoints';
import type { ArgumentsOf } from '@/store/endpoints';

const calls = typed<typeof inventoryEndpoints>(inventoryCalls);
/** What runs found; an issue that changes changes everything that counts issues. */
const found = { providesTags: ['CrawlFound' as const] };
/** What runs found, without issues. */
const links = { providesTags: ['CrawlLinks' as const] };

export const inventoryApi = api.enhanceEndpoints({ addTagTypes: ['CrawlFound', 'CrawlLinks'] }).injectEndpoints({
  endpoints: (b) => ({
    crawledSite: query(b, calls.crawledSite, found),
    crawledPages: pages(b, calls.crawledPages, found),
    crawledPageFacets: query(b, calls.crawledPageFacets, found),
    crawledPage: query(b, calls.crawledPage, found),
    recheckCrawledPage: mutation(b, calls.recheckCrawledPage, { invalidatesTags: ['CrawlFound'] }),
    reauditCrawl: mutation(b, calls.reauditCrawl),
    crawledPageLinks: pages(b, calls.crawledPageLinks, links),
    crawledPageBody: query(b, calls.crawledPageBody),
    crawlIssueGroups: query(b, calls.crawlIssueGroups, found),
    crawlIssues: pages(b, calls.crawlIssues, found),
    changeCrawlIssues: mutation(b, calls.changeCrawlIssues, { invalidatesTags: ['CrawlFound'] }),
    crawlLinks: pages(b, calls.crawlLinks, links),
    crawlRedirects: pages(b, calls.crawlRedirects, links),
    crawlGraph: query(b, calls.crawlGraph, links),
    crawlTemplates: query(b, calls.crawlTemplates, found),
    crawlSitemaps: query(b, calls.crawlSitemaps, links),
    compareCrawlRuns: query(b, calls.compareCrawlRuns, found),
    comparedCrawlPages: pages(b, calls.comparedCrawlPages, links),
  }),
});

export const pageFileAddress = (args: ArgumentsOf<(typeof inventoryEndpoints)['exportCrawledPages']>): string => addressOf(calls.exportCrawledPages, args);

export const {
  useCrawledSiteQuery,
  useCrawledPagesInfiniteQuery,
  useCrawledPageFacetsQuery,
  useCrawledPageQuery,
  useRecheckCrawledPageMutation,
  useReauditCrawlMutation,
  useCrawledPageLinksInfiniteQuery,
  useLazyCrawledPageBodyQuery,
  useCrawlIssueGroupsQuery,
  useCrawlIssuesInfiniteQuery,
  useChangeCrawlIssuesMutation,
  useCrawlLinksInfiniteQuery,
  useCrawlRedirectsInfiniteQuery,
  useCrawlGraphQuery,
  useCrawlTemplatesQuery,
  useCrawlSitemapsQuery,
  useCompareCrawlRunsQuery,
  useComparedCrawlPagesInfiniteQuery,
} = inventoryApi;
