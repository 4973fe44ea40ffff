import fc from 'fast-check';
import type { Cause } from '../../../contract/dashboard/causes';
import { dashboardLimits as limits } from '../../../contract/dashboard/terms';
import { caseCounts } from '../../../test/support/caseCounts';
import { isWorse, losses, rankCauses, worseKeywords } from './causeRanking';

type Keyword = Cause['keywords'][number];
const keyword = (before: number | null, now: number | null, clicks = 0, query = 'tea'): Keyword => ({
  engine: 'google',
  query,
  position: { now, before },
  clicks: { now: 0, before: clicks },
});
const at = '2026-11-20T04:00:00.000Z';
const issue: Cause['issues'][number] = {
  rule: 'redirect_loop',
  severity: 'error',
  state: 'open',
  url: 'https://tea.example/a',
  urlId: 1,
  runId: 'r',
  foundAt: at,
  fixedAt: null,
  recheck: null,
};
const redirect: Cause['redirect'] = { from: '/a', to: '/b', status: 301, locations: ['/b'], end: 'page', release: 2, since: at };

test('a position is worse from one place on, or without one', () => {
  const cases = [keyword(3, 4), keyword(3, null), keyword(3, 3.9), keyword(null, 40), keyword(4, 3)];
  expect(cases.map(isWorse)).toEqual([true, true, false, false, false]);
  expect(worseKeywords([keyword(3, 9, 1), keyword(1, 2, 7, 'cup'), keyword(2, 2, 99, 'pot')]).map(({ clicks }) => clicks.before)).toEqual([7, 1]);
});

test('a keyword of several addresses of a page is listed once', () => {
  const bing: Keyword = { ...keyword(3, 9, 1), engine: 'bing' };
  expect(worseKeywords([keyword(3, 9, 1), bing, keyword(1, 2, 7)])).toEqual([keyword(1, 2, 7), bing]);
});

/** What a page that has these signals (bits: position, issue, redirect) is joined with. */
const signalsOf = (bits: number) => ({
  keywords: bits & 1 ? Array.from({ length: 5 }, () => keyword(1, 9)) : [],
  issues: bits & 2 ? [issue] : [],
  redirect: bits & 4 ? redirect : null,
});
const pages = fc.uniqueArray(
  fc.record({ key: fc.constantFrom('', ...Array.from({ length: 80 }, (_, n) => `/p${n}`)), now: fc.nat(9), before: fc.nat(9), bits: fc.nat(7) }),
  {
    selector: ({ key }) => key,
    maxLength: 80,
    size: 'max',
  },
);

test('causes are ranked by lost visitors and add up to the loss', () => {
  const counts = caseCounts('listed', 'ties', 'others');
  fc.assert(
    fc.property(pages, (rows) => {
      const bits = new Map(rows.map((row) => [row.key, row.bits]));
      const found = rankCauses(losses(rows), (path) => signalsOf(bits.get(path) ?? 0));
      // An independent reading: one by one, the best of what remains.
      const fallen = rows.filter((row) => row.key !== '' && row.before > row.now).map((row) => ({ ...row, loss: row.before - row.now }));
      const total = fallen.reduce((sum, { loss }) => sum + loss, 0);
      const remaining = [...fallen]
        .sort((a, b) => b.loss - a.loss || (a.key < b.key ? -1 : 1))
        .slice(0, limits.causePages)
        .filter((row) => row.bits > 0);
      const expected: string[] = [];
      while (remaining.length > 0 && expected.length < limits.causes) {
        let best = 0;
        for (const [index, row] of remaining.entries()) {
          const leader = remaining[best];
          const kinds = (value: number): number => [1, 2, 4].filter((bit) => value & bit).length;
          if (!leader || row.loss < leader.loss) continue;
          if (row.loss > leader.loss || kinds(row.bits) > kinds(leader.bits) || (kinds(row.bits) === kinds(leader.bits) && row.key < leader.key)) best = index;
          if (row.loss === leader.loss && row !== leader) counts.count('ties');
        }
        expected.push(...remaining.splice(best, 1).map(({ key }) => key));
      }
      expect(found.causes.map(({ path }) => path)).toEqual(expected);
      expect(found.lost).toBe(total);
      const listed = found.causes.reduce((sum, { visitors }) => sum + visitors.before - visitors.now, 0);
      expect(found.others).toEqual({ pages: fallen.length - expected.length, lost: total - listed });
      for (const { keywords } of found.causes) expect(keywords.length).toBeLessThanOrEqual(limits.causeRows);
      counts.count('listed', expected.length);
      counts.count('others', found.others.pages);
    }),
  );
  counts.expectAtLeast(20);
});
