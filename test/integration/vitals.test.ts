import { randomFrom } from '../../server/kit/random';
import { leastForVerdict, thresholds } from '../../contract/vitals/terms';
import type { Percentile, VitalMetric } from '../../contract/vitals/terms';
import type {
  VitalBreakdown,
  VitalBudget,
  VitalFigures,
  VitalHistogram,
  VitalSeries,
  VitalSite,
  VitalSummary,
  VitalsOfView,
} from '../../contract/vitals/schemas';
import type { StoredNotices } from '../../contract/notices/schemas';
import type { Site } from '../../contract/sites/schemas';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { ClickHouseAway } from '../../server/stores/clickhouse/types';
import { dataOf } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { until } from '../support/until';
import { measuringCalls, openCollectingApp } from './collectingApp';
import type { CollectingApp } from './collectingApp';
import { hex16, makeFolder, person as agent, viewHit } from './collectSupport';

let opened: CollectingApp;
let test: TestApp;
let owner: Person;
let collector: Collector;
let site: Site;
const phone = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

beforeAll(async () => {
  opened = await openCollectingApp();
  ({ program: test, owner, collector } = opened);
});
afterAll(() => opened.close());
beforeEach(async () => {
  site = await test.makeSite(owner, { name: '茶馆', purpose: 'external', url: 'https://example.com/', timeZone: 'Asia/Shanghai' });
});
const { changeSettings, path: measuringPath } = measuringCalls(() => site.id);

type Value = { id: string; view: string; metric: VitalMetric; value: number; path: string; ago: number; userAgent?: string; attribution?: object };
let counted = 0;
const value = (more: Partial<Value> = {}): Value => ({
  id: `v6-${String((counted += 1)).padStart(8, '0')}`,
  view: hex16(),
  metric: 'lcp',
  value: 1000,
  path: '/',
  ago: 0,
  ...more,
});
type Sending = { userAgent?: string; headers?: Record<string, string>; connection?: string; webdriver?: boolean; host?: string };
const send = (values: readonly Value[], { userAgent = agent, headers = {}, connection = '4g', webdriver, host = 'example.com' }: Sending = {}) =>
  collector.acceptVitals({
    body: JSON.stringify({
      s: site.id,
      c: connection,
      b: webdriver,
      h: values.map((one) => ({
        i: one.id,
        p: one.view,
        n: one.metric.toUpperCase(),
        v: one.value,
        a: one.ago,
        l: `https://${host}${one.path}?secret=1`,
        y: 'navigate',
        o: one.attribution,
      })),
    }),
    address: '203.0.113.77',
    userAgent,
    headers: { 'accept-language': 'zh-CN', ...headers },
  });
const day = (ago = 0): string => new Date(test.ctx.now() - ago * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
const read = async <T>(report: string, query: Record<string, string> = {}): Promise<T> => {
  await collector.flush();
  const params = new URLSearchParams({ from: day(6), to: day(), ...query });
  return dataOf<T>(await owner.get(`/api/dev/webcv/sites/${site.id}/${report}?${params}`));
};
const score = async (metric: VitalMetric, query: Record<string, string> = {}) => {
  const found = (await read<VitalSummary>('summary', query)).scores.find((one) => one.metric === metric);
  if (!found) throw new Error(`no ${metric}`);
  return found;
};

/** The same figures, computed from the values alone. */
function expectedOf(metric: VitalMetric, values: readonly number[]): VitalFigures {
  const sorted = values.toSorted((a, b) => a - b);
  const [good, poor] = thresholds[metric];
  const at = (percentile: Percentile): number | null => sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percentile) / 100))] ?? null;
  const goodCount = sorted.filter((one) => one <= good).length;
  const poorCount = sorted.filter((one) => one > poor).length;
  return {
    n: sorted.length,
    good: goodCount,
    needs: sorted.length - goodCount - poorCount,
    poor: poorCount,
    p50: at(50),
    p75: at(75),
    p90: at(90),
    p95: at(95),
    p99: at(99),
  };
}

