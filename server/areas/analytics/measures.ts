import { measureGroups, measures } from '../../../contract/analytics/schemas';
import type { MeasureId, Values } from '../../../contract/analytics/schemas';

/**
 * The measures of every report; definitions are those of the field (analytics design §7.1), where page views count at
 * their own time, whatever belongs to a visit as a whole counts at its beginning, and a visitor counts wherever active.
 *
 * `sql` aggregates slices (see `slices.ts`): a slice is the part of one visit that falls into one step of the time axis, with
 *   views   page views in it
 *   starts  1 in the one slice that carries the visit as a whole, else 0
 *   enters  1 where `starts` is 1 and the visit began on a page that the filters or the row speak of
 *   active  1 unless nothing that the filters speak of happened in it
 */
/**
 * What slices add up to, row by row; every measure but the distinct counts is made of these alone. They add over days as well, so a
 * roll-up keeps them by day and key and a report adds stored days to days that it counts now.
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
  /** Views that opened or closed their visit. */
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
  /** Distinct within a day, and days are added. */
  readonly daily?: true;
  /** Counts are 0 where nothing happened and have a share of the total; the others are null there and have none. */
  readonly kind: 'count' | 'ratio' | 'seconds' | 'mean';
  readonly label: { readonly zh: string; readonly en: string };
};

/**
 * SQL over slices, or over stored days: `sum` adds one of `sums` up; `once` counts distinct values of a column over active slices,
 * exactly or by a sketch; `daily` does so day by day and adds the days.
 */
export type Counted = {
  readonly sum: (id: SumId) => string;
  readonly once: (column: DistinctColumn) => string;
  readonly daily: (column: DistinctColumn) => string;
};
export type DistinctColumn = 'visitor_id' | 'ip_key';
/** Which slices have a value to be told apart. No address was stored (`ip_key` 0) where the site keeps none, and where an import had none. */
export const isCounted: Readonly<Record<DistinctColumn, string>> = { visitor_id: 'active', ip_key: 'active AND ip_key != 0' };
/** Sums straight from slices. */
export const sumOfSlices = (id: SumId): string => `sum(${sums[id]})`;

const perVisit = ({ sum }: Counted, id: SumId): string => `${sum(id)} / nullIf(${sum('starts')}, 0)`;

