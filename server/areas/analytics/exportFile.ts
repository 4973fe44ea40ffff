import { matchBuckets } from '../../../contract/analytics/comparison';
import type { Bucket, DimensionId, MeasureId, Report, Values } from '../../../contract/analytics/schemas';
import { byteOrderMark, csvLine } from '../../csv';
import type { Cell } from '../../csv';
import type { Locale } from '../../http/access';
import { dimensionTable } from './dimensions';
import { keyName } from './keyNames';
import { measureTable, measuresWith } from './measures';
import type { MeasureGroup } from './measures';

export type ExportFile = { readonly name: string; readonly type: string; readonly text: string };

const messages = {
  'zh-CN': { time: '时间', compare: '对比', share: '占比', total: '合计', state: '状态', open: '未结束' },
  en: { time: 'Time', compare: 'Comparison', share: 'Share', total: 'Total', state: 'State', open: 'in progress' },
} as const;
const language = (locale: Locale): 'zh' | 'en' => (locale === 'en' ? 'en' : 'zh');

/** The columns: the requested ones, otherwise every computed measure with the sort column first. */
const columnsOf = ({ sort, measures = [], groups = [] }: Presentation): MeasureId[] =>
  measures.length > 0 ? [...new Set(measures)] : [sort, ...measuresWith(groups).filter((id) => id !== sort)];

/** Rounds ratios to a hundredth of a per cent, times and means to a hundredth. */
function rounded(id: MeasureId, value: number | null): number | null {
  if (value === null) return null;
  // Counts are integers except for conversion values.
  return Number(value.toFixed(measureTable[id].kind === 'ratio' ? 4 : 2));
}

export const csv = (lines: readonly (readonly Cell[])[]): string => byteOrderMark + lines.map((line) => csvLine(line)).join('');

export type BucketOrder = `${'time' | MeasureId}.${'asc' | 'desc'}`;
type Presentation = {
  readonly by: DimensionId | undefined;
  readonly sort: MeasureId;
  readonly locale: Locale;
  /** The columns in order; absent: all computed measures. */
  readonly measures?: readonly MeasureId[];
  /** Groups of measures computed in addition to the default ones. */
  readonly groups?: readonly MeasureGroup[];
  /** Sort order of the buckets of a series; absent: newest first. */
  readonly order?: readonly BucketOrder[];
  /** Names of keys that are stored only in the site's own tables. */
  readonly names?: ReadonlyMap<string, string>;
};

/** Before the site's first visits there is nothing to compare with; the console shows no differences in that case either. */
const isCompared = ({ compareTotals }: Report): boolean => compareTotals !== null && ((compareTotals.visits ?? 0) > 0 || (compareTotals.views ?? 0) > 0);

type SeriesRow = { readonly bucket: Bucket; readonly before: Values | null };

/** The buckets that have begun, sorted like the console's table: missing values last, ties newest first. */
function seriesLines(report: Report, order: readonly BucketOrder[]): SeriesRow[] {
  const keys = order.map((one) => {
    const [id, dir] = one.split('.') as ['time' | MeasureId, 'asc' | 'desc'];
    return { of: ({ bucket }: SeriesRow) => (id === 'time' ? bucket.start : bucket.values[id]), sign: dir === 'asc' ? 1 : -1 };
  });
  const series = report.series ?? [];
  const earlier = matchBuckets(series, report.compareSeries ?? [], report.gran);
  return series
    .map((bucket, index) => ({ bucket, before: earlier[index]?.values ?? null }))
    .filter(({ bucket }) => bucket.start <= report.explain.at)
    .reverse()
    .sort((a, b) => {
      for (const { of, sign } of keys) {
        const x = of(a);
        const y = of(b);
        if (x === y) continue;
        if (x === null) return 1;
        if (y === null) return -1;
        return (x - y) * sign;
      }
      return 0;
    });
}

