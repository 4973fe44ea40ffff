import fc from 'fast-check';
import type { MeasureId, Report, Values } from '../../contract/analytics/schemas';
import { laterDay } from './calendar';
import { same, describeFilters } from './compare';
import { simpleDimensions, someFilters, valuesIn } from './filterSets';
import { visits } from './program';
import type { Oracle } from './program';
import { randomOf } from './reportFixture';
import type { OracleQuestion } from './reportOracle';
import { hits, zones } from './site';
import { storeHits } from './storedHits';
import { caseCounts } from '../support/caseCounts';

const questionArbitrary = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    zone: fc.constantFrom(...zones),
    first: fc.nat({ max: 7 }),
    days: fc.nat({ max: 6 }),
    who: fc.constantFrom('humans' as const, 'all' as const, 'bots' as const),
  })
  .map(({ seed, zone, first, days, who }): OracleQuestion => {
    const day = laterDay('2026-10-27', first);
    return { zone, from: day, to: laterDay(day, days), who, filters: someFilters(randomOf(seed), (dimension) => valuesIn(visits, dimension, zone)) };
  });
const all = { with: ['pages', 'goals'] };
const nameOf = (question: OracleQuestion): string => `${question.zone} ${question.from}–${question.to} ${question.who}, ${describeFilters(question.filters)}`;
const holds = (property: fc.IAsyncProperty<unknown>, numRuns: number): Promise<void> =>
  fc.assert(property as fc.IAsyncProperty<[unknown]>, { numRuns, seed: 20261103, endOnFailure: true });

/** Reports of any filters agree with each other. */
export function agreementTests(program: () => Oracle): void {
  let oracle: Oracle;
  let twin: string;
  beforeAll(async () => {
    oracle = program();
    // The same hits in another order and in other batches, with different ones late and repeated.
    twin = (await oracle.program.makeSite(oracle.owner, { name: 'Twin', timeZone: zones[0] })).id;
    await storeHits(oracle.program.ctx.clickhouse, twin, [...hits].reverse(), 99);
  });

  test('a row equals the totals of the report filtered by it', async () => {
    const cases = caseCounts();
    await holds(
      fc.asyncProperty(questionArbitrary, fc.constantFrom(...simpleDimensions), fc.nat(), async (question, by, which) => {
        const table = await oracle.answerTo<Report>(question, 'report', { ...all, by, size: 500 });
        const rows = table.rows ?? [];
        const row = rows[which % Math.max(1, rows.length)];
        if (!row) return;
        cases.count();
        const alone = await oracle.answerTo<Report>(
          { ...question, filters: [...question.filters, { dimension: by, op: 'is', values: [row.key] }] },
          'report',
          all,
        );
        same(alone.totals, row.values, `${by} ${row.key}, ${nameOf(question)}`);
      }),
      40,
    );
    cases.expectAtLeast(20);
  });

  test('additive measures sum to the range, others never exceed the daily sum', () =>
    holds(
      fc.asyncProperty(questionArbitrary, async (question) => {
        const whole = await oracle.answerTo<Report>(question, 'report', { ...all, series: '1', gran: 'day' });
        const sums = ['visits', 'views', 'newVisitors', 'ips', 'visitorDays', 'entries', 'exits', 'downstream', 'events'] as const;
        const alone: Values[] = [];
        for (let day = question.from; day <= question.to; day = laterDay(day, 1))
          alone.push((await oracle.answerTo<Report>({ ...question, from: day, to: day }, 'report', all)).totals);
        for (const [i, bucket] of (whole.series ?? []).entries()) same(alone[i] as Values, bucket.values, `${bucket.label} ${nameOf(question)}`);
        const added = (id: MeasureId): number => alone.reduce((sum, values) => sum + (values[id] ?? 0), 0);
        for (const id of sums) expect([id, added(id)]).toEqual([id, whole.totals[id]]);
        expect(added('visitors')).toBe(whole.totals.visitorDays);
        expect(whole.totals.visitors).toBeLessThanOrEqual(added('visitors'));
      }),
      14,
    ));

  test('order, delay and repetition of hits change nothing', () =>
    holds(
      fc.asyncProperty(questionArbitrary, fc.constantFrom(...simpleDimensions), async (question, by) => {
        const zonedQuestion = { ...question, zone: zones[0] };
        const params = { ...all, by, size: 500, series: '1', gran: 'day' };
        const [one, other] = await Promise.all([
          oracle.answerTo<Report>(zonedQuestion, 'report', params),
          oracle.answerTo<Report>(zonedQuestion, 'report', params, twin),
        ]);
        const figures = ({ totals, series, rows, rowCount }: Report) => ({ totals, series, rows, rowCount });
        expect(figures(other)).toEqual(figures(one));
      }),
      24,
    ));
}
