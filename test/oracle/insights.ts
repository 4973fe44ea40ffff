import { populations } from '../../contract/analytics/schemas';
import type { Report } from '../../contract/analytics/schemas';
import type { EventDetail, EventsReport, FunnelResult, Journey, Retention, ScrollReport, SearchesReport } from '../../contract/insights/reports';
import type { Condition, Funnel, Goal, GoalInput } from '../../contract/insights/schemas';
import { laterDay } from './calendar';
import { same, describeFilters } from './compare';
import { someFilters, valuesIn } from './filterSets';
import * as expected from './insightsOracle';
import { now, visits } from './program';
import type { Oracle } from './program';
import { randomOf } from './reportFixture';
import { expectedRows, expectedTotals, inOrder } from './reportOracle';
import type { OracleQuestion, OracleFilter } from './reportOracle';
import { zones } from './site';

const page = (match: 'is' | 'starts' | 'contains' | 'glob', path: string): Condition => ({ kind: 'page', match, path });
const event = (name: string, property: Extract<Condition, { kind: 'event' }>['property'] = null): Condition => ({ kind: 'event', event: name, property });

const goalInputs: GoalInput[] = [
  { name: '读文档', condition: page('starts', '/docs/'), worth: { kind: 'none' } },
  { name: 'Bought', condition: event('buy'), worth: { kind: 'property', property: 'price' } },
  { name: 'Bought pro', condition: event('buy', { name: 'plan', op: 'is', value: 'pro' }), worth: { kind: 'fixed', amount: 10.25 } },
  { name: 'Bought anything else', condition: event('buy', { name: 'plan', op: 'not', value: 'pro' }), worth: { kind: 'none' } },
  { name: 'Deep', condition: page('glob', '/*/a/**'), worth: { kind: 'fixed', amount: -3 } },
  { name: 'Flat', condition: page('glob', '/*|*'), worth: { kind: 'none' } },
  { name: 'File', condition: event('$download'), worth: { kind: 'none' } },
  { name: 'Dear', condition: event('buy', { name: 'price', op: 'atLeast', value: '12.5' }), worth: { kind: 'property', property: 'price' } },
  { name: 'Cheap', condition: event('buy', { name: 'price', op: 'atMost', value: '12.4' }), worth: { kind: 'property', property: 'nothing' } },
  { name: 'New', condition: event('buy', { name: 'new', op: 'is', value: 'true' }), worth: { kind: 'none' } },
  { name: 'Chinese plan', condition: event('buy', { name: 'plan', op: 'contains', value: '业' }), worth: { kind: 'none' } },
  { name: 'Exactly', condition: page('is', '/back\\slash'), worth: { kind: 'fixed', amount: 0.5 } },
  { name: 'In it', condition: page('contains', "'t"), worth: { kind: 'none' } },
  { name: 'Nobody', condition: page('is', '/nowhere'), worth: { kind: 'fixed', amount: 1 } },
];

const goals = new Map<string, Goal[]>();
const goalsIn = (zone: string): Goal[] => goals.get(zone) ?? [];

