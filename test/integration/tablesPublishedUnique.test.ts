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
/** Codes of published records. */
const published = async (): Promise<string[]> => {
  const code = posts.fields.find(({ key }) => key === 'code')?.id ?? '';
  return (await ask<{ code: string }>(program, site, `select ${code} as code from $site.p_${posts.id.slice(2)} order by 1`)).map((row) => row.code);
};

/** The first record is published as `x` and has the draft `y`; the second takes `x`, which no draft uses any more. */
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

test('a value of another published version can be saved, not published', async () => {
  const refused = await publish(second);
  expect([refused.statusCode, refused.json<Failed>().fields]).toEqual([422, { code: { code: 'taken' } }]);
  expect(await published()).toEqual(['x']);
  await publish(first);
  expect((await publish(second)).statusCode).toBe(200);
  expect(await published()).toEqual(['x', 'y']);
});

test('swapped values are published together, and unpublishing frees a value', async () => {
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

test('undoing an unpublish does not publish a duplicate value', async () => {
  const off = await calls.post<Written>(at('unpublish'), { target: { ids: [first] } });
  expect((await publish(second)).statusCode).toBe(200);
  expect(await undo(off.batchId)).toMatchObject({ skipped: [{ recordId: first, field: '$published' }] });
  expect(await published()).toEqual(['x']);
});

test('a restored record becomes a draft when its published value is taken', async () => {
  await calls.post(at('trash'), { target: { ids: [first] } });
  expect((await publish(second)).statusCode).toBe(200);
  await calls.post(at('restore'), { ids: [first] });
  expect(await calls.get<ContentRecord>(at(first))).toMatchObject({ state: 'draft' });
  expect(await published()).toEqual(['x']);
});

test('concurrent publish and undo never publish the same value twice', async () => {
  const off = await calls.post<Written>(at('unpublish'), { target: { ids: [first] } });
  await Promise.all([publish(second), undo(off.batchId)]);
  expect(await published()).toEqual(['x']);
});

test('a scheduled publication with a taken value fails and is listed', async () => {
  await calls.post(at('publish'), { target: { ids: [second] }, at: new Date(program.ctx.now() + 60_000).toISOString() });
  program.pass(120_000);
  await publishDue(program.ctx);
  expect(await published()).toEqual(['x']);
  const failures = await ask<{ record_id: string }>(program, site, 'select record_id from content_publication_failures where table_id = $1', [posts.id]);
  expect(failures).toEqual([{ record_id: second }]);
});

test('a generated slug avoids slugs of published records', async () => {
  const [publishedId = ''] = await calls.add(posts.id, [{ title: 'Green tea' }]);
  await publish(publishedId);
  await change(publishedId, { slug: 'another' });
  const [fresh = ''] = await calls.add(posts.id, [{ title: 'Green tea' }]);
  expect((await calls.get<ContentRecord>(`${at(fresh)}?names=key`)).values['slug']).toBe('green-tea-2');
  expect((await publish(fresh)).statusCode).toBe(200);
  // A record may reuse its own slug.
  await change(publishedId, { slug: '' });
  expect((await calls.get<ContentRecord>(`${at(publishedId)}?names=key`)).values['slug']).toBe('green-tea');
});
