import { pageSorts } from '@contract/crawler/inventoryTerms';
import { list, oneOf, text } from '@/lib/searchState';

/** Filters and order of pages in the address; every list that leads to pages writes them. */
export const pageAddress = {
  q: text(),
  kind: text('page', 10),
  status: text('', 4),
  indexing: text('', 20),
  template: text('', 100),
  family: text('', 300),
  language: text('', 40),
  rule: text('', 40),
  sitemap: text('', 1),
  orphan: text('', 1),
  range: list(10),
  sort: oneOf(pageSorts, 'page_rank'),
  dir: oneOf(['asc', 'desc'], 'desc'),
};
/** The page in the drawer: its id in an address of its own. */
export const inspectorAddress = { page: text('', 16) };

/** The query string of the tab of pages with a filter; `run` of the present address stays. */
export function pagesWith(params: URLSearchParams, filter: Readonly<Record<string, string>>): string {
  const run = params.get('run');
  return `?${new URLSearchParams({ tab: 'pages', ...(run === null ? {} : { run }), ...filter }).toString()}`;
}
