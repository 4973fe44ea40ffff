import { crawlerCalls } from '@contract/crawler/calls';
import type { crawlerEndpoints } from '@contract/crawler/schemas';
import { api } from '@/store/api';
import { addressOf, mutation, pages, query, typed } from '@/store/endpoints';
import type { ArgumentsOf } from '@/store/endpoints';

const calls = typed<typeof crawlerEndpoints>(crawlerCalls);
const ofRun = { invalidatesTags: ['Crawler' as const, 'CrawlRun' as const] };

/** Crawlers and their runs; what runs found is in `inventory`. */
export const crawlerApi = api.enhanceEndpoints({ addTagTypes: ['Crawler', 'CrawlRun'] }).injectEndpoints({
  endpoints: (b) => ({
    crawlers: query(b, calls.crawlers, { providesTags: ['Crawler'] }),
    crawler: query(b, calls.crawler, { providesTags: ['Crawler'] }),
    addCrawler: mutation(b, calls.addCrawler, { invalidatesTags: ['Crawler'] }),
    changeCrawler: mutation(b, calls.changeCrawler, { invalidatesTags: ['Crawler'] }),
    removeCrawler: mutation(b, calls.removeCrawler, { invalidatesTags: ['Crawler'] }),
    probeTarget: mutation(b, calls.probeTarget),
    testScope: mutation(b, calls.testScope),
    samplePage: mutation(b, calls.samplePage),
    testExtraction: mutation(b, calls.testExtraction),
    crawlRuns: pages(b, calls.crawlRuns, { providesTags: ['CrawlRun'] }),
    startCrawl: mutation(b, calls.startCrawl, ofRun),
    crawlRun: query(b, calls.crawlRun, { providesTags: ['CrawlRun'] }),
    pauseCrawl: mutation(b, calls.pauseCrawl, ofRun),
    resumeCrawl: mutation(b, calls.resumeCrawl, ofRun),
    stopCrawl: mutation(b, calls.stopCrawl, ofRun),
    crawlFamilies: query(b, calls.crawlFamilies, { providesTags: ['CrawlRun'] }),
    setCrawlFamily: mutation(b, calls.setCrawlFamily, ofRun),
    crawlRows: pages(b, calls.crawlRows, { providesTags: ['CrawlRun'] }),
    storeCrawlRows: mutation(b, calls.storeCrawlRows),
  }),
});

export const exportAddress = (args: ArgumentsOf<(typeof crawlerEndpoints)['exportCrawl']>): string => addressOf(calls.exportCrawl, args);

export const {
  useCrawlersQuery,
  useCrawlerQuery,
  useAddCrawlerMutation,
  useChangeCrawlerMutation,
  useRemoveCrawlerMutation,
  useProbeTargetMutation,
  useTestScopeMutation,
  useSamplePageMutation,
  useTestExtractionMutation,
  useCrawlRunsInfiniteQuery,
  useStartCrawlMutation,
  useCrawlRunQuery,
  usePauseCrawlMutation,
  useResumeCrawlMutation,
  useStopCrawlMutation,
  useCrawlFamiliesQuery,
  useSetCrawlFamilyMutation,
  useCrawlRowsInfiniteQuery,
  useStoreCrawlRowsMutation,
} = crawlerApi;
