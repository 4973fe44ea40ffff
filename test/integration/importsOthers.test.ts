import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ImportedHistory, Reconciliation } from '../../contract/imports/schemas';
import { insertHits } from '../../server/collect/queries';
import { findHits } from '../../server/collect/queries';
import { openBench } from './importsSupport';
import type { Bench } from './importsSupport';
import { zipOf } from './zip';

let b: Bench;
beforeAll(async () => void (b = await openBench()));
afterAll(() => b.close());

type Report = { totals: { views: number; visits: number; visitors: number }; rows: { key: string; values: { views: number; visitors: number } }[] };
const report = (siteId: string, by = 'path', day = '2026-11-10', to = day): Promise<Report> =>
  b.get<Report>(`/api/site/${siteId}/als/report?from=${day}&to=${to}&who=all&by=${by}&size=100`);

test('an Umami export keeps sessions, times, pages, referrers and events', async () => {
  const siteId = await b.newSite();
  const head =
    'website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,country,region,city,url_path,url_query,referrer_path,referrer_query,referrer_domain,page_title,event_type,event_name,created_at';
  const row = (session: string, event: string, p: string, time: string, type = '1', name = ''): string =>
    `w,${session},v,${event},tea.example,chrome,Windows 10,desktop,1920x1080,zh-CN,CN,CN-GD,Shenzhen,${p},utm_source=weibo,/post,,news.example,"Tea, ""green""",${type},${name},2026-11-10 ${time}`;
  const events = [
    head,
    row('s1', 'e1', '/tea', '08:00:00'),
    row('s1', 'e2', '/tea', '08:01:00', '2', 'buy'),
    row('s1', 'e3', '/cart', '08:02:00'),
    row('s2', 'e4', '/', '09:00:00'),
    'w,s3',
    row('s3', 'e5', '/', 'no time'),
  ];
  const data = [
    'website_id,session_id,event_id,url_path,event_name,data_key,string_value,number_value,date_value,data_type,created_at',
    'w,s1,e2,/tea,buy,price,,12.5,,2,2026-11-10 08:01:00',
    'w,s1,e2,/tea,buy,kind,green,,,1,2026-11-10 08:01:00',
  ];
  const files = [{ name: 'umami.zip', content: zipOf({ 'website_event.csv': `${events.join('\n')}\n`, 'event_data.csv': `${data.join('\n')}\n` }) }];
  const done = await b.run(siteId, files);
  expect(done).toMatchObject({ state: 'done', format: 'umami', report: { accepted: 4, repeated: 0 } });
  expect(Object.fromEntries((done.report?.refused ?? []).map((one) => [one.reason, one.count]))).toEqual({ bad_row: 1, bad_time: 1, event_data: 2 });
  const found = await report(siteId);
  expect(found.totals).toMatchObject({ views: 3, visits: 2, visitors: 2 });
  expect(found.rows.map((one) => one.key).sort()).toEqual(['/', '/cart', '/tea']);
  const [event] = await b.t.ctx.clickhouse.query<{ name: string; props: string; os: string; ref_host: string; province: string }>(
    "SELECT name, props, os, ref_host, province FROM hits FINAL WHERE site_id = {siteId:String} AND kind = 'event'",
    { params: { siteId } },
  );
  expect(event).toMatchObject({ name: 'buy', os: 'Windows', ref_host: 'news.example', province: 'CN-GD' });
  expect(JSON.parse(event?.props ?? '')).toEqual({ price: 12.5, kind: 'green' });
  expect((await b.run(siteId, files)).report).toMatchObject({ accepted: 0, repeated: 4 });
  expect((await report(siteId)).totals).toEqual(found.totals);
});

test('a page of a Plausible export has one normalized path', async () => {
  const siteId = await b.newSite();
  const content = zipOf({
    'imported_pages_20261101_20261101.csv':
      'date,visitors,pageviews,hostname,page\n2026-11-01,2,5,tea.example,/茶/龙井\n2026-11-01,1,3,tea.example,/%E8%8C%B6/%E9%BE%99%E4%BA%95\n2026-11-01,4,4,tea.example,/caf%C3%A9\n',
  });
  expect(await b.run(siteId, [{ name: 'export.zip', content }])).toMatchObject({ state: 'done', report: { accepted: 3 } });
  const { rows } = await b.get<ImportedHistory>(`/api/site/${siteId}/als/imported?by=page`);
  expect(Object.fromEntries(rows.map((row) => [row.key, row.views]))).toEqual({ '/茶/龙井': 8, '/café': 4 });
});

