import { analyticsImport } from '../../server/areas/imports/run';
import { gzipSync } from 'node:zlib';
import type { DashboardCauses } from '../../contract/dashboard/causes';
import type { Import, ImportPreview } from '../../contract/imports/schemas';
import type { KeywordReport } from '../../contract/imports/keywords';
import type { SeoKeywords } from '../../contract/seo/keywordSchemas';
import { importFiles } from '../../server/areas/imports/files';
import { addImport } from '../../server/areas/imports/queries';
import { JobInterrupted } from '../../server/worker';
import { endsAfter, fakeJob } from '../support/fakeJob';
import { DAY, dayAt } from '../../server/zone';
import { happened } from './analyticsSupport';
import { openBench } from './importsSupport';
import type { Bench } from './importsSupport';
import { until } from '../support/until';
import { sendChunk } from '../support/sendChunk';
import { zipOf } from './zip';

let b: Bench;
beforeAll(async () => void (b = await openBench()));
afterAll(() => b.close());

const csv = (...lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`);
const file = (name: string, content: Buffer) => [{ name, content }];
const november = { engine: 'google', from: '2026-11-01', to: '2026-11-20' } as const;
const start = (keywords: object = {}) => ({ mode: 'compare', keywords });
const report = (siteId: string, query = 'from=2026-11-01&to=2026-11-30') => b.get<KeywordReport>(`/api/site/${siteId}/als/keywords?${query}`);
const keys = ({ rows }: KeywordReport) => rows.map(({ key }) => key);

/** The archive format of Search Console: queries beside other tables, and the dates of the period. */
const searchConsole = zipOf({
  '热门网页.csv': '排名靠前的网页,点击次数,展示,点击率,排名\nhttps://tea.example/,99,999,9.9%,1\n',
  '查询数.csv': '热门查询,点击次数,展示,点击率,排名\n绿茶 怎么泡,120,2400,5%,3.5\n龙井茶,30,1000,3%,8.1\n"茶, 礼盒",0,12,0%,41.58\n',
  '日期.csv': '日期,点击次数,展示,点击率,排名\n2026-11-02,50,1500,3.3%,5\n2026-11-01,100,1912,5.2%,4\n',
  '过滤器.csv': '过滤器,值\n搜索类型,网络\n',
});
const queries = csv('Top queries,Clicks,Impressions,CTR,Position', 'green tea,40,800,5%,2.5', 'longjing,10,200,5%,6.5');
const byDay = csv(
  'Query,Date,Clicks,Impressions,CTR,Position',
  'green tea,2026-11-10,4,100,4%,2',
  'green tea,2026-11-11,6,300,2%,4',
  'longjing,2026-11-11,1,50,2%,9',
);

async function preview(siteId: string, files: readonly { name: string; content: Buffer }[], body: object = {}): Promise<ImportPreview & { id: string }> {
  const base = `/api/site/${siteId}/als/imports`;
  const { id } = (await b.owner.send('POST', base, { files: files.map(({ name, content }) => ({ name, size: content.length })) })).json<{ data: Import }>()
    .data;
  for (const [index, { content }] of files.entries()) await sendChunk(b.owner, `${base}/${id}/files/${index}`, 0, content);
  const answer = await b.owner.send('POST', `${base}/${id}/preview`, body);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()]);
  return { ...answer.json<{ data: ImportPreview }>().data, id };
}

test('a Search Console archive becomes a query report of its period', async () => {
  const siteId = await b.newSite();
  const importPreview = await preview(siteId, file('tea.example-Performance-on-Search.zip', searchConsole));
  expect(importPreview).toMatchObject({ detected: 'keywords', sample: { lines: 3, accepted: 3 } });
  expect(importPreview.keywords).toMatchObject({ engine: 'google', dated: false, from: '2026-11-01', to: '2026-11-02', overlaps: [] });
  expect(importPreview.keywords?.columns.map(({ column, header }) => `${column}=${header}`)).toEqual([
    'query=热门查询',
    'clicks=点击次数',
    'impressions=展示',
    'ctr=点击率',
    'position=排名',
  ]);
  const done = await b.run(siteId, file('tea.example-Performance-on-Search.zip', searchConsole), start());
  expect(done).toMatchObject({ state: 'done', format: 'keywords', report: { lines: 3, accepted: 3, repeated: 0 }, keywords: { replaced: 'no' } });
  const found = await report(siteId);
  expect(found.totals).toEqual({ clicks: 150, impressions: 3412, ctr: 150 / 3412, position: (3.5 * 2400 + 8.1 * 1000 + 41.58 * 12) / 3412 });
  expect(keys(found)).toEqual(['绿茶 怎么泡', '龙井茶', '茶, 礼盒']);
  expect(found.coverage).toEqual([{ engine: 'google', from: '2026-11-01', to: '2026-11-02', days: 2, compareDays: 0 }]);
});

test('imported keywords are not part of visit figures', async () => {
  const siteId = await b.newSite();
  await b.run(siteId, file('Queries.csv', queries), start(november));
  const visits = await b.get<{ totals: { views: number } }>(`/api/site/${siteId}/als/report?from=2026-11-01&to=2026-11-20&who=all`);
  expect(visits.totals.views).toBe(0);
});

test('a GBK file of Baidu is read below its title', async () => {
  const siteId = await b.newSite();
  // "热门关键词" / "关键词,点击量,展现量,点击率,排名" / "绿茶,12,340,3.53%,4.6" in GBK.
  const hex = 'c8c8c3c5b9d8bcfcb4ca0d0ab9d8bcfcb4ca2cb5e3bbf7c1bf2cd5b9cfd6c1bf2cb5e3bbf7c2ca2cc5c5c3fb0d0ac2ccb2e82c31322c3334302c332e3533252c342e360d0a';
  const content = Buffer.from(hex, 'hex');
  const importPreview = await preview(siteId, file('keywords_20261101-20261107.csv', content));
  expect(importPreview.keywords).toMatchObject({ engine: 'baidu', from: '2026-11-01', to: '2026-11-07' });
  await b.run(siteId, file('keywords_20261101-20261107.csv', content), start());
  expect((await report(siteId)).rows).toMatchObject([{ key: '绿茶', engine: 'baidu', values: { clicks: 12, impressions: 340, position: 4.6 } }]);
});

test('a file of Bing is read', async () => {
  const siteId = await b.newSite();
  const content = csv('"Keyword","Impressions","Clicks","CTR","Avg. Position"', '"oolong, roasted","1,200","36","3.00%","5.20"');
  await b.run(siteId, file('bing.csv', content), start({ from: '2026-11-01', to: '2026-11-07' }));
  expect((await report(siteId)).rows).toMatchObject([{ key: 'oolong, roasted', engine: 'bing', values: { clicks: 36, impressions: 1200, position: 5.2 } }]);
});

test('dated rows are counted by day, weighted and compared', async () => {
  const siteId = await b.newSite();
  const done = await b.run(siteId, file('daily.csv', byDay), start());
  expect(done.keywords).toMatchObject({ engine: 'google', dated: true, from: '2026-11-10', to: '2026-11-11' });
  const found = await report(siteId, 'from=2026-11-11&to=2026-11-11&compare=custom&compareFrom=2026-11-10&compareTo=2026-11-10');
  expect(found.rows).toEqual([
    {
      key: 'green tea',
      engine: 'google',
      values: { clicks: 6, impressions: 300, ctr: 0.02, position: 4 },
      compare: { clicks: 4, impressions: 100, ctr: 0.04, position: 2 },
    },
    { key: 'longjing', engine: 'google', values: expect.anything(), compare: { clicks: 0, impressions: 0, ctr: null, position: null } },
  ]);
  expect((await report(siteId)).rows[0]?.values.position).toBe((2 * 100 + 4 * 300) / 400);
});

test('an engine without comparison data has no comparison', async () => {
  const siteId = await b.newSite();
  await b.run(siteId, file('daily.csv', byDay), start());
  await b.run(siteId, file('bing.csv', queries), start({ engine: 'bing', from: '2026-11-11', to: '2026-11-11' }));
  const found = await report(siteId, 'from=2026-11-11&to=2026-11-11&compare=custom&compareFrom=2026-11-10&compareTo=2026-11-10');
  expect(found.rows.map(({ engine, compare }) => `${engine} ${compare === null ? 'alone' : 'compared'}`).toSorted()).toEqual([
    'bing alone',
    'bing alone',
    'google compared',
    'google compared',
  ]);
  expect(found.compareTotals).toBe(null);
});

test('rows are sorted, searched and paged', async () => {
  const siteId = await b.newSite();
  await b.run(siteId, file('Queries.csv', queries), start(november));
  expect(keys(await report(siteId, 'from=2026-11-01&to=2026-11-30&sort=position&dir=desc'))).toEqual(['longjing', 'green tea']);
  expect(keys(await report(siteId, 'from=2026-11-01&to=2026-11-30&q=GREEN'))).toEqual(['green tea']);
  const second = await report(siteId, 'from=2026-11-01&to=2026-11-30&page=2&size=1');
  expect([keys(second), second.rowCount]).toEqual([['longjing'], 2]);
});

test('periods reaching beyond the range are reported but not counted', async () => {
  const siteId = await b.newSite();
  await b.run(siteId, file('Queries.csv', queries), start(november));
  const found = await report(siteId, 'from=2026-11-05&to=2026-11-30');
  expect([found.totals.clicks, found.rows, found.partial]).toEqual([0, [], [{ ...november }]]);
});

test('reimporting a period replaces the first import until it is removed', async () => {
  const siteId = await b.newSite();
  const first = await b.run(siteId, file('Queries.csv', queries), start(november));
  const newer = csv('Top queries,Clicks,Impressions,CTR,Position', 'green tea,41,810,5%,2.4');
  const importPreview = await preview(siteId, file('Queries.csv', newer), { keywords: november });
  expect(importPreview.keywords?.overlaps).toEqual([{ id: first.id, name: 'Queries.csv', from: november.from, to: november.to, wholly: true }]);
  const second = await b.run(siteId, file('Queries.csv', newer), start(november));
  expect((await report(siteId)).totals.clicks).toBe(41);
  expect((await b.get<Import>(`/api/site/${siteId}/als/imports/${first.id}`)).keywords?.replaced).toBe('wholly');
  expect((await b.owner.send('DELETE', `/api/site/${siteId}/als/imports/${second.id}`)).statusCode).toBe(200);
  expect((await report(siteId)).totals.clicks).toBe(50);
});

test('removing an import deletes its rows from the store', async () => {
  const siteId = await b.newSite();
  const { id } = await b.run(siteId, file('Queries.csv', queries), start(november));
  await b.owner.send('DELETE', `/api/site/${siteId}/als/imports/${id}`);
  expect((await report(siteId)).imported).toEqual([]);
  const stored = async () =>
    (
      await b.t.ctx.clickhouse.query<{ n: string }>('SELECT toString(count()) AS n FROM imported_keywords WHERE site_id = {siteId:String}', {
        params: { siteId },
      })
    )[0]?.n;
  await until(async () => (await stored()) === '0', 20_000);
});

test('an import without engine or period names the missing field', async () => {
  const siteId = await b.newSite();
  const { id } = await preview(siteId, file('Queries.csv', queries));
  const begin = (keywords: object) => b.owner.send('POST', `/api/site/${siteId}/als/imports/${id}/start`, start(keywords));
  expect((await begin({})).json()).toMatchObject({ code: 'invalid_fields', fields: { from: { code: 'required' } } });
  expect((await begin({ from: '2026-11-20', to: '2026-11-01' })).json()).toMatchObject({ fields: { from: { code: 'out_of_range' } } });
  expect((await begin({ from: '2026-11-01', to: '2027-11-01' })).json()).toMatchObject({ fields: { to: { code: 'out_of_range' } } });
  expect((await begin(november)).statusCode).toBe(200);
});

test('invalid lines are counted by reason, and open quotes affect one', async () => {
  const siteId = await b.newSite();
  const content = csv('Top queries,Clicks,Impressions,CTR,Position', 'tea,1,10,10%,1', '"open,2,20,10%,2', 'x,=1+1,20,10%,2', ',1,2,50%,1', 'last,3,30,10%,3');
  const done = await b.run(siteId, file('Queries.csv', content), start(november));
  expect(done.report).toMatchObject({ lines: 5, accepted: 2 });
  expect(Object.fromEntries((done.report?.refused ?? []).map(({ reason, count }) => [reason, count]))).toEqual({ bad_row: 1, bad_number: 1, no_keyword: 1 });
  expect(keys(await report(siteId))).toEqual(['last', 'tea']);
});

test('an endless line is refused before the import', async () => {
  const siteId = await b.newSite();
  const { id } = await preview(siteId, file('Queries.csv.gz', gzipSync(Buffer.concat([queries, Buffer.alloc(200 * 2 ** 20, 'a')]))));
  const answer = await b.owner.send('POST', `/api/site/${siteId}/als/imports/${id}/start`, start(november));
  expect([answer.statusCode, answer.json()]).toEqual([422, expect.objectContaining({ fields: { format: { code: 'unknown' } } })]);
});

test('an oversized unpacked file fails and shows nothing', async () => {
  const siteId = await b.newSite();
  const long = `${'tea '.repeat(250)},many,2\n`;
  const done = await b.run(siteId, file('Queries.csv.gz', gzipSync(Buffer.concat([queries, Buffer.from(long.repeat(70_000))]))), start(november));
  expect(done).toMatchObject({ state: 'failed', error: expect.stringMatching(/./) });
  expect((await report(siteId)).imported).toEqual([]);
});

test('an exported file has the report’s rows and no formulas', async () => {
  const siteId = await b.newSite();
  const content = csv('Top queries,Clicks,Impressions,CTR,Position', '"=HYPERLINK(""https://evil.example"")",1,4,25%,1.234');
  await b.run(siteId, file('Queries.csv', content), start(november));
  const answer = await b.owner.get(`/api/site/${siteId}/als/keywords/export?from=2026-11-01&to=2026-11-30`, { 'accept-language': 'en' });
  expect(answer.headers['content-disposition']).toMatch(/-keywords-2026-11-01_2026-11-30\.csv"$/);
  const [head, total, line] = answer.body.slice(1).split('\r\n');
  expect([head?.split(',').length, total?.split(',').slice(2)]).toEqual([6, ['1', '4', '0.25', '1.23']]);
  expect(line).toMatch(/^"'=HYPERLINK\(""https:\/\/evil\.example""\)",谷歌,1,4,0\.25,1\.23$/);
});

test('readers see the report, and only those who configure import', async () => {
  const siteId = await b.newSite();
  await b.run(siteId, file('Queries.csv', queries), start(november));
  const analyst = await b.t.makePerson('member');
  const address = `/api/site/${siteId}/als/keywords?from=2026-11-01&to=2026-11-30`;
  expect((await analyst.get(address)).statusCode).toBe(404);
  expect((await b.t.browser().get(address)).statusCode).toBe(401);
  await b.t.grant(siteId, analyst.userId, 'analyst');
  expect((await analyst.get(address)).statusCode).toBe(200);
  expect((await analyst.get(`/api/site/${siteId}/als/imports`)).statusCode).toBe(403);
});

test('another site’s keywords are in no report', async () => {
  const [siteId, other] = [await b.newSite(), await b.newSite()];
  const { id } = await b.run(siteId, file('Queries.csv', queries), start(november));
  expect((await report(other)).imported).toEqual([]);
  expect((await b.owner.send('DELETE', `/api/site/${other}/als/imports/${id}`)).statusCode).toBe(404);
});

test('an interrupted import shows nothing and stores rows once when restarted', async () => {
  const siteId = await b.newSite();
  const { ctx } = b.t;
  const content = csv('Query,Clicks,Impressions,Position', ...Array.from({ length: 25_000 }, (_, i) => `tea ${i},1,2,3`));
  const jobId = '00000000-0000-4000-8000-000000000000';
  const row = await addImport(ctx.postgres.db, {
    siteId,
    files: [{ name: 'Queries.csv', size: content.length }],
    total: content.length,
    format: 'keywords',
    mode: 'compare',
    keywords: { ...november, dated: false },
    started: true,
    jobId,
    createdAt: new Date(ctx.now()),
  });
  await ctx.files.put(importFiles.key(row.id, 0), content);
  const runJob = async (stopAfter: number): Promise<void> => {
    const job = fakeJob({ kind: 'analytics.import', siteId, input: { importId: row.id }, progress: endsAfter(stopAfter) });
    await analyticsImport.run(job, ctx).catch((error: unknown) => {
      if (!(error instanceof JobInterrupted)) throw error;
    });
  };
  await runJob(2);
  expect((await report(siteId)).rowCount).toBe(0);
  await runJob(1000);
  const found = await report(siteId);
  expect([found.rowCount, found.totals.clicks]).toEqual([25_000, 25_000]);
});

test('keywords are joined with their pages and the visits that were measured', async () => {
  const siteId = await b.newSite();
  const pages = csv(
    'Query,Page,Clicks,Impressions,CTR,Position',
    'green tea,https://tea.example/green?utm=1,30,600,5%,2',
    'green tea,https://tea.example/,10,200,5%,4',
    'longjing,https://elsewhere.example/,5,50,10%,3',
  );
  await b.run(siteId, file('pages.csv', pages), start(november));
  const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const visit = (address: string, path: string, from: string): string =>
    `${address} - - [10/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 512 "${from}" "${chrome}"`;
  const log = [
    visit('203.0.113.5', '/green', 'https://www.google.com/'),
    visit('203.0.113.6', '/green', 'https://www.google.com/'),
    visit('203.0.113.7', '/green', 'https://www.bing.com/'),
  ];
  await b.run(siteId, file('access.log', Buffer.from(`${log.join('\n')}\n`)), { mode: 'count' });
  const seo = (query: string) => b.get<SeoKeywords>(`/api/site/${siteId}/seo/keywords?from=2026-11-01&to=2026-11-30&${query}`);
  expect((await seo('by=query')).rows).toMatchObject([
    { key: 'green tea', values: { clicks: 40, position: 2.5 }, landing: 'https://tea.example/green?utm=1', path: '/green', compare: null },
    { key: 'longjing', landing: 'https://elsewhere.example/', path: null },
  ]);
  const byPage = await seo('by=page');
  expect(byPage.rows.map(({ key, path, visits }) => [key, path, visits])).toEqual([
    ['https://tea.example/green?utm=1', '/green', 2],
    ['https://tea.example/', '/', 0],
    ['https://elsewhere.example/', null, null],
  ]);
  const ofPage = await seo(`landing=${encodeURIComponent('https://tea.example/')}`);
  expect([ofPage.total, ofPage.rows[0]?.values.clicks]).toEqual([1, 10]);
});

test('a page that lost visitors has each keyword once per engine', async () => {
  const siteId = await b.newSite();
  const now = b.t.ctx.now();
  const midnight = Date.parse(dayAt(now - DAY, 'UTC'));
  await happened(
    b.t,
    siteId,
    [1, 2, 3].map((visitor) => ({ visitor, at: midnight, pages: [{ path: '/green' }] })),
  );
  const rows = Array.from({ length: 14 }, (_, n) => dayAt(now - (n + 2) * DAY, 'UTC')).flatMap((day, n) =>
    ['https', 'http'].map((scheme) => `green tea,${scheme}://tea.example/green,${day},${n < 7 ? '1,40,2.5%,14' : '9,60,15%,3'}`),
  );
  for (const engine of ['google', 'bing'])
    await b.run(siteId, file(`${engine}.csv`, csv('Query,Page,Date,Clicks,Impressions,CTR,Position', ...rows)), start({ engine }));
  const { causes } = await b.get<DashboardCauses>(`/api/site/${siteId}/dashboard/causes`);
  expect(causes.map(({ path, keywords }) => [path, keywords.map(({ engine, query, position }) => [engine, query, position])])).toEqual([
    ['/green', expect.arrayContaining(['google', 'bing'].map((engine) => [engine, 'green tea', { now: 14, before: 3 }]))],
  ]);
  expect(causes[0]?.keywords).toHaveLength(2);
});
