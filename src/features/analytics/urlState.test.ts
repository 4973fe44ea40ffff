import fc from 'fast-check';
import { dimensions, filterOps, pathDimensions } from '@contract/analytics/schemas';
import { normalizePath } from '@contract/paths';
import { type Filter, filterText, parseFilter, withFilter } from './filters';
import { changed, readState, reportQuery, writeState } from './urlState';

const today = '2026-11-20';
const read = (text: string) => readState(new URLSearchParams(text), today);
const write = (text: string, change: Parameters<typeof changed>[1]) => writeState(changed(read(text), change), new URLSearchParams(text)).toString();

describe('filters as text', () => {
  const anyFilter: fc.Arbitrary<Filter> = fc.record({
    by: fc.constantFrom(...dimensions),
    op: fc.constantFrom(...filterOps),
    values: fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 5 }),
  });

  test('every value survives serialization, a path in its readable form', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const values = pathDimensions.has(filter.by) ? filter.values.map(normalizePath) : filter.values;
        expect(parseFilter(filterText(filter))).toEqual({ ...filter, values });
      }),
    );
    expect(parseFilter('path:is:/%e8%8c%b6')?.values).toEqual(['/茶']);
  });
  test('every filter survives an address', () => {
    const filter: Filter = { by: 'keyword', op: 'is', values: ['a|b', 'c\\d', 'é+ 空格&=#'] };
    const params = new URLSearchParams();
    params.append('filter', filterText(filter));
    expect(readState(new URLSearchParams(params.toString()), today).filters).toEqual([filter]);
  });
  test.each(['', 'nonsense', 'password:is:x', 'path:like:x', `path:is:${'x'.repeat(700)}`])('%.20s is invalid and ignored', (text) =>
    expect(parseFilter(text)).toBeNull(),
  );
  test('an empty value is the unknown row, not no filter', () => expect(parseFilter('keyword:is:')).toEqual({ by: 'keyword', op: 'is', values: [''] }));
  test('clicking another row replaces the filter', () => {
    const before = [
      { by: 'city', op: 'is', values: ['Shenzhen'] },
      { by: 'city', op: 'not', values: ['Beijing'] },
    ] as const;
    expect(withFilter(before, { by: 'city', op: 'is', values: ['Guangzhou'] })).toEqual([{ by: 'city', op: 'is', values: ['Guangzhou'] }, before[1]]);
  });
});

describe('the address of a report', () => {
  test('an empty address means people in the last seven days, compared', () => {
    expect(read('')).toMatchObject({
      preset: 'last7',
      range: { from: '2026-11-14', to: today },
      compare: 'previous',
      who: 'humans',
      filters: [],
      page: 1,
      size: 20,
      gran: null,
    });
  });
  test('defaults are absent from it', () => expect(writeState(read(''), new URLSearchParams()).toString()).toBe(''));
  test.each([
    'range=forever',
    'from=2026-02-30&to=2026-03-01',
    'compare=custom',
    'gran=century',
    'who=cats',
    'filter=x',
    'show=money',
    'sort=money.desc',
    'page=0',
    'page=1e9',
    'size=7',
    'by=password',
  ])('%s falls back silently', (text) => {
    expect(read(text)).toEqual(read(''));
  });
  test('every choice survives the address', () => {
    const text =
      'from=2026-10-01&to=2026-10-31&compare=custom&cfrom=2026-01-01&cto=2026-01-31&gran=week&who=all&filter=city%3Anot%3ABeijing&show=views%2Cvisits&sort=views.asc&page=3&size=50&by=path';
    const state = read(text);
    expect(state).toMatchObject({
      preset: 'custom',
      gran: 'week',
      measures: ['views', 'visits'],
      sort: { id: 'views', dir: 'asc' },
      page: 3,
      size: 50,
      by: 'path',
    });
    expect(readState(writeState(state, new URLSearchParams()), today)).toEqual(state);
  });
  test('days in the wrong order are put in order', () => expect(read('from=2026-11-20&to=2026-11-01').range).toEqual({ from: '2026-11-01', to: '2026-11-20' }));
  test('a granularity that the range does not allow is dropped', () => expect(read('range=last90&gran=hour').gran).toBeNull());
  test('unrelated parameters of the address stay', () => expect(write('tab=x&page=4', { who: 'bots' })).toBe('tab=x&who=bots'));
  test('changing filters resets the page, and changing the measure does not', () => {
    expect(write('page=4', { filters: [{ by: 'os', op: 'is', values: ['Windows'] }] })).not.toContain('page');
    expect(write('page=4', { measures: ['views'] })).toContain('page=4');
  });
  test('the request contains exactly what the address says', () => {
    expect(reportQuery(read('range=yesterday&compare=none&filter=path%3Ais%3A%2Fa'))).toEqual({
      from: '2026-11-19',
      to: '2026-11-19',
      compare: 'none',
      filter: ['path:is:/a'],
      who: 'humans',
    });
  });
});
