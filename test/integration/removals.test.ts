import { jest } from '@jest/globals';
import type { StoredNotices } from '../../contract/notices/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { auditLog } from '../../server/areas/audit/schema';
import { removals } from '../../server/kit/schema';
import { dataOf, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { guestOf } from '../support/publicLinks';
import { runSchedule } from '../support/schedules';
import { personOn } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let editor: Person;
let viewer: Person;
let site: Site;
let other: Site;
let table: ContentTable;
let record: string;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner);
  other = await program.makeSite(owner);
  editor = await personOn(program, site, 'editor');
  viewer = await personOn(program, site, 'viewer');
  table = await create(`/api/site/${site.id}/table/tables`, { title: '茶', fields: [{ key: 'name', title: 'Name', type: 'text' }] });
  await addHook();
  const written = await create<{ records: { id: string }[] }>(`${tablePath()}/records`, { records: [{ name: '龙井' }] });
  record = written.records[0]?.id ?? '';
});
afterAll(() => program.close());

const als = (path: string) => `/api/site/${site.id}/als/${path}`;
const tablePath = () => `/api/site/${site.id}/table/tables/${table.id}`;
const hooksPath = () => `/api/site/${site.id}/table/hooks`;
const linksPath = () => `/api/site/${site.id}/table/shares`;
const commentsPath = () => `${tablePath()}/records/${record}/comments`;
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller knows what the call answers
async function create<T>(path: string, body: object, by = owner): Promise<T> {
  const answer = await by.send('POST', path, body);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`);
  return dataOf<T>(answer);
}
/** Creates something and returns its path. */
const add = async (path: string, body: object, by?: Person) => `${path}/${(await create<{ id: string }>(path, body, by)).id}`;
const condition = { kind: 'page', match: 'is', path: '/thanks' };
let names = 0;
const name = () => `n${names++}`;
const addGoal = () => add(als('goals'), { name: name(), condition, worth: { kind: 'none' } });
const addSegment = (shared: boolean, by?: Person) => add(als('segments'), { name: name(), filters: ['sourceType:is:search'], shared }, by);
const addComment = (text: string, by?: Person) => add(commentsPath(), { text }, by);
const addView = () => add(`${tablePath()}/views`, { title: '绿茶', kind: 'grid', query: {} });
const addViewLink = async (view: string) => create<{ id: string; url: string }>(`${view}/shares`, { name: '客户' });
const addHook = async () => {
  const { hook } = await create<{ hook: { id: string } }>(hooksPath(), { name: name(), url: 'https://example.com/hook', events: ['record.created'] });
  return `${hooksPath()}/${hook.id}`;
};
const remove = async (path: string, by = owner) => expect((await by.send('DELETE', path)).statusCode).toBe(204);
const restore = (path: string, by = owner) => by.send('POST', `${path}/restore`);
const codeOf = async (path: string, by?: Person) => (await restore(path, by)).json<{ code: string }>().code;
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const storedRows = async (from: string, column: string, id: string) =>
  (await program.ctx.postgres.pool.query<{ row: object }>(`SELECT to_jsonb(t) AS row FROM ${from} t WHERE ${column} = $1 ORDER BY id`, [id])).rows;

const kinds: readonly [name: string, table: string, add: () => Promise<string>][] = [
  ['goal', 'goals', addGoal],
  ['funnel', 'funnels', () => add(als('funnels'), { name: name(), steps: [condition, condition], within: 60, scope: 'visit' })],
  ['segment', 'segments', () => addSegment(true)],
  ['note', 'annotations', () => add(als('annotations'), { day: '2026-11-02', time: '10:30', text: '改版' })],
  ['view', 'content_views', addView],
  ['webhook', 'content_hooks', addHook],
  ['comment', 'content_comments', () => addComment('好茶')],
  ['public link to reports', 'shares', () => add(als('shares'), { name: '客户', screens: ['overview'], password: 'tea-2026' })],
  ['public link to a view', 'content_view_shares', async () => `${linksPath()}/${(await addViewLink(await addView())).id}`],
];
describe.each(kinds)('a removed %s', (_name, from, addOne) => {
  test('comes back as it was, once, on its site', async () => {
    const path = await addOne();
    const before = await storedRows(from, 'id', idOf(path));
    await remove(path);
    expect(await storedRows(from, 'id', idOf(path))).toEqual([]);
    expect(await codeOf(path.replace(site.id, other.id))).toBe('not_found');
    expect(await codeOf(path, await program.makePerson('member'))).toBe('not_found');
    expect(dataOf<{ id: string }>(await restore(path)).id).toBe(idOf(path));
    expect(before).toHaveLength(1);
    expect(await storedRows(from, 'id', idOf(path))).toEqual(before);
    expect(await codeOf(path)).toBe('not_found');
  });
});

test('a restored goal leaves no note of its removal on charts', async () => {
  const path = await addGoal();
  const annotationCount = async () => (await storedRows('annotations', `kind = 'goal_removed' AND values ->> 'goal'`, idOf(path))).length;
  await remove(path);
  expect(await annotationCount()).toBe(1);
  await restore(path);
  expect(await annotationCount()).toBe(0);
  const log = await program.ctx.postgres.db.select({ action: auditLog.action }).from(auditLog).orderBy(auditLog.id);
  expect(log.slice(-2)).toEqual([{ action: 'goal.removed' }, { action: 'goal.restored' }]);
});

test('public links come back with their view, at the same address', async () => {
  const view = await addView();
  const { url } = await addViewLink(view);
  const status = async () => (await guestOf(program, idOf(url)).get('/api/view')).statusCode;
  await remove(view);
  expect(await status()).toBe(404);
  expect(await codeOf(view, editor)).toBe('not_found');
  expect((await restore(view)).statusCode).toBe(200);
  expect(await status()).toBe(200);
});

test('a link to a view that was removed cannot come back before it', async () => {
  const view = await addView();
  const link = `${linksPath()}/${(await addViewLink(view)).id}`;
  await remove(link);
  await remove(view);
  expect(await codeOf(link)).toBe('parent_gone');
  await restore(view);
  expect((await restore(link)).statusCode).toBe(200);
});

test('a webhook comes back with its deliveries', async () => {
  const path = await addHook();
  await create(`${tablePath()}/records`, { records: [{ name: '祁门红茶' }] });
  const before = await storedRows('content_deliveries', 'hook_id', idOf(path));
  expect(before).toHaveLength(1);
  await remove(path);
  await restore(path);
  expect(await storedRows('content_deliveries', 'hook_id', idOf(path))).toEqual(before);
});

test('a comment comes back with its notices, for the person who removed it', async () => {
  const bell = async () => (await viewer.get('/api/acc/notices')).json<{ data: StoredNotices }>().data.rows;
  const path = await addComment(`@[${viewer.userId}] 看一下`, editor);
  const before = await bell();
  expect(before).toHaveLength(1);
  await remove(path, editor);
  expect(await bell()).toEqual([]);
  for (const person of [viewer, owner]) expect(await codeOf(path, person)).toBe('not_found');
  expect((await restore(path, editor)).statusCode).toBe(200);
  expect(await bell()).toEqual(before);
});

test('what somebody else removed stays removed', async () => {
  const path = await addComment('请删除', editor);
  await remove(path);
  expect(await codeOf(path, editor)).toBe('not_found');
  expect((await restore(path)).statusCode).toBe(200);
});

test('a private segment comes back only for its author', async () => {
  const path = await addSegment(false, editor);
  await remove(path, editor);
  expect(await codeOf(path)).toBe('not_found');
  expect((await restore(path, editor)).statusCode).toBe(200);
});

test('a definition whose name is used again stays removed', async () => {
  const goal = { name: name(), condition, worth: { kind: 'none' } };
  const path = await add(als('goals'), goal);
  await remove(path);
  const successor = await add(als('goals'), goal);
  expect(await codeOf(path)).toBe('place_taken');
  await remove(successor);
  expect((await restore(path)).statusCode).toBe(200);
});

test('a removal can be undone for an hour', async () => {
  const path = await addGoal();
  await remove(path);
  program.pass(3_600_001);
  expect(await codeOf(path)).toBe('not_found');
  await runSchedule(program.ctx, 'removals.sweep');
  expect(await program.ctx.postgres.db.select().from(removals)).toEqual([]);
});
