/** Search engines whose keyword reports can be imported. */
export const keywordEngines = ['google', 'bing', 'baidu'] as const;
export type KeywordEngine = (typeof keywordEngines)[number];
/** Names of the engines among the sources of visits (`sourceName`), from which their localized names are derived. */
export const keywordEngineNames: Readonly<Record<KeywordEngine, string>> = { google: 'Google', bing: 'Bing', baidu: '百度' };
export const keywordColumns = ['query', 'clicks', 'impressions', 'ctr', 'position', 'page', 'date'] as const;
export type KeywordColumn = (typeof keywordColumns)[number];
/** Limits of one import: uncompressed bytes, and lengths in characters. */
export const keywordLimits = { bytes: 64 * 2 ** 20, query: 500, page: 2000, exportedRows: 50_000 } as const;

export const keywordMeasures = ['clicks', 'impressions', 'ctr', 'position'] as const;
export type KeywordMeasure = (typeof keywordMeasures)[number];
export const keywordSorts = ['key', ...keywordMeasures] as const;
export const keywordDimensions = ['query', 'page'] as const;
