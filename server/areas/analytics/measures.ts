import { measureGroups, measures } from '../../../contract/analytics/schemas';
import type { MeasureId, Values } from '../../../contract/analytics/schemas';

/**
 * The measures of every report, with the definitions customary in web analytics: page views count at their own time, properties of a
 * whole visit count at its start, and a visitor counts wherever active.
 *
 * `sql` aggregates slices (see `slices.ts`). A slice is the part of one visit that falls into one step of the time axis, with
 *   views number of page views in it
 *   starts 1 in the one slice that carries the properties of the whole visit, else 0
 *   enters 1 if `starts` is 1 and the visit began on a page that matches the filters or the row
 *   active 1 unless nothing that matches the filters happened in it
 */
/**
 * Additive sums over slices; every measure except the distinct counts is derived from these. They also add up over days, so that a rollup stores them by day
 * and key and a report adds stored days to days that it counts itself.
 */
export const sums = {
  starts: 'starts',
  views: 'views',
  fresh: 'is_new * starts',
  enters: 'enters',
  bounces: 'bounce * enters',
  span: 'span * starts',
  pages: 'pages * starts',
  engaged: 'engaged_ms * starts',
  /** Views that were the first or last of their visit. */
  entries: 'view_entries',
  exits: 'view_exits',
  viewEngaged: 'view_engaged_ms',
  viewScroll: 'view_scroll_sum',
  events: 'event_count',
  conversions: 'converted * starts',
  worth: 'conversion_worth * starts',
} as const satisfies Readonly<Record<string, string>>;
export type SumId = keyof typeof sums;

export type Measure = {
  readonly sql: (count: Counted) => string;
  /** Distinct per day, then summed over days. */
  readonly daily?: true;
  /** Counts are 0 if nothing happened and have a share of the total; the other kinds are null in that case and have no share. */
  readonly kind: 'count' | 'ratio' | 'seconds' | 'mean';
  readonly label: { readonly zh: string; readonly en: string };
};

/**
 * SQL over slices or over stored days: `sum` adds up one of `sums`; `once` counts distinct values of a column over active slices, exactly or with a sketch;
 * `daily` counts them per day and adds the days.
 */
export type Counted = {
  readonly sum: (id: SumId) => string;
  readonly once: (column: DistinctColumn) => string;
  readonly daily: (column: DistinctColumn) => string;
};
export type DistinctColumn = 'visitor_id' | 'ip_key';
/** Which slices have a value to count. `ip_key` is 0 if no address was stored, by the site's setting or because an import had none. */
export const isCounted: Readonly<Record<DistinctColumn, string>> = { visitor_id: 'active', ip_key: 'active AND ip_key != 0' };
/** Sums computed directly from slices. */
export const sumOfSlices = (id: SumId): string => `sum(${sums[id]})`;

const perVisit = ({ sum }: Counted, id: SumId): string => `${sum(id)} / nullIf(${sum('starts')}, 0)`;