test('Plausible days are stored separately and never touch visits', async () => {
  const siteId = await b.newSite();
  const content = zipOf({
    'imported_visitors_20261101_20261102.csv':
      '"date","visitors","pageviews","bounces","visits","visit_duration"\n"2026-11-01",5,50,2,7,8640\n"2026-11-02",3,4,2,3,43\n"2026-13-02",3,4,2,3,43\n',
    'imported_pages_20261101_20261102.csv':
      'date,visitors,pageviews,hostname,page\n2026-11-01,5,30,tea.example,/tea\n2026-11-01,1,2,tea.example,/tea\n2026-11-02,2,3,tea.example,=cmd\n',
  });
  const done = await b.run(siteId, [{ name: 'export.zip', content }]);
  expect(done).toMatchObject({ state: 'done', format: 'plausible', report: { accepted: 5 } });
  const history = await b.get<ImportedHistory>(`/api/site/${siteId}/als/imported?by=page`);
  expect(history).toMatchObject({
    from: '2026-11-01',
    to: '2026-11-02',
    totals: { visitors: 8, visits: 10, views: 54, bounces: 4, seconds: 8683 },
    rowCount: 2,
  });
  expect(history.rows[0]).toMatchObject({ key: '/tea', visitors: 6, views: 32 });
  // The same export again: the last import of each day counts, so nothing is doubled.
  await b.run(siteId, [{ name: 'export.zip', content }]);
  expect((await b.get<ImportedHistory>(`/api/site/${siteId}/als/imported`)).totals.visitors).toBe(8);
  expect((await report(siteId, 'path', '2026-11-01', '2026-11-02')).totals).toMatchObject({ views: 0, visits: 0 });
  // Until something is measured here, all days come from the export; compared logs do not count as measured.
  const log = Buffer.from(
    '203.0.113.7 - - [02/Nov/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"\n',
  );
  await b.run(siteId, [{ name: 'a.log', content: log }], { mode: 'compare' });
  expect((await b.get<ImportedHistory>(`/api/site/${siteId}/als/imported`)).measuredFrom).toBeNull();
  await b.run(siteId, [{ name: 'a.log', content: log }]);
  expect((await b.get<ImportedHistory>(`/api/site/${siteId}/als/imported`)).measuredFrom).toBe('2026-11-02');
  // Each import that changes figures is annotated once; compared ones change none.
  const [yesterday, tomorrow] = [-1, 1].map((days) => new Date(b.t.ctx.now() + days * 86_400_000).toISOString().slice(0, 10));
  const notes = await b.get<{ kind: string; values: { name: string } }[]>(`/api/site/${siteId}/als/annotations?from=${yesterday}&to=${tomorrow}`);
  expect(
    notes
      .filter(({ kind }) => kind === 'imported')
      .map(({ values }) => values.name)
      .sort(),
  ).toEqual(['a.log', 'export.zip', 'export.zip']);
});

test('the share hidden by blockers is computed', async () => {
  const siteId = await b.newSite();
  const agents = [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
  ];
  const start = Date.UTC(2026, 10, 10, 3);
  const views = Array.from({ length: 600 }, (_, i) => ({
    at: start + i * 20_000,
    address: `203.0.${i % 40}.7`,
    page: `/p${(i * 7) % 11}`,
    firefox: i % 3 === 0,
  }));
  // A third use Firefox, half of them with a blocker: a sixth of everything.
  const isHidden = (i: number): boolean => i % 6 === 0;
  const stamp = (at: number): string => new Date(at).toISOString().replace(/^(\d+)-11-(\d+)T(.*)\..*$/, '$2/Nov/$1:$3 +0000');
  const text = views
    .map(({ at, address, page, firefox }) => `${address} - - [${stamp(at)}] "GET ${page} HTTP/1.1" 200 1 "-" "${agents[firefox ? 1 : 0]}"`)
    .join('\n');
  await b.run(siteId, [{ name: 'access.log', content: Buffer.from(`${text}\n`) }], { mode: 'compare' });

  const { clickhouse } = b.t.ctx;
  const names = await clickhouse.query<{ id: string }>(
    "SELECT DISTINCT lower(leftPad(hex(visitor_id), 16, '0')) AS id FROM hits WHERE site_id = {siteId:String}",
    { params: { siteId } },
  );
  const logged = await findHits(
    clickhouse,
    names.map(({ id }) => ({ siteId, id })),
    0,
  );
  const visibleHits = logged
    .filter((hit) => !isHidden(Math.round((hit.at - start) / 20_000)))
    .map((hit, i) => ({
      ...hit,
      origin: 'script' as const,
      at: hit.at + 300 + ((i * 37) % 4000),
      visitor_id: `a${hit.visitor_id.slice(1)}`,
      view_id: i.toString(16).padStart(16, 'f'),
    }));
  const bot = visibleHits.slice(0, 20).map((hit, i) => ({ ...hit, bot_score: 100, view_id: i.toString(16).padStart(16, 'e') }));
  await insertHits(clickhouse, [...visibleHits, ...bot], 'script side');

  // The same log imported to count as well: its lines are still compared once.
  await b.run(siteId, [{ name: 'access.log', content: Buffer.from(`${text}\n`) }]);
  const found = await b.get<Reconciliation>(`/api/site/${siteId}/als/reconciliation?from=2026-11-01&to=2026-11-19`);
  expect(found.totals.both + found.totals.logOnly).toBe(600);
  expect(found).toMatchObject({ from: '2026-11-10', to: '2026-11-10', tolerance: 60 });
  // The true share is 1/6; a view may be paired with a neighbour of the same key, so a percentage point is allowed.
  expect(Math.abs((found.hidden ?? 0) - 1 / 6)).toBeLessThan(0.01);
  expect(found.totals.scriptOnly).toBeLessThanOrEqual(6);
  const share = (key: string): number => {
    const row = found.by.browser.find((one) => one.key === key);
    return (row?.logOnly ?? 0) / ((row?.both ?? 0) + (row?.logOnly ?? 0));
  };
  expect(Math.abs(share('Firefox') - 0.5)).toBeLessThan(0.03);
  expect(share('Chrome')).toBeLessThan(0.01);
});

