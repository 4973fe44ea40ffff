import type { Report } from '../../../contract/analytics';
import { csvOf, exportFile, safeCell } from './exportFile';
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
  explain: { source: 'visits', exact: true, error: null, freshTo: null, at: 0, excluded: { suspected: 0, bots: 0 }, tookMs: 1 },
});

describe('a CSV of a report', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'])('a title like %j is no formula', (text) => {
    expect(safeCell(text).startsWith("'")).toBe(true);
    const line = csvOf(report([text]), { by: 'title', sort: 'visitors', locale: 'zh-CN' })
      .slice(1)
      .split('\r\n')
      .slice(1)
      .join('\r\n');
    expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
  });

  test('commas, quotes and line breaks stay inside their cell', () => {
    expect(csvOf(report(['a,"b"\nc']), { by: 'title', sort: 'visitors', locale: 'en' })).toContain('"a,""b""\nc",12,');
  });

  test('begins with a byte order mark and the words of the reader, unknown keys are named', () => {
    const zh = csvOf(report(['']), { by: 'keyword', sort: 'visitors', locale: 'zh-CN' });
    expect(zh.startsWith('\uFEFF搜索词,访客数 (UV),')).toBe(true);
    expect(zh.split('\r\n')[1]?.startsWith('未提供,12,')).toBe(true);
    expect(csvOf(report(['']), { by: 'keyword', sort: 'visitors', locale: 'en' })).toContain('Not provided,12,');
  });

  test('keys are written as on screen', () => {
    const first = (by: 'country' | 'province' | 'sourceType' | 'sourceName', key: string, locale: 'zh-CN' | 'en') =>
      csvOf(report([key]), { by, sort: 'visitors', locale })
        .split('\r\n')[1]
        ?.split(',')[0];
    expect([
      first('country', 'CN', 'zh-CN'),
      first('province', 'CN-GD', 'en'),
      first('sourceType', 'ai', 'zh-CN'),
      first('sourceName', 'Baidu', 'zh-CN'),
      first('sourceName', 'Baidu', 'en'),
    ]).toEqual(['中国', 'Guangdong', 'AI 助手', '百度', 'Baidu']);
  });

  test('what cannot be said is empty, ratios are rounded', () => {
    const cells = csvOf(report(['x']), { by: 'title', sort: 'bounceRate', locale: 'en' })
      .split('\r\n')[1]
      ?.split(',');
    expect(cells?.slice(0, 3)).toEqual(['x', '0.3333', '12']);
    expect(cells).toContain('');
  });

  test('the name of the file is plain', () => {
    expect(exportFile(report([]), 'tea-house', { by: 'path', sort: 'visitors', locale: 'zh-CN' }, 'csv').name).toBe('tea-house-path-2026-11-01_2026-11-20.csv');
  });
});
