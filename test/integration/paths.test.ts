import type { Collector } from '../../server/collect';
import { decodeHits, encodeHits } from '../../server/collect/row';
import { goals, segments } from '../../server/areas/insights/schema';
import type { Report } from '../../contract/analytics/schemas';
import type { Site } from '../../contract/sites/schemas';
import { makeHit } from '../oracle/traffic';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { sendChunk } from '../support/sendChunk';
import { openCollectingApp } from './collectingApp';
import type { CollectingApp } from './collectingApp';
import { hex16, person as agent, viewHit } from './collectSupport';

let opened: CollectingApp;
let program: TestApp;
let owner: Person;
let collector: Collector;
let site: Site;

beforeAll(async () => {
  opened = await openCollectingApp();
  ({ program, owner, collector } = opened);
  site = await program.makeSite(owner, { name: '茶馆', purpose: 'external', url: 'https://example.com/', timeZone: 'UTC' });
  for (const l of ['https://example.com/%E8%8C%B6%E5%8F%B6/a%2fb', 'https://example.com/%e8%8c%b6%e5%8f%b6/a%2Fb', 'https://example.com/茶叶/a%2fb'])
    await collector.accept({
      body: JSON.stringify({ s: site.id, u: hex16(), h: [viewHit({ l, r: 'https://other.example/%e8%8c%b6?q=%e8%8c%b6' })] }),
      address: '203.0.113.9',
      userAgent: agent,
      headers: { 'accept-language': 'zh-CN' },
    });
  const sent = await owner.send('POST', `/api/site/${site.id}/als/hits`, { hits: [{ id: '1', url: 'https://example.com/%e8%8c%b6叶/a%2Fb', visitorId: 'x' }] });
  expect(sent.statusCode).toBe(200);
  await importLog();
  await collector.flush();
});
afterAll(() => opened.close());

const als = (rest: string): string => `/api/site/${site.id}/als/${rest}`;
const today = (): string => new Date(program.ctx.now()).toISOString().slice(0, 10);
const yesterday = (): string => new Date(program.ctx.now() - 86_400_000).toISOString().slice(0, 10);
const days = (): string => `from=${yesterday()}&to=${today()}`;
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller knows what the call answers
const get = async <T>(rest: string): Promise<T> => {
  const answer = await owner.get(als(rest));
  expect([answer.statusCode, rest, answer.body.slice(0, 300)]).toEqual([200, rest, expect.anything()]);
  return answer.json<{ data: T }>().data;
};
const displayedPath = '/茶叶/a%2Fb';

/** A log line with the path in raw bytes, and one with escapes. */
async function importLog(): Promise<void> {
  const month = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const at = new Date(program.ctx.now() - 60_000);
  const time = `${String(at.getUTCDate()).padStart(2, '0')}/${month[at.getUTCMonth()]}/${at.getUTCFullYear()}:${at.toISOString().slice(11, 19)} +0000`;
  const lines = ['/\\xe8\\x8c\\xb6\\xe5\\x8f\\xb6/a%2fb', '/%e8%8c%b6%E5%8F%B6/a%2Fb'].map(
    (path, i) => `198.51.100.${i} - - [${time}] "GET ${path} HTTP/1.1" 200 512 "-" "${agent}"`,
  );
  const content = Buffer.from(`${lines.join('\n')}\n`);
  const createResponse = await owner.send('POST', als('imports'), { files: [{ name: 'a.log', size: content.length }] });
  const { id } = createResponse.json<{ data: { id: string } }>().data;
  await sendChunk(owner, als(`imports/${id}/files/0`), 0, content);
  expect((await owner.send('POST', als(`imports/${id}/start`), { mode: 'count' })).statusCode).toBe(200);
  await until(async () => (await get<{ state: string }>(`imports/${id}`)).state === 'done', 30_000);
}

test('one page is one row, whatever its source and escaping', async () => {
  const report = await get<Report>(`report?${days()}&who=all&by=path`);
  expect(report.rows?.map(({ key, values }) => [key, values.views])).toEqual([[displayedPath, 6]]);
  expect((await get<Report>(`report?${days()}&who=all&by=entryPath`)).rows?.map(({ key }) => key)).toEqual([displayedPath]);
  expect((await get<Report>(`report?${days()}&who=all&by=directory`)).rows?.map(({ key }) => key)).toEqual(['/茶叶/']);
});

test.each([
  'path:contains:茶叶',
  'path:contains:%E8%8C%B6',
  `path:is:${displayedPath}`,
  'path:is:/%e8%8c%b6%e5%8f%b6/a%2fb',
  'directory:is:/茶叶/',
  'entryPath:contains:茶',
])('the filter %s matches it', async (filter) => {
  expect((await get<Report>(`report?${days()}&who=all&filter=${encodeURIComponent(filter)}`)).totals.views).toBe(6);
});

test('a referring page is found by its displayed text, too', async () => {
  const rows = await get<Report>(`report?${days()}&who=all&by=referrerUrl&filter=${encodeURIComponent('referrerPath:contains:茶')}`);
  expect(rows.rows?.map(({ key }) => key)).toEqual(['https://other.example/茶?q=茶']);
});

test('suggestions, page flow, tree and export show the same text', async () => {
  expect(await get<string[]>(`values?${days()}&by=path&q=${encodeURIComponent('%e8%8c')}`)).toEqual([]);
  for (const q of ['茶', '%e8%8c%b6']) expect(await get<string[]>(`values?${days()}&by=path&q=${encodeURIComponent(q)}`)).toEqual([displayedPath]);
  for (const path of [displayedPath, '/%E8%8C%B6%e5%8f%b6/a%2fb'])
    expect(await get(`flow?${days()}&who=all&path=${encodeURIComponent(path)}`)).toMatchObject({ path: displayedPath, views: 6 });
  expect(await get(`tree?${days()}&who=all&under=${encodeURIComponent('/%E8%8C%B6叶/')}`)).toMatchObject({ under: '/茶叶/', nodes: [{ path: displayedPath }] });
  const file = await owner.get(als(`export?${days()}&who=all&by=path&format=csv`));
  expect([file.statusCode, file.body]).toEqual([200, expect.stringContaining(displayedPath)]);
});

test('goals and segments saved with escapes still work', async () => {
  const { db } = program.ctx.postgres;
  const commonColumns = { siteId: site.id, author: owner.userId, createdAt: new Date() };
  const condition = { kind: 'page', match: 'starts', path: '/%E8%8C%B6%E5%8F%B6/' } as const;
  await db.insert(goals).values({ ...commonColumns, name: 'tea', condition, worth: { kind: 'none' } });
  const [segment] = await db
    .insert(segments)
    .values({ ...commonColumns, name: 'tea', filters: ['path:contains:%E5%8F%B6'], shared: true })
    .returning();
  expect((await get<Report>(`report?${days()}&who=all&with=goals&segment=${segment?.id}`)).totals).toMatchObject({ views: 6, conversions: 6 });
  const added = await owner.send('POST', als('goals'), {
    name: 'glob',
    condition: { kind: 'page', match: 'glob', path: '/%e8%8c%b6*/**' },
    worth: { kind: 'none' },
  });
  expect(added.json()).toMatchObject({ data: { condition: { path: '/茶*/**' } } });
});

test('journal hits of an older version are read in the new form', () => {
  const hit = makeHit({ path: '/%e8%8c%b6', ref_path: '/%2f', ref_url: 'https://a.example/%2f' });
  expect(decodeHits(encodeHits([hit]))).toEqual([{ ...hit, path: '/茶', ref_path: '/%2F', ref_url: 'https://a.example/%2F' }]);
});