/** Installed by the launcher where packages may be installed (scripts/launcher/goaccess.mjs). */
const goaccess = ['/usr/bin/goaccess', '/usr/local/bin/goaccess', '/opt/homebrew/bin/goaccess'].find((file) => existsSync(file));
const mustRun = process.platform === 'linux' && process.getuid?.() === 0;

(goaccess === undefined && !mustRun ? test.skip : test)('a log that nginx wrote gives the totals that GoAccess gives under the same rules', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'goaccess-'));
  const log = gunzipSync(readFileSync('test/fixtures/logs/nginx-access.log.gz')).toString('utf8');
  type Panel = {
    data: { data: string; method?: string; hits: { count: number }; visitors: { count: number } }[];
    metadata: { visitors: { total: { value: number } }; hits: { total: { value: number } } };
  };
  const analyse = (text: string, name: string): { visitors: Panel; requests: Panel } => {
    const [from, to] = [path.join(folder, `${name}.log`), path.join(folder, `${name}.json`)];
    writeFileSync(from, text);
    execFileSync(goaccess ?? 'goaccess', [from, '--log-format=COMBINED', '--no-global-config', '--no-progress', '-o', to], { stdio: 'ignore' });
    return JSON.parse(readFileSync(to, 'utf8')) as { visitors: Panel; requests: Panel };
  };
  const siteId = await b.newSite();
  const done = await b.run(siteId, [{ name: 'nginx-access.log.gz', content: readFileSync('test/fixtures/logs/nginx-access.log.gz') }]);
  const ours = await report(siteId, 'path', '2026-11-20');

  // Like ours, its requests panel excludes static files and missing pages; it includes other methods (in a column),
  // redirects, and each query separately.
  const redirected = new Set([...log.matchAll(/"GET (\S+) HTTP[^"]*" 30[1278] /g)].map((match) => match[1]));
  const theirs = new Map<string, number>();
  for (const { data, method, hits } of analyse(log, 'whole').requests.data) {
    if (method !== 'GET' || redirected.has(data)) continue;
    const page = data.split('?', 1)[0] ?? '';
    theirs.set(page, (theirs.get(page) ?? 0) + hits.count);
  }
  expect(theirs.size).toBeGreaterThan(4);
  expect(Object.fromEntries(ours.rows.map((row) => [row.key, row.values.views]))).toEqual(Object.fromEntries(theirs));
  expect(done.report?.accepted).toBe([...theirs.values()].reduce((sum, n) => sum + n, 0));

  // Both define a visitor by address, agent and date. GoAccess counts all requests, so it only gets the page views.
  const pages = log.split('\n').filter((line) => /"GET [^" ]+ HTTP[^"]*" (2\d\d|304) /.test(line) && !/"GET \S+\.(css|png)/.test(line));
  expect(ours.totals.visitors).toBe(analyse(`${pages.join('\n')}\n`, 'pages').visitors.metadata.visitors.total.value);
});