/** Random questions, the same for each seed. Some of them are filtered by events or goals. */
function questions(seed: number, count: number): OracleQuestion[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, (_, i) => {
    const zone = pick(zones);
    const first = laterDay('2026-10-26', Math.floor(random() * 8));
    const own = goalsIn(zone);
    const happened: OracleFilter[] = [
      { dimension: 'event', op: 'is', values: ['buy'] },
      { dimension: 'event', op: 'not', values: ['sign up', '$outbound'] },
      { dimension: 'event', op: 'contains', values: ["'X'|", 'UP'] },
      { dimension: 'event', op: 'excludes', values: ['vital', 'down'] },
      { dimension: 'event', op: 'is', values: ['$vitals', ''] },
      { dimension: 'event', op: 'not', values: [''] },
      { dimension: 'goal', op: 'is', values: [pick(own).id, pick(own).id] },
      { dimension: 'goal', op: 'not', values: [pick(own).id] },
      { dimension: 'goal', op: 'is', values: ['', pick(own).id] },
      { dimension: 'goal', op: 'not', values: [''] },
    ];
    return {
      zone,
      from: first,
      to: laterDay(first, 3 + Math.floor(random() * 8)),
      who: random() < 0.6 ? ('humans' as const) : pick(populations),
      filters: [
        ...(i % 2 === 0 ? [happened[(i / 2) % happened.length] as OracleFilter] : []),
        ...someFilters(random, (dimension) => valuesIn(visits, dimension, zone)).slice(0, i % 3),
      ],
      goals: own,
      ...(i % 4 === 3 ? { goal: pick(own).id } : {}),
    };
  });
}
const nameOf = (question: OracleQuestion): string => `${question.zone} ${question.from}–${question.to} ${question.who}, ${describeFilters(question.filters)}`;
async function compare<T extends object>(
  questionList: readonly OracleQuestion[],
  ask: (question: OracleQuestion, i: number) => Promise<T>,
  expect_: (question: OracleQuestion, i: number) => object,
): Promise<void> {
  const answers = await Promise.all(questionList.map(ask));
  for (const [i, question] of questionList.entries())
    expect({ what: nameOf(question), ...(answers[i] as T) }).toEqual({ what: nameOf(question), ...expect_(question, i) });
}

