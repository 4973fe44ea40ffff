import { jest } from '@jest/globals';
import type { Report, VisitRow } from '../../contract/analytics/schemas';
import { mostExportedVisits } from '../../contract/analytics/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { filterBy, happened, read } from './analyticsSupport';
import type { Story } from './analyticsSupport';

jest.setTimeout(60_000);
const minute = 60_000;
const zone = 'Asia/Shanghai';
const midnight = Date.parse('2026-11-09T16:00:00Z');
const range = 'from=2026-11-10&to=2026-11-10';
let program: TestApp;
let owner: Person;
let siteId: string;

beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  siteId = (await program.makeSite(owner, { name: '档案', timeZone: zone })).id;
  const visits = Array.from({ length: 640 }, (_, i): Story => ({
    visitor: i + 1,
    at: midnight + (i % 600) * minute + i,
    pages: [
      { path: i % 3 === 0 ? '/docs/a' : '/', engaged: 1000 },
      { path: i % 2 === 0 ? '=HYPERLINK("x")' : '/docs/b', after: 1000, title: '标题, "引"' },
    ],
    about: i % 5 === 0 ? { source_type: 'search', source_name: 'Baidu', keyword: '茶,壶' } : {},
  }));
  await happened(program, siteId, [...visits, { visitor: 9999, at: midnight - 1000 * minute, pages: [{ path: '/old' }] }]);
});
afterAll(() => program.close());

const als = (path: string) => `/api/site/${siteId}/als/${path}`;
const file = async (path: string) => {
  const answer = await owner.get(als(path), { 'accept-language': 'zh-CN' });
  expect([path, answer.statusCode]).toEqual([path, 200]);
  return answer;
};
const lines = (body: string): string[] => body.slice(1).trim().split('\r\n');

describe('JSON', () => {
  test('holds only the shown columns and rows, with query and source', async () => {
    const query = `${range}&by=path&sort=exits&with=pages&size=2&page=1&compare=custom&compareFrom=2026-11-09&compareTo=2026-11-09`;
    const report = await read<Report>(owner, als(`report?${query}`));
    const answer = await file(`export?${query}&measure=exits&measure=views&format=json`);
    expect(answer.headers['content-disposition']).toMatch(/filename="[\w-]+-path-2026-11-10_2026-11-10\.json"/);
    const pick = (values: Report['totals'] | null) => values && { exits: values.exits, views: values.views };
    expect(JSON.parse(answer.body)).toEqual({
      query: expect.objectContaining({ by: 'path', sort: 'exits', measure: ['exits', 'views'], compare: 'custom', size: 2 }) as object,
      from: '2026-11-10',
      to: '2026-11-10',
      timeZone: zone,
      compareFrom: '2026-11-09',
      compareTo: '2026-11-09',
      compareUntil: report.compareUntil,
      totals: pick(report.totals),
      compareTotals: pick(report.compareTotals),
      rowCount: report.rowCount,
      rows: report.rows?.map((row) => ({ key: row.key, values: pick(row.values), compare: pick(row.compare), share: row.share })),
      explain: expect.objectContaining({ exact: true }) as object,
    });
  });

  test('a series, in the order shown', async () => {
    const answer = await file(`export?${range}&measure=views&order=views.desc&gran=hour&format=json`);
    const { series, rows } = JSON.parse(answer.body) as { series: { values: object }[]; rows?: unknown };
    expect(rows).toBeUndefined();
    expect(series[0]?.values).toEqual({ views: 200 });
    expect(series.length).toBe(24);
  });
});

test('columns of a shown group are counted', async () => {
  const [head, total] = lines((await file(`export?${range}&by=path&measure=entries&measure=avgTimeOnPage`)).body);
  expect([head, total]).toEqual(['受访页面,入口页次数,平均停留时长（秒）,占比', '合计,640,0.5,']);
});

test('keys of buckets have labels', async () => {
  const rows = lines((await file(`export?${range}&by=duration&byKey=1&measure=visits`)).body);
  expect(rows.slice(2)).toEqual(['0–10 秒,640,1']);
});

