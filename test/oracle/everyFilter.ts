import type { Report } from '../../contract/analytics/schemas';
import { same, describeFilters } from './compare';
import { filterKinds, makeFilter, pairwise, simpleDimensions, valuesIn } from './filterSets';
import type { FilterKind } from './filterSets';
import { visits } from './program';
import type { Oracle } from './program';
import { randomOf } from './reportFixture';
import { expectedRows, expectedTotals, inOrder } from './reportOracle';
import { zones } from './site';
import { thorough } from '../support/thorough';
import type { OracleQuestion } from './reportOracle';

const seed = 20261103;
const combinations = pairwise(seed, zones);
/** Unless thorough, each dimension is tested with every second kind of filter, so that each kind meets half of the dimensions. */
const isTested = (by: number, kind: FilterKind): boolean => thorough || (by + filterKinds.indexOf(kind)) % 2 === 0;
const groups: ('pages' | 'goals')[] = ['pages', 'goals'];

/** Every dimension under kinds of filters on every dimension. */
export function everyFilterTests(program: () => Oracle): void {
  test.each(simpleDimensions)('rows by %s equal a recomputation under filters', async (by) => {
    const place = simpleDimensions.indexOf(by);
    const random = randomOf(seed + place);
    const own = combinations.filter((one) => one.by === by);
    // Values are drawn for all combinations, so that each one is the same however many are tested.
    const drawn = own.map(({ kind, on, who, zone }): OracleQuestion => ({
      zone,
      from: '2026-10-29',
      to: '2026-11-04',
      who,
      filters: [makeFilter(on, kind, valuesIn(visits, on, zone), random)],
    }));
    const questions = drawn.filter((_, at) => own[at] && isTested(place, own[at].kind));
    expect(questions.length).toBeGreaterThanOrEqual(thorough ? 10 : 5);
    const answers = await Promise.all(questions.map((one) => program().answerTo<Report>(one, 'report', { by, size: 500, with: groups, sort: 'views' })));
    for (const [i, question] of questions.entries()) {
      const what = `${by} of ${question.who} in ${question.zone}, ${describeFilters(question.filters)}`;
      const answer = answers[i] as Report;
      const expected = expectedRows(visits, question, by, groups);
      same(answer.totals, expectedTotals(visits, question, groups), what);
      expect({ what, count: answer.rowCount, keys: answer.rows?.map((row) => row.key) }).toEqual({
        what,
        count: expected.size,
        keys: inOrder(expected, 'views', 'desc'),
      });
      for (const row of answer.rows ?? []) {
        const values = expected.get(row.key);
        if (values) same(row.values, values, `${what}, row ${row.key}`);
        expect(row.share).toBe(answer.totals.views ? (row.values.views ?? 0) / answer.totals.views : null);
      }
    }
  });

  test('the combinations cover every pair of screen or dimension and filter', () => {
    const pairs = new Set(combinations.flatMap((c) => [`${c.by} ${c.kind}`, `${c.by} ${c.who}`, `${c.on} filtered ${c.kind}`, `${c.kind} ${c.who}`]));
    expect(pairs.size).toBe(simpleDimensions.length * (10 + 4 + 10) + 10 * 4);
  });
}
