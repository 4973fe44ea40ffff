import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Install, InstallCheck, Report, Reports, VisitRow } from '../../contract/analytics/schemas';
import type { FiguresOfSites } from '../../contract/sites/list';
import type { Site } from '../../contract/sites/schemas';
import { csvOf } from '../../server/areas/analytics/exportFile';
import { dayAt } from '../../server/zone';
import { demoHits, demoDays } from '../../server/areas/demo/traffic';
import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { ClickHouseAway } from '../../server/stores/clickhouse/types';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

jest.setTimeout(60_000);
const zone = 'Asia/Shanghai';
let program: TestApp;
let owner: Person;
let site: Site;
let until: number;

/** Five days of demo hits, sent through the real tables and builder. */
beforeAll(async () => {
  program = await makeTestApp({ config: { privateSites: true } });
  // Eight in the evening: in the first minutes of a day there may be no visits yet.
  const [hour, wholeDay] = [3_600_000, 86_400_000];
  program.pass((20 * hour - ((program.ctx.now() + 8 * hour) % wholeDay) + wholeDay) % wholeDay);
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆', purpose: 'external', url: 'https://demo.example/', timeZone: zone });
  until = program.ctx.now();
  const builder = createBuilder(program.ctx.clickhouse);
  for (let day = demoDays - 5; day < demoDays; day += 1) {
    const hits = demoHits(site.id, day, until);
    await insertHits(program.ctx.clickhouse, hits, `test ${day}`);
    await builder.apply(hits);
  }
});
afterAll(() => program.close());

const get = async <T>(path: string, by = owner): Promise<T> => {
  const answer = await by.get(path);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
  return answer.json<{ data: T }>().data;
};
const als = (path: string) => `/api/site/${site.id}/als/${path}`;
const today = () => dayAt(until, zone);
const daysAgo = (days: number) => dayAt(until - days * 86_400_000, zone);
const yesterday = () => daysAgo(1);

