import { jest } from '@jest/globals';
import type { Job } from '../../contract/jobs/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { choiceJob } from '../../server/areas/tables/schema';
import { startWorker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { callsOf, personOn } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let teas: ContentTable;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner);
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

const choices = (...titles: string[]) => titles.map((title) => ({ id: title, title }));
beforeEach(async () => {
  teas = await calls.table({
    title: '茶',
    drafts: true,
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      {
        type: 'select',
        title: 'Kind',
        key: 'kind',
        searchable: true,
        options: { choices: choices('green', 'black', 'white') },
        default: { kind: 'value', value: 'green' },
      },
      { type: 'multiSelect', title: 'Tags', key: 'tags', options: { choices: choices('new', 'old', 'rare') } },
    ],
  });
});
type Removed = { batchId: string | null; moved: number; jobId: string | null; table: ContentTable };
const path = (key: string, choice: string): string => `tables/${teas.id}/fields/${key}/choices/${choice}/remove`;
const remove = (key: string, choice: string, to: string | null) => calls.post<Removed>(path(key, choice), { to });
const ids = async (key: string) =>
  (await calls.get<ContentTable>(`tables/${teas.id}`)).fields.find((one) => one.key === key)?.options.choices?.map(({ id }) => id);
const values = async (key: string) => (await calls.rows(teas.id, 'names=key')).map((row) => row.values[key]);
const field = (key: string) => teas.fields.find((one) => one.key === key)?.id ?? '';

test('removing a used choice moves its records in one undoable batch', async () => {
  const [first = ''] = await calls.add(teas.id, [{ name: 'a', kind: 'green' }, { name: 'b', kind: 'black' }, { name: 'c' }]);
  expect(await calls.get(`tables/${teas.id}/fields/kind/choices`)).toEqual([
    { id: 'green', records: 2 },
    { id: 'black', records: 1 },
    { id: 'white', records: 0 },
  ]);
  const patch = { options: { choices: choices('black', 'white') }, default: null };
  const refused = await calls.send('PATCH', `tables/${teas.id}/fields/kind`, patch, teas.revision);
  expect(refused.json()).toMatchObject({ code: 'invalid_fields', fields: { 'options.choices': { code: 'in_use', max: 2 } } });

  // Published values do not prevent the removal, and are moved too.
  await calls.post(`tables/${teas.id}/records/publish`, { target: { ids: [first] }, at: null });
  const { batchId, moved, table } = await remove('kind', 'green', 'white');
  expect([moved, await values('kind'), await ids('kind')]).toEqual([2, ['white', 'black', 'white'], ['black', 'white']]);
  expect(table.fields.find(({ key }) => key === 'kind')?.default).toEqual({ kind: 'value', value: 'white' });
  const { rows } = await program.ctx.postgres.pool.query(`SELECT ${field('kind')} AS kind, q::text FROM s_${site.id}.p_${teas.id.slice(2)}`);
  // The search index is updated too.
  expect(rows).toEqual([{ kind: 'white', q: `'=${field('kind')}:white' 'a'` }]);

  await calls.post(`batches/${batchId ?? 'x'}/undo`, {});
  expect([await values('kind'), await ids('kind')]).toEqual([
    ['green', 'black', 'green'],
    ['green', 'black', 'white'],
  ]);
});

test('undo returns a removed choice to its place, even after moves', async () => {
  await calls.add(teas.id, [{ name: 'a', tags: ['old'] }]);
  const { batchId, table } = await remove('tags', 'old', null);
  expect(await ids('tags')).toEqual(['new', 'rare']);
  await calls.post(`batches/${batchId ?? 'x'}/undo`, {});
  expect(await ids('tags')).toEqual(['new', 'old', 'rare']);
  await calls.post(`batches/${batchId ?? 'x'}/redo`, {});
  await calls.post(`batches/${batchId ?? 'x'}/undo`, {});
  expect(await ids('tags')).toEqual(['new', 'old', 'rare']);
  await calls.post(`batches/${batchId ?? 'x'}/redo`, {});
  const { revision } = await calls.get<ContentTable>(`tables/${table.id}`);
  const moved = await calls.send('PATCH', `tables/${teas.id}/fields/tags`, { options: { choices: choices('rare', 'fresh', 'new', 'last') } }, revision);
  expect(moved.statusCode).toBe(200);
  await calls.post(`batches/${batchId ?? 'x'}/undo`, {});
  expect(await ids('tags')).toEqual(['rare', 'fresh', 'new', 'old', 'last']);
  const stored = (await calls.get<ContentTable>(`tables/${teas.id}`)).fields.find(({ key }) => key === 'tags')?.options.choices;
  expect(stored?.find(({ id }) => id === 'old')).toEqual({ id: 'old', title: 'old', color: 'grey' });
});

