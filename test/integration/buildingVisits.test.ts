import type { Report } from '../../contract/analytics/schemas';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { openBench } from './importsSupport';
import type { Bench } from './importsSupport';

let b: Bench;
let collector: Collector;
beforeAll(async () => {
  b = await openBench();
  collector = await startCollector(b.t.ctx, { gatherMs: 0 });
});
afterAll(async () => {
  await collector.close();
  await b.close();
});

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
const range = 'from=2026-10-31&to=2026-11-02&who=all';
/** The figures of one form of report about a site. */
type ReportFigures = { readonly views: number; readonly visits: number; readonly building: boolean; readonly exact: boolean };
const shapes = ['', '&series=1', '&by=path&size=100', '&by=browser', '&series=1&gran=hour&by=entryPath'].map((more) => `report?${range}${more}`);

async function look(siteId: string, shape: string): Promise<ReportFigures> {
  const answer = await b.owner.get(`/api/site/${siteId}/als/${shape}`);
  if (answer.statusCode !== 200) throw new Error(`${shape}: ${answer.body}`);
  const { totals, explain } = answer.json<{ data: Report }>().data;
  return { views: totals.views ?? 0, visits: totals.visits ?? 0, building: explain.building, exact: explain.exact };
}

/** Requests each report in turn while the work is running. */
async function watch(siteId: string, work: Promise<unknown>, reportPaths: readonly string[] = shapes): Promise<ReportFigures[]> {
  const observations: ReportFigures[] = [];
  let ended = false;
  const end = work.finally(() => (ended = true));
  for (let i = 0; !ended; i += 1) observations.push(await look(siteId, reportPaths[i % reportPaths.length] as string));
  await end;
  return observations;
}

function expectBetween(observations: readonly ReportFigures[], before: ReportFigures, after: ReportFigures): void {
  expect(observations.length).toBeGreaterThan(3);
  const all = [before, ...observations, after];
  for (const measure of ['views', 'visits'] as const) {
    const values = all.map((one) => one[measure]);
    expect(values).toEqual(values.toSorted((x, y) => (after[measure] >= before[measure] ? x - y : y - x)));
  }
}

/** Intermediate figures are marked as not final. */
function expectSaid(observations: readonly ReportFigures[], before: ReportFigures, after: ReportFigures): void {
  for (const one of observations) if (one.views !== before.views && one.views !== after.views) expect(one).toMatchObject({ building: true, exact: false });
  expect(observations.some(({ building }) => building)).toBe(true);
}

const second = (at: number): string => {
  const [, date = '', month = '', year = '', time = ''] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${date}/${month}/${year}:${time} +0000`;
};
const people = 4000;
/** One page every ten minutes from every visitor: the odd ones close the gaps of the even ones. */
const start = Date.UTC(2026, 10, 1, 8);
const log = (pages: readonly number[]): Buffer =>
  Buffer.from(
    pages
      .flatMap((page) =>
        Array.from({ length: people }, (_, who) => {
          const at = start + page * 20 * 60_000 + (who % 500) * 1000;
          return `10.${who >> 8}.${who & 255}.7 - - [${second(at)}] "GET /p${page} HTTP/1.1" 200 1 "-" "${agent}"\n`;
        }),
      )
      .join(''),
  );

test('reports change atomically while a second log’s visits are stored', async () => {
  const siteId = await b.newSite();
  await b.run(siteId, [{ name: 'a.log', content: log([0, 2, 4, 6]) }]);
  const before = await look(siteId, shapes[0] as string);
  expect(before).toEqual({ views: people * 4, visits: people * 4, building: false, exact: true });
  const observations = await watch(siteId, b.run(siteId, [{ name: 'b.log', content: log([1, 3, 5]) }]));
  const after = await look(siteId, shapes[0] as string);
  expect(after).toEqual({ views: people * 7, visits: people, building: false, exact: true });
  expectBetween(observations, before, after);
  expectSaid(observations, before, after);
}, 180_000);

test('reports change atomically while all visits are rebuilt', async () => {
  const siteId = await b.newSite();
  await b.run(siteId, [{ name: 'a.log', content: log([0, 1, 2, 3, 4]) }]);
  // Every visit now begins later, with another id.
  await b.t.ctx.clickhouse.command("ALTER TABLE hits DELETE WHERE site_id = {siteId:String} AND path = '/p0'", {
    params: { siteId },
    settings: { mutations_sync: 1 },
  });
  const before = await look(siteId, shapes[0] as string);
  expect(before).toEqual({ views: people * 5, visits: people, building: false, exact: true });
  const observations = await watch(siteId, collector.rebuildVisits(siteId));
  const after = await look(siteId, shapes[0] as string);
  expect(after).toEqual({ views: people * 4, visits: people, building: false, exact: true });
  expectBetween(observations, before, after);
  expectSaid(observations, before, after);
}, 180_000);

test('old server hits join visits without being counted twice', async () => {
  const siteId = await b.newSite();
  const now = b.t.ctx.now();
  const serverHits = (ago: number, page: number) =>
    Array.from({ length: 400 }, (_, who) => ({
      id: `${ago} ${page} ${who}`,
      url: `https://tea.example/p${page}`,
      visitorId: `customer ${who}`,
      at: new Date(now - ago + page * 20 * 60_000 + who).toISOString(),
    }));
  const tell = async (pages: readonly number[], ago: number): Promise<void> => {
    for (const page of pages) {
      await collector.acceptFromServer(siteId, serverHits(ago, page));
      await collector.flush();
    }
  };
  const weeks = 30 * 86_400_000;
  await tell([0], 86_400_000);
  await tell([0, 2, 4, 6], weeks);
  const days = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const shape = `report?from=${days(now - weeks)}&to=${days(now - weeks + 86_400_000)}&who=all`;
  const before = await look(siteId, shape);
  expect(before).toMatchObject({ views: 1600, visits: 1600 });
  const observations = await watch(siteId, tell([5, 3, 1], weeks), [shape, `${shape}&series=1`, `${shape}&by=path`]);
  const after = await look(siteId, shape);
  expect(after).toEqual({ views: 2800, visits: 400, building: false, exact: true });
  expectBetween(observations, before, after);
}, 180_000);
