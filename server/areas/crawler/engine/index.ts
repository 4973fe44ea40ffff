import type { Context } from '../../../context';
import type { Schedule, Worker } from '../../../worker';
import type { Area } from '../../area';
import type { crawlRuns } from '../schema';
import type { EnqueueOptions, Fetched, FetchOptions, PageSource, ParsedPage, Probe, Starter } from './terms';

export { urlId } from './urlId';
export type * from './terms';

export type RunRow = typeof crawlRuns.$inferSelect;
const soon = (): never => {
  throw new Error('not available yet');
};

/** Creates a run of a crawler and its job. Throws `not_found`, or `bad_transition` if one is open. Records nothing in the audit log: the caller does. */
export const enqueueRun: (ctx: Context, crawlerId: string, options: EnqueueOptions) => Promise<RunRow> = soon;
/** Each throws `not_found`, or `bad_transition`. The state is that of the row at once; the process follows within a second. */
export const pauseRun: (ctx: Context, runId: string, who: Starter) => Promise<RunRow> = soon;
export const resumeRun: (ctx: Context, runId: string, who: Starter) => Promise<RunRow> = soon;
export const stopRun: (ctx: Context, runId: string, who: Starter) => Promise<RunRow> = soon;
/** Excludes a family of addresses from a run, or allows it beyond its budget; acts at once if the run is going on. */
export const setFamily: (ctx: Context, run: { runId: string; host: string; family: string }, state: 'allowed' | 'excluded') => Promise<void> = soon;
/** What a crawl of an address would meet. Follows redirects. Never throws for what the network does. */
export const probe: (ctx: Context, siteId: string, url: string) => Promise<Probe> = soon;
/** One request, redirects not followed. Never throws for what the network does. */
export const fetchOnce: (ctx: Context, url: string, options?: FetchOptions) => Promise<Fetched> = soon;
export const parsePage: (source: PageSource) => ParsedPage = soon;
/** Whether the host of an address is proven to be the site's own. */
export const isVerified: (ctx: Context, siteId: string, url: string) => Promise<boolean> = soon;
/** Null: not a crawlable address. In the form that `crawl_urls` has. */
export const normalizeUrl: (url: string, base?: string, dropParameters?: readonly string[]) => string | null = soon;
/** The body of a page that a run stored; null: none. */
export const readBody: (ctx: Context, siteId: string, sha: Buffer) => Promise<Buffer | null> = soon;

export const crawlerSchedules: readonly Schedule[] = [];
export const crawlerWorker = (_ctx: Context): Worker => ({ close: () => Promise.resolve() });
export const eraseCrawls: NonNullable<Area['eraseSite']> = () => Promise.resolve();
