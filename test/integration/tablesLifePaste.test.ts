import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { PasteResult } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { users } from '../../server/areas/account/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { ask, callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let editor: Person;
let site: Site;
let calls: Calls;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆', timeZone: 'Asia/Shanghai' });
  editor = await personOn(program, site, 'editor');
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

let makers: ContentTable;
let teas: ContentTable;
beforeEach(async () => {
  makers = await calls.table({ title: '茶厂', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  teas = await calls.table({
    title: '茶',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'number', title: 'Cost', key: 'cost', options: { min: 0, max: 1000 } },
      { type: 'date', title: 'Picked', key: 'picked' },
      { type: 'select', title: 'Kind', key: 'kind', options: { choices: [{ id: 'g', title: '绿茶' }] } },
      { type: 'multiSelect', title: 'Tags', key: 'tags', options: { choices: [] } },
      { type: 'relation', title: 'Maker', key: 'maker', options: { to: makers.id } },
      { type: 'text', title: 'Code', key: 'code', unique: true },
      { type: 'autonumber', title: 'No', key: 'no' },
    ],
  });
});
type Answer = z.output<typeof PasteResult>;
const field = (key: string): string => teas.fields.find((one) => one.key === key)?.id ?? '';
const body = (keys: string[], rows: [string | null, ...(string | null)[]][], more: object = {}) => ({
  fields: keys.map(field),
  rows: rows.map(([id, ...cells]) => ({ id, cells })),
  ...more,
});
const path = () => `tables/${teas.id}/records/paste`;
const paste = (input: object, by?: Person) => calls.post<Answer>(path(), input, by);
const values = async () => (await calls.rows(teas.id)).map((row) => row.values);
const choices = async (key: string) =>
  (await calls.get<ContentTable>(`tables/${teas.id}`)).fields.find((one) => one.key === key)?.options.choices?.map((choice) => choice.title);

test('pasted text updates and creates records, undone as one batch', async () => {
  const [maker = ''] = await calls.add(makers.id, [{ name: '西湖' }, { name: '两个' }, { name: '两个' }]);
  const [a = ''] = await calls.add(teas.id, [{ name: 'A', cost: '1', code: 'keep' }]);
  const done = await paste(
    body(
      ['name', 'cost', 'picked', 'kind', 'maker', 'no'],
      [
        [a, 'A2', '1,234.5元'.replace('1,234.5', '234.5'), '2026年4月5日', '绿茶', '西湖', '99'],
        [null, 'B', '12', '2026/4/6', '', null],
        [null, '', '', null],
      ],
    ),
    editor,
  );
  expect(done).toMatchObject({ created: 1, updated: 1, unchanged: 1, failed: 0, ids: [expect.any(String)] });
  expect(await values()).toEqual([
    { name: 'A2', cost: '234.5', picked: '2026-04-05', kind: 'g', tags: null, maker, code: 'keep', no: 1 },
    { name: 'B', cost: '12', picked: '2026-04-06', kind: null, tags: null, maker: null, code: null, no: 2 },
  ]);
  await paste(body(['cost'], [[a, '']]));
  expect((await values())[0]).toMatchObject({ name: 'A2', cost: null });
  await calls.post(`batches/${done.batchId}/undo`, {});
  expect((await values()).map(({ name, code }) => [name, code])).toEqual([['A', 'keep']]);
});

test('rows with errors refuse the paste unless they are skipped explicitly', async () => {
  const rows = Array.from({ length: 1000 }, (_, i): [null, string, string, string] => [
    null,
    `T${i}`,
    i % 100 === 7 ? 'abc' : i === 500 ? '9999' : '5',
    i === 600 || i === 601 ? 'same' : '',
  ]);
  const pasteInput = body(['name', 'cost', 'code'], rows);
  for (const more of [{ dryRun: true }, {}]) {
    const answer = await paste({ ...pasteInput, ...more });
    expect([answer.batchId, answer.failed, answer.ids]).toEqual([null, 13, []]);
    expect(answer.rows).toHaveLength(200);
    expect(answer.rows[0]).toEqual({ row: 7, outcome: 'fail', id: null, errors: [{ field: field('cost'), code: 'wrong_type', text: '要填数字' }] });
    expect(answer.rows.filter(({ outcome }) => outcome === 'fail').map(({ row }) => row)).toEqual([
      7, 107, 207, 307, 407, 500, 507, 600, 601, 607, 707, 807, 907,
    ]);
    expect(answer.rows[5]?.errors).toEqual([{ field: field('cost'), code: 'out_of_range', text: expect.stringContaining('1000') }]);
    expect(await values()).toEqual([]);
  }
  const done = await paste({ ...pasteInput, leaveOut: true });
  expect([done.created, done.failed, (await values()).length]).toEqual([987, 13, 987]);
});