describe('a report over HTTP', () => {
  test('has totals, a series and rows, with explanations', async () => {
    const report = await get<Report>(als(`report?from=${yesterday()}&to=${today()}&series=1&by=path&compare=previous&size=5`));
    expect(report).toMatchObject({ timeZone: zone, gran: 'hour', explain: { source: 'visits', exact: true, error: null } });
    expect(report.series).toHaveLength(48);
    expect(report.rows).toHaveLength(5);
    expect(report.rowCount).toBeGreaterThan(10);
    expect(report.explain.excluded.bots).toBeGreaterThan(0);
    expect(report.totals.views).toBe(report.series?.reduce((sum, bucket) => sum + (bucket.values.views ?? 0), 0));
    expect(report.compareUntil).not.toBeNull();
  });

  test('several in one call have the figures of single ones, and fail alone', async () => {
    const queries = [
      `from=${yesterday()}&to=${today()}&series=1`,
      `from=${yesterday()}&to=${today()}&by=path&size=5&filter=deviceType:is:mobile&filter=path:not:/x`,
      'from=2026-11-20&to=2026-11-19',
    ];
    const [first, second, third, ...more] = await get<Reports>(als(`reports?${queries.map((query) => `q=${encodeURIComponent(query)}`).join('&')}`));
    expect(more).toEqual([]);
    const figures = (report: Report) => ({ ...report, explain: null });
    for (const [at, answer] of [first, second].entries()) {
      if (answer === undefined || !('data' in answer)) throw new Error(`No report: ${JSON.stringify(answer)}`);
      expect(figures(answer.data)).toEqual(figures(await get<Report>(als(`report?${queries[at]}`))));
    }
    expect(third).toMatchObject({ status: 422, code: 'range_not_allowed' });
  });

  test('several in one call are at most twelve, all of them valid', async () => {
    const reports = (...queries: readonly string[]) => owner.get(als(`reports?${queries.map((query) => `q=${encodeURIComponent(query)}`).join('&')}`));
    const query = `from=${today()}&to=${today()}`;
    expect((await reports(...Array.from({ length: 12 }, () => query))).statusCode).toBe(200);
    expect((await reports(...Array.from({ length: 13 }, () => query))).statusCode).toBe(422);
    expect((await reports(query, `${query}&by=visitor_id`)).statusCode).toBe(422);
  });

  test.each([
    ['a range that ends before it begins', 'from=2026-11-20&to=2026-11-19', 'range_not_allowed'],
    ['minutes of another day', 'from=2026-11-01&to=2026-11-01&gran=minute', 'range_not_allowed'],
    ['hours over a quarter', 'from=2026-08-01&to=2026-11-01&gran=hour', 'range_not_allowed'],
    ['a day that is none', 'from=2026-02-30&to=2026-03-01', 'invalid_fields'],
    ['an unknown dimension', 'from=2026-11-01&to=2026-11-02&by=visitor_id', 'invalid_fields'],
    ['a filter by an unknown dimension', `from=2026-11-01&to=2026-11-02&filter=${encodeURIComponent('visitor_id:is:1')}`, 'invalid_fields'],
    ['a filter that is not one', 'from=2026-11-01&to=2026-11-02&filter=path', 'invalid_fields'],
    ['a source type that there is not', `from=2026-11-01&to=2026-11-02&filter=${encodeURIComponent('sourceType:is:teleport')}`, 'invalid_fields'],
  ])('refuses %s', async (_what, query, code) => {
    const answer = await owner.get(als(`report?${query}`));
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code });
  });

  test('filter text is never part of a statement', async () => {
    const hostile = ["path:is:') OR 1=1 --", "title:contains:\\\\'; DROP TABLE visits; --", 'city:is:{site:String}', "keyword:not:%' UNION ALL SELECT 1"];
    for (const filter of hostile) {
      const report = await get<Report>(als(`report?from=${today()}&to=${today()}&by=title&filter=${encodeURIComponent(filter)}`));
      if (!filter.includes(':not:')) expect(report.totals.visits).toBe(0);
    }
    expect((await get<Report>(als(`report?from=${today()}&to=${today()}`))).totals.visits).toBeGreaterThan(0);
  });

  test('an export matches the report, in the reader’s language', async () => {
    const query = `from=${yesterday()}&to=${today()}&by=sourceName&sort=views&size=20&compare=custom&compareFrom=${daysAgo(3)}&compareTo=${daysAgo(2)}`;
    const report = await get<Report>(als(`report?${query}`));
    const file = await owner.get(als(`export?${query}`), { 'accept-language': 'en' });
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.headers['content-disposition']).toContain('.csv');
    const zh = csvOf(report, { by: 'sourceName', sort: 'views', locale: 'zh-CN' });
    const en = csvOf(report, { by: 'sourceName', sort: 'views', locale: 'en' });
    expect([zh, en]).toContain(file.body);
    const lines = file.body.slice(1).trim().split('\r\n');
    expect(lines).toHaveLength((report.rows?.length ?? 0) + 2);
    expect(Number(lines[1]?.split(',')[1])).toBe(report.totals.views);
    expect(lines.slice(2).map((line) => Number(line.split(',')[1]))).toEqual(report.rows?.map((row) => row.values.views));
    const json = await owner.get(als(`export?${query}&format=json`));
    const exportedRows = (JSON.parse(json.body) as { rows: Report['rows'] }).rows;
    expect(exportedRows?.map((row) => [row.key, row.values.views, row.compare?.views ?? null, row.share])).toEqual(
      report.rows?.map((row) => [row.key, row.values.views, row.compare?.views ?? null, row.share]),
    );
  });

  test('an export without rows is the series, totals and newest first', async () => {
    const file = await owner.get(als(`export?from=${yesterday()}&to=${yesterday()}&measure=visits&measure=views`));
    const lines = file.body
      .slice(1)
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines).toHaveLength(26);
    expect(lines.every((cells) => cells.length === 3)).toBe(true);
    const report = await get<Report>(als(`report?from=${yesterday()}&to=${yesterday()}&series=1`));
    expect(lines.slice(1).map(([, ...cells]) => cells.map(Number))).toEqual([
      [report.totals.visits, report.totals.views],
      ...(report.series ?? []).map(({ values }) => [values.visits, values.views]).reverse(),
    ]);
    const byViews = await owner.get(als(`export?from=${yesterday()}&to=${yesterday()}&measure=views&order=views.asc`));
    const views = byViews.body
      .trim()
      .split('\r\n')
      .slice(2)
      .map((line) => Number(line.split(',')[1]));
    expect(views).toEqual(views.toSorted((a, b) => a - b));
    expect((await owner.get(als(`export?from=${yesterday()}&to=${yesterday()}&order=name.asc`))).statusCode).toBe(422);
  });
});

