import type { KeywordColumn, KeywordEngine } from '../../../../contract/imports/keywords';

/**
 * Column names of exports, in English and Chinese: the performance report of Google Search Console, the keyword report of Bing Webmaster Tools, the keyword
 * report of 百度搜索资源平台.
 */
const names: Readonly<Record<KeywordColumn, readonly string[]>> = {
  query: [
    'top queries',
    'top query',
    'queries',
    'query',
    'search query',
    'search queries',
    'keyword',
    'keywords',
    'search keyword',
    '热门查询',
    '查询',
    '查询数',
    '搜索查询',
    '关键字',
    '关键词',
    '热门关键词',
    '搜索关键词',
    '搜索词',
    '查询词',
  ],
  clicks: ['clicks', 'total clicks', 'url clicks', '点击次数', '总点击次数', '点击数', '点击量', '点击'],
  impressions: ['impressions', 'total impressions', '展示', '展示次数', '总展示次数', '展示量', '展现', '展现量', '展现次数', '曝光', '曝光量', '曝光次数'],
  ctr: ['ctr', 'average ctr', 'avg ctr', 'url ctr', 'click through rate', '点击率', '平均点击率'],
  position: ['position', 'average position', 'avg position', '排名', '平均排名', '位置', '平均位置'],
  page: ['page', 'pages', 'top pages', 'url', 'landing page', '网页', '热门网页', '排名靠前的网页', '页面', '热门页面', '着陆页', '落地页', '页面url', '网址'],
  date: ['date', 'day', '日期'],
};
const columnOf = new Map(Object.entries(names).flatMap(([column, all]) => all.map((name) => [name, column as KeywordColumn] as const)));

/** Normalizes a column header: lower case, no dots, dashes or bracketed units, as in `Avg. Position` and `CTR (%)`. */
const plain = (header: string): string =>
  header
    .replaceAll(/[（(].*?[)）]/g, '')
    .replaceAll(/[.\-_\s\u200b\ufeff]+/g, ' ')
    .trim()
    .toLowerCase();

export type KeywordColumns = {
  /** The index of each column that is present. */
  readonly at: Readonly<Partial<Record<KeywordColumn, number>>>;
  readonly headers: readonly string[];
};

/** The columns of a header; of two with the same meaning the first is used. */
export function columnsOf(headers: readonly string[]): KeywordColumns {
  const at: Partial<Record<KeywordColumn, number>> = {};
  for (const [index, header] of headers.entries()) {
    const column = columnOf.get(plain(header));
    if (column !== undefined) at[column] ??= index;
  }
  return { at, headers };
}

const has = ({ at }: KeywordColumns, ...all: readonly KeywordColumn[]): boolean => all.every((column) => at[column] !== undefined);
export const isKeywordTable = (columns: KeywordColumns): boolean => has(columns, 'query', 'clicks', 'impressions');
/** Sums by day, which an archive of Search Console contains next to its queries; they show the period of the report. */
export const isDayTable = (columns: KeywordColumns): boolean =>
  has(columns, 'date', 'clicks', 'impressions') && !has(columns, 'query') && !has(columns, 'page');

const engineNames: readonly (readonly [RegExp, KeywordEngine])[] = [
  [/baidu|百度/i, 'baidu'],
  [/bing/i, 'bing'],
  [/google|performance-on-search|search.?console|gsc/i, 'google'],
];

/** The search engine of a report: by the file's name, otherwise by column names that only one of them uses; null if unknown. */
export function engineOf({ at, headers }: KeywordColumns, fileNames: readonly string[]): KeywordEngine | null {
  const named = engineNames.find(([pattern]) => fileNames.some((name) => pattern.test(name)));
  if (named !== undefined) return named[1];
  const word = (column: KeywordColumn): string => plain(headers[at[column] ?? -1] ?? '');
  if (word('impressions').startsWith('展现') || word('query') === '热门关键词') return 'baidu';
  if (/keyword|关键字/.test(word('query')) || ['avg position', '平均位置'].includes(word('position'))) return 'bing';
  return /quer|查询/.test(word('query')) ? 'google' : null;
}