test('reverting a definition change returns the choice to its place', async () => {
  const patch = { options: { choices: choices('new', 'rare') } };
  expect((await calls.send('PATCH', `tables/${teas.id}/fields/tags`, patch, teas.revision)).statusCode).toBe(200);
  const [change] = await calls.get<{ id: string }[]>(`tables/${teas.id}/history`);
  const { revision } = await calls.get<ContentTable>(`tables/${teas.id}`);
  const reverted = await calls.send('POST', `tables/${teas.id}/history/${change?.id ?? 'x'}/revert`, {}, revision);
  expect([reverted.statusCode, await ids('tags')]).toEqual([200, ['new', 'old', 'rare']]);
});

test('removing one choice keeps the others, in binned records too', async () => {
  const [a = '', b = ''] = await calls.add(teas.id, [
    { name: 'a', tags: ['new', 'old'] },
    { name: 'b', tags: ['old'] },
    { name: 'c', tags: ['rare'] },
  ]);
  await calls.post(`tables/${teas.id}/records/trash`, { target: { ids: [b] } });
  expect(await remove('tags', 'old', 'new')).toMatchObject({ moved: 1 });
  expect([await values('tags'), await ids('tags')]).toEqual([
    [['new'], ['rare']],
    ['new', 'rare'],
  ]);
  await calls.post(`tables/${teas.id}/records/restore`, { ids: [b] });
  expect(await values('tags')).toEqual([['new'], ['new'], ['rare']]);
  expect(await remove('tags', 'new', null)).toMatchObject({ moved: 2 });
  expect((await calls.send('PATCH', `tables/${teas.id}/records/${a}`, { values: { tags: ['rare'] } }, 3)).statusCode).toBe(200);
  // No record uses the choice, so there is no batch.
  await calls.post(`tables/${teas.id}/records/bulk`, { target: { filter: null }, values: { tags: null } });
  expect(await remove('tags', 'rare', null)).toMatchObject({ moved: 0, batchId: null, jobId: null });
});

test('undo restores removed choices in records from the bin', async () => {
  const [early = '', late = '', edited = '', live = ''] = await calls.add(teas.id, [
    { name: 'early', kind: 'green', tags: ['old', 'new'] },
    { name: 'late', kind: 'green' },
    { name: 'edited', kind: 'green' },
    { name: 'live', kind: 'green' },
  ]);
  const trash = (id: string) => calls.post(`tables/${teas.id}/records/trash`, { target: { ids: [id] } });
  const all = async () => {
    const rows = [...(await calls.rows(teas.id, 'names=key')), ...(await calls.rows(teas.id, 'names=key&trash=true'))];
    return Object.fromEntries(rows.map((row) => [row.values['name'], row.values['kind']]));
  };
  await trash(early);
  const { batchId, moved } = await remove('kind', 'green', 'white');
  expect([moved, await all()]).toEqual([3, { early: 'white', late: 'white', edited: 'white', live: 'white' }]);
  await trash(late);
  await calls.post(`tables/${teas.id}/records/bulk`, { target: { ids: [edited] }, values: { kind: 'black' } });
  await trash(edited);
  const undone = await calls.post<{ batchId: string; undone: number; skipped: unknown }>(`batches/${batchId ?? 'x'}/undo`, {});
  expect(undone).toMatchObject({ undone: 3, skipped: [{ recordId: edited, field: field('kind') }] });
  expect(await all()).toEqual({ early: 'green', late: 'green', edited: 'black', live: 'green' });
  await calls.post(`batches/${batchId ?? 'x'}/redo`, {});
  expect([await all(), await ids('kind')]).toEqual([{ early: 'white', late: 'white', edited: 'black', live: 'white' }, ['black', 'white']]);
  await calls.post(`batches/${batchId ?? 'x'}/undo`, {});
  await calls.post(`tables/${teas.id}/records/restore`, { ids: [early, late] });
  // The search index is restored too.
  const found = await program.ctx.postgres.pool.query(`SELECT id FROM s_${site.id}.${teas.id} WHERE q @@ $1::tsquery ORDER BY n`, [
    `'=${field('kind')}:green'`,
  ]);
  expect(found.rows.map((row: { id: string }) => row.id)).toEqual([early, late, live]);
});

test('undo restores a choice that only binned records used', async () => {
  const [id = ''] = await calls.add(teas.id, [{ name: 'a', tags: ['old', 'rare'] }]);
  await calls.post(`tables/${teas.id}/records/trash`, { target: { ids: [id] } });
  const { batchId, moved } = await remove('tags', 'old', null);
  expect(moved).toBe(0);
  await calls.post(`batches/${batchId ?? 'x'}/undo`, {});
  await calls.post(`tables/${teas.id}/records/restore`, { ids: [id] });
  expect([await values('tags'), await ids('tags')]).toEqual([[['old', 'rare']], ['new', 'old', 'rare']]);
});