test('missing choices are created on request and removed on undo if unused', async () => {
  const rows: [null, string, string][] = [
    [null, '红茶', '春, 夏'],
    [null, '绿茶', '夏'],
    [null, '红茶', '"秋, 冬"'],
  ];
  const pasteInput = body(['kind', 'tags'], rows);
  const trial = await paste({ ...pasteInput, dryRun: true });
  expect([trial.failed, trial.newChoices]).toEqual([3, { [field('kind')]: ['红茶'], [field('tags')]: ['春', '夏', '秋, 冬'] }]);
  expect(await paste({ ...pasteInput, addChoices: true }, editor)).toMatchObject({ batchId: null, failed: 3, newChoices: {} });
  expect(await choices('kind')).toEqual(['绿茶']);
  expect(await paste({ ...pasteInput, addChoices: true, dryRun: true })).toMatchObject({ created: 3, failed: 0 });
  expect(await choices('kind')).toEqual(['绿茶']);
  const done = await paste({ ...pasteInput, addChoices: true });
  expect(done).toMatchObject({ created: 3, failed: 0 });
  expect([await choices('kind'), await choices('tags')]).toEqual([
    ['绿茶', '红茶'],
    ['春', '夏', '秋, 冬'],
  ]);

  const ids = done.ids;
  const blend = await paste(
    body(
      ['kind'],
      [
        [ids[0] ?? '', '花茶'],
        [ids[1] ?? '', '白茶'],
      ],
      { addChoices: true },
    ),
  );
  expect(await choices('kind')).toEqual(['绿茶', '红茶', '花茶', '白茶']);
  const storedKind = (await calls.rows(teas.id))[0]?.values['kind'];
  await calls.send('PATCH', `tables/${teas.id}/records`, { changes: [{ id: ids[2], values: { kind: storedKind } }] });
  await calls.post(`batches/${blend.batchId}/undo`, {});
  expect(await choices('kind')).toEqual(['绿茶', '红茶', '花茶']);
  await calls.post(`batches/${blend.batchId}/redo`, {});
  expect([await choices('kind'), (await calls.rows(teas.id))[1]?.values['kind']]).toEqual([['绿茶', '红茶', '花茶', '白茶'], expect.stringMatching(/^c_/)]);
});

test('unknown and ambiguous names are reported, hidden records are not found', async () => {
  await calls.add(makers.id, [{ name: '西湖' }, { name: '两个' }, { name: '两个' }]);
  const pasteInput = body(
    ['maker'],
    [
      [null, '武夷'],
      [null, '两个'],
      [null, '西湖'],
    ],
  );
  const trial = await paste({ ...pasteInput, dryRun: true });
  expect(trial.rows.map(({ outcome, errors }) => [outcome, errors[0]?.code, errors[0]?.text])).toEqual([
    ['fail', 'unknown', '找不到对应的内容：武夷'],
    ['fail', 'duplicate', '重复：两个'],
    ['insert', undefined, undefined],
  ]);
  await setRule(program, makers, site, { role: 'editor', action: 'read', allowed: true, filter: { field: 'name', op: 'eq', value: '两个' } });
  expect((await paste({ ...pasteInput, dryRun: true }, editor)).failed).toBe(3);
});

test('user fields accept everyone with site access, by name or full login', async () => {
  const notes = await calls.table({
    title: '便签',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'user', title: 'Who', key: 'who' },
    ],
  });
  const stranger = await program.makePerson('member', 'stranger-0');
  const twin = await personOn(program, site, 'viewer');
  const { db } = program.ctx.postgres;
  const call = (person: Person, displayName: string) => db.update(users).set({ displayName }).where(eq(users.id, person.userId));
  await call(stranger, '同名');
  await call(twin, '同名');
  await call(editor, '编辑 Ada');
  const offered = (q = '', by = editor) => calls.get<{ id: string; name: string }[]>(`people?q=${encodeURIComponent(q)}`, by);
  const all = await offered('', twin);
  expect(all.map(({ id }) => id).sort()).toEqual(expect.arrayContaining([owner.userId, editor.userId, twin.userId]));
  expect(all.map(({ id }) => id)).not.toContain(stranger.userId);
  expect(Object.keys(all[0] ?? {})).toEqual(['id', 'name']);
  expect(await offered('同名')).toEqual([{ id: twin.userId, name: '同名' }]);
  expect(await offered('ada')).toEqual([{ id: editor.userId, name: '编辑 Ada' }]);
  // Login names match only as a whole.
  expect((await offered(twin.loginName.toUpperCase())).map(({ id }) => id)).toEqual([twin.userId]);
  expect(await offered(twin.loginName.slice(0, -1))).toEqual([]);
  expect([await offered('%'), await offered('\u0000'), await offered('stranger-0')]).toEqual([[], [], []]);
  expect((await stranger.get(calls.path('people'))).statusCode).toBe(404);

  const [name, who] = notes.fields.map(({ id }) => id);
  const rows = ['同名', twin.loginName, 'stranger-0'].map((cell) => ({ id: null, cells: [cell, cell] }));
  const pasted = await calls.post<Answer>(`tables/${notes.id}/records/paste`, { fields: [name, who], rows, leaveOut: true }, editor);
  expect(pasted).toMatchObject({ created: 2, failed: 1 });
  expect((await calls.rows(notes.id)).map(({ values: { who: id } }) => id)).toEqual([twin.userId, twin.userId]);
  expect(await calls.refused('POST', `tables/${notes.id}/records`, { records: [{ who: stranger.userId }] }, undefined, editor)).toBe('invalid_fields');
});