/** Goals, events, funnels, retention and journeys. Creates goals, so it runs after comparisons that expect none. */
export function insightTests(program: () => Oracle): void {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = program();
    for (const zone of zones) {
      const createdGoals: Goal[] = [];
      for (const goal of goalInputs) createdGoals.push(await post<Goal>(zone, 'goals', goal));
      goals.set(zone, createdGoals);
    }
  });

  async function post<T>(zone: string, path: string, body: object): Promise<T> {
    const answer = await oracle.owner.send('POST', `/api/site/${oracle.siteOf(zone)}/als/${path}`, body);
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
    return answer.json<{ data: T }>().data;
  }

  test('conversions and events on every screen, under filters by events and goals', async () => {
    const groups: ('pages' | 'goals')[] = ['pages', 'goals'];
    const dimensions = ['event', 'goal', 'path', 'sourceType', 'directory', 'entryPath', 'event', 'goal', 'newReturning', 'title'] as const;
    const asks = questions(31, 40);
    const byOf = (i: number) => dimensions[i % dimensions.length] as (typeof dimensions)[number];
    const answers = await Promise.all(
      asks.map((question, i) =>
        oracle.answerTo<Report>(question, 'report', {
          by: byOf(i),
          with: groups,
          size: 500,
          sort: 'visits',
          ...(question.goal === undefined ? {} : { goal: question.goal }),
        }),
      ),
    );
    for (const [i, question] of asks.entries()) {
      const answer = answers[i] as Report;
      const what = `${byOf(i)} ${nameOf(question)}`;
      same(answer.totals, expectedTotals(visits, question, groups), what);
      const rows = expectedRows(visits, question, byOf(i), groups);
      expect({ what, keys: answer.rows?.map((row) => row.key) }).toEqual({ what, keys: inOrder(rows, 'visits', 'desc') });
      for (const row of answer.rows ?? []) same(row.values, rows.get(row.key)!, `${what}, row ${row.key}`);
    }
  });

  test('the fixture reaches each goal differently', () => {
    const rows = expectedRows(
      visits,
      { zone: 'Asia/Shanghai', from: '2026-10-20', to: '2026-11-12', who: 'all', filters: [], goals: goalsIn('Asia/Shanghai') },
      'goal',
      ['goals'],
    );
    expect(rows.size).toBe(goalInputs.length - 1);
    expect(new Set([...rows.values()].map((values) => `${values.visits} ${values.conversionValue}`)).size).toBeGreaterThan(8);
  });

  test('events by name, and one event by its properties', async () => {
    await compare(
      questions(32, 24),
      (question) => oracle.answerTo<EventsReport>(question, 'event', { size: 500 }),
      (question) => expected.expectedEvents(visits, question),
    );
    const names = ['buy', 'sign up', "drop table 'x'|y", '$outbound', '$download', '$form', '$vitals', 'nothing'];
    const ordered = (detail: EventDetail): object => ({ ...detail, properties: detail.properties });
    await compare(
      questions(33, 24),
      async (question, i) => ordered(await oracle.answerTo<EventDetail>(question, 'event/detail', { name: names[i % names.length] as string })),
      (question, i) => ordered(expected.expectedEventDetail(visits, question, names[i % names.length] as string)),
    );
  });

  test('site searches and what followed them', async () => {
    const terms = ['乌龙茶', 'Oolong Tea', 'a:b|c\\d', 'nothing'];
    await compare(
      questions(34, 24),
      (question, i) => oracle.answerTo<SearchesReport>(question, 'searches', { size: 500, term: terms[i % 4] as string }),
      (question, i) => expected.expectedSearches(visits, question, terms[i % 4] as string),
    );
  });

  test('how far pages were read', async () => {
    const near = ({ totals, rows, rowCount }: ScrollReport): object => {
      const rounded = <T extends { average: number | null }>(one: T): T => ({
        ...one,
        average: one.average === null ? null : Math.round(one.average * 1e9) / 1e9,
      });
      return { totals: rounded(totals), rows: rows.map(rounded), rowCount };
    };
    await compare(
      questions(35, 24),
      async (question) => near(await oracle.answerTo<ScrollReport>(question, 'scroll', { size: 500 })),
      (question) => near(expected.expectedScroll(visits, question)),
    );
  });

  describe('funnels', () => {
    const funnels: { steps: Condition[]; within: number; scope: 'visitor' | 'visit' }[] = [
      { steps: [page('glob', '**'), event('buy')], within: 30, scope: 'visit' },
      { steps: [page('glob', '**'), page('glob', '**'), page('glob', '**')], within: 12 * 60, scope: 'visitor' },
      { steps: [page('is', '/'), page('starts', '/docs'), event('buy', { name: 'price', op: 'atLeast', value: '1' })], within: 7 * 1440, scope: 'visitor' },
      { steps: [event('buy'), event('buy'), event('sign up')], within: 3 * 1440, scope: 'visitor' },
      { steps: [page('contains', 'docs'), event('$download'), page('contains', '/')], within: 60, scope: 'visit' },
      { steps: [page('is', '/'), page('is', '/nowhere'), page('is', '/')], within: 1440, scope: 'visitor' },
      { steps: Array.from({ length: 8 }, () => page('contains', '/')), within: 1440, scope: 'visitor' },
      { steps: [page('starts', '/'), event('$outbound')], within: 1, scope: 'visitor' },
    ];
    test('every chain within its time limit is tried', async () => {
      const asks = questions(36, 24);
      const ids = new Map<string, string>();
      for (const [i, question] of asks.entries()) {
        const key = `${question.zone} ${i % funnels.length}`;
        if (!ids.has(key)) ids.set(key, (await post<Funnel>(question.zone, 'funnels', { name: `Funnel ${i}`, ...funnels[i % funnels.length] })).id);
      }
      await compare(
        asks,
        (question, i) => oracle.answerTo<FunnelResult>(question, `funnels/${ids.get(`${question.zone} ${i % funnels.length}`)}/result`),
        (question, i) => expected.expectedFunnel(visits, question, funnels[i % funnels.length]!),
      );
    });
  });

  test.each(['day', 'week', 'month'] as const)('returning visitors, by %s', async (unit) => {
    const asks = questions(unit === 'day' ? 37 : unit === 'week' ? 38 : 39, 14).map((question) =>
      unit === 'day' ? question : { ...question, from: laterDay(question.from, unit === 'week' ? -60 : -300) },
    );
    await compare(
      asks,
      (question) => oracle.answerTo<Retention>(question, 'retention', { unit }),
      (question) => expected.expectedRetention(visits, question, unit, now),
    );
  });

  test.each(['entry', 'exit'] as const)('journeys from the %s', async (end) => {
    const walks = [[], ['/'], ['/docs'], ['/', '/docs/'], ['/nowhere', '/'], ['/docs/', '/', '/']];
    await compare(
      questions(end === 'entry' ? 40 : 41, 18),
      (question, i) => oracle.answerTo<Journey>(question, 'journey', { end, step: walks[i % walks.length]! }),
      (question, i) => expected.expectedJourney(visits, question, end, walks[i % walks.length]!),
    );
  });
}