test('undoing earlier edits does not restore a removed choice to records', async () => {
  const [a = '', b = ''] = await calls.add(teas.id, [
    { name: 'a', kind: 'green', tags: ['new', 'old'] },
    { name: 'b', kind: 'black' },
  ]);
  const { batchId } = await calls.post<{ batchId: string }>(`tables/${teas.id}/records/bulk`, {
    target: { filter: null },
    values: { kind: 'white', tags: null },
  });
  expect(await remove('kind', 'green', null)).toMatchObject({ moved: 0 });
  expect(await remove('tags', 'old', null)).toMatchObject({ moved: 0 });
  await calls.post(`batches/${batchId}/undo`, {});
  expect([await values('kind'), await values('tags')]).toEqual([
    ['white', 'black'],
    [['new'], null],
  ]);
  const changes = [a, b].map((id) => ({ id, values: { name: 'c', kind: 'black' } }));
  expect((await calls.send('PATCH', `tables/${teas.id}/records`, { changes })).statusCode).toBe(200);
});

test('removing choices adjusts defaults, and dropping one clears it from binned records', async () => {
  const table = await calls.table({
    title: '名',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'select', title: 'One', key: 'one', options: { choices: choices('value', 'kind', 'other') }, default: { kind: 'value', value: 'other' } },
      { type: 'multiSelect', title: 'All', key: 'all', options: { choices: choices('x', 'y') }, default: { kind: 'value', value: ['x', 'y'] } },
    ],
  });
  const [id = ''] = await calls.add(table.id, [{ name: 'a', one: 'kind', all: null }]);
  const drop = (key: string, choice: string, to: string | null) => calls.post<Removed>(`tables/${table.id}/fields/${key}/choices/${choice}/remove`, { to });
  await drop('one', 'value', null);
  const after = (await drop('all', 'x', 'y')).table;
  expect(after.fields.slice(1).map((one) => one.default)).toEqual([
    { kind: 'value', value: 'other' },
    { kind: 'value', value: ['y'] },
  ]);
  await calls.post(`tables/${table.id}/records/trash`, { target: { ids: [id] } });
  const patched = await calls.send('PATCH', `tables/${table.id}/fields/one`, { options: { choices: choices('other') } }, after.revision);
  expect(patched.statusCode).toBe(200);
  await calls.post(`tables/${table.id}/records/restore`, { ids: [id] });
  expect((await calls.rows(table.id, 'names=key')).map((row) => row.values['one'])).toEqual([null]);
});

test('a choice in use by an uncommitted write cannot be removed', async () => {
  const [id = ''] = await calls.add(teas.id, [{ name: 'a', kind: 'green' }]);
  const client = await program.ctx.postgres.pool.connect();
  await client.query('BEGIN');
  await client.query(`UPDATE s_${site.id}.${teas.id} SET ${field('kind')} = 'black' WHERE id = $1`, [id]);
  let answered = false;
  const patch = { options: { choices: choices('green', 'white') } };
  const refused = calls.send('PATCH', `tables/${teas.id}/fields/kind`, patch, teas.revision).finally(() => (answered = true));
  const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 's_${site.id}.${teas.id}'::regclass`;
  await until(async () => answered || ((await client.query(waits)).rowCount ?? 0) > 0);
  await client.query('COMMIT');
  client.release();
  expect((await refused).json()).toMatchObject({ code: 'invalid_fields', fields: { 'options.choices': { code: 'in_use', max: 1 } } });
  expect(await ids('kind')).toEqual(['green', 'black', 'white']);
});

test('an invalid removal is refused and changes nothing', async () => {
  await calls.add(teas.id, [{ name: 'a', kind: 'green' }]);
  expect(await calls.refused('POST', path('kind', 'none'), { to: null })).toBe('not_found');
  expect(await calls.refused('POST', path('name', 'green'), { to: null })).toBe('not_found');
  expect(await calls.refused('POST', path('kind', 'green'), { to: 'green' })).toBe('invalid_fields');
  expect(await calls.refused('POST', path('kind', 'green'), { to: 'none' })).toBe('invalid_fields');
  const editor = await personOn(program, site, 'editor');
  expect(await calls.refused('POST', path('kind', 'green'), { to: null }, undefined, editor)).toBe('forbidden');
  const required = await calls.send('PATCH', `tables/${teas.id}/fields/kind`, { required: true }, teas.revision);
  expect(required.statusCode).toBe(200);
  expect(await calls.refused('POST', path('kind', 'green'), { to: null })).toBe('invalid_fields');
  expect([await values('kind'), await ids('kind')]).toEqual([['green'], ['green', 'black', 'white']]);
});

test('removing a choice from many records is one job and batch', async () => {
  const many = Array.from({ length: 500 }, (_, i) => ({ name: String(i), kind: 'green' }));
  for (const _ of [1, 2, 3]) await calls.add(teas.id, many);
  const { jobId } = await remove('kind', 'green', 'black');
  expect(jobId).not.toBeNull();
  const worker = startWorker(program.ctx, [choiceJob], [], { pollEvery: 30 });
  const job = async () => (await owner.get('/api/core/jobs')).json<{ data: Job[] }>().data.find((one) => one.id === jobId);
  await until(async () => (await job())?.state === 'done');
  await worker.close();
  expect(await job()).toMatchObject({ done: 1500, total: 1500 });
  expect([await ids('kind'), new Set(await values('kind'))]).toEqual([['black', 'white'], new Set(['black'])]);
});