describe('latest', () => {
  test('pages through every visit once, newest activity first', async () => {
    const visitRows: VisitRow[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const answer: { rows: VisitRow[]; next: string | null } = await get(als(`latest?size=100&who=all${cursor ? `&cursor=${cursor}` : ''}`));
      visitRows.push(...answer.rows);
      cursor = answer.next;
    }
    expect(new Set(visitRows.map((row) => row.visitId)).size).toBe(visitRows.length);
    expect(visitRows.map((row) => row.last)).toEqual(visitRows.map((row) => row.last).sort((a, b) => b - a));
    const report = await get<Report>(als(`report?from=${dayAt(until - 10 * 86_400_000, zone)}&to=${today()}&who=all`));
    expect(visitRows.length).toBe(report.totals.visits);
    expect(visitRows.reduce((sum, row) => sum + row.views, 0)).toBe(report.totals.views);
    for (const row of visitRows) expect(row.pages).toHaveLength(row.views);
    expect(visitRows.every((row) => row.address.endsWith('.x'))).toBe(true);
  });

  test('shows the verdict with reasons and hides bots by default', async () => {
    const people = await get<{ rows: VisitRow[] }>(als('latest?size=100'));
    expect(people.rows.every((row) => row.verdict === 'human')).toBe(true);
    const bots = await get<{ rows: VisitRow[] }>(als('latest?size=10&who=bots'));
    expect(bots.rows.every((row) => row.verdict === 'bot' && row.botReasons.includes('agent'))).toBe(true);
  });

  test('can be filtered', async () => {
    const { rows } = await get<{ rows: VisitRow[] }>(
      als(`latest?size=50&filter=${encodeURIComponent('path:is:/download')}&filter=${encodeURIComponent('deviceType:is:mobile')}`),
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row.deviceType).toBe('mobile');
      expect(row.pages.map((page) => page.path)).toContain('/download');
    }
  });

  test('a broken cursor is refused', async () => {
    expect((await owner.get(als('latest?cursor=nonsense'))).statusCode).toBe(400);
  });

  test('the events of a page view, with what came before and after', async () => {
    const { rows } = await get<{ rows: VisitRow[] }>(als('latest?size=100'));
    const visit = rows.find((row) => row.views >= 3) as VisitRow;
    const page = visit.pages[1];
    const events = await get<{ visit: VisitRow; previous: string; next: string; events: { seq: number; kind: string; url: string }[] }>(
      als(`events/${page?.pageId}`),
    );
    expect(events).toMatchObject({ previous: visit.pages[0]?.pageId, next: visit.pages[2]?.pageId });
    expect(events.visit.visitId).toBe(visit.visitId);
    expect(events.events[0]).toMatchObject({ seq: 0, kind: 'view', url: `//demo.example${page?.path}` });
    expect((await owner.get(als('events/00000000000000aa'))).statusCode).toBe(404);
  });

  test('known values of the filter field', async () => {
    const range = `from=${yesterday()}&to=${today()}`;
    expect(await get<string[]>(als(`values?by=path&q=DOCS&${range}`))).toEqual(expect.arrayContaining(['/docs', '/docs/markdown']));
    expect(await get<string[]>(als(`values?by=country&${range}`))).toContain('CN');
  });
});

describe('parts of names', () => {
  test('“百” matches the stored Baidu, and excluding it leaves the rest', async () => {
    const total = async (filter: string) =>
      (await get<Report>(`/api/site/${site.id}/als/report?from=${dayAt(until - 5 * 86_400_000, zone)}&to=${yesterday()}&filter=${encodeURIComponent(filter)}`))
        .totals.visits;
    const [typed, stored] = [await total('sourceName:contains:百度'), await total('sourceName:contains:Baidu')];
    expect(typed).toBeGreaterThan(0);
    expect(typed).toBe(stored);
    expect(await total('city:contains:圳')).toBe(await total('city:is:Shenzhen'));
    expect((typed ?? 0) + ((await total('sourceName:excludes:百度')) ?? 0)).toBe(await total('city:not:nowhere'));
  });
});

