import { measures } from '../../../contract/analytics';
import type { MeasureId, Values } from '../../../contract/analytics';

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
export type Measure = {
  readonly sql: (count: Distinct) => string;
  /** Distinct within a day, and days are added. */
  readonly daily?: true;
  /** Counts are 0 where nothing happened and have a share of the total; the others are null there and have none. */
  readonly kind: 'count' | 'ratio' | 'seconds' | 'mean';
  readonly label: { readonly zh: string; readonly en: string };
};

/** SQL that counts distinct values of a column over active slices, exactly or by a sketch: over everything, or day by day and added up. */
export type Distinct = { readonly once: (column: string) => string; readonly daily: (column: string) => string };

/** Per visit that begins here; null without one. */
const perVisit = (sum: string): string => `sum(${sum} * starts) / nullIf(sum(starts), 0)`;

export const measureTable: Readonly<Record<MeasureId, Measure>> = {
  /** Distinct visitors who began a visit or saw a page. Over a range each counts once (never a sum of days). */
  visitors: { kind: 'count', sql: ({ once }) => once('visitor_id'), label: { zh: '访客数 (UV)', en: 'Visitors' } },
  /** Visits that begin here: hits of one visitor without a gap of more than 30 minutes. */
  visits: { kind: 'count', sql: () => 'sum(starts)', label: { zh: '访问次数', en: 'Visits' } },
  views: { kind: 'count', sql: () => 'sum(views)', label: { zh: '浏览量 (PV)', en: 'Page views' } },
  /** Distinct keyed hashes of addresses, a day; days are added (the reading of IP 数 in China). */
  ips: { kind: 'count', daily: true, sql: ({ daily }) => daily('ip_key'), label: { zh: 'IP 数', en: 'IP addresses' } },
  /** Visitors whose first visit ever begins here. */
  newVisitors: { kind: 'count', sql: () => 'sum(is_new * starts)', label: { zh: '新访客数', en: 'New visitors' } },
  /** Of all visitors. At most 1: under a page filter the page may have been seen only after the range ended. */
  newRatio: {
    kind: 'ratio',
    sql: ({ once }) => `if(${once('visitor_id')} = 0, NULL, least(1, sum(is_new * starts) / ${once('visitor_id')}))`,
    label: { zh: '新访客比例', en: 'New visitor rate' },
  },
  /** Visits of one page view without an interaction. Under a page filter, and for rows of pages: of the visits that enter there. */
  bounceRate: { kind: 'ratio', sql: () => 'sum(bounce * enters) / nullIf(sum(enters), 0)', label: { zh: '跳出率', en: 'Bounce rate' } },
  /** From the first to the last sign of life, engagement included; visits of zero length count. */
  avgDuration: { kind: 'seconds', sql: () => `${perVisit('span')} / 1000`, label: { zh: '平均访问时长（秒）', en: 'Average visit duration (s)' } },
  /** Page views of the whole visit. */
  avgPages: { kind: 'mean', sql: () => perVisit('pages'), label: { zh: '平均访问页数', en: 'Pages per visit' } },
  /** Visible and focused time of the whole visit. */
  avgEngaged: { kind: 'seconds', sql: () => `${perVisit('engaged_ms')} / 1000`, label: { zh: '平均专注时长（秒）', en: 'Average engaged time (s)' } },
  /** Visitors of each day, added up: what many Chinese tools call UV over a range. */
  visitorDays: { kind: 'count', daily: true, sql: ({ daily }) => daily('visitor_id'), label: { zh: '访客数（按天累加）', en: 'Visitors, summed by day' } },
};

/** What every measure is where nothing happened. */
export const nothing: Values = Object.fromEntries(measures.map((id) => [id, measureTable[id].kind === 'count' ? 0 : null])) as Values;

/** `expression AS id` for every measure, as Float64 so that they arrive as numbers. */
export const measureColumns = (count: Distinct): string => measures.map((id) => `toFloat64(${measureTable[id].sql(count)}) AS m_${id}`).join(',\n  ');

export type MeasureRow = Readonly<Record<`m_${MeasureId}`, number | null>>;

export const valuesOf = (row: MeasureRow): Values => Object.fromEntries(measures.map((id) => [id, row[`m_${id}`]])) as Values;

const dailyMeasures = measures.filter((id) => measureTable[id].daily);

/** `whole` with its daily measures added up from those of its days. */
export function withDays(whole: Values, days: readonly Values[]): Values {
  const sums = Object.fromEntries(dailyMeasures.map((id) => [id, days.reduce((sum, day) => sum + (day[id] ?? 0), 0)]));
  return { ...whole, ...sums };
}