describe('single screens', () => {
  test('the tree', async () => {
    expect(lines((await file(`tree/export?${range}`)).body)).toEqual([
      '类型,路径,页面数,浏览量 (PV),占比,访客数 (UV),访问次数,平均停留时长（秒）',
      '目录,/docs/,2,534,0.4172,427,427,0.4',
      '页面,/,1,426,0.3328,426,426,1',
      `页面,"'=HYPERLINK(""x"")",1,320,0.25,320,320,0`,
    ]);
    const json = JSON.parse((await file(`tree/export?${range}&under=/docs/&format=json`)).body) as object;
    expect(json).toMatchObject({ query: { under: '/docs/' }, timeZone: zone, ...(await read<object>(owner, als(`tree?${range}&under=/docs/`))) });
  });

  test('the flow of a page', async () => {
    expect(lines((await file(`flow/export?${range}&path=/docs/a`)).body)).toEqual([
      '方向,类型,名称,浏览量 (PV),占比',
      '合计,页面,/docs/a,214,',
      '上游,进入网站,,214,1',
      '上游,来源,直接访问,171,0.7991',
      '上游,来源,搜索引擎 · 百度,43,0.2009',
      '上游,同一页面,/docs/a,0,0',
      '下游,离开网站,,0,0',
      '下游,页面,/docs/b,107,0.5',
      `下游,页面,"'=HYPERLINK(""x"")",107,0.5`,
      '下游,同一页面,/docs/a,0,0',
    ]);
  });

  test('visitors by bucket, and rising rows', async () => {
    expect(lines((await file(`distribution/export?${range}&of=views`)).body).slice(0, 4)).toEqual([
      '区间,访客数 (UV),占比,访问次数,浏览量 (PV)',
      '1 页,0,0,0,0',
      '2 页,640,1,640,1280',
      '3 页,0,0,0,0',
    ]);
    expect(lines((await file(`movers/export?${range}&by=entryPath&compare=custom&compareFrom=2026-11-09&compareTo=2026-11-09`)).body)).toEqual([
      '类型,入口页面,本期,对比期,变化',
      '新增,/,426,0,426',
      '新增,/docs/a,214,0,214',
      '下降,/old,0,1,-1',
    ]);
  });

  test('visits: every filtered one, in the order of the list', async () => {
    const all = lines((await file('latest/export')).body);
    expect(all).toHaveLength(642);
    expect(all[0]?.startsWith('最近活动 (Asia/Shanghai),开始时间 (Asia/Shanghai),')).toBe(true);
    const { rows } = JSON.parse((await file(`latest/export?format=json${filterBy('sourceName:is:Baidu')}`)).body) as { rows: VisitRow[] };
    expect(rows).toHaveLength(128);
    const first = await read<{ rows: VisitRow[] }>(owner, als(`latest?size=100${filterBy('sourceName:is:Baidu')}`));
    expect(rows.slice(0, 100)).toEqual(first.rows);
    expect(lines((await file(`latest/export?${filterBy('sourceName:is:Baidu')}`)).body)[1]).toContain('"茶,壶"');
    expect(mostExportedVisits).toBe(10_000);
  });

  test('missing permission and invalid queries are refused before a file begins', async () => {
    const viewer = await program.makePerson('member');
    await program.grant(siteId, viewer.userId, 'viewer');
    for (const path of [
      `tree/export?${range}`,
      `flow/export?${range}&path=/`,
      `distribution/export?${range}&of=views`,
      `movers/export?${range}&by=path`,
      'latest/export',
    ])
      expect([path, (await viewer.get(als(path))).statusCode]).toEqual([path, 403]);
    expect((await owner.get(als(`latest/export?${filterBy('nothing:is:1')}`))).statusCode).toBe(422);
    expect((await owner.get(als('latest/export?format=xml'))).statusCode).toBe(422);
  });
});
