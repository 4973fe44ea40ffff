import { jest } from '@jest/globals';
import type { ContentRecord, RecordChange, Written } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { publishDue } from '../../server/areas/tables/publishing';
import { startWorker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { ask, callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
const minute = 60_000;
let program: TestApp;
let owner: Person;
let editor: Person;
let site: Site;
let calls: Calls;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  editor = await personOn(program, site, 'editor');
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

let posts: ContentTable;
let tags: ContentTable;
const at = (rest: string): string => `tables/${posts.id}/records/${rest}`;
beforeEach(async () => {
  tags = await calls.table({ title: '标签', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  posts = await calls.table({
    title: '文章',
    drafts: true,
    fields: [
      { type: 'text', title: 'Title', key: 'title' },
      { type: 'number', title: 'Price', key: 'price' },
      { type: 'relations', title: 'Tags', key: 'tags', options: { to: tags.id } },
      { type: 'text', title: 'Summary', key: 'summary', required: true },
    ],
  });
});
const field = (key: string): string => posts.fields.find((one) => one.key === key)?.id ?? '';
const add = async (title: string, more: object = {}): Promise<string> => (await calls.add(posts.id, [{ title, summary: 's', ...more }]))[0] ?? '';
const change = async (id: string, values: object): Promise<void> => {
  const answer = await calls.send('PATCH', `tables/${posts.id}/records`, { changes: [{ id, values }] });
  if (answer.statusCode !== 200) throw new Error(answer.body);
};
const publish = (ids: string[], more: object = {}, by?: Person) => calls.post<Written>(at('publish'), { target: { ids }, ...more }, by);
const one = (id: string) => calls.get<ContentRecord>(at(id));
const states = async () => (await calls.rows(posts.id)).map(({ values, state }) => [values['title'], state]);
/** The published values, from the table that the public reads. */
const published = (): Promise<{ title: string; price: string | null; tags: string[] | null }[]> =>
  ask(
    program,
    site,
    `select ${field('title')} as title, ${field('price')}::text as price, ${field('tags')}::text[] as tags from $site.p_${posts.id.slice(2)} order by ord`,
  );
const undo = (batchId: string | null): Promise<unknown> => calls.post(`batches/${batchId}/undo`, {});
const history = (id: string) => calls.get<RecordChange[]>(at(`${id}/history`));

test('published values stay unchanged until the record is published again', async () => {
  const [x = '', y = ''] = await calls.add(tags.id, [{ name: 'x' }, { name: 'y' }]);
  const id = await add('春', { price: '12.50', tags: [y, x] });
  expect([await states(), await published()]).toEqual([[['春', 'draft']], []]);
  await publish([id], {}, editor);
  const spring = { title: '春', price: '12.50', tags: [y, x] };
  expect([await states(), await published()]).toEqual([[['春', 'published']], [spring]]);
  await change(id, { title: '夏', tags: [x], price: null });
  expect([await states(), await published()]).toEqual([[['夏', 'changed']], [spring]]);
  await publish([id]);
  expect([await states(), await published()]).toEqual([[['夏', 'published']], [{ title: '夏', price: null, tags: [x] }]]);
  await change(id, { title: '秋' });
  await change(id, { title: '夏' });
  expect(await states()).toEqual([['夏', 'published']]);
});

test('undo of publishing or unpublishing restores the former public version', async () => {
  const id = await add('春');
  const first = await publish([id]);
  await change(id, { title: '夏' });
  const second = await publish([id]);
  await undo(second.batchId);
  expect([await states(), (await published()).map(({ title }) => title)]).toEqual([[['夏', 'changed']], ['春']]);
  await undo(first.batchId);
  expect([await states(), await published()]).toEqual([[['夏', 'draft']], []]);
  await publish([id]);
  const off = await calls.post<Written>(at('unpublish'), { target: { ids: [id] } });
  expect([await states(), await published()]).toEqual([[['夏', 'draft']], []]);
  await undo(off.batchId);
  expect([await states(), (await published()).map(({ title }) => title)]).toEqual([[['夏', 'published']], ['夏']]);
});

test('binning unpublishes a record, undo and restore publish it again', async () => {
  const id = await add('春');
  await publish([id]);
  const thrown = await calls.post<Written>(at('trash'), { target: { ids: [id] } });
  expect(await published()).toEqual([]);
  await undo(thrown.batchId);
  expect([await states(), (await published()).length]).toEqual([[['春', 'published']], 1]);
  await calls.post(at('trash'), { target: { ids: [id] } });
  await calls.post(at('restore'), { ids: [id] });
  expect([await states(), (await published()).length]).toEqual([[['春', 'published']], 1]);
});

test('restoring a record drops a scheduled publication that has passed', async () => {
  const [past, coming] = [await add('past'), await add('coming')];
  const inMinutes = (minutes: number): string => new Date(program.ctx.now() + minutes * minute).toISOString();
  await publish([past], { at: inMinutes(10) });
  await publish([coming], { at: inMinutes(60) });
  await calls.post(at('trash'), { target: { ids: [past, coming] } });
  program.pass(30 * minute);
  await calls.post(at('restore'), { ids: [past, coming] });
  await publishDue(program.ctx);
  expect(await states()).toEqual([
    ['past', 'draft'],
    ['coming', 'draft'],
  ]);
  expect([(await one(past)).publishAt, (await one(coming)).publishAt]).toEqual([null, expect.any(String)]);
});

test('two simultaneous publications publish a record once', async () => {
  const id = await add('春');
  const answers = await Promise.all([publish([id]), publish([id], {}, editor)]);
  expect(answers.map(({ updated, unchanged }) => updated + unchanged)).toEqual([1, 1]);
  expect(answers.filter(({ batchId }) => batchId !== null)).toHaveLength(1);
  expect([await states(), (await published()).length]).toEqual([[['春', 'published']], 1]);
  expect((await history(id)).filter(({ kind }) => kind === 'publish')).toHaveLength(1);
});

test('one incomplete record prevents publication of all, and names its field', async () => {
  const [good, bad] = [await add('good'), await add('bad', { summary: '' })];
  const answer = await calls.send('POST', at('publish'), { target: { ids: [good, bad] } });
  expect([answer.statusCode, answer.json<{ fields: object }>().fields]).toEqual([422, { 'target.ids.1.summary': { code: 'required' } }]);
  expect(await published()).toEqual([]);
});

test('records of a table without drafts cannot be published', async () => {
  const [x] = await calls.add(tags.id, [{ name: 'x' }]);
  for (const act of ['publish', 'unpublish'])
    expect(await calls.refused('POST', `tables/${tags.id}/records/${act}`, { target: { ids: [x] } })).toBe('conflict');
});

test('a rule limits which records an editor may publish', async () => {
  await setRule(program, posts, site, { role: 'editor', action: 'publish', allowed: true, filter: { field: 'price', op: 'lt', value: '10' } });
  const [cheap, dear] = [await add('cheap', { price: '1' }), await add('dear', { price: '99' })];
  expect(await calls.refused('POST', at('publish'), { target: { ids: [cheap, dear] } }, undefined, editor)).toBe('forbidden');
  await calls.post(at('publish'), { target: { filter: null } }, editor);
  expect((await published()).map(({ title }) => title)).toEqual(['cheap']);
});

describe('scheduled publishing', () => {
  const inMinutes = (minutes: number): string => new Date(program.ctx.now() + minutes * minute).toISOString();
  const soon = () => publishDue(program.ctx);
  const titles = async () => (await published()).map(({ title }) => title);

  test('publishes and unpublishes on time, also after a restart', async () => {
    const id = await add('春');
    await publish([id], { at: inMinutes(10), unpublishAt: inMinutes(60) }, editor);
    expect(await one(id)).toMatchObject({ state: 'draft', publishAt: expect.any(String), unpublishAt: expect.any(String) });
    const work = () => startWorker(program.ctx, [], [{ name: `due ${Math.random()}`, every: 15_000, run: publishDue }], { pollEvery: 30 });
    const before = work();
    await before.close();
    expect(await titles()).toEqual([]);
    program.pass(10 * minute);
    const after = work();
    await until(async () => (await titles()).length === 1);
    await after.close();
    expect(await one(id)).toMatchObject({ state: 'published', publishAt: null, unpublishAt: expect.any(String) });
    expect((await history(id))[0]).toMatchObject({ kind: 'publish', origin: 'schedule', by: '' });
    program.pass(51 * minute);
    await soon();
    expect([await titles(), await one(id)]).toEqual([[], expect.objectContaining({ state: 'draft', unpublishAt: null })]);
  });

  test('can be cancelled, undone and replaced by immediate publication', async () => {
    const [a, b, c] = [await add('a'), await add('b'), await add('c')];
    const planned = await publish([a, b, c], { at: inMinutes(10) });
    const cancelled = await publish([a], { cancel: true });
    expect((await one(a)).publishAt).toBeNull();
    await publish([b]);
    expect((await one(b)).publishAt).toBeNull();
    await undo(cancelled.batchId);
    program.pass(11 * minute);
    await soon();
    expect(await titles()).toEqual(['a', 'b', 'c']);
    expect((await history(b)).filter(({ kind }) => kind === 'publish')).toHaveLength(1);
    const { skippedCount } = await calls.post<{ skippedCount: number }>(`batches/${planned.batchId}/undo`, {});
    expect(skippedCount).toBeGreaterThan(0);
    expect(await titles()).toEqual(['a', 'b', 'c']);
  });

  test('publishes at once for past times and skips a period already over', async () => {
    const [now, both] = [await add('now'), await add('both')];
    await publish([now], { at: new Date(program.ctx.now() - minute).toISOString() });
    expect(await titles()).toEqual(['now']);
    expect(await calls.refused('POST', at('publish'), { target: { ids: [both] }, at: inMinutes(10), unpublishAt: inMinutes(5) })).toBe('invalid_fields');
    expect(await calls.refused('POST', at('publish'), { target: { ids: [both] }, at: 'tomorrow' })).toBe('invalid_fields');
    await publish([both], { at: inMinutes(10), unpublishAt: inMinutes(20) });
    program.pass(30 * minute);
    await soon();
    expect([await titles(), await one(both)]).toEqual([['now'], expect.objectContaining({ state: 'draft', publishAt: null, unpublishAt: null })]);
  });

  test('leaves incomplete records as drafts and publishes the others', async () => {
    const [bad, good] = [await add('bad'), await add('good')];
    await publish([bad, good], { at: inMinutes(10) });
    await change(bad, { summary: '' });
    program.pass(11 * minute);
    await soon();
    expect([await titles(), await one(bad)]).toEqual([['good'], expect.objectContaining({ state: 'draft', publishAt: null })]);
    expect(await ask(program, site, 'select due_at from content_tables where id = $1', [posts.id])).toEqual([{ due_at: null }]);
  });
});
