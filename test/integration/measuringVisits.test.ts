import type { Completeness, MeasuringSettings } from '../../contract/measuring/schemas';
import type { Report } from '../../contract/analytics/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { Collector } from '../../server/collect';
import { dataOf as data } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { measuringCalls, openCollectingApp } from './collectingApp';
import type { CollectingApp } from './collectingApp';
import { hex16, person as agent, viewHit } from './collectSupport';

let opened: CollectingApp;
let test: TestApp;
let owner: Person;
let collector: Collector;
let site: Site;

beforeAll(async () => {
  opened = await openCollectingApp();
  ({ program: test, owner, collector } = opened);
});
afterAll(() => opened.close());
beforeEach(async () => {
  site = await test.makeSite(owner, { name: '茶馆', purpose: 'external', url: 'https://example.com/', timeZone: 'UTC' });
});

const { path, readSettings, changeSettings } = measuringCalls(() => site.id);
const read = (): Promise<MeasuringSettings> => readSettings(owner);
const change = async (more: Partial<MeasuringSettings>): Promise<number> => (await changeSettings(owner, more)).statusCode;
const minute = 60_000;
/** Minutes after midnight three days ago, within one day of the site. */
const ago = (minutes: number): string => new Date(Math.floor(test.ctx.now() / 86_400_000) * 86_400_000 - 3 * 86_400_000 + minutes * minute).toISOString();
let hitCount = 0;
const tell = (hits: object[]) =>
  owner.send('POST', path('hits'), {
    hits: hits.map((hit) => ({ id: `hit ${(hitCount += 1)}`, visitorId: 'customer 7', url: 'https://example.com/', ...hit })),
  });
async function totals(): Promise<{ visits: number | null; bounceRate: number | null }> {
  const from = ago(0).slice(0, 10);
  const today = new Date(test.ctx.now()).toISOString().slice(0, 10);
  const answer = await owner.get(path(`report?from=${from}&to=${today}`));
  const { visits, bounceRate } = data<Report>(answer).totals;
  return { visits, bounceRate };
}
const becomes = (expected: Awaited<ReturnType<typeof totals>>) => until(async () => JSON.stringify(await totals()) === JSON.stringify(expected), 20_000);

it('another pause rebuilds past visits and applies to later hits', async () => {
  await tell([{ at: ago(0) }, { at: ago(45) }, { at: ago(300), visitorId: 'customer 8' }]);
  await collector.flush();
  expect(await totals()).toEqual({ visits: 3, bounceRate: 1 });
  expect(await change({ visits: { gapMinutes: 60, campaignCuts: false, engagedSeconds: null } })).toBe(200);
  await becomes({ visits: 2, bounceRate: 0.5 });
  await tell([{ at: ago(100) }, { at: ago(161) }]);
  await collector.flush();
  expect(await totals()).toEqual({ visits: 3, bounceRate: 2 / 3 });
  const notes = await owner.get(path(`annotations?from=${ago(0).slice(0, 10)}&to=${ago(10 * 1440).slice(0, 10)}`));
  expect(notes.body).toContain('visits_changed');
  expect(await change({ visits: { gapMinutes: 30, campaignCuts: false, engagedSeconds: null } })).toBe(200);
  await becomes({ visits: 5, bounceRate: 1 });
}, 60_000);

it('a new campaign begins a visit if the site is configured so', async () => {
  expect(await change({ visits: { gapMinutes: 30, campaignCuts: true, engagedSeconds: null } })).toBe(200);
  await until(async () => (await read()).visits.campaignCuts);
  await tell([{ at: ago(0), url: 'https://example.com/?utm_source=a' }, { at: ago(5) }, { at: ago(10), url: 'https://example.com/?utm_source=b' }]);
  await collector.flush();
  await becomes({ visits: 2, bounceRate: 0.5 });
}, 60_000);

