import { jest } from '@jest/globals';
import type { ContentRecord, Written } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { publishDue } from '../../server/areas/tables/publishing';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { ask, callsOf } from './tablesLifeSupport';
import type { Calls, Failed } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let posts: ContentTable;
let first: string;
let second: string;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: 'Tea' });
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

const at = (rest: string): string => `tables/${posts.id}/records/${rest}`;
const change = async (id: string, values: object): Promise<void> =>
  expect((await calls.send('PATCH', `tables/${posts.id}/records`, { changes: [{ id, values }] })).statusCode).toBe(200);
const publish = (...ids: string[]) => calls.send('POST', at('publish'), { target: { ids } });
const undo = (batchId: string | null) => calls.post<{ skipped: object[] }>(`batches/${batchId ?? 'x'}/undo`, {});
/** Codes of the records that are published. */
const published = async (): Promise<string[]> => {
  const code = posts.fields.find(({ key }) => key === 'code')?.id ?? '';
  return (await ask<{ code: string }>(program, site, `select ${code} as code from $site.p_${posts.id.slice(2)} order by 1`)).map((row) => row.code);
};

/** The first is published as `x` and goes on as the draft `y`; the second takes `x`, which no draft has any more. */
beforeEach(async () => {
  posts = await calls.table({
    title: 'Posts',
    drafts: true,
    fields: [
      { type: 'text', title: 'Title', key: 'title' },
      { type: 'text', title: 'Code', key: 'code', unique: true },
      { type: 'slug', title: 'Slug', key: 'slug', unique: true, options: { from: 'title' } },
    ],
  });
  [first = '', second = ''] = await calls.add(posts.id, [{ code: 'x' }, { code: 'other' }]);
  expect((await publish(first)).statusCode).toBe(200);
  await change(first, { code: 'y' });
  await change(second, { code: 'x' });
});

test('a value that only the published state of another record has may be saved, but not be published', async () => {
  const refused = await publish(second);
  expect([refused.statusCode, refused.json<Failed>().fields]).toEqual([422, { code: { code: 'taken' } }]);
  expect(await published()).toEqual(['x']);
  await publish(first);
  expect((await publish(second)).statusCode).toBe(200);
  expect(await published()).toEqual(['x', 'y']);
});

test('both are published in one go, whatever their order, and a value is free once its record is off the site or in the bin', async () => {
  expect((await publish(second, first)).statusCode).toBe(200);
  expect(await published()).toEqual(['x', 'y']);
  await change(first, { code: 'z' });
  await change(second, { code: 'y' });
  await calls.post(at('unpublish'), { target: { ids: [first] } });
  expect((await publish(second)).statusCode).toBe(200);
  expect(await published()).toEqual(['y']);
  const [third = ''] = await calls.add(posts.id, [{ code: 'third' }]);
  await change(second, { code: 'w' });
  await change(third, { code: 'y' });
  await calls.post(at('trash'), { target: { ids: [second] } });
  expect((await publish(third)).statusCode).toBe(200);
});

test('undoing what took a record off the site does not publish a value twice', async () => {
  const off = await calls.post<Written>(at('unpublish'), { target: { ids: [first] } });
  expect((await publish(second)).statusCode).toBe(200);
  expect(await undo(off.batchId)).toMatchObject({ skipped: [{ recordId: first, field: '$published' }] });
  expect(await published()).toEqual(['x']);
});

test('a record that comes back out of the bin comes back as a draft where its published value is taken', async () => {
  await calls.post(at('trash'), { target: { ids: [first] } });
  expect((await publish(second)).statusCode).toBe(200);
  await calls.post(at('restore'), { ids: [first] });
  expect(await calls.get<ContentRecord>(at(first))).toMatchObject({ state: 'draft' });
  expect(await published()).toEqual(['x']);
});

test('of two who publish and give back the same value at the same moment only one has it', async () => {
  const off = await calls.post<Written>(at('unpublish'), { target: { ids: [first] } });
  await Promise.all([publish(second), undo(off.batchId)]);
  expect(await published()).toEqual(['x']);
});

test('what cannot be published when its time comes, because its value is taken, stays a draft and is told', async () => {
  await calls.post(at('publish'), { target: { ids: [second] }, at: new Date(program.ctx.now() + 60_000).toISOString() });
  program.pass(120_000);
  await publishDue(program.ctx);
  expect(await published()).toEqual(['x']);
  const failures = await ask<{ record_id: string }>(program, site, 'select record_id from content_publication_failures where table_id = $1', [posts.id]);
  expect(failures).toEqual([{ record_id: second }]);
});

test('a slug is not made like the one that another record is published under', async () => {
  const [shown = ''] = await calls.add(posts.id, [{ title: 'Green tea' }]);
  await publish(shown);
  await change(shown, { slug: 'another' });
  const [fresh = ''] = await calls.add(posts.id, [{ title: 'Green tea' }]);
  expect((await calls.get<ContentRecord>(`${at(fresh)}?names=key`)).values['slug']).toBe('green-tea-2');
  expect((await publish(fresh)).statusCode).toBe(200);
  // Its own it may have again.
  await change(shown, { slug: '' });
  expect((await calls.get<ContentRecord>(`${at(shown)}?names=key`)).values['slug']).toBe('green-tea');
});