test('access rules apply to pastes, and malformed input is refused', async () => {
  const viewer = await personOn(program, site, 'viewer');
  const [a = ''] = await calls.add(teas.id, [{ name: 'A' }]);
  expect(await calls.refused('POST', path(), body(['name'], [[null, 'x']]), undefined, viewer)).toBe('forbidden');
  await setRule(program, teas, site, {
    role: 'editor',
    action: 'update',
    allowed: true,
    fields: [field('name')],
    filter: { field: 'name', op: 'eq', value: 'B' },
  });
  expect(await calls.refused('POST', path(), body(['name'], [[a, 'x']]), undefined, editor)).toBe('forbidden');
  await calls.send('PATCH', `tables/${teas.id}/records`, { changes: [{ id: a, values: { name: 'B' } }] });
  const answer = await paste(body(['cost'], [[a, '5']]), editor);
  expect(answer.rows[0]?.errors[0]).toMatchObject({ field: field('cost'), code: 'readonly' });
  expect(await calls.refused('POST', path(), { ...body(['name'], [[null, 'x']]), fields: ['f_aaaaaaaaaaaa'] })).toBe('invalid_fields');
  expect(await calls.refused('POST', path(), body(['name', 'name'], [[null, 'x', 'y']]))).toBe('invalid_fields');
  const gone = await paste(body(['name'], [['0b8f9f5e-5a34-4a53-9d3c-0c7f6a1d2e3f', 'x']]));
  expect(gone.rows[0]).toMatchObject({ outcome: 'fail', errors: [{ field: null, code: 'unknown' }] });
  expect((await values()).map(({ name, cost }) => [name, cost])).toEqual([['B', null]]);
});

test('ten thousand rows of twenty columns are pasted in one call', async () => {
  const wide = await calls.table({
    title: '宽',
    fields: Array.from({ length: 20 }, (_, i) => ({ type: i % 2 === 0 ? ('text' as const) : ('number' as const), title: `F${i}` })),
  });
  const rows = Array.from({ length: 10_000 }, (_, row) => ({
    id: null,
    cells: wide.fields.map((_field, i) => (i % 2 === 0 ? `文字 ${row} ${i}` : String(row + i))),
  }));
  const begin = performance.now();
  const done = await calls.post<Answer>(`tables/${wide.id}/records/paste`, { fields: wide.fields.map(({ id }) => id), rows });
  process.stdout.write(`paste of 10 000 × 20: ${Math.round(performance.now() - begin)} ms\n`);
  expect([done.created, done.ids.length]).toEqual([10_000, 10_000]);
  const [sum] = await ask<{ n: string }>(program, site, `select sum(${wide.fields[1]?.id})::text as n from $site.${wide.id}`);
  expect(sum?.n).toBe(String((9999 * 10_000) / 2 + 10_000));
});

test.each([
  [2, '12.345', '最多 2 位小数', 'At most 2 decimals'],
  [1, '0.25', '最多 1 位小数', 'At most 1 decimal'],
  [0, '1.5', '不能有小数', 'Whole numbers only'],
] as const)('a value with more than %i decimals is refused with that limit', async (decimals, text, chinese, english) => {
  const prices = await calls.table({ title: 'Prices', fields: [{ type: 'currency', title: 'Price', key: 'price', options: { currency: 'CNY', decimals } }] });
  const price = prices.fields[0]?.id ?? '';
  const pasteInput = { fields: [price], rows: [{ id: null, cells: [text] }] };
  const wordsIn = async (locale: 'zh-CN' | 'en') => {
    await program.ctx.postgres.db.update(users).set({ locale }).where(eq(users.id, owner.userId));
    return (await calls.post<Answer>(`tables/${prices.id}/records/paste`, pasteInput)).rows[0]?.errors;
  };
  expect(await wordsIn('en')).toEqual([{ field: price, code: 'too_many_decimals', text: english }]);
  expect(await wordsIn('zh-CN')).toEqual([{ field: price, code: 'too_many_decimals', text: chinese }]);
  const refused = await calls.send('POST', `tables/${prices.id}/records`, { records: [{ price: text }] });
  expect(refused.json()).toMatchObject({ code: 'invalid_fields', fields: { 'records.0.price': { code: 'too_many_decimals', max: decimals } } });
});
