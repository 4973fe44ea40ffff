/** Constants of what crawls found, without zod. */

/** Columns that pages can be sorted by; numbers have limits in filters as well. */
export const pageNumbers = [
  'status',
  'depth',
  'links_in',
  'links_internal',
  'links_external',
  'page_rank',
  'units',
  'bytes',
  'first_byte_ms',
  'total_ms',
] as const;
export type PageNumber = (typeof pageNumbers)[number];
export const pageSorts = ['url', 'title', 'fetched_at', ...pageNumbers] as const;
export type PageSort = (typeof pageSorts)[number];
/** `page`: HTML of the site; `file`: other content of it; `external`: checked links to others. */
export const pageKinds = ['page', 'file', 'external'] as const;

/**
 * found      what the run found and nobody ignores
 * new        found for the first time
 * regressed  found again after it was fixed
 * ignored    found, but ignored
 * fixed      found by the run before, and no longer
 */
export const issueLists = ['found', 'new', 'regressed', 'ignored', 'fixed'] as const;
export type IssueList = (typeof issueLists)[number];

export const pageChanges = ['added', 'removed', 'changed'] as const;
export type PageChange = (typeof pageChanges)[number];
/** What is compared of a page that both runs have; `content`: its main text. */
export const comparedFields = ['status', 'redirect', 'indexing', 'canonical', 'title', 'description', 'h1', 'language', 'content', 'sitemap'] as const;
export type ComparedField = (typeof comparedFields)[number];

export const inventoryLimits = {
  /** Rows of a page of a list. */
  rows: 100,
  /** Pages of an exported file. */
  exported: 500_000,
  /** Templates of the graph; others are one node. */
  graphTemplates: 12,
  /** Links that the graph counts one by one; of more, a sample is counted. */
  graphLinks: 2_000_000,
  /** Characters of a stored body that are shown. */
  body: 200_000,
  /** Issues that one call changes by id. */
  issues: 1000,
  /** Runs in the trend of a site. */
  trend: 60,
} as const;
