import type { Report } from '../../../contract/analytics/schemas';
import { safeCell } from '../../csv';
import { csvOf, exportFile } from './exportFile';
import type { BucketOrder } from './exportFile';
import { nothing } from './measures';

const report = (keys: readonly string[]): Report => ({
  from: '2026-11-01',
  to: '2026-11-20',
  timeZone: 'Asia/Shanghai',
  gran: 'day',
  compareFrom: null,
  compareTo: null,
  compareUntil: null,
  totals: nothing,
  compareTotals: null,
  series: null,
  compareSeries: null,
  rows: keys.map((key) => ({ key, values: { ...nothing, visitors: 12, bounceRate: 1 / 3 }, compare: null, share: 0.25 })),
  rowCount: keys.length,
  explain: { source: 'visits', exact: true, building: false, error: null, freshTo: null, at: 0, excluded: { suspected: 0, bots: 0 }, tookMs: 1 },
});

describe('a CSV of a report', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'])('a title like %j is not written as a formula', (text) => {
    expect(safeCell(text).startsWith("'")).toBe(true);
    const line = csvOf(report([text]), { by: 'title', sort: 'visitors', locale: 'zh-CN' })
      .slice(1)
      .split('\r\n')
      .slice(2)
      .join('\r\n');
    expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
  });

  test('commas, quotes and line breaks stay inside their cell', () => {
    expect(csvOf(report(['a,"b"\nc']), { by: 'title', sort: 'visitors', locale: 'en' })).toContain('"a,""b""\nc",12,');
  });

  test('the file starts with a byte order mark and localized headers', () => {
    const zh = csvOf(report(['']), { by: 'keyword', sort: 'visitors', locale: 'zh-CN' });
    expect(zh.startsWith('\uFEFF搜索词,访客数 (UV),')).toBe(true);
    expect(zh.split('\r\n')[2]?.startsWith('未提供,12,')).toBe(true);
    expect(csvOf(report(['']), { by: 'keyword', sort: 'visitors', locale: 'en' })).toContain('Not provided,12,');
  });

  test('keys are written as on screen', () => {
    const first = (by: 'country' | 'province' | 'sourceType' | 'sourceName', key: string, locale: 'zh-CN' | 'en') =>
      csvOf(report([key]), { by, sort: 'visitors', locale })
        .split('\r\n')[2]
        ?.split(',')[0];
    expect([
      first('country', 'CN', 'zh-CN'),
      first('province', 'CN-GD', 'en'),
      first('sourceType', 'ai', 'zh-CN'),
      first('sourceName', 'Baidu', 'zh-CN'),
      first('sourceName', 'Baidu', 'en'),
    ]).toEqual(['中国', 'Guangdong', 'AI 助手', '百度', 'Baidu']);
  });

  test('unknown values are empty and ratios are rounded', () => {
    const cells = csvOf(report(['x']), { by: 'title', sort: 'bounceRate', locale: 'en' })
      .split('\r\n')[2]
      ?.split(',');
    expect(cells?.slice(0, 3)).toEqual(['x', '0.3333', '12']);
    expect(cells).toContain('');
  });

  const bucket = (day: number, views: number | null, open = false) => ({
    label: `2026-11-${day}T00:00`,
    start: day,
    end: day + 1,
    open,
    values: { ...nothing, views },
  });
  const series = (compareVisits: number | null): Report => ({
    ...report([]),
    rows: null,
    totals: { ...nothing, views: 9 },
    compareTotals: compareVisits === null ? null : { ...nothing, visits: compareVisits, views: 4 },
    series: [bucket(18, 5), bucket(19, 1), bucket(20, 3, true), bucket(21, 0)],
    compareSeries: compareVisits === null ? null : [bucket(11, 2), bucket(12, 1), bucket(13, 1), bucket(14, 7)],
    explain: { ...report([]).explain, at: 20 },
  });
  const lines = (exportedReport: Report, order: BucketOrder[] = [], locale: 'zh-CN' | 'en' = 'zh-CN') =>
    csvOf(exportedReport, { by: undefined, sort: 'visitors', locale, measures: ['views'], order })
      .trim()
      .split('\r\n')
      .slice(1);

  test('a series lists totals first and marks unfinished steps', () => {
    expect(lines(series(null))).toEqual(['合计,9,', '2026-11-20 00:00,3,未结束', '2026-11-19 00:00,1,', '2026-11-18 00:00,5,']);
    expect(lines(series(null), ['views.desc'], 'en')).toEqual(['Total,9,', '2026-11-18 00:00,5,', '2026-11-20 00:00,3,in progress', '2026-11-19 00:00,1,']);
    expect(lines(series(null), ['time.asc'])[1]).toBe('2026-11-18 00:00,5,');
  });

  test('comparison columns are empty for missing or unfinished steps', () => {
    expect(lines(series(3))).toEqual(['合计,9,4,', '2026-11-20 00:00,3,,未结束', '2026-11-19 00:00,1,1,', '2026-11-18 00:00,5,2,']);
    expect(lines({ ...series(0), compareTotals: { ...nothing, visits: 0, views: 0 } })[0]).toBe('合计,9,');
  });

  test('the file name is plain', () => {
    expect(exportFile(report([]), 'tea-house', { by: 'path', sort: 'visitors', locale: 'zh-CN' }, 'csv', {}).name).toBe(
      'tea-house-path-2026-11-01_2026-11-20.csv',
    );
  });
});
