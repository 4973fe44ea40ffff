import { jest } from '@jest/globals';
import type { ContentRecord, RecordChange } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { SchemaChange } from '../../contract/tables/schemas';
import type { FieldType } from '../../contract/tables/terms';
import { convertJob, purgeTables, purgeJob, rebuildJob, tendConversions } from '../../server/areas/tables/schema';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { conversionsOf, fieldIn } from './tablesConvertSupport';
import { ask, callsOf, personOn } from './tablesLifeSupport';
import type { Calls, Failed } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let worker: Worker | null = null;

const work = (): void => void (worker ??= startWorker(program.ctx, [convertJob, rebuildJob, purgeJob], [], { pollEvery: 50 }));
const rest = async (): Promise<void> => {
  await worker?.close();
  worker = null;
};
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { timeZone: 'Asia/Shanghai' });
  calls = callsOf(owner, site);
});
beforeEach(work);
afterAll(async () => {
  await rest();
  await program.close();
});

const { fresh, at, plan, state, start, ended, convert, undo, values, make, patch } = conversionsOf(() => calls);

test('conversion covers links, choices and published state, and undo reverts it', async () => {
  const people = await calls.table({ title: '作者', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  const [li, wang] = await calls.add(people.id, [{ name: '李白' }, { name: '王维' }]);
  const to = people.id;
  const [{ name: me } = { name: '' }] = await ask<{ name: string }>(program, site, 'SELECT display_name AS name FROM users WHERE id = $1', [owner.userId]);
  const png = { url: 'https://a.cn/a.png' };
  const colors = [
    { id: 'a', title: '红', color: 'red' },
    { id: 'b', title: '蓝', color: 'blue' },
  ];
  type Case = readonly [from: FieldType, options: object, to: FieldType, options: object, before: readonly unknown[], after: readonly unknown[]];
  const cases: readonly Case[] = [
    ['text', {}, 'number', {}, ['1,234.50', 'x'], ['1234.50', null]],
    ['text', {}, 'relation', { to }, ['李白', '苏轼'], [li, null]],
    ['text', {}, 'relations', { to }, ['李白、王维', '王维'], [[li, wang], [wang]]],
    ['text', {}, 'user', {}, [me, '无名'], [owner.userId, null]],
    ['text', {}, 'multiSelect', {}, ['红、新', '新'], [['红', '新'], ['新']]],
    ['relation', { to }, 'text', {}, [li, wang], ['李白', '王维']],
    ['relation', { to }, 'relations', { to }, [li, null], [[li], []]],
    ['relations', { to }, 'relation', { to }, [[wang, li], []], [wang, null]],
    ['relations', { to }, 'tags', {}, [[wang, li], [li]], [['王维', '李白'], ['李白']]],
    ['select', { choices: colors }, 'text', {}, ['a', 'b'], ['红', '蓝']],
    ['datetime', {}, 'date', {}, ['2026-11-19T16:30:00.000Z', null], ['2026-11-20', null]],
    ['switch', {}, 'integer', {}, [true, false], [1, 0]],
    ['image', {}, 'text', {}, [[png], null], ['https://a.cn/a.png', null]],
  ];
  const table = await make(
    cases.map(([type, options], n) => ({ type, title: `F${n}`, key: `f${n}`, options })),
    { drafts: true },
  );
  await calls.post(`tables/${table.id}/records`, {
    records: [0, 1].map((row) => Object.fromEntries(cases.map(([, , , , before], n) => [`f${n}`, before[row] ?? null]))),
    publish: true,
  });
  const titledValues = async (key: string): Promise<unknown[]> => {
    const field = fieldIn(await fresh(table), key);
    const titled = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(titled) : (field.options.choices?.find(({ id }) => id === value)?.title ?? value);
    return (await values(table, key)).map(titled);
  };
  const conversionResults: unknown[] = [];
  for (const [n, [from, , type, options, before, after]] of cases.entries()) {
    const key = `f${n}`;
    const was = await values(table, key);
    const done = await convert(table, key, { type, options, misfits: 'empty' });
    const published = await calls.rows(table.id, 'filter={"field":"$state","op":"eq","value":"published"}');
    conversionResults.push([from, type, done.state, fieldIn(await fresh(table), key).type, await titledValues(key), published.length]);
    expect(conversionResults.at(-1)).toEqual([from, type, 'done', type, after, 2]);
    if (n % 3 > 0) continue;
    expect((await undo(table, key)).state).toBe('done');
    expect([fieldIn(await fresh(table), key).type, await values(table, key)]).toEqual([from, was]);
    expect(before.length).toBe(was.length);
  }
  // Published values were converted as well.
  const twins = await ask<Record<string, unknown>>(program, site, `SELECT * FROM $site.p_${table.id.slice(2)} ORDER BY n`);
  const id = (n: number): string => fieldIn(table, `f${n}`).id;
  expect([twins[0]?.[id(1)], twins[0]?.[id(2)], twins[0]?.[id(7)], twins[0]?.[id(11)]]).toEqual([li, [li, wang], wang, '1']);
});

test('the conversion plan shows affected values and uses, and writes nothing', async () => {
  const table = await make(
    [
      { type: 'text', title: 'Price', key: 'price', unique: true, indexed: true },
      { type: 'text', title: 'Stock', key: 'stock', default: { kind: 'value', value: '5' } },
      { type: 'formula', title: 'Len', key: 'len', options: { formula: 'LEN({price})' } },
      { type: 'text', title: 'Other', key: 'other', conditions: [{ filter: { field: 'price', op: 'starts', value: '1' }, then: 'hidden' }] },
    ],
    {},
  );
  await calls.add(table.id, [
    { name: '甲', price: '12' },
    { name: '乙', price: '1,250' },
    { name: '丙', price: '免费' },
    { name: '丁' },
    { name: '戊', price: '12.0' },
    { name: '己', price: '12.00' },
  ]);
  await calls.post(`tables/${table.id}/views`, { title: '便宜', kind: 'grid', query: { filter: { field: 'price', op: 'contains', value: '1' } } });
  const conversionPlan = await plan(table, 'price', { type: 'integer' });
  expect(conversionPlan).toMatchObject({
    examined: 6,
    records: 6,
    exact: true,
    counts: { empty: 1, convertible: 1, lossy: 3, failing: 1 },
    duplicates: 1,
    blocked: [],
  });
  expect(conversionPlan.samples.find(({ kind }) => kind === 'failing')).toMatchObject({
    label: '丙',
    before: '免费',
    after: null,
    reason: '无法识别为这种类型',
  });
  expect(conversionPlan.samples.find(({ before }) => before === '1,250')).toMatchObject({ kind: 'lossy', after: '1250' });
  const effect = (kind: string) => conversionPlan.uses.filter((use) => use.kind === kind).map((use) => use.effect);
  expect([effect('view'), effect('formula'), effect('rule'), effect('unique'), effect('index')]).toEqual([
    ['changes'],
    ['keeps'],
    ['lost'],
    ['keeps'],
    ['keeps'],
  ]);
  expect((await plan(table, 'stock', { type: 'integer' })).uses).toMatchObject([
    { kind: 'default', effect: 'changes' },
    { kind: 'search', effect: 'lost' },
  ]);
  expect((await plan(table, 'price', { type: 'select' })).choices.sort()).toEqual(['1,250', '12', '12.0', '12.00', '免费']);
  expect((await plan(table, 'name', { type: 'json' })).blocked).toEqual(['primary']);
  expect(await fresh(table)).toMatchObject({ fields: table.fields, revision: table.revision });

  // One value does not fit, so the conversion fails; then two values would become equal.
  expect(await convert(table, 'price', { type: 'integer' })).toMatchObject({ state: 'failed', error: 'invalid_fields' });
  expect(await convert(table, 'price', { type: 'integer', misfits: 'empty' })).toMatchObject({ state: 'failed', error: 'duplicate_values' });
  expect(await fresh(table)).toMatchObject({ fields: table.fields });
  const left = await ask(
    program,
    site,
    `SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('$site.${table.id}') AND attname ~ '^[rv]_' AND NOT attisdropped`,
  );
  expect(left).toEqual([]);
  expect(await convert(table, 'price', { type: 'integer', misfits: 'empty', keepUnique: false })).toMatchObject({ state: 'done', emptied: 1, lossy: 3 });
  const now = await fresh(table);
  expect(fieldIn(now, 'price')).toMatchObject({ type: 'integer', unique: false, indexed: true });
  expect([fieldIn(now, 'other').conditions, fieldIn(now, 'len').problem]).toEqual([[], null]);
  expect(await undo(table, 'price')).toMatchObject({ state: 'done', undoes: true, edited: 0 });
  expect(fieldIn(await fresh(table), 'price')).toMatchObject({ type: 'text', unique: true, indexed: true });
  expect(fieldIn(await fresh(table), 'other').conditions).toHaveLength(1);
  expect(await values(table, 'price')).toEqual(['12', '1,250', '免费', null, '12.0', '12.00']);
  const indexes = await ask<{ indexname: string }>(program, site, `SELECT indexname FROM pg_indexes WHERE indexname ~ $1 ORDER BY 1`, [
    fieldIn(table, 'price').id.slice(2),
  ]);
  expect(indexes.map(({ indexname }) => indexname[0])).toEqual(['i', 'u']);
});

test('writes during a conversion are converted, stale ones are refused', async () => {
  await rest();
  const table = await make([{ type: 'text', title: 'Size', key: 'size' }], { drafts: true });
  const ids = await calls.add(
    table.id,
    Array.from({ length: 30 }, (_, n) => ({ name: `n${n}`, size: String(n) })),
  );
  const { jobId } = await start(table, 'size', { type: 'integer', misfits: 'empty' });
  const second = await calls.send('POST', at(table, 'size'), { type: 'number' }, (await fresh(table)).revision);
  expect([second.statusCode, second.json<Failed>().current]).toEqual([409, { jobId }]);
  const { pool } = program.ctx.postgres;
  const [books, writer] = [await pool.connect(), await pool.connect()];
  const progress = async () =>
    (await ask<{ stage: string; blocked: boolean }>(program, site, `SELECT progress->>'stage' AS stage FROM content_conversions WHERE job_id = $1`, [jobId]))[0]
      ?.stage;
  const filling = async () =>
    (await ask(program, site, `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('$site.${table.id}') AND attname ~ '^r_'`)).length > 0;
  try {
    // The job waits before its first chunk, and again before the swap, which waits for open writes.
    await books.query('BEGIN');
    await books.query('SELECT 1 FROM content_conversions WHERE job_id = $1 FOR UPDATE', [jobId]);
    work();
    await until(filling);
    await writer.query('BEGIN');
    await writer.query(`LOCK TABLE s_${site.id}.${table.id} IN ROW EXCLUSIVE MODE`);
    await books.query('COMMIT');
    await until(async () => (await progress()) === 'rest');
    const rows = await calls.rows(table.id);
    for (const id of ids.slice(0, 3)) {
      const row = rows.find((one) => one.id === id) ?? fail('no record');
      expect((await patch(table, row, { size: '1,000' })).statusCode).toBe(200);
    }
    await calls.add(table.id, [{ name: 'late', size: '2000' }]);
  } finally {
    await writer.query('COMMIT');
    books.release();
    writer.release();
  }
  expect(await ended(table, 'size')).toMatchObject({ state: 'done', emptied: 0 });
  const sizes = new Map((await calls.rows(table.id)).map((row) => [row.id, row.values['size']]));
  expect(ids.map((id) => sizes.get(id))).toEqual([1000, 1000, 1000, ...Array.from({ length: 27 }, (_, n) => n + 3)]);
  expect([...sizes.values()]).toContain(2000);

  // Continuous writes: each is stored, or refused because the field has changed its type.
  await start(table, 'size', { type: 'text' });
  let last = 0;
  for (let n = 3000; n === 3000 || (await state(table, 'size')).conversion?.state === 'running'; n++) {
    const [row] = (await calls.rows(table.id, `ids=${ids[0]}`)) as [ContentRecord];
    const text = typeof row.values['size'] === 'string';
    const answer = await patch(table, row, { size: text ? String(n) : n });
    expect([200, 409, 422]).toContain(answer.statusCode);
    if (answer.statusCode === 200) last = n;
  }
  expect((await calls.rows(table.id, `ids=${ids[0]}`))[0]?.values['size']).toBe(String(last));
});

test('undoing a conversion keeps later edits that the old type accepts', async () => {
  const table = await make([{ type: 'longText', title: 'Body', key: 'body', localized: true }], { drafts: true, locales: ['zh-Hans', 'en'] });
  const ids = await calls.add(table.id, [{ body: '12' }, { body: '免费\n两行' }, { body: '7' }, { body: '八' }]);
  const rows = await calls.rows(table.id, 'sort=$n');
  await calls.send('PATCH', `tables/${table.id}/records/${ids[1]}`, { values: { body: 'free\nline' }, locale: 'en' }, rows[1]?.revision);
  if (rows[3]) await patch(table, rows[3], { body: '8' });
  expect(await convert(table, 'body', { type: 'text' })).toMatchObject({ state: 'done', lossy: 2 });
  expect((await calls.rows(table.id, 'sort=$n&locale=en'))[1]?.values['body']).toBe('free line');
  const [first] = (await calls.rows(table.id, 'sort=$n')) as [ContentRecord];
  await patch(table, first, { body: '13' });
  expect(await convert(table, 'body', { type: 'integer', misfits: 'empty' })).toMatchObject({ state: 'done', emptied: 1 });
  const [, second, third] = (await calls.rows(table.id, 'sort=$n')) as [ContentRecord, ContentRecord, ContentRecord];
  await patch(table, second, { body: 99 });
  await patch(table, third, { body: null });
  const [added] = await calls.add(table.id, [{ body: 5 }]);
  expect(added).toBeDefined();

  // Reverting a value of the old type converts it, or is refused.
  const back = await calls.send('POST', `tables/${table.id}/records/${ids[3]}/revert`, { revision: 1, fields: ['body'] });
  expect([back.statusCode, back.json<Failed>().code]).toEqual([422, 'invalid_fields']);
  const good = await calls.send('POST', `tables/${table.id}/records/${ids[0]}/revert`, { revision: 1, fields: ['body'] });
  expect([good.statusCode, good.json<{ data: ContentRecord }>().data.values['body']]).toEqual([200, 12]);

  const lines = await calls.get<RecordChange[]>(`tables/${table.id}/records/${ids[3]}/history`);
  expect(lines.map((line) => Object.values(line.fields)[0])).toEqual([
    { before: '八', after: 8, texts: ['before'] },
    { before: null, after: '八', texts: ['after'] },
  ]);

  const [change] = (await calls.get<SchemaChange[]>(`tables/${table.id}/history`)).filter(({ op }) => op === 'field_converted');
  expect(change).toMatchObject({ revertible: true, before: { type: 'text' }, after: { type: 'integer' } });
  await calls.post(`tables/${table.id}/history/${change?.id}/revert`, {});
  expect(await ended(table, 'body')).toMatchObject({ state: 'done', undoes: true, edited: 3, emptied: 0 });
  expect(await values(table, 'body')).toEqual(['12', '99', null, '8', '5']);
  expect((await calls.get<SchemaChange[]>(`tables/${table.id}/history`)).find(({ id }) => id === change?.id)).toMatchObject({
    reverted: true,
    revertible: false,
  });
  expect(await undo(table, 'body')).toMatchObject({ state: 'done', from: 'text', to: 'longText' });
  expect(await values(table, 'body')).toEqual(['12', '99', null, '8', '5']);
  expect((await calls.rows(table.id, 'sort=$n&locale=en'))[1]?.values['body']).toBe('free\nline');
  expect(await calls.refused('POST', at(table, 'body', '/undo'), {})).toBe('bad_transition');
});

test('history shows names for values of former relation and user fields', async () => {
  const teas = await make([]);
  const [green = '', red = ''] = await calls.add(teas.id, [{ name: '龙井' }, { name: '祁门' }]);
  const table = await make([
    { type: 'relations', title: 'Teas', key: 'teas', options: { to: teas.id } },
    { type: 'user', title: 'Person', key: 'person' },
    { type: 'text', title: 'Tea', key: 'tea' },
  ]);
  const [id = ''] = await calls.add(table.id, [{ teas: [green, red], person: owner.userId, tea: '龙井' }]);
  const [row] = await calls.rows(table.id);
  await calls.send('PATCH', `tables/${table.id}/records/${id}`, { values: { teas: [red], tea: '没有的茶' } }, row?.revision);
  await convert(table, 'teas', { type: 'text' });
  await convert(table, 'person', { type: 'text' });
  await convert(table, 'tea', { type: 'relation', options: { to: teas.id }, misfits: 'empty' });
  await calls.post(`tables/${teas.id}/records/trash`, { target: { ids: [red] } });
  const now = await fresh(table);
  const lines = await calls.get<RecordChange[]>(`tables/${table.id}/records/${id}/history`);
  const changesOf = (key: string): unknown[] => lines.flatMap(({ fields }) => fields[fieldIn(now, key).id] ?? []);
  expect(changesOf('teas')).toEqual([
    { before: '龙井, …', after: '…' },
    { before: null, after: '龙井, …' },
  ]);
  expect(changesOf('tea')[0]).toEqual({ before: '龙井', after: '没有的茶', texts: ['before', 'after'] });
  expect(JSON.stringify(changesOf('person'))).not.toContain(owner.userId);
});

test('a conversion resumes after a crash, a cancelled one leaves nothing', async () => {
  await rest();
  const table = await make([{ type: 'text', title: 'Size', key: 'size' }]);
  const many = Array.from({ length: 900 }, (_, n) => ({ size: String(n) }));
  await calls.add(table.id, many);
  const { jobId } = await start(table, 'size', { type: 'integer' });
  const { pool } = program.ctx.postgres;
  // The first run stops after a chunk, as with kill -9: it writes nothing more, and its lease expires.
  const dying = startWorker(program.ctx, [convertJob], [], { pollEvery: 20 });
  await until(
    async () =>
      (await ask<{ done: boolean }>(program, site, `SELECT (progress->>'done')::int > 0 AS done FROM content_conversions WHERE job_id = $1`, [jobId]))[0]
        ?.done === true,
  );
  await pool.query(`UPDATE jobs SET lease_by = 'nobody', lease_until = now() + interval '1 hour' WHERE id = $1 AND state = 'running'`, [jobId]);
  await dying.close();
  await pool.query(`UPDATE jobs SET lease_until = now() - interval '1 minute' WHERE id = $1 AND state = 'running'`, [jobId]);
  work();
  expect(await ended(table, 'size')).toMatchObject({ state: 'done', emptied: 0, lossy: 0, done: 900, total: 900 });
  expect(new Set(await values(table, 'size'))).toEqual(new Set(many.map(({ size }) => Number(size))));

  await rest();
  const waiting = await start(table, 'size', { type: 'text' });
  expect((await owner.send('POST', `/api/core/jobs/${waiting.jobId}/cancel`, {})).statusCode).toBe(200);
  await tendConversions(program.ctx);
  expect((await state(table, 'size')).conversion).toMatchObject({ state: 'cancelled' });
  expect(fieldIn(await fresh(table), 'size').type).toBe('integer');
  const lost = await start(table, 'size', { type: 'text' });
  await pool.query(`UPDATE jobs SET state = 'failed', error = 'internal' WHERE id = $1`, [lost.jobId]);
  // A new conversion cleans up the remains of the failed one.
  work();
  expect(await convert(table, 'size', { type: 'number' })).toMatchObject({ state: 'done' });
  expect((await values(table, 'size'))[12]).toBe('12');
});

test('formulas convert to their result type and back; old columns expire', async () => {
  const table = await make([
    { type: 'integer', title: 'Num', key: 'num' },
    { type: 'formula', title: 'Twice', key: 'twice', options: { formula: '{num} * 2' } },
  ]);
  await calls.add(table.id, [{ num: 1 }, { num: 2 }]);
  expect(await convert(table, 'twice', { type: 'integer' })).toMatchObject({ state: 'done' });
  expect(await values(table, 'twice')).toEqual([2, 4]);
  expect(await undo(table, 'twice')).toMatchObject({ state: 'done', to: 'formula' });
  expect(await values(table, 'twice')).toEqual(['2', '4']);
  expect(await convert(table, 'num', { type: 'text' })).toMatchObject({ state: 'done' });
  const remainingColumns = () =>
    ask<{ n: number }>(
      program,
      site,
      `SELECT count(*)::int AS n FROM pg_attribute WHERE attrelid = to_regclass('$site.${table.id}') AND attname ~ '^[frv]_' AND NOT attisdropped`,
    );
  const before = (await remainingColumns())[0]?.n;
  await ask(program, site, `UPDATE content_conversions SET keep_until = now() - interval '1 day' WHERE table_id = $1 AND state = 'done'`, [table.id]);
  await purgeTables(program.ctx);
  await until(async () => ((await remainingColumns())[0]?.n ?? 0) < (before ?? 0));
  await until(async () => (await state(table, 'num')).conversion?.state === 'purged');
  expect((await remainingColumns())[0]?.n).toBe(2);
  expect(await calls.refused('POST', at(table, 'num', '/undo'), {})).toBe('bad_transition');
  expect(await values(table, 'num')).toEqual(['1', '2']);
});

test('only designers of the site convert fields, and invalid conversions are refused', async () => {
  const table = await make([
    { type: 'text', title: 'T', key: 't' },
    { type: 'password', title: 'P', key: 'p' },
  ]);
  const viewer = await personOn(program, site, 'viewer');
  const editor = await personOn(program, site, 'editor');
  for (const person of [viewer, editor]) {
    expect(await calls.refused('POST', at(table, 't'), { type: 'number' }, table.revision, person)).toBe('forbidden');
    expect((await person.get(calls.path(at(table, 't')))).statusCode).toBe(403);
  }
  const other = await program.makeSite(owner);
  const elsewhere = (await owner.send('POST', `/api/site/${other.id}/table/${at(table, 't')}`, { type: 'number' }, { 'if-match': '"1"' })).statusCode;
  expect(elsewhere).toBe(404);
  expect(await calls.refused('POST', at(table, 'gone'), { type: 'number' }, table.revision)).toBe('not_found');
  expect(await calls.refused('POST', at(table, 't'), { type: 'number' }, table.revision + 1)).toBe('stale_revision');
  for (const [key, body] of [
    ['p', { type: 'text' }],
    ['t', { type: 'text' }],
    ['t', { type: 'formula', options: { formula: '1' } }],
    ['t', { type: 'relation' }],
    ['t', { type: 'select', options: { min: 1 } }],
  ] as const)
    expect(await calls.refused('POST', at(table, key), body, table.revision)).toBe('invalid_fields');
  expect(await calls.refused('POST', at(table, 't', '/undo'), {})).toBe('bad_transition');
});
