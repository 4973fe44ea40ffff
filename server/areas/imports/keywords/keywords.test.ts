import { columnsOf, engineOf, isDayTable, isKeywordTable } from './columns';
import { effectiveParts, overlapsOf, replacedBy, within } from './periods';
import type { KeywordPart } from './periods';
import { countOf, daysInName, keywordRowOf, positionOf, readDay } from './values';

const today = '2026-11-23';
const read = (header: string, line: string) => keywordRowOf(line.split('\t'), columnsOf(header.split('\t')), today);

describe('columns', () => {
  test.each([
    ['Search Console, English', 'Top queries,Clicks,Impressions,CTR,Position', 'google'],
    ['Search Console, Chinese', '热门查询,点击次数,展示,点击率,排名', 'google'],
    ['Search Console, by its API', 'Query,Page,Date,Clicks,Impressions,CTR,Position', 'google'],
    ['Bing, English', 'Keyword,Impressions,Clicks,CTR,Avg. Position', 'bing'],
    ['Bing, Chinese', '关键字,展示次数,点击次数,点击率,平均位置', 'bing'],
    ['Baidu', '关键词,点击量,展现量,点击率（%）,排名', 'baidu'],
  ])('of %s are recognised', (_name, header, engine) => {
    const columns = columnsOf(header.split(','));
    expect(isKeywordTable(columns)).toBe(true);
    expect(Object.keys(columns.at)).toHaveLength(header.split(',').length);
    expect(engineOf(columns, ['report.csv'])).toBe(engine);
  });

  test('of a table by day are not keywords and determine the period', () => {
    const columns = columnsOf(['日期', '点击次数', '展示', '点击率', '排名']);
    expect([isKeywordTable(columns), isDayTable(columns)]).toEqual([false, true]);
  });

  test('of pages or countries are neither', () => {
    for (const header of ['Top pages,Clicks,Impressions,CTR,Position', 'Country,Clicks,Impressions,CTR,Position', 'Filter,Value']) {
      const columns = columnsOf(header.split(','));
      expect([isKeywordTable(columns), isDayTable(columns)]).toEqual([false, false]);
    }
  });

  test('of two compared periods are not mistaken for one', () => {
    expect(isKeywordTable(columnsOf('Top queries,Last 28 days Clicks,Previous 28 days Clicks'.split(',')))).toBe(false);
  });

  test('use the file name to find the engine', () => {
    const columns = columnsOf(['搜索词', '点击次数', '展示次数']);
    expect(engineOf(columns, ['词.csv'])).toBe(null);
    expect(engineOf(columns, ['百度_关键词.csv'])).toBe('baidu');
    expect(engineOf(columns, ['https___tea.example_-Performance-on-Search-2026-11-20.zip'])).toBe('google');
  });
});

describe('values', () => {
  test('a line becomes a keyword with its figures', () => {
    expect(read('Query\tPage\tDate\tClicks\tImpressions\tCTR\tPosition', '绿茶\thttps://tea.example/green\t2026-11-20\t1,204\t30 500\t3.95%\t4.25')).toEqual({
      day: '2026-11-20',
      query: '绿茶',
      page: 'https://tea.example/green',
      clicks: 1204,
      impressions: 30_500,
      position: 4.25,
    });
  });

  test('a keyword may look like a formula, a number may not', () => {
    expect(read('Query\tClicks\tImpressions', '=1+1\t3\t9')).toMatchObject({ query: '=1+1', clicks: 3 });
    expect(read('Query\tClicks\tImpressions', 'tea\t=cmd|calc\t9')).toBe('bad_number');
    expect(read('Query\tClicks\tImpressions', 'tea\t-3\t9')).toBe('bad_number');
  });

  test.each([
    ['\t3\t9', 'no_keyword'],
    ['tea', 'bad_row'],
    ['tea\t3\t9\tmore', 'bad_row'],
    ['tea\tmany\t9', 'bad_number'],
  ])('%j is refused', (line, reason) => {
    expect(read('Query\tClicks\tImpressions', line)).toBe(reason);
  });

  test('an impossible or future day is refused', () => {
    expect(read('Query\tDate\tClicks\tImpressions', 'tea\t2026-02-30\t1\t2')).toBe('bad_time');
    expect(read('Query\tDate\tClicks\tImpressions', 'tea\t2026-11-24\t1\t2')).toBe('future');
  });

  test('numbers are read with thousands separators, a dash as zero', () => {
    expect(['1234', '1,234,567', '1.234', '12.0', '-', '1,23', '', '1e5', '9'.repeat(16)].map(countOf)).toEqual([
      1234,
      1_234_567,
      1234,
      12,
      0,
      null,
      null,
      null,
      null,
    ]);
  });

  test('positions are read with either decimal sign', () => {
    expect(['3.2', '3,2', '7', '', '--', 'first', '-1'].map(positionOf)).toEqual([3.2, 3.2, 7, 0, 0, null, null]);
  });

  test('days are read in the formats of the engines', () => {
    expect(['2026-11-20', '2026/11/5', '20261120', '2026年11月5日', '11/20/2026 12:00:00 AM', '20/11/2026'].map(readDay)).toEqual([
      '2026-11-20',
      '2026-11-05',
      '2026-11-20',
      '2026-11-05',
      '2026-11-20',
      null,
    ]);
  });

  test('the file name may contain the period', () => {
    expect(daysInName('关键词_20261101-20261120.csv')).toEqual({ from: '2026-11-01', to: '2026-11-20' });
    expect(daysInName('tea.example-2026-11-20.csv')).toBe(null);
  });
});

describe('periods', () => {
  const part = (number: number, from: string, to: string, dated = true, engine: KeywordPart['engine'] = 'google'): KeywordPart => ({
    number,
    engine,
    from: `2026-11-${from}`,
    to: `2026-11-${to}`,
    dated,
  });
  const describeParts = (parts: readonly KeywordPart[]) => parts.map(({ number, from, to }) => `${number}: ${from.slice(8)}–${to.slice(8)}`);

  test('the latest import counts for each day', () => {
    expect(describeParts(effectiveParts([part(2, '10', '12'), part(1, '01', '20')]))).toEqual(['2: 10–12', '1: 01–09', '1: 13–20']);
  });

  test('totals of a period count whole or not at all', () => {
    const parts = effectiveParts([part(2, '10', '12'), part(1, '01', '20', false)]);
    expect(describeParts(parts)).toEqual(['2: 10–12']);
    expect(replacedBy(parts, part(1, '01', '20', false))).toBe('wholly');
  });

  test('an import of the same period replaces the first', () => {
    expect(describeParts(effectiveParts([part(2, '01', '20', false), part(1, '01', '20', false)]))).toEqual(['2: 01–20']);
  });

  test('engines do not affect each other', () => {
    expect(effectiveParts([part(2, '01', '20', false, 'bing'), part(1, '01', '20', false)])).toHaveLength(2);
  });

  test('the imports that a new one replaces are known beforehand', () => {
    const imports = [part(3, '15', '20'), part(2, '01', '05', false), part(1, '18', '20')];
    expect(overlapsOf(imports, part(4, '05', '16')).map(({ one, wholly }) => [one.number, wholly])).toEqual([
      [3, false],
      [2, true],
    ]);
  });

  test('totals that extend beyond a range are excluded from its figures', () => {
    const { inside, partial } = within([part(1, '01', '20'), part(2, '05', '12', false, 'bing')], { from: '2026-11-10', to: '2026-11-30' });
    expect([describeParts(inside), describeParts(partial)]).toEqual([['1: 10–20'], ['2: 05–12']]);
  });
});
