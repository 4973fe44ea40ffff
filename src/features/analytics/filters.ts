import type { DimensionId, FilterOp } from '@contract/analytics/schemas';
import { pathDimensions } from '@contract/analytics/terms';
import { normalizePath } from '@contract/paths';
import { type Filter, filterText } from '@/lib/filterText';

export { type Filter, filterText };

/** All filter dimensions, grouped as the rail groups the screens. */
export const filterGroups: readonly {
  readonly id: 'source' | 'campaign' | 'page' | 'place' | 'device' | 'visitor' | 'visit' | 'event';
  readonly dimensions: readonly DimensionId[];
}[] = [
  { id: 'source', dimensions: ['sourceType', 'sourceName', 'keyword', 'keywordFrom', 'referrerHost', 'referrerPath', 'referrerUrl'] },
  { id: 'campaign', dimensions: ['campaign', 'utmSource', 'utmMedium', 'utmTerm', 'utmContent', 'clickId'] },
  { id: 'page', dimensions: ['path', 'title', 'directory', 'host', 'entryPath', 'exitPath', 'siteSearch'] },
  { id: 'place', dimensions: ['country', 'province', 'city'] },
  { id: 'device', dimensions: ['deviceType', 'os', 'osVersion', 'browser', 'browserVersion', 'screen', 'language', 'isp'] },
  { id: 'visitor', dimensions: ['newReturning', 'visitNumber', 'ago'] },
  { id: 'visit', dimensions: ['pages', 'distinctPages', 'duration', 'engagedTime', 'origin'] },
  { id: 'event', dimensions: ['event', 'goal'] },
];
const known = new Set<string>(filterGroups.flatMap((group) => group.dimensions));
const ops = new Set<string>(['is', 'not', 'contains', 'excludes']);

/** Dimensions whose values are a closed list or codes, where "contains" would be misleading. */
export const closedDimensions: ReadonlySet<DimensionId> = new Set([
  'sourceType',
  'keywordFrom',
  'country',
  'province',
  'deviceType',
  'newReturning',
  'visitNumber',
  'ago',
  'pages',
  'distinctPages',
  'duration',
  'engagedTime',
  'origin',
  'goal',
]);
export const opsOf = (by: DimensionId): readonly FilterOp[] => (closedDimensions.has(by) ? ['is', 'not'] : ['is', 'not', 'contains', 'excludes']);

/** The inverse; null for anything unknown, so that an old or mistyped address still opens. */
export const parseFilter = (text: string): Filter | null => {
  const match = /^([a-zA-Z]+):([a-z]+):([\s\S]*)$/.exec(text);
  const [, by = '', op = '', rest = ''] = match ?? [];
  if (text.length > 600 || !known.has(by) || !ops.has(op)) return null;
  const values: string[] = [];
  let value = '';
  for (let at = 0; at < rest.length; at += 1) {
    const mark = rest[at] as string;
    if (mark === '\\' && at + 1 < rest.length) {
      at += 1;
      value += rest[at] as string;
    } else if (mark === '|') {
      values.push(value);
      value = '';
    } else value += mark;
  }
  values.push(value);
  return { by: by as DimensionId, op: op as FilterOp, values: pathDimensions.has(by as DimensionId) ? values.map(normalizePath) : values };
};

/** All of `filters` and those of `texts` that are not among them: both apply, so nothing is replaced. */
export const withFilters = (filters: readonly Filter[], texts: readonly string[]): readonly Filter[] => {
  const there = new Set(filters.map(filterText));
  return [
    ...filters,
    ...texts
      .filter((text) => !there.has(text))
      .map(parseFilter)
      .filter((one) => one !== null),
  ];
};

/** `filters` without those of `texts`. */
export const withoutFilters = (filters: readonly Filter[], texts: readonly string[]): readonly Filter[] =>
  filters.filter((one) => !texts.includes(filterText(one)));

/** Adds a filter; one of the same dimension and op is replaced, so that a click on another row switches the filter. */
export const withFilter = (filters: readonly Filter[], added: Filter): readonly Filter[] => {
  const at = filters.findIndex((one) => one.by === added.by && one.op === added.op);
  return at < 0 ? [...filters, added] : filters.map((one, index) => (index === at ? added : one));
};