describe('reports', () => {
  it('equal a recomputation from all values, each counted once', async () => {
    const random = randomFrom('vitals');
    const scale: Record<VitalMetric, number> = { lcp: 3000, inp: 300, cls: 0.15, fcp: 2000, ttfb: 900 };
    const paths = ['/', '/product/11', '/product/12', '/blog/2026-01-02'];
    const all: Value[] = [];
    for (let n = 0; n < 700; n += 1) {
      const metric = (Object.keys(scale) as VitalMetric[])[n % 5] as VitalMetric;
      const at = Math.floor(random() * 12) * 3_600_000 + 60_000;
      all.push(
        value({
          metric,
          value: scale[metric] * random() * 2,
          path: paths[Math.floor(random() * paths.length)] as string,
          ago: at,
          userAgent: random() < 0.4 ? phone : agent,
        }),
      );
    }
    const batches = (list: readonly Value[]): (readonly Value[])[] =>
      Array.from({ length: Math.ceil(list.length / 50) }, (_, at) => list.slice(at * 50, at * 50 + 50));
    const sendAll = async (list: readonly Value[]): Promise<void> => {
      for (const userAgent of [agent, phone])
        for (const batch of batches(list.filter((one) => one.userAgent === userAgent)))
          expect(await send(batch, { userAgent })).toMatchObject({ status: 202, body: { accepted: batch.length, refused: [] } });
    };
    // An earlier value of a third of them, which the later one replaces, and all of them twice.
    await sendAll(all.filter((_, n) => n % 3 === 0).map((one) => ({ ...one, value: one.value / 2 })));
    await collector.flush();
    await sendAll(all);
    await sendAll(all);

    const summary = await read<VitalSummary>('summary', { from: day(1) });
    const ofMetric = (metric: VitalMetric, matches: (one: Value) => boolean = () => true) =>
      all.filter((one) => one.metric === metric && matches(one)).map((one) => one.value);
    for (const found of summary.scores) {
      const expected = expectedOf(found.metric, ofMetric(found.metric));
      expect(found).toMatchObject(expected);
      expect(expected.n).toBeGreaterThan(leastForVerdict);
      expect(found.views).toBe(expected.n);
    }
    expect(await score('lcp', { from: day(1), device: 'mobile' })).toMatchObject(
      expectedOf(
        'lcp',
        ofMetric('lcp', (one) => one.userAgent === phone),
      ),
    );
    const { rows, total } = await read<VitalBreakdown>('breakdown', { from: day(1), by: 'family', metric: 'inp', percentile: '90' });
    expect(total).toBe(3);
    const family = (one: Value): boolean => one.path.startsWith('/product/');
    expect(rows.find(({ key }) => key === '/product/{number}')?.figures).toMatchObject({
      inp: { n: ofMetric('inp', family).length, value: expectedOf('inp', ofMetric('inp', family)).p90 },
      cls: { n: ofMetric('cls', family).length, value: expectedOf('cls', ofMetric('cls', family)).p90 },
    });
    const series = await read<VitalSeries>('series', { from: day(1), metric: 'cls', gran: 'hour' });
    const stored = await test.ctx.clickhouse.query<{ id: string; version: string; value: number; at: string }>(
      "SELECT toString(metric_id) AS id, version, value, toUnixTimestamp64Milli(at) AS at FROM web_vitals WHERE site_id = {site:String} AND metric = 'cls'",
      { params: { site: site.id } },
    );
    const last = new Map(stored.toSorted((x, y) => Number(x.version) - Number(y.version)).map((row) => [row.id, row]));
    for (const [index, { start, figures }] of series.steps.entries()) {
      const end = series.steps[index + 1]?.start ?? Infinity;
      expect(figures).toEqual(
        expectedOf(
          'cls',
          [...last.values()].filter(({ at }) => Number(at) >= start && Number(at) < end).map((row) => row.value),
        ),
      );
    }
    expect(series.steps.reduce((sum, { figures }) => sum + figures.n, 0)).toBe(ofMetric('cls').length);
    const histogram = await read<VitalHistogram>('histogram', { from: day(1), metric: 'fcp' });
    for (const { start, end, n } of histogram.bins)
      expect([start, n]).toEqual([start, ofMetric('fcp').filter((one) => (one > start || start === 0) && one <= (end ?? Infinity)).length]);
  });

  it('state coverage, and give no verdict on few values', async () => {
    const views = [hex16(), hex16(), hex16(), hex16()];
    await collector.accept({
      body: JSON.stringify({ s: site.id, h: views.map((p) => viewHit({ p, l: 'https://example.com/' })) }),
      address: '203.0.113.77',
      userAgent: agent,
      headers: { 'accept-language': 'zh-CN' },
    });
    await send([value({ view: views[0] as string, value: 900 }), value({ view: views[1] as string, value: 5000 })]);
    const lcp = await score('lcp');
    expect(lcp).toMatchObject({ n: 2, p75: 5000, rating: null, interval: [900, 5000], views: 2, coverage: 0.5 });
    expect((await read<VitalSummary>('summary')).verdict).toBe('unknown');
    expect(await score('cls')).toMatchObject({ n: 0, p75: null, rating: null, interval: null, coverage: 0 });
  });

  it('name the causes of a value, without what an address may disclose', async () => {
    const view = hex16();
    await send([
      value({
        view,
        value: 2600,
        attribution: { target: 'img.hero', url: 'https://cdn.example/a.jpg?token=s3cret', timeToFirstByte: 400, elementRenderDelay: 20, other: 'x' },
      }),
      value({
        view,
        metric: 'inp',
        value: 320,
        attribution: {
          interactionTarget: 'button.buy',
          inputDelay: 5,
          longestScript: { subpart: 'processing-duration', entry: { sourceURL: 'https://example.com/app.js?v=1', sourceFunctionName: 'onBuy' } },
        },
      }),
    ]);
    await collector.flush();
    const ofView = dataOf<VitalsOfView>(await owner.get(`/api/dev/webcv/sites/${site.id}/views/${view}`));
    expect(ofView).toMatchObject([
      {
        metric: 'lcp',
        value: 2600,
        rating: 'needs',
        attribution: { target: 'img.hero', url: 'https://cdn.example/a.jpg', timeToFirstByte: 400, elementRenderDelay: 20 },
      },
      { metric: 'inp', rating: 'needs' },
    ]);
    expect(ofView[0]?.attribution).not.toHaveProperty('other');
    expect(await read('attribution', { metric: 'inp' })).toMatchObject({
      parts: [
        { part: 'inputDelay', p75: 5 },
        { part: 'processingDuration', p75: null },
        { part: 'presentationDelay', p75: null },
      ],
      elements: [{ name: 'button.buy', n: 1, p75: 320 }],
      scripts: [{ name: 'https://example.com/app.js', detail: 'onBuy', n: 1 }],
    });
    expect(
      JSON.stringify(await test.ctx.clickhouse.query('SELECT * FROM web_vitals WHERE site_id = {site:String}', { params: { site: site.id } })),
    ).not.toMatch(/secret|s3cret/);
  });

  it('list only sites that the reader may see', async () => {
    await send([value()]);
    await collector.flush();
    const other = await test.makePerson('member');
    const listed = async (by: Person) => dataOf<VitalSite[]>(await by.get(`/api/dev/webcv/sites?from=${day(6)}&to=${day()}`)).map(({ siteId }) => siteId);
    expect(await listed(owner)).toContain(site.id);
    expect(await listed(other)).toEqual([]);
    expect((await other.get(`/api/dev/webcv/sites/${site.id}/summary?from=${day(6)}&to=${day()}`)).statusCode).toBe(404);
    await test.grant(site.id, other.userId, 'support');
    expect(await listed(other)).toEqual([]);
    expect((await other.get(`/api/dev/webcv/sites/${site.id}/summary?from=${day(6)}&to=${day()}`)).statusCode).toBe(403);
  });
});

