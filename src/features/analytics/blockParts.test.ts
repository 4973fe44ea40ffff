import fc from 'fast-check';
import { bucketKeys, type Flow } from '../../../contract/analytics/schemas';
import { axes } from './buckets';
import { ribbons, stepsAfter, stepsBefore } from './flowModel';
import { nameIn, readOpen, writeOpen } from './treePaths';
import { caseCounts } from '../../../test/support/caseCounts';

test('the axes are those of the contract', () => {
  expect(axes).toEqual(bucketKeys);
});

describe('open directories in the address', () => {
  test('opening a directory opens its parents, and several may be open', () => {
    expect([...readOpen('/docs/api/v2/\n/blog/')]).toEqual(['/docs/', '/docs/api/', '/docs/api/v2/', '/blog/']);
    expect(writeOpen(readOpen('/docs/'), '/docs/api/', true)).toBe('/docs/api/');
    expect(writeOpen(readOpen('/docs/api/'), '/blog/', true)?.split('\n').toSorted()).toEqual(['/blog/', '/docs/api/']);
  });
  test('closing a directory closes its children and keeps its parents', () => {
    expect(writeOpen(readOpen('/docs/api/v2/'), '/docs/api/', false)).toBe('/docs/');
    expect(writeOpen(readOpen('/docs/'), '/docs/', false)).toBeNull();
  });
  test('invalid directories are ignored', () => {
    expect([...readOpen('/page\nhttps://x/\n//\n')]).toEqual([]);
    expect([...readOpen(null)]).toEqual([]);
  });
  test('opening and closing a directory leaves the others unchanged', () => {
    const cases = caseCounts('opened', 'left unchanged');
    const directory = fc.array(fc.constantFrom('a', 'b', 'c|', '中'), { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}/`);
    fc.assert(
      fc.property(fc.array(directory, { maxLength: 5 }), directory, (open, one) => {
        const before = readOpen(open.join('\n'));
        const opened = readOpen(writeOpen(before, one, true));
        for (const other of before) expect(opened.has(other)).toBe(true);
        expect(opened.has(one)).toBe(true);
        const closed = readOpen(writeOpen(opened, one, false));
        expect([...closed].some((other) => other.startsWith(one))).toBe(false);
        cases.count('opened');
        for (const other of before)
          if (!other.startsWith(one)) {
            cases.count('left unchanged');
            expect(closed.has(other)).toBe(true);
          }
      }),
    );
    cases.expectAtLeast(20);
  });
  test('names are relative to the directory and readable', () => {
    expect(nameIn('/docs/', '/docs/api/')).toBe('api/');
    expect(nameIn('/', '/产品/')).toBe('产品/');
    expect(nameIn('/docs/', '/docs/')).toBe('');
  });
});

const flow = (change: Partial<Flow> = {}): Flow => ({
  path: '/tea',
  views: 100,
  entries: 50,
  sources: [
    { sourceType: 'search', sourceName: '百度', views: 30, share: 0.3 },
    { sourceType: 'direct', sourceName: '', views: 20, share: 0.2 },
  ],
  upstream: [{ path: '/', views: 40, share: 0.4 }],
  again: 10,
  exits: 60,
  downstream: [{ path: '/cart', views: 25, share: 0.25 }],
  againNext: 10,
  ...change,
});

describe('the flow around a page', () => {
  test("both sides add up to the page's views", () => {
    expect(stepsBefore(flow()).map(({ id, views }) => [id, views])).toEqual([
      ['page /', 40],
      ['source search 百度', 30],
      ['source direct ', 20],
      ['again', 10],
    ]);
    expect(stepsAfter(flow()).map(({ kind, views }) => [kind, views])).toEqual([
      ['exit', 60],
      ['page', 25],
      ['again', 10],
      ['rest', 5],
    ]);
  });
  test('the largest neighbours are named and the others combined', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ path: `/p${String(at)}`, views: 2, share: 0.02 }));
    const steps = stepsAfter(flow({ downstream: many, exits: 30 }));
    expect(steps).toHaveLength(10);
    expect(steps.reduce((sum, step) => sum + step.views, 0)).toBe(100);
    expect(steps.at(-1)?.kind).toBe('rest');
  });
  test('boxes never overlap, and streams fill the page exactly', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 10 }).map((list) => {
      const sum = list.reduce((a, b) => a + b, 0);
      return list.map((one) => one / sum);
    });
    fc.assert(
      fc.property(shares, (list) => {
        const placed = ribbons(list, 480, 30, 6);
        placed.forEach(({ y, h }, at) => {
          expect(h).toBeGreaterThanOrEqual(30);
          if (at > 0) expect(y).toBeCloseTo((placed[at - 1]?.y ?? 0) + (placed[at - 1]?.h ?? 0) + 6, 6);
        });
        expect((placed.at(-1)?.atY ?? 0) + (placed.at(-1)?.atH ?? 0)).toBeCloseTo(480, 6);
      }),
    );
  });
});
