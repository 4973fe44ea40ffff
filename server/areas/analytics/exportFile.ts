import { measures } from '../../../contract/analytics';
import type { DimensionId, MeasureId, Report, Values } from '../../../contract/analytics';
import type { Locale } from '../../http/access';
import { dimensionTable } from './dimensions';
import { keyName } from './keyNames';
import { measureTable } from './measures';

export type ExportFile = { readonly name: string; readonly type: string; readonly text: string };

const words = {
  'zh-CN': { time: '时间', compare: '对比', share: '占比' },
  en: { time: 'Time', compare: 'Comparison', share: 'Share' },
} as const;
const language = (locale: Locale): 'zh' | 'en' => (locale === 'en' ? 'en' : 'zh');

/** Column order: the measure that the table is sorted by first, as on screen. */
const columnsFor = (sort: MeasureId): MeasureId[] => [sort, ...measures.filter((id) => id !== sort)];

/** Ratios to a hundredth of a per cent, times and means to a hundredth; counts as they are. */
function rounded(id: MeasureId, value: number | null): number | null {
  if (value === null) return null;
  const digits = measureTable[id].kind === 'count' ? 0 : measureTable[id].kind === 'ratio' ? 4 : 2;
  return Number(value.toFixed(digits));
}

/**
 * A text that a spreadsheet program would run as a formula gets an apostrophe in front (OWASP, CSV injection): the values come
 * from visitors' browsers. Numbers are ours and stay numbers.
 */
export const safeCell = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = safeCell(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 with a byte order mark, without which Excel reads Chinese as something else. */
const csv = (lines: readonly (readonly (string | number | null)[])[]): string => `\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;

type Shown = { readonly by: DimensionId | undefined; readonly sort: MeasureId; readonly locale: Locale };

/** What the report shows as a table for a spreadsheet: its rows when it has any, otherwise its series. */
export function csvOf(report: Report, { by, sort, locale }: Shown): string {
  const lang = language(locale);
  const word = words[locale === 'en' ? 'en' : 'zh-CN'];
  const columns = columnsFor(sort);
  const compared = report.compareTotals !== null;
  const numbers = (values: Values | null): (number | null)[] => columns.map((id) => (values ? rounded(id, values[id]) : null));
  const heads = [
    ...columns.map((id) => measureTable[id].label[lang]),
    ...(compared ? columns.map((id) => `${word.compare} · ${measureTable[id].label[lang]}`) : []),
  ];
  if (by !== undefined && report.rows) {
    const dimension = dimensionTable[by];
    return csv([
      [dimension.label[lang], ...heads, word.share],
      ...report.rows.map((row) => [
        row.key === '' ? dimension.unknown[lang] : keyName(by, row.key, locale),
        ...numbers(row.values),
        ...(compared ? numbers(row.compare) : []),
        row.share === null ? null : Number(row.share.toFixed(4)),
      ]),
    ]);
  }
  return csv([
    [`${word.time} (${report.timeZone})`, ...heads],
    ...(report.series ?? []).map((bucket, index) => [
      bucket.label.replace('T', ' '),
      ...numbers(bucket.values),
      ...(compared ? numbers(report.compareSeries?.[index]?.values ?? null) : []),
    ]),
  ]);
}

/** `site-path-2026-11-01_2026-11-20.csv`: ASCII alone, so that every system can save it. */
export function exportFile(report: Report, slug: string, shown: Shown, format: 'csv' | 'json'): ExportFile {
  const name = `${slug}-${shown.by ?? 'trend'}-${report.from}_${report.to}.${format}`;
  if (format === 'json') return { name, type: 'application/json; charset=utf-8', text: JSON.stringify(report, null, 2) };
  return { name, type: 'text/csv; charset=utf-8', text: csvOf(report, shown) };
}