export const measureTable: Readonly<Record<MeasureId, Measure>> = {
  /** Distinct visitors who began a visit or saw a page. Each counts once over a range (never a sum of days). */
  visitors: { kind: 'count', sql: ({ once }) => once('visitor_id'), label: { zh: '访客数 (UV)', en: 'Visitors' } },
  /** Visits that begin in the range: hits of one visitor without a longer gap than the site allows. */
  visits: { kind: 'count', sql: ({ sum }) => sum('starts'), label: { zh: '访问次数', en: 'Visits' } },
  views: { kind: 'count', sql: ({ sum }) => sum('views'), label: { zh: '浏览量 (PV)', en: 'Page views' } },
  /** Distinct keyed hashes of addresses per day, summed over days (the customary definition of IP 数 in China). 0 if the site stores no addresses. */
  ips: { kind: 'count', daily: true, sql: ({ daily }) => daily('ip_key'), label: { zh: 'IP 数', en: 'IP addresses' } },
  /** Visitors whose first visit ever begins in the range. */
  newVisitors: { kind: 'count', sql: ({ sum }) => sum('fresh'), label: { zh: '新访客数', en: 'New visitors' } },
  /** Share of all visitors. Limited to 1: under a page filter the page may have been seen only after the range ended. */
  newRatio: {
    kind: 'ratio',
    sql: ({ once, sum }) => `if(${once('visitor_id')} = 0, NULL, least(1, ${sum('fresh')} / ${once('visitor_id')}))`,
    label: { zh: '新访客比例', en: 'New visitor rate' },
  },
  /** Visits with one page view and no interaction. Under a page filter, and in rows of pages: as a share of the visits that enter there. */
  bounceRate: { kind: 'ratio', sql: ({ sum }) => `${sum('bounces')} / nullIf(${sum('enters')}, 0)`, label: { zh: '跳出率', en: 'Bounce rate' } },
  /** From the first to the last hit, engagement included; visits of zero length count. */
  avgDuration: { kind: 'seconds', sql: (count) => `${perVisit(count, 'span')} / 1000`, label: { zh: '平均访问时长（秒）', en: 'Average visit duration (s)' } },
  /** Page views of the whole visit. */
  avgPages: { kind: 'mean', sql: (count) => perVisit(count, 'pages'), label: { zh: '平均访问页数', en: 'Pages per visit' } },
  /** Visible and focused time of the whole visit. */
  avgEngaged: {
    kind: 'seconds',
    sql: (count) => `${perVisit(count, 'engaged')} / 1000`,
    label: { zh: '平均有效停留时长（秒）', en: 'Average engaged time (s)' },
  },
  /** Visitors of each day, summed: what many Chinese tools call UV over a range. */
  visitorDays: { kind: 'count', daily: true, sql: ({ daily }) => daily('visitor_id'), label: { zh: '访客数（按天累加）', en: 'Visitors, summed by day' } },
  /** Views that began their visit. */
  entries: { kind: 'count', sql: ({ sum }) => sum('entries'), label: { zh: '入口页次数', en: 'Entries' } },
  /** Views that were the last of their visit. */
  exits: { kind: 'count', sql: ({ sum }) => sum('exits'), label: { zh: '退出页次数', en: 'Exits' } },
  exitRate: { kind: 'ratio', sql: ({ sum }) => `${sum('exits')} / nullIf(${sum('views')}, 0)`, label: { zh: '退出率', en: 'Exit rate' } },
  /** Views that directly followed one of these in the same visit: every view except the last has one. */
  downstream: { kind: 'count', sql: ({ sum }) => `(${sum('views')} - ${sum('exits')})`, label: { zh: '贡献下游浏览量', en: 'Onward views' } },
  /** Visible and focused time of the views, per view. */
  avgTimeOnPage: {
    kind: 'seconds',
    sql: ({ sum }) => `${sum('viewEngaged')} / nullIf(${sum('views')}, 0) / 1000`,
    label: { zh: '平均停留时长（秒）', en: 'Time on page (s)' },
  },
  /** Deepest scroll of the views, per view, 0…1. */
  avgScroll: { kind: 'ratio', sql: ({ sum }) => `${sum('viewScroll')} / nullIf(${sum('views')}, 0) / 100`, label: { zh: '平均阅读深度', en: 'Scroll depth' } },
  /** Custom events, outbound clicks and downloads, counted at their own time. */
  events: { kind: 'count', sql: ({ sum }) => sum('events'), label: { zh: '事件数', en: 'Events' } },
  /** Visits that reached a goal. */
  conversions: { kind: 'count', sql: ({ sum }) => sum('conversions'), label: { zh: '转化次数', en: 'Conversions' } },
  conversionRate: { kind: 'ratio', sql: ({ sum }) => `${sum('conversions')} / nullIf(${sum('starts')}, 0)`, label: { zh: '转化率', en: 'Conversion rate' } },
  conversionValue: { kind: 'count', sql: ({ sum }) => sum('worth'), label: { zh: '转化价值', en: 'Conversion value' } },
};

export type MeasureGroup = keyof typeof measureGroups;
const grouped = new Map<MeasureId, MeasureGroup>(
  (Object.keys(measureGroups) as MeasureGroup[]).flatMap((group) => measureGroups[group].map((id): [MeasureId, MeasureGroup] => [id, group])),
);
/** The groups that measures belong to. */
export const groupsOf = (ids: readonly MeasureId[]): MeasureGroup[] => [...new Set(ids.flatMap((id) => grouped.get(id) ?? []))];
/** The measures of a response: the default ones and those of the requested groups. */
export const measuresWith = (groups: readonly MeasureGroup[]): MeasureId[] =>
  measures.filter((id) => {
    const group = grouped.get(id);
    return group === undefined || groups.includes(group);
  });

/** `expression AS m_<id>` for each measure, as Float64 so that the client receives numbers. `ids`: only these measures. */
export const measureColumns = (count: Counted, groups: readonly MeasureGroup[] = [], ids: readonly MeasureId[] = measuresWith(groups)): string =>
  ids.map((id) => `toFloat64(${measureTable[id].sql(count)}) AS m_${id}`).join(',\n  ');

/** The sums that the given measures depend on. */
export function sumsOf(ids: readonly MeasureId[]): ReadonlySet<SumId> {
  const used = new Set<SumId>();
  const sum = (id: SumId): string => {
    used.add(id);
    return '';
  };
  for (const id of ids) measureTable[id].sql({ sum, once: () => '', daily: () => '' });
  return used;
}

export type MeasureRow = Readonly<Partial<Record<`m_${MeasureId}`, number | null>>>;

export const valuesOf = (row: MeasureRow): Values => Object.fromEntries(measures.map((id) => [id, row[`m_${id}`] ?? null])) as Values;

const dailyMeasures = measures.filter((id) => measureTable[id].daily);

/** `values` with separately counted distinct visitors, and the measures derived from them (as in `measureTable`). */
export function withVisitors(values: Values, visitors: number): Values {
  return { ...values, visitors, newRatio: visitors === 0 ? null : Math.min(1, (values.newVisitors ?? 0) / visitors) };
}

/** `whole` with its daily measures replaced by the sums over its days. */
export function withDays(whole: Values, days: readonly Values[]): Values {
  const added = Object.fromEntries(dailyMeasures.map((id) => [id, days.reduce((sum, day) => sum + (day[id] ?? 0), 0)]));
  return { ...whole, ...added };
}

/** The values of the requested measures if nothing happened; all others are null. */
export const nothingOf = (groups: readonly MeasureGroup[] = []): Values => {
  const requested = new Set(measuresWith(groups));
  return Object.fromEntries(measures.map((id) => [id, requested.has(id) && measureTable[id].kind === 'count' ? 0 : null])) as Values;
};
export const nothing: Values = nothingOf();