describe('the visits behind a figure', () => {
  test('within a range, the list has the visits that the report counts', async () => {
    const day = dayAt(until - 2 * 86_400_000, zone);
    const days = `from=${day}&to=${day}`;
    const report = await get<Report>(`/api/site/${site.id}/als/report?${days}&who=all`);
    const found: VisitRow[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { rows: VisitRow[]; next: string | null } = await get(
        `/api/site/${site.id}/als/latest?${days}&who=all&size=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page.rows);
      cursor = page.next;
    }
    expect([found.length, new Set(found.map(({ visitId }) => visitId)).size]).toEqual([report.totals.visits, found.length]);
    expect(new Set(found.map(({ start }) => dayAt(start, zone)))).toEqual(new Set([day]));
    for (const bad of ['from=2026-11-02', 'from=2026-11-02&to=2026-11-01'])
      expect((await owner.get(`/api/site/${site.id}/als/latest?${bad}`)).statusCode).toBe(422);
  });
});

describe('online now', () => {
  test('counts the requested population and filters', async () => {
    const builder = createBuilder(program.ctx.clickhouse);
    const other = await program.makeSite(owner, { name: '在线', timeZone: zone });
    const hits = demoHits(other.id, demoDays - 1, until);
    await insertHits(program.ctx.clickhouse, hits, 'online');
    await builder.apply(hits);
    type Now = { online: number; perMinute: { views: number }[] };
    const views = ({ perMinute }: Now) => perMinute.reduce((sum, one) => sum + one.views, 0);
    const ask = (query: string) => get<Now>(`/api/site/${other.id}/als/online${query}`);
    const [one] = (await get<{ rows: VisitRow[] }>(`/api/site/${other.id}/als/latest?size=1&who=all`)).rows;
    const page = one?.pages.at(-1);
    const { now } = program.ctx;
    // At the newest page view, so that a visitor is online at any time of day.
    Object.assign(program.ctx, { now: () => page?.at ?? 0 });
    try {
      const [all, humans, suspected, bots] = [await ask('?who=all'), await ask(''), await ask('?who=suspected'), await ask('?who=bots')];
      expect(views(humans) + views(suspected) + views(bots)).toBe(views(all));
      expect([all.online > 0, views(all) > 0]).toEqual([true, true]);
      const by = (filter: string) => ask(`?who=all&filter=${encodeURIComponent(filter)}`);
      const on = await by(`path:is:${page?.path}`);
      expect(views(on)).toBeGreaterThan(0);
      expect(views(on) + views(await by(`path:not:${page?.path}`))).toBe(views(all));
      expect(await by('path:is:/nowhere')).toMatchObject({ online: 0 });
      expect((await owner.get(`/api/site/${other.id}/als/online?filter=path`)).statusCode).toBe(422);
    } finally {
      Object.assign(program.ctx, { now });
    }
  });
});

describe('the home page', () => {
  test('figures agree with the report of today', async () => {
    const [card] = (await get<FiguresOfSites>('/api/core/sites/figures')).sites;
    const figures = card?.visits;
    const report = await get<Report>(als(`report?from=${today()}&to=${today()}&compare=custom&compareFrom=${yesterday()}&compareTo=${yesterday()}&series=1`));
    expect(card?.siteId).toBe(site.id);
    expect(figures).toMatchObject({ visitorsToday: report.totals.visitors, viewsToday: report.totals.views });
    expect(figures?.visitorsYesterdaySoFar).toBe(report.compareTotals?.visitors);
    expect(figures?.series).toEqual(report.series?.slice(0, figures?.series.length).map((bucket) => bucket.values.visitors));
    expect(figures?.lastHitAt).not.toBeNull();
  });

  test('a site without visits has zeros, and no yesterday', async () => {
    const empty = await program.makeSite(owner, { name: '空', timeZone: 'America/New_York' });
    const figures = (await get<FiguresOfSites>('/api/core/sites/figures')).sites.find((one) => one.siteId === empty.id)?.visits;
    expect(figures).toMatchObject({ visitorsToday: 0, visitorsYesterdaySoFar: null, viewsToday: 0, online: 0, lastHitAt: null });
    expect(figures?.series.every((n) => n === 0)).toBe(true);
  });
});

describe('the installation check', () => {
  let server: Server;
  let page = '';
  beforeAll(async () => {
    server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('finds the console’s tag and shows received hits', async () => {
    const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
    const local = await program.makeSite(owner, { name: '本机', purpose: 'external', url });
    const install = await get<Install>(`/api/site/${local.id}/als/install`);
    expect(install).toMatchObject({ firstHitAt: null, lastHitAt: null, scriptLoads: 0, refusals: [], hosts: [] });
    const check = async (body: object) => (await owner.send('POST', `/api/site/${local.id}/als/install/check`, body)).json<{ data: InstallCheck }>().data;
    page = `<html><head>${install.tag}</head></html>`;
    expect((await check({})).findings.map((finding) => finding.code)).toEqual(['script_not_loaded', 'tag_found']);
    page = '<html></html>';
    expect((await check({ url: `${url}about` })).findings.map((finding) => finding.code)).toEqual(['tag_missing']);
    for (const foreign of ['http://169.254.169.254/', 'http://example.com/', 'file:///etc/passwd', 'nonsense']) {
      expect((await owner.send('POST', `/api/site/${local.id}/als/install/check`, { url: foreign })).statusCode).toBe(422);
    }
  });

  test('reaches private addresses only if the operator allows it', async () => {
    const strict = await makeTestApp();
    try {
      const person = await strict.signUpOwner();
      const local = await strict.makeSite(person, { name: '本机', purpose: 'external', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
      expect([strict.ctx.config.host, new URL(strict.ctx.config.publicUrl).hostname]).toEqual(['localhost', 'localhost']);
      const { findings } = (await person.send('POST', `/api/site/${local.id}/als/install/check`, {})).json<{ data: InstallCheck }>().data;
      expect(findings.map((finding) => finding.code)).toEqual(['address_refused']);
    } finally {
      await strict.close();
    }
  });

  test('a site with visits shows when and on which host', async () => {
    const install = await get<Install>(als('install'));
    expect(install.hosts.map((host) => host.host)).toEqual(['demo.example']);
    expect(install.firstHitAt).toBeLessThan(install.lastHitAt ?? 0);
  });
});

describe('read permission', () => {
  const paths = () =>
    [
      `report?from=${today()}&to=${today()}`,
      `export?from=${today()}&to=${today()}`,
      'latest',
      'online',
      'events/00000000000000aa',
      `values?by=path&from=${today()}&to=${today()}`,
      'install',
    ].map(als);

  test('strangers get 404, and requests without a session 401', async () => {
    const stranger = await program.makePerson('member');
    for (const path of paths()) {
      expect([path, (await stranger.get(path)).statusCode]).toEqual([path, 404]);
      expect([path, (await program.browser().get(path)).statusCode]).toEqual([path, 401]);
    }
    expect((await stranger.send('POST', als('install/check'), {})).statusCode).toBe(404);
    expect(await get<FiguresOfSites>('/api/core/sites/figures', stranger)).toEqual({ sites: [], failed: [] });
  });

  test('a viewer reads without exporting, and support reads nothing', async () => {
    const viewer = await program.makePerson('member');
    await program.grant(site.id, viewer.userId, 'viewer');
    expect((await viewer.get(als('online'))).statusCode).toBe(200);
    expect((await viewer.get(als(`export?from=${today()}&to=${today()}`))).statusCode).toBe(403);
    const support = await program.makePerson('member');
    await program.grant(site.id, support.userId, 'support');
    expect((await support.get(als('latest'))).statusCode).toBe(403);
  });
});

test('while ClickHouse is away, only reports are unavailable', async () => {
  const away = () => Promise.reject(new ClickHouseAway('gone'));
  const { clickhouse } = program.ctx;
  Object.assign(program.ctx, { clickhouse: { ...clickhouse, query: away } });
  try {
    for (const path of [als(`report?from=${today()}&to=${today()}`), als('latest'), als('online'), als('install')]) {
      const answer = await owner.get(path);
      expect([path, answer.statusCode, answer.json<{ code: string }>().code]).toEqual([path, 503, 'analytics_unavailable']);
    }
    expect((await owner.get('/api/core/load/rpm')).statusCode).toBe(200);
    const figures = await get<FiguresOfSites>('/api/core/sites/figures');
    expect([figures.failed, figures.sites.map(({ visits }) => visits)]).toEqual([['visits'], figures.sites.map(() => null)]);
  } finally {
    Object.assign(program.ctx, { clickhouse });
  }
});