it('a single page viewed long enough is no bounce', async () => {
  const [short, long] = [hex16(), hex16()];
  const send = (p: string, m: number) =>
    collector.accept({
      body: JSON.stringify({ s: site.id, u: hex16(), h: [viewHit({ p, a: 20_000 }), { k: 'g', p, q: 1, a: 0, l: 'https://example.com/docs', m }] }),
      address: '203.0.113.77',
      userAgent: agent,
      headers: { 'accept-language': 'zh-CN' },
    });
  await send(short, 3000);
  await send(long, 12_000);
  await collector.flush();
  expect(await totals()).toEqual({ visits: 2, bounceRate: 1 });
  expect(await change({ visits: { gapMinutes: 30, campaignCuts: false, engagedSeconds: 10 } })).toBe(200);
  await becomes({ visits: 2, bounceRate: 0.5 });
}, 60_000);

it.each([
  ['a pause of two minutes', { gapMinutes: 2 }],
  ['a pause of a day', { gapMinutes: 1440 }],
  ['no seconds of engagement', { engagedSeconds: 0 }],
])('refuses %s', async (_what, wrong) => {
  expect(await change({ visits: { ...(await read()).visits, ...wrong } })).toBe(422);
});

it.each([
  ['bounds that do not ascend', { buckets: { pages: [5, 2], seconds: [10], days: [1], visits: [2] } }],
  ['no bounds', { buckets: { pages: [], seconds: [10], days: [1], visits: [2] } }],
  ['a floor of one visitor', { cityFloor: 1 }],
])('refuses %s', async (_what, wrong) => {
  expect(await change(wrong)).toBe(422);
});

it('unchanged settings are no change, and only differences are logged', async () => {
  expect(await change({ doNotTrack: 'refuse' })).toBe(200);
  expect(await change({ doNotTrack: 'ignore' })).toBe(200);
  const log = data<{ rows: { siteId: string; after: object }[] }>(await owner.get('/api/acc/audit?action=measuring'));
  expect(log.rows.filter(({ siteId }) => siteId === site.id).map(({ after }) => Object.keys(after))).toEqual([['doNotTrack'], ['doNotTrack']]);
});

describe('referrer spam', () => {
  const visit = (referrer: string) =>
    collector.accept({
      body: JSON.stringify({ s: site.id, u: hex16(), h: [viewHit({ r: referrer })] }),
      address: '203.0.113.77',
      userAgent: agent,
      headers: { 'accept-language': 'zh-CN' },
    });
  async function referrers(who: string): Promise<string[]> {
    const today = new Date(test.ctx.now()).toISOString().slice(0, 10);
    const report = data<Report>(await owner.get(path(`report?from=${today}&to=${today}&by=referrerHost&who=${who}`)));
    return (report.rows ?? []).map(({ key }) => key).sort();
  }

  it('counts as a bot with its reason and in completeness', async () => {
    await visit('https://www.semalt.com/crawler');
    await visit('https://tea-lovers.example/');
    await collector.flush();
    expect([await referrers('humans'), await referrers('bots')]).toEqual([['tea-lovers.example'], ['www.semalt.com']]);
    const latest = data<{ rows: { botReasons: string[] }[] }>(await owner.get(path('latest?who=bots')));
    expect(latest.rows.map(({ botReasons }) => botReasons)).toEqual([['spam']]);
    expect(data<Completeness>(await owner.get(path('loss?days=1'))).days[0]).toMatchObject({ stored: 2, spam: 1, flood: 0 });
  });

  it('follows the site’s own list', async () => {
    expect(await change({ spam: { on: true, hosts: ['Noise.example'], exceptions: ['semalt.com'] } })).toBe(200);
    await until(async () => {
      await visit('https://a.noise.example/');
      await collector.flush();
      return (await referrers('bots')).length === 1;
    });
    await visit('https://www.semalt.com/');
    await collector.flush();
    expect(await referrers('bots')).toEqual(['a.noise.example']);
    expect(await referrers('humans')).toContain('www.semalt.com');
    expect((await read()).spam).toEqual({ on: true, hosts: ['noise.example'], exceptions: ['semalt.com'] });
    expect(await change({ spam: { on: true, hosts: ['https://noise.example/'], exceptions: [] } })).toBe(422);
  });

  it('is recognised in server hits', async () => {
    await tell([{ at: ago(0), referrer: 'https://darodar.com/' }]);
    await collector.flush();
    const rows = await test.ctx.clickhouse.query('SELECT bot_score, bot_reasons FROM hits WHERE site_id = {site:String}', { params: { site: site.id } });
    expect(rows).toEqual([{ bot_score: 100, bot_reasons: ['spam'] }]);
  });
});
