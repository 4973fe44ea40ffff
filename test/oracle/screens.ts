import type { Distribution, Flow, KnownShares, Movers, Online, Outlook, Report, Tree, VisitRow } from '../../contract/analytics/schemas';
import { populations } from '../../contract/analytics/schemas';
import type { FiguresOfSites } from '../../contract/sites/list';
import { laterDay } from './calendar';
import { filterText, describeFilters } from './compare';
import { someFilters, valuesIn } from './filterSets';
import { now, visits } from './program';
import type { Oracle } from './program';
import { paths, randomOf } from './reportFixture';
import { counted, expectedTotals } from './reportOracle';
import type { OracleQuestion } from './reportOracle';
import * as expected from './screensOracle';
import { to, zones } from './site';

/** Seeded queries over all time zones and populations, days around clock changes, and up to three filters. */
function questions(seed: number, count: number): OracleQuestion[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, () => {
    const zone = pick(zones);
    const first = laterDay('2026-10-27', Math.floor(random() * 8));
    return {
      zone,
      from: first,
      to: laterDay(first, Math.floor(random() * 8)),
      who: random() < 0.5 ? 'humans' : pick(populations),
      filters: someFilters(random, (dimension) => valuesIn(visits, dimension, zone)),
    };
  });
}
const nameOf = (question: OracleQuestion): string => `${question.zone} ${question.from}–${question.to} ${question.who}, ${describeFilters(question.filters)}`;
/** Sends all requests at once and compares them one by one. */
async function compare<T>(
  questionList: readonly OracleQuestion[],
  ask: (question: OracleQuestion, i: number) => Promise<T>,
  expect_: (answer: T, question: OracleQuestion, i: number) => void,
): Promise<void> {
  const answers = await Promise.all(questionList.map(ask));
  for (const [i, question] of questionList.entries()) expect_(answers[i] as T, question, i);
}
/** Times are means of the same integers; 1e-9 s allows for the order of a division. */
const rounded = (tree: Tree): Tree => ({
  ...tree,
  nodes: expected
    .sortNodes(tree.nodes)
    .map((node) => ({ ...node, avgTimeOnPage: node.avgTimeOnPage === null ? null : Math.round(node.avgTimeOnPage * 1e9) / 1e9 })),
});

