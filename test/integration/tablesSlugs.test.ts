import type { ContentRecord, Written } from '../../contract/tables/records';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';

let program: TestApp;
let teas: Tabled;
beforeAll(async () => {
  program = await makeTestApp();
  teas = await makeTabled(
    program,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'note', type: 'text' },
      { key: 'slug', type: 'slug', unique: true, options: { from: 'title' } },
      { key: 'path', type: 'slug', localized: true, options: { from: 'title' } },
    ],
    { drafts: true, locales: ['zh-Hans', 'en'] },
  );
});
afterAll(() => program.close());

const post = async <T>(rest: string, body: object): Promise<T> => {
  const answer = await teas.owner.send('POST', `${teas.path}/${rest}`, body);
  if (answer.statusCode >= 300) throw new Error(answer.body);
  return answer.json<{ data: T }>().data;
};
const add = async (values: object): Promise<string> => (await post<Written>('records', { records: [values] })).records[0]?.id ?? '';
const change = (id: string, values: object, more: object = {}) => teas.owner.send('PATCH', `${teas.path}/records`, { changes: [{ id, values }], ...more });
const read = async (id: string, query = ''): Promise<ContentRecord> =>
  (await teas.owner.get(`${teas.path}/records/${id}${query}`)).json<{ data: ContentRecord }>().data;
const slugOf = async (id: string): Promise<unknown> => (await read(id)).values['slug'];

test('a record created empty gets its slug with its title', async () => {
  const id = await add({});
  expect(await slugOf(id)).toBeNull();
  await change(id, { note: 'x' }, { origin: 'console' });
  expect(await slugOf(id)).toBeNull();
  await change(id, { title: 'Green tea' }, { origin: 'console' });
  expect((await read(id)).values).toMatchObject({ slug: 'green-tea', path: 'green-tea' });
});

test('a pasted title generates a slug', async () => {
  const id = await add({});
  const { failed } = await post<{ failed: number }>('records/paste', { fields: [teas.f['title']], rows: [{ id, cells: ['Pasted tea'] }] });
  expect([failed, await slugOf(id)]).toEqual([0, 'pasted-tea']);
});

test('a bulk edit generates distinct slugs', async () => {
  const ids = [await add({}), await add({})];
  await post('records/bulk', { target: { ids }, values: { title: 'Same tea' } });
  expect(await Promise.all(ids.map(slugOf))).toEqual(['same-tea', 'same-tea-2']);
});

test('a slug stays when the title changes', async () => {
  const id = await add({ title: 'Old name' });
  await change(id, { title: 'New name' });
  expect(await slugOf(id)).toBe('old-name');
});

test('clearing a generated slug generates the same one again', async () => {
  const [first, second] = [await add({ title: 'Tea a' }), await add({ title: 'Tea a' })];
  for (let times = 0; times < 3; times++) {
    await change(first, { slug: null });
    await change(second, { slug: '' });
    expect([await slugOf(first), await slugOf(second)]).toEqual(['tea-a', 'tea-a-2']);
  }
});

test('clearing the slug while changing the title uses the new title', async () => {
  const id = await add({ title: 'Before' });
  await change(id, { title: 'After', slug: null });
  expect(await slugOf(id)).toBe('after');
});

test('a translated title generates a translated slug', async () => {
  const id = await add({ title: '红茶' });
  await change(id, { title: 'Black tea' }, { locale: 'en' });
  expect((await read(id, '?locale=en')).values['path']).toBe('black-tea');
  expect((await read(id)).values['path']).toBe('hong-cha');
});

test('a record without a slug gets one when it is published', async () => {
  const id = await add({ title: 'Left bare' });
  await program.ctx.postgres.pool.query(`UPDATE s_${teas.site.id}.${teas.table.id} SET ${teas.f['slug']} = NULL WHERE id = $1`, [id]);
  const written = await post<Written>('records/publish', { target: { ids: [id] } });
  expect(written).toMatchObject({ updated: 1 });
  expect(await read(id)).toMatchObject({ state: 'published', values: { slug: 'left-bare' } });
});

test('a copy gets a slug of its own', async () => {
  const id = await add({ title: 'Twice' });
  const copy = (await post<Written>('records/duplicate', { ids: [id] })).records[0]?.id ?? '';
  expect(await slugOf(copy)).toBe('twice-2');
});

test('redo restores the slug', async () => {
  const id = await add({});
  const { batchId } = (await change(id, { title: 'There and back' })).json<{ data: Written }>().data;
  const batches = `/api/site/${teas.site.id}/table/batches/${batchId}`;
  await teas.owner.send('POST', `${batches}/undo`, {});
  expect(await slugOf(id)).toBeNull();
  await teas.owner.send('POST', `${batches}/redo`, {});
  expect(await slugOf(id)).toBe('there-and-back');
});
