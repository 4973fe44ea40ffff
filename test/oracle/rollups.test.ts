import { jest } from '@jest/globals';
import { ReportQuery, dimensions, measures } from '../../contract/analytics/schemas';
import type { MeasureId, Report, Values } from '../../contract/analytics/schemas';
import { makeReport } from '../../server/areas/analytics/report';
import { recomputeSite } from '../../server/areas/analytics/rollup';
import { createShare } from '../../server/areas/analytics/share';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { same } from './compare';
import { expectedRows, expectedSteps, expectedTotals, nothing, stepOf, visitsFrom } from './reportOracle';
import type { OracleQuestion, Visit } from './reportOracle';
import { edges, from, hits, makeHits, to, zones } from './site';
import { storeVisits } from './storedVisits';

jest.setTimeout(240_000);

/** Stored daily sums equal visits: exactly, except for distinct visitors, which a sketch may count within its stated error. */

const visits = visitsFrom(hits);
const idOf = (zone: string): string => ['eeeeeeeeeeee', 'ffffffffffff', 'gggggggggggg'][zones.indexOf(zone as (typeof zones)[number])] ?? '';
const now = Date.parse('2026-11-03T09:30:00Z');
const groups: 'pages'[] = ['pages'];

let stores: TestStores;
const recompute = (zone: string) => recomputeSite(stores.clickhouse, { id: idOf(zone), zone }, { now, settleMs: 0, keepDays: 7 });
beforeAll(async () => {
  stores = await openTestStores();
  for (const [i, zone] of zones.entries()) {
    await storeVisits(stores.clickhouse, idOf(zone), visits, i + 1);
    expect(await recompute(zone)).toBeGreaterThan(5);
  }
});
afterAll(() => stores.close());

/** As on a screen, reports requested at once count common parts only once. */
const share = createShare();
async function report(question: OracleQuestion, extra: Partial<Omit<ReportQuery, 'from' | 'to' | 'filter'>> = {}): Promise<Report> {
  const query = ReportQuery.parse({ from: question.from, to: question.to, who: question.who, with: groups, ...extra });
  return makeReport({ clickhouse: stores.clickhouse, share }, { id: idOf(question.zone), timeZone: question.zone }, query, {
    now: () => now,
    rollup: { settleMs: 0 },
  });
}

/** Measures of distinct visitors, which may come from a sketch. */
const sketched: readonly MeasureId[] = ['visitors', 'newRatio'];
function near(actual: Values, expected: Values, error: number | null, what: string): void {
  const exact = error === null ? measures : measures.filter((id) => !sketched.includes(id));
  const only = (values: Values): Values => Object.fromEntries(measures.map((id) => [id, exact.includes(id) ? values[id] : null])) as Values;
  same(only(actual), only(expected), what);
  for (const id of sketched) {
    const [a, b] = [actual[id], expected[id]];
    // Five standard errors, and at least the rounding of a count.
    if (a === null || b === null) expect([what, id, a]).toEqual([what, id, b]);
    else expect(Math.abs(a - b)).toBeLessThanOrEqual(5 * (error ?? 0) * b + 1e-9);
  }
}

async function compare(known: readonly Visit[], question: OracleQuestion, source: Report['explain']['source']): Promise<void> {
  const grans = ['hour', 'day', 'week', 'month'] as const;
  const answers = await Promise.all(grans.map((gran) => report(question, { series: '1', gran })));
  for (const [i, answer] of answers.entries()) {
    const gran = grans[i] ?? 'day';
    expect({ gran, source: answer.explain.source }).toEqual({ gran, source });
    expect(answer.explain.exact).toBe(answer.explain.error === null);
    near(answer.totals, expectedTotals(known, question, groups), answer.explain.error, `totals by ${gran}`);
    const steps = expectedSteps(known, question, gran, groups);
    for (const bucket of answer.series ?? [])
      near(bucket.values, steps.get(stepOf(bucket.start, question.zone, gran)) ?? nothing(groups), answer.explain.error, `${gran} ${bucket.label}`);
  }
}

const questionFor = (zone: string, first: string, last: string): OracleQuestion => ({ zone, from: first, to: last, who: 'humans', filters: [] });
/** Whole days before today, and a range that includes today and future days. */
const ranges = [
  ['2026-10-27', '2026-11-02'],
  ['2026-10-28', '2026-11-05'],
] as const;

test.each(zones)('totals and every step in %s, from stored days', async (zone) => {
  for (const [first, last] of ranges) await compare(visits, questionFor(zone, first, last), 'rollup');
});

const storedRows = dimensions.filter((id) => id !== 'event' && id !== 'goal' && id !== 'exitPath');
function questionBy(by: (typeof storedRows)[number]): OracleQuestion {
  const [first, last] = ranges[dimensions.indexOf(by) % 2] ?? ranges[0];
  return questionFor(zones[dimensions.indexOf(by) % zones.length] ?? 'Asia/Shanghai', first, last);
}
let tables: Promise<Report[]> | undefined;
test.each(storedRows)('rows by %s from stored days', async (by) => {
  const question = questionBy(by);
  tables ??= Promise.all(storedRows.map((one) => report(questionBy(one), { by: one, size: 500, sort: 'views' })));
  const answer = (await tables)[storedRows.indexOf(by)] as Report;
  expect(answer.explain.source).toBe('rollup');
  const rows = expectedRows(visits, question, by, groups);
  expect(answer.rows?.map((row) => row.key).sort()).toEqual([...rows.keys()].sort());
  for (const row of answer.rows ?? []) near(row.values, rows.get(row.key) ?? nothing(groups), answer.explain.error, `${by} ${row.key}`);
});

test('late hits count at once, before and after days are recomputed', async () => {
  const zone = 'America/New_York';
  const late = visitsFrom(makeHits(77, 12, from, to, edges)).filter(
    (visit) => visit.start > Date.parse('2026-10-30T12:00:00Z') && visit.start < Date.parse('2026-11-01T12:00:00Z'),
  );
  expect(late.length).toBeGreaterThan(2);
  await storeVisits(stores.clickhouse, idOf(zone), late, 5);
  const both = [...visits, ...late];
  const question = questionFor(zone, '2026-10-27', '2026-11-02');
  same((await report(question)).totals, expectedTotals(both, question, groups), 'before the days are computed anew');
  expect(await recompute(zone)).toBeGreaterThan(0);
  await compare(both, question, 'rollup');
});
