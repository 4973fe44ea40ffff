import type { ViewMessages } from './messages.zh-CN';

/** Messages of the page that a link to a view opens. */
export default {
  readOnly: 'Shared, read only',
  drafts: 'Includes what is not published',
  until: 'Until {date}',
  search: 'Search',
  sortBy: 'Sort',
  sortOwn: 'Default order',
  ascending: '{column}, ascending',
  descending: '{column}, descending',
  sortColumn: 'Sort by {column}',
  download: 'Download CSV',
  downloading: 'Downloading…',
  downloadFailed: 'It could not be downloaded. Try again in a moment.',
  count: '{n} records',
  countOne: '1 record',
  countMore: 'More than {n} records',
  more: 'Load more',
  moreBusy: 'Loading…',
  end: 'This page shows the first {n} at most. Search to find the others.',
  empty: 'Nothing here yet',
  nothing: 'Nothing matches',
  clear: 'Clear search',
  noGroup: 'Empty',
  table: 'Records, scrolls sideways',
  rowsFailed: 'The records could not be loaded. Try again in a moment.',
} satisfies ViewMessages;