export const measureTable: Readonly<Record<MeasureId, Measure>> = {
  /** Distinct visitors who began a visit or saw a page. Over a range each counts once (never a sum of days). */
  visitors: { kind: 'count', sql: ({ once }) => once('visitor_id'), label: { zh: '访客数 (UV)', en: 'Visitors' } },
  /** Visits that begin here: hits of one visitor without a longer gap than the site allows. */
  visits: { kind: 'count', sql: ({ sum }) => sum('starts'), label: { zh: '访问次数', en: 'Visits' } },
  views: { kind: 'count', sql: ({ sum }) => sum('views'), label: { zh: '浏览量 (PV)', en: 'Page views' } },
  /** Distinct keyed hashes of addresses, a day; days are added (the reading of IP 数 in China). Where no address is kept there is none. */
  ips: { kind: 'count', daily: true, sql: ({ daily }) => daily('ip_key'), label: { zh: 'IP 数', en: 'IP addresses' } },
  /** Visitors whose first visit ever begins here. */
  newVisitors: { kind: 'count', sql: ({ sum }) => sum('fresh'), label: { zh: '新访客数', en: 'New visitors' } },
  /** Of all visitors. At most 1: under a page filter the page may have been seen only after the range ended. */
  newRatio: {
    kind: 'ratio',
    sql: ({ once, sum }) => `if(${once('visitor_id')} = 0, NULL, least(1, ${sum('fresh')} / ${once('visitor_id')}))`,
    label: { zh: '新访客比例', en: 'New visitor rate' },
  },
  /** Visits of one page view without an interaction. Under a page filter, and for rows of pages: of the visits that enter there. */
  bounceRate: { kind: 'ratio', sql: ({ sum }) => `${sum('bounces')} / nullIf(${sum('enters')}, 0)`, label: { zh: '跳出率', en: 'Bounce rate' } },
  /** From the first to the last sign of life, engagement included; visits of zero length count. */
  avgDuration: { kind: 'seconds', sql: (count) => `${perVisit(count, 'span')} / 1000`, label: { zh: '平均访问时长（秒）', en: 'Average visit duration (s)' } },
  /** Page views of the whole visit. */
  avgPages: { kind: 'mean', sql: (count) => perVisit(count, 'pages'), label: { zh: '平均访问页数', en: 'Pages per visit' } },
  /** Visible and focused time of the whole visit. */
  avgEngaged: { kind: 'seconds', sql: (count) => `${perVisit(count, 'engaged')} / 1000`, label: { zh: '平均专注时长（秒）', en: 'Average engaged time (s)' } },
  /** Visitors of each day, added up: what many Chinese tools call UV over a range. */
  visitorDays: { kind: 'count', daily: true, sql: ({ daily }) => daily('visitor_id'), label: { zh: '访客数（按天累加）', en: 'Visitors, summed by day' } },
  /** Views that began their visit. */
  entries: { kind: 'count', sql: ({ sum }) => sum('entries'), label: { zh: '入口页次数', en: 'Entries' } },
  /** Views that were the last of their visit. */
  exits: { kind: 'count', sql: ({ sum }) => sum('exits'), label: { zh: '退出页次数', en: 'Exits' } },
  exitRate: { kind: 'ratio', sql: ({ sum }) => `${sum('exits')} / nullIf(${sum('views')}, 0)`, label: { zh: '退出率', en: 'Exit rate' } },
  /** Views that directly followed one of these in the same visit: every view but the last has one. */
  downstream: { kind: 'count', sql: ({ sum }) => `(${sum('views')} - ${sum('exits')})`, label: { zh: '贡献下游浏览量', en: 'Onward views' } },
  /** Visible and focused time of the views, per view. */
  avgTimeOnPage: {
    kind: 'seconds',
    sql: ({ sum }) => `${sum('viewEngaged')} / nullIf(${sum('views')}, 0) / 1000`,
    label: { zh: '平均停留时长（秒）', en: 'Time on page (s)' },
  },
  /** Deepest scroll of the views, per view, 0…1. */
  avgScroll: { kind: 'ratio', sql: ({ sum }) => `${sum('viewScroll')} / nullIf(${sum('views')}, 0) / 100`, label: { zh: '平均阅读深度', en: 'Scroll depth' } },
  /** Custom events, outbound clicks and downloads, at their own time. */
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
/** Those that a question is answered with: the usual ones, and those of the groups that it asks for. */
export const measuresWith = (groups: readonly MeasureGroup[]): MeasureId[] =>
  measures.filter((id) => {
    const group = grouped.get(id);
    return group === undefined || groups.includes(group);
  });

/** `expression AS m_<id>` for measures, as Float64 so that they arrive as numbers. `ids`: some of them. */
export const measureColumns = (count: Counted, groups: readonly MeasureGroup[] = [], ids: readonly MeasureId[] = measuresWith(groups)): string =>
  ids.map((id) => `toFloat64(${measureTable[id].sql(count)}) AS m_${id}`).join(',\n  ');

/** The sums that measures are made of. */
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

/** `values` with distinct visitors that were counted apart, and what is made of them (as in `measureTable`). */
export function withVisitors(values: Values, visitors: number): Values {
  return { ...values, visitors, newRatio: visitors === 0 ? null : Math.min(1, (values.newVisitors ?? 0) / visitors) };
}

/** `whole` with its daily measures added up from those of its days. */
export function withDays(whole: Values, days: readonly Values[]): Values {
  const added = Object.fromEntries(dailyMeasures.map((id) => [id, days.reduce((sum, day) => sum + (day[id] ?? 0), 0)]));
  return { ...whole, ...added };
}

/** What the measures asked for are where nothing happened; the others are null, as everywhere. */
export const nothingOf = (groups: readonly MeasureGroup[] = []): Values => {
  const requested = new Set(measuresWith(groups));
  return Object.fromEntries(measures.map((id) => [id, requested.has(id) && measureTable[id].kind === 'count' ? 0 : null])) as Values;
};
export const nothing: Values = nothingOf();