describe('collecting', () => {
  it.each<[string, Partial<Value>]>([
    ['an unknown metric', { metric: 'fid' as VitalMetric }],
    ['a paint after a minute', { value: 60_001 }],
    ['a response after half a minute', { metric: 'inp', value: 30_001 }],
    ['a layout shift beyond 50', { metric: 'cls', value: 50.1 }],
    ['a negative value', { value: -1 }],
    ['a value of last week', { ago: 7 * 86_400_000 }],
    ['an id that is none', { id: 'x y' }],
  ])('%s is refused, the rest of the request is not', async (_name, wrong) => {
    expect(await send([value(wrong), value()])).toMatchObject({ status: 202, body: { accepted: 1, refused: [{ index: 0, code: 'malformed' }] } });
    expect((await score('lcp')).n).toBe(1);
  });

  it('follows the wishes of browsers and the settings of the site', async () => {
    await changeSettings(owner, { doNotTrack: 'refuse', hosts: ['shop.example'] });
    await until(
      async () => (await send([value()], { headers: { dnt: '1' } })).status === 202 && (await send([value()], { host: 'evil.example' })).status === 403,
    );
    expect((await send([value({ metric: 'fcp' })], { host: 'shop.example' })).status).toBe(202);
    await changeSettings(owner, { vitals: { on: true, percent: 25 } });
    await until(async () => (await collector.vitalsRate(site.id, '203.0.113.77')) === 0.25);
    await changeSettings(owner, { vitals: { on: false, percent: 25 } });
    await until(async () => (await collector.vitalsRate(site.id, '203.0.113.77')) === 0);
    expect(await send([value({ metric: 'fcp' })], { host: 'shop.example' })).toMatchObject({ status: 202, body: { code: 'opted_out' } });
    expect(await collector.vitalsRate('aaaaaaaaaaaa', '203.0.113.77')).toBe(0);
    expect((await score('fcp')).n).toBe(1);
  });

  it('drops the values of programs, and refuses what is no request', async () => {
    expect((await send([value()], { userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' })).status).toBe(202);
    expect((await send([value()], { webdriver: true })).status).toBe(202);
    const raw = (body: string) => collector.acceptVitals({ body, address: '203.0.113.77', userAgent: agent, headers: {} });
    for (const body of ['', '[]', '{}', JSON.stringify({ s: site.id, h: [] }), JSON.stringify({ s: site.id, h: Array.from({ length: 51 }, () => ({})) })])
      expect((await raw(body)).status).toBe(400);
    expect((await raw(JSON.stringify({ s: 'aaaaaaaaaaaa', h: [{}] }))).status).toBe(404);
    expect((await score('lcp')).n).toBe(0);
  });

  it('vitals of an erased visitor are erased', async () => {
    const [one, two] = [hex16(), hex16()];
    const visitors = [hex16(), hex16()];
    for (const [at, p] of [one, two].entries())
      await collector.accept({
        body: JSON.stringify({ s: site.id, u: visitors[at], h: [viewHit({ p })] }),
        address: '203.0.113.77',
        userAgent: agent,
        headers: { 'accept-language': 'zh-CN' },
      });
    await send([value({ view: one, value: 1111 }), value({ view: two, value: 2222 })]);
    await collector.flush();
    const latest = dataOf<{ rows: { visitor: string; pages: { pageId: string }[] }[] }>(await owner.get(measuringPath('latest')));
    const visitor = latest.rows.find(({ pages }) => pages.some(({ pageId }) => pageId === one))?.visitor;
    const erased = await owner.send('POST', measuringPath('erase'), { what: { kind: 'visitor', visitor }, confirm: site.name });
    expect(erased.statusCode).toBeLessThan(300);
    await until(async () => (await score('lcp')).n === 1);
    expect((await score('lcp')).p75).toBe(2222);
  });
});

describe('budgets', () => {
  const path = (rest = ''): string => `/api/dev/webcv/sites/${site.id}/budgets${rest}`;
  const budget = { metric: 'lcp', percentile: 75, most: 2500, pathPattern: '/shop/*', device: '', notify: true } as const;
  const titles = async (): Promise<string[]> =>
    dataOf<StoredNotices>(await owner.get('/api/acc/notices'))
      .rows.filter(({ siteId }) => siteId === site.id)
      .map(({ title }) => title);
  const evaluate = () => runSchedule(test.ctx, 'vitals.budgets');

  it('announce a change of state once', async () => {
    const added = dataOf<VitalBudget>(await owner.send('POST', path(), budget));
    expect(added).toMatchObject({ state: 'unknown', count: 0 });
    await send(Array.from({ length: 50 }, () => value({ path: '/shop/a', value: 2000 })));
    await send(Array.from({ length: 30 }, () => value({ path: '/shop/b', value: 2100 })));
    await send(Array.from({ length: 50 }, () => value({ path: '/other', value: 9000 })));
    await collector.flush();
    await evaluate();
    expect(await titles()).toEqual([]);
    for (let n = 0; n < 2; n += 1) await send(Array.from({ length: 50 }, () => value({ path: '/shop/c', value: 4000 })));
    await collector.flush();
    await evaluate();
    await evaluate();
    expect(await titles()).toHaveLength(1);
    const { rows } = dataOf<{ rows: VitalBudget[] }>(await owner.get(path()));
    expect(rows).toMatchObject([{ state: 'exceeded', value: 4000, count: 180 }]);
  });

  it('are changed with their revision, and are limited', async () => {
    const added = dataOf<VitalBudget>(await owner.send('POST', path(), budget));
    const change = (revision: number) => owner.send('PUT', path(`/${added.id}`), { ...budget, most: 3000 }, { 'if-match': `"${revision}"` });
    expect((await change(added.revision)).statusCode).toBe(200);
    expect((await change(added.revision)).statusCode).toBe(409);
    expect((await owner.send('POST', path(), { ...budget, most: 99_999 })).statusCode).toBe(422);
    for (let n = 1; n < 30; n += 1) await owner.send('POST', path(), budget);
    expect((await owner.send('POST', path(), budget)).statusCode).toBe(409);
    expect((await owner.send('DELETE', path(`/${added.id}`))).statusCode).toBe(204);
    expect((await owner.send('DELETE', path(`/${added.id}`))).statusCode).toBe(404);
  });
});

// Last: erasing waits a while for a collector that has ended.
describe('the journal', () => {
  it('acknowledged values survive the end of the process', async () => {
    const { dataDir, remove } = await makeFolder();
    const ctx = { ...test.ctx, config: { ...test.ctx.config, dataDir } };
    // ClickHouse does not answer the first process.
    const away = { ...ctx.clickhouse, insert: () => Promise.reject(new ClickHouseAway('away')) };
    const first = await startCollector({ ...ctx, clickhouse: away }, { gatherMs: 0 });
    const body = JSON.stringify({ s: site.id, h: [{ i: 'v6-survivor', p: hex16(), n: 'LCP', v: 1234, a: 0, l: 'https://example.com/', y: 'navigate' }] });
    expect((await first.acceptVitals({ body, address: '203.0.113.77', userAgent: agent, headers: { 'accept-language': 'zh-CN' } })).status).toBe(202);
    await first.close();
    const second = await startCollector(ctx, { gatherMs: 0 });
    await second.flush();
    expect(await score('lcp')).toMatchObject({ n: 1, p75: 1234 });
    await second.close();
    await remove();
  });
});