/** The report as a table for a spreadsheet, totals first: its rows if it has any, otherwise its series. */
export function csvOf(report: Report, presentation: Presentation): string {
  const { by, locale, order = [] } = presentation;
  const lang = language(locale);
  const word = messages[locale === 'en' ? 'en' : 'zh-CN'];
  const columns = columnsOf(presentation);
  const compared = isCompared(report);
  const numbers = (values: Values | null): (number | null)[] => columns.map((id) => (values ? rounded(id, values[id]) : null));
  const figures = (values: Values, before: Values | null): (number | null)[] => [...numbers(values), ...(compared ? numbers(before) : [])];
  const heads = [
    ...columns.map((id) => measureTable[id].label[lang]),
    ...(compared ? columns.map((id) => `${word.compare} · ${measureTable[id].label[lang]}`) : []),
  ];
  const totals = [word.total, ...figures(report.totals, report.compareTotals)];
  if (by !== undefined && report.rows) {
    const dimension = dimensionTable[by];
    return csv([
      [dimension.label[lang], ...heads, word.share],
      ...(report.rows.length > 0 ? [[...totals, null]] : []),
      ...report.rows.map((row) => [
        row.key === '' ? dimension.unknown[lang] : (presentation.names?.get(row.key) ?? keyName(by, row.key, locale)),
        ...figures(row.values, row.compare),
        row.share === null ? null : Number(row.share.toFixed(4)),
      ]),
    ]);
  }
  const lines = seriesLines(report, order);
  const open = lines.some(({ bucket }) => bucket.open);
  return csv([
    [`${word.time} (${report.timeZone})`, ...heads, ...(open ? [word.state] : [])],
    ...(lines.length > 0 ? [[...totals, ...(open ? [null] : [])]] : []),
    ...lines.map(({ bucket, before }) => [
      bucket.label.replace('T', ' '),
      // A full bucket of the compared period is not compared with an unfinished one.
      ...figures(bucket.values, bucket.open ? null : before),
      ...(open ? [bucket.open ? word.open : null] : []),
    ]),
  ]);
}

/** The report for programs: the query, the source of the figures, and the shown columns and rows, not rounded. */
export function jsonOf(report: Report, presentation: Presentation, query: object): string {
  const columns = columnsOf(presentation);
  const compared = isCompared(report);
  const pick = (values: Values | null) => (values ? Object.fromEntries(columns.map((id) => [id, values[id]])) : null);
  const { from, to, timeZone, gran, compareFrom, compareTo, compareUntil, explain } = report;
  const figures = (values: Values, before: Values | null) => ({ values: pick(values), ...(compared ? { compare: pick(before) } : {}) });
  const body =
    presentation.by !== undefined && report.rows
      ? { rowCount: report.rowCount, rows: report.rows.map((row) => ({ key: row.key, ...figures(row.values, row.compare), share: row.share })) }
      : {
          gran,
          series: seriesLines(report, presentation.order ?? []).map(({ bucket: { label, start, end, open, values }, before }) => ({
            label,
            start,
            end,
            open,
            ...figures(values, open ? null : before),
          })),
        };
  return JSON.stringify(
    {
      query,
      from,
      to,
      timeZone,
      compareFrom,
      compareTo,
      compareUntil,
      totals: pick(report.totals),
      ...(compared ? { compareTotals: pick(report.compareTotals) } : {}),
      ...body,
      explain,
    },
    null,
    2,
  );
}

export const fileTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** `site-path-2026-11-01_2026-11-20.csv`: ASCII only, so that every system can save the file. */
export const fileName = (slug: string, what: string, { from, to }: { readonly from: string; readonly to: string }, format: 'csv' | 'json'): string =>
  `${slug}-${what}-${from}_${to}.${format}`;

export function exportFile(report: Report, slug: string, presentation: Presentation, format: 'csv' | 'json', query: object): ExportFile {
  const name = fileName(slug, presentation.by ?? 'trend', report, format);
  return { name, type: fileTypes[format], text: format === 'json' ? jsonOf(report, presentation, query) : csvOf(report, presentation) };
}