/** The screens beside the report, and that screens agree. */
export function screenTests(program: () => Oracle): void {
  let oracle: Oracle;
  beforeAll(() => {
    oracle = program();
  });

  test('the directory tree, its root, every folder and one host', async () => {
    const random = randomOf(1);
    const folders = ['/', '/', '/docs/', '/docs/a/', '/docs/a/b/', '/a|b/', '/%2E%2E/', '/ÉTÉ/', '/nothing/', '/News/'];
    const asks = questions(11, 36).map((question) => ({
      question,
      under: folders[Math.floor(random() * folders.length)] as string,
      host: random() < 0.3 ? 'm.example.com' : undefined,
    }));
    await compare(
      asks.map((one) => one.question),
      (question, i) => oracle.answerTo<Tree>(question, 'tree', { under: asks[i]!.under, ...(asks[i]!.host ? { host: asks[i]!.host } : {}) }),
      (answer, question, i) => {
        const { under, host } = asks[i]!;
        expect({ what: `${under} ${nameOf(question)}`, ...rounded(answer) }).toEqual({
          what: `${under} ${nameOf(question)}`,
          ...rounded(expected.expectedTree(visits, question, under, host)),
        });
      },
    );
  });

  test('previous and next pages of a page', async () => {
    const asks = questions(12, 36);
    const pageOf = (i: number): string => paths[i % paths.length] as string;
    await compare(
      asks,
      (question, i) => oracle.answerTo<Flow>(question, 'flow', { path: pageOf(i) }),
      (answer, question, i) => {
        expect({ what: nameOf(question), ...answer }).toEqual({ what: nameOf(question), ...expected.expectedFlow(visits, question, pageOf(i)) });
        const sum = (ends: readonly { views: number }[]): number => ends.reduce((all, end) => all + end.views, 0);
        expect(answer.entries + answer.again + sum(answer.upstream)).toBe(answer.views);
        expect(answer.exits + answer.againNext + sum(answer.downstream)).toBe(answer.views);
      },
    );
  });

  test.each(['visits', 'views'] as const)('visitors by their number of %s in the range', async (of) => {
    await compare(
      questions(of === 'visits' ? 13 : 14, 30),
      (question) => oracle.answerTo<Distribution>(question, 'distribution', { of }),
      (answer, question) =>
        expect({ what: nameOf(question), ...answer }).toEqual({ what: nameOf(question), ...expected.expectedDistribution(visits, question, of) }),
    );
  });

  test('for how many visits search terms and referring pages are known', async () => {
    await compare(
      questions(15, 30),
      (question) => oracle.answerTo<KnownShares>(question, 'coverage'),
      (answer, question) => expect({ what: nameOf(question), ...answer }).toEqual({ what: nameOf(question), ...expected.expectedCoverage(visits, question) }),
    );
  });

  test('new, rising and falling rows against another period, even an unfinished one', async () => {
    const dimensions = ['sourceName', 'referrerHost', 'path', 'keyword', 'entryPath', 'city', 'directory', 'siteSearch'] as const;
    const measures = ['visits', 'visitors', 'views'] as const;
    const asks = questions(16, 30);
    const ways = asks.map((_, i) => ({ by: dimensions[i % dimensions.length]!, measure: measures[i % 3]!, compare: i % 2 === 0 ? 'previous' : 'weekday' }));
    const reports = await Promise.all(asks.map((question, i) => oracle.answerTo<Report>(question, 'report', { compare: ways[i]!.compare })));
    await compare(
      asks,
      (question, i) => oracle.answerTo<Movers>(question, 'movers', ways[i]),
      (answer, question, i) => {
        const { compareFrom, compareTo, compareUntil } = reports[i] as Report;
        const before: OracleQuestion = { ...question, from: compareFrom ?? '', to: compareTo ?? '', ...(compareUntil === null ? {} : { until: compareUntil }) };
        const what = `${ways[i]!.by} ${nameOf(question)}`;
        expect({ what, ...answer }).toEqual({ what, ...expected.expectedMovers(visits, question, before, ways[i]!.by, ways[i]!.measure) });
      },
    );
    expect(await oracle.answerTo<Movers>(asks[0]!, 'movers', { by: 'path' })).toEqual({ fresh: [], rising: [], falling: [] });
  });

  test('today’s forecast and the best day', async () => {
    const asks = questions(17, 12).map((question, i) => ({ ...question, filters: i % 3 === 0 ? [] : question.filters.slice(0, 1) }));
    const of = (i: number) => (['views', 'visits', 'visitors'] as const)[i % 3]!;
    await compare(
      asks,
      (question, i) => oracle.ask<Outlook>(question.zone, 'outlook', { who: question.who, filter: question.filters.map(filterText), measure: of(i) }),
      (answer, question, i) =>
        expect({ what: nameOf(question), ...answer }).toEqual({ what: nameOf(question), ...expected.expectedOutlook(visits, question, of(i), now) }),
    );
  });

  test('visitors online now', async () => {
    // Moments with visitors online: the ends of some visits.
    const moments = visits.filter((visit) => visit.start > Date.parse('2026-10-28') && visit.views.length > 1).map((visit) => visit.last + 200_000);
    const asks = questions(18, 24);
    try {
      for (const [i, question] of asks.entries()) {
        const at = moments[(i * 7) % moments.length] as number;
        Object.assign(oracle.program.ctx, { now: () => at });
        const answer = await oracle.ask<Online>(question.zone, 'online', { who: question.who, filter: question.filters.map(filterText) });
        expect({ what: nameOf(question), ...answer }).toEqual({ what: nameOf(question), ...expected.expectedOnline(visits, question, at) });
      }
    } finally {
      Object.assign(oracle.program.ctx, { now: () => now });
    }
  });

  test('the paged list of visits is every visit with its pages', async () => {
    Object.assign(oracle.program.ctx, { now: () => to + 86_400_000 });
    for (const question of questions(19, 4)) {
      const all = counted(visits, { ...question, from: '2000-01-01', to: '2100-01-01' }).map((one) => one.visit);
      const listedVisits: VisitRow[] = [];
      let cursor: string | null = null;
      do {
        const params: Record<string, string> = cursor === null ? {} : { cursor };
        const page: { rows: VisitRow[]; next: string | null } = await oracle.ask(question.zone, 'latest', {
          who: question.who,
          filter: question.filters.map(filterText),
          size: 100,
          ...params,
        });
        listedVisits.push(...page.rows);
        cursor = page.next;
      } while (cursor !== null && listedVisits.length < 2000);
      const describeVisit = (visit: { start: number; last: number; number: number; views: readonly { path: string }[] }): string =>
        `${visit.last} ${visit.start} ${visit.number} ${visit.views.map((view) => view.path).join(' ')}`;
      expect(listedVisits.map((row) => row.last)).toEqual(listedVisits.map((row) => row.last).sort((a, b) => b - a));
      expect(listedVisits.map((row) => describeVisit({ start: row.start, last: row.last, number: row.visitNo, views: row.pages })).sort()).toEqual(
        all.map(describeVisit).sort(),
      );
      expect(new Set(listedVisits.map((row) => row.visitor)).size).toBe(new Set(all.map((visit) => visit.visitor)).size);
    }
    Object.assign(oracle.program.ctx, { now: () => now });
  });

  test('the cards of every site', async () => {
    const cards = (await oracle.call<FiguresOfSites>('/api/core/sites/figures')).sites;
    for (const zone of zones) {
      const siteId = oracle.siteOf(zone);
      expect(cards.find((card) => card.siteId === siteId)?.visits).toEqual(expected.expectedFigures(visits, zone, now));
    }
  });

  describe('two screens that show the same figure agree under any filters', () => {
    test('totals, directories, tree root, distribution, flow and report of one page', async () => {
      for (const question of questions(20, 16)) {
        const what = nameOf(question);
        const [report, directories, tree, byVisits, byViews, known] = await Promise.all([
          oracle.answerTo<Report>(question, 'report', { series: '1', gran: 'day', with: 'pages' }),
          oracle.answerTo<Report>(question, 'report', { by: 'directory', size: 500, sort: 'views', with: 'pages' }),
          oracle.answerTo<Tree>(question, 'tree'),
          oracle.answerTo<Distribution>(question, 'distribution', { of: 'visits' }),
          oracle.answerTo<Distribution>(question, 'distribution', { of: 'views' }),
          oracle.answerTo<KnownShares>(question, 'coverage'),
        ]);
        const { totals } = report;
        const add = (of: readonly { visits: number; views: number }[]) => [
          of.reduce((sum, one) => sum + one.visits, 0),
          of.reduce((sum, one) => sum + one.views, 0),
        ];
        expect({ what, views: tree.views }).toEqual({ what, views: totals.views });
        expect({ what, visitors: byVisits.visitors, sums: add(byVisits.buckets) }).toEqual({
          what,
          visitors: totals.visitors,
          sums: [totals.visits, totals.views],
        });
        expect({ what, visitors: byViews.visitors, sums: add(byViews.buckets) }).toEqual({
          what,
          visitors: totals.visitors,
          sums: [totals.visits, totals.views],
        });
        for (const row of directories.rows ?? []) {
          if (row.key === '/') continue;
          const { views, visitors, visits: begun } = tree.nodes.find((node) => node.kind === 'directory' && node.path === row.key) ?? {};
          expect({ what, key: row.key, views, visitors, begun }).toEqual({
            what,
            key: row.key,
            views: row.values.views,
            visitors: row.values.visitors,
            begun: row.values.visits,
          });
        }
        const searches = await oracle.answerTo<Report>(
          { ...question, filters: [...question.filters, { dimension: 'sourceType', op: 'is', values: ['search'] }] },
          'report',
        );
        expect({ what, search: known.search }).toEqual({ what, search: searches.totals.visits });
        const page = '/docs/';
        const flow = await oracle.answerTo<Flow>(question, 'flow', { path: page });
        const alone = await oracle.answerTo<Report>(
          { ...question, filters: [...question.filters, { dimension: 'path', op: 'is', values: [page] }] },
          'report',
          {
            with: 'pages',
          },
        );
        expect({ what, ...flow }).toMatchObject({
          what,
          views: alone.totals.views,
          entries: alone.totals.entries,
          exits: alone.totals.exits,
        });
      }
    });

    test('the visit list, the report and the site card count the same', async () => {
      const question: OracleQuestion = { zone: 'Asia/Kathmandu', from: '2026-11-03', to: '2026-11-03', who: 'humans', filters: [] };
      const today = await oracle.answerTo<Report>(question, 'report');
      const { until, ...whole } = { ...question, until: now + 1 };
      expect(today.totals).toMatchObject({ views: expectedTotals(visits, whole).views });
      const [card] = (await oracle.call<FiguresOfSites>('/api/core/sites/figures')).sites.filter((one) => one.siteId === oracle.siteOf(question.zone));
      expect(card?.visits?.visitorsToday).toBe(expectedTotals(visits, { ...question, until }).visitors);
    });
  });
}
