import { historyTable, recordsTable } from '../../server/areas/tables/core/ids';
import { siteModel } from '../../server/areas/tables/core/model';
import { contentRules } from '../../server/areas/tables/core/schema';
import { inWrite, writeBatch } from '../../server/areas/tables/core/write';
import { Hashed, withHashes } from '../../server/areas/tables/core/write/passwords';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { verifyPassword } from '../../server/kit/passwords';

let program: TestApp;
let testTable: Tabled;
let people: MadeTable;
let editor: Person;
beforeAll(async () => {
  program = await makeTestApp();
  testTable = await makeTabled(
    program,
    [
      { key: 'name', type: 'text', localized: true, options: { maxLength: 20 } },
      { key: 'slug', type: 'slug', unique: true },
      { key: 'price', type: 'currency', options: { currency: 'CNY', decimals: 2, min: 0 } },
      { key: 'number', type: 'autonumber' },
      { key: 'secret', type: 'password' },
      { key: 'note', type: 'longText' },
    ],
    { locales: ['zh-Hans', 'en'] },
  );
  people = await addTestTable(testTable.owner, testTable.site.id, [
    { key: 'name', type: 'text' },
    { key: 'friends', type: 'relations', options: { to: testTable.table.id }, inverseTitle: '朋友' },
  ]);
  editor = await program.makePerson('member');
  await program.grant(testTable.site.id, editor.userId, 'editor');
});
afterAll(() => program.close());

type Row = { id: string; n: number; revision: number; values: Record<string, unknown> };
type Written = { batchId: string | null; created: number; updated: number; unchanged: number; records: { id: string; n: number; revision: number }[] };
const add = (records: object[], more: object = {}, headers: Record<string, string> = {}, by: Browser = testTable.owner) =>
  by.send('POST', `${testTable.path}/records`, { records, ...more }, headers);
const addOne = async (values: object, path = testTable.path): Promise<string> => {
  const answer = await testTable.owner.send('POST', `${path}/records`, { records: [values] });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ data: Written }>().data.records[0]?.id ?? '';
};
const change = (id: string, revision: number, values: object, by: Browser = testTable.owner, more: object = {}) =>
  by.send('PATCH', `${testTable.path}/records/${id}`, { values, ...more }, { 'if-match': `"${revision}"` });
const read = async (id: string, query = '', path = testTable.path): Promise<Row> =>
  (await testTable.owner.get(`${path}/records/${id}${query}`)).json<{ data: Row }>().data;
const count = async (): Promise<number> =>
  (await program.ctx.postgres.pool.query(`SELECT 1 FROM ${recordsTable(testTable.site.id, testTable.table.id)}`)).rowCount ?? 0;
const undo = (batchId: string | null, by: Browser = testTable.owner) => by.send('POST', `/api/site/${testTable.site.id}/table/batches/${batchId}/undo`);

test('records get numbers, exact amounts and hidden passwords', async () => {
  const { records } = (
    await add([
      { name: '红茶', price: '12.5', secret: 'open sesame' },
      { name: '绿茶', price: 8 },
    ])
  ).json<{ data: Written }>().data;
  const [first, second] = await Promise.all(records.map(({ id }) => read(id)));
  expect(first?.values).toMatchObject({ name: '红茶', price: '12.50', number: first?.n, secret: true });
  expect(second?.values).toMatchObject({ price: '8.00', number: (first?.n ?? 0) + 1, secret: null });
  const storedHashes = await program.ctx.postgres.pool.query<Record<string, string>>(
    `SELECT ${testTable.f.secret} AS hash FROM ${recordsTable(testTable.site.id, testTable.table.id)} WHERE id = $1`,
    [first?.id],
  );
  expect(storedHashes.rows[0]?.hash).toMatch(/^\$argon2id\$/);
  // Sending a whole record back does not change its password.
  await change(first?.id ?? '', 1, { secret: true, name: '白茶' });
  const again = await program.ctx.postgres.pool.query<Record<string, string>>(
    `SELECT ${testTable.f.secret} AS hash FROM ${recordsTable(testTable.site.id, testTable.table.id)} WHERE id = $1`,
    [first?.id],
  );
  expect(again.rows).toEqual(storedHashes.rows);
  const { data: history } = (await testTable.owner.get(`${testTable.path}/records/${first?.id}/history`)).json<{
    data: { kind: string; fields: Record<string, unknown> }[];
  }>();
  expect(history.map((line) => line.kind)).toEqual(['update', 'create']);
  expect(history[0]?.fields).toEqual({ [testTable.f.name ?? '']: { before: '红茶', after: '白茶' } });
  expect(history[1]?.fields).toMatchObject({
    [testTable.f.name ?? '']: { before: null, after: '红茶' },
    [testTable.f.secret ?? '']: { before: null, after: true },
  });
});

test('passwords are hashed separately before locking, only for permitted writers', async () => {
  const model = await siteModel(program.ctx, testTable.site.id);
  const table = model.tables.find(({ id }) => id === testTable.table.id);
  if (!table) throw new Error('no such table');
  const tableContext = { model, table, reader: { role: 'editor' as const, userId: editor.userId }, timeZone: 'UTC' };
  const inputRecords: Record<string, unknown>[] = [
    { name: 'P1', secret: 'tea tea tea' },
    { name: 'P2', [testTable.f.secret ?? '']: 'tea tea tea' },
    { name: 'P3', secret: true },
    { name: 'P4', secret: 5 },
  ];
  const records = await withHashes(tableContext, 'create', inputRecords);
  const hashes = [records[0]?.secret, records[1]?.[testTable.f.secret ?? '']].map((one) => (one instanceof Hashed ? one.hash : ''));
  expect(await Promise.all(hashes.map((hash) => verifyPassword(hash, 'tea tea tea')))).toEqual([true, true]);
  expect(hashes[0]).not.toBe(hashes[1]);
  expect([records[2]?.secret, records[3]?.secret]).toEqual([true, 5]);
  expect(await withHashes({ ...tableContext, reader: { role: 'viewer', userId: null } }, 'create', inputRecords)).toEqual(inputRecords);
  // The hash is stored as it is, not hashed again.
  const written = await inWrite(program.ctx, null, (w) =>
    writeBatch(
      w,
      tableContext,
      records.slice(0, 2).map((values) => ({ kind: 'create' as const, values })),
      { origin: 'api' },
    ),
  );
  const storedHashes = await program.ctx.postgres.pool.query<{ hash: string }>(
    `SELECT ${testTable.f.secret} AS hash FROM ${recordsTable(testTable.site.id, testTable.table.id)} WHERE id = ANY($1::uuid[]) ORDER BY n`,
    [written.results.map(({ id }) => id)],
  );
  expect(storedHashes.rows.map(({ hash }) => hash)).toEqual(hashes);
  const body = {
    fields: [testTable.f.name, testTable.f.secret],
    rows: [
      { id: null, cells: ['P5', 'coffee coffee'] },
      { id: null, cells: ['P6', ''] },
    ],
  };
  await testTable.owner.send('POST', `${testTable.path}/records/paste`, body);
  const pasted = await program.ctx.postgres.pool.query<{ hash: string | null }>(
    `SELECT ${testTable.f.secret} AS hash FROM ${recordsTable(testTable.site.id, testTable.table.id)} WHERE ${testTable.f.name} IN ('P5', 'P6') ORDER BY n`,
  );
  expect([await verifyPassword(pasted.rows[0]?.hash ?? null, 'coffee coffee'), pasted.rows[1]?.hash]).toEqual([true, null]);
});

test('errors name row and field, and nothing is written', async () => {
  const before = await count();
  await addOne({ slug: 'taken' });
  const answer = await add([
    { name: 'good' },
    { name: 'x'.repeat(21), price: '-1' },
    { price: '1.234', slug: 'same' },
    { slug: 'same', nothing: 1 },
    { slug: 'taken', number: 5, name: 7 },
  ]);
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({
    fields: {
      'records.1.name': { code: 'too_long', max: 20 },
      'records.1.price': { code: 'out_of_range', min: 0 },
      'records.2.price': { code: 'too_many_decimals', max: 2 },
      'records.2.slug': { code: 'duplicate' },
      'records.3.slug': { code: 'duplicate' },
      'records.3.nothing': { code: 'unknown_field' },
      'records.4.slug': { code: 'taken' },
      'records.4.number': { code: 'readonly' },
      'records.4.name': { code: 'wrong_type' },
    },
  });
  expect(await count()).toBe(before + 1);
});

test('edits of different fields merge, of the same field conflict', async () => {
  const id = await addOne({ name: '一', price: '1' });
  expect((await change(id, 1, { name: '二' })).json()).toMatchObject({ data: { revision: 2 } });
  const merged = await change(id, 1, { price: '2', name: '一' }, editor);
  expect(merged.json()).toMatchObject({ data: { revision: 3, values: { name: '二', price: '2.00' } } });
  const refused = await change(id, 1, { name: '三', price: '1' }, editor);
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toMatchObject({
    code: 'stale_revision',
    current: { revision: 3, by: editor.loginName, record: { values: { name: '二' } }, fields: { name: { base: '一', theirs: '二', yours: '三' } } },
  });
  const list = await testTable.owner.send('PATCH', `${testTable.path}/records`, { changes: [{ id, revision: 1, values: { name: '四' } }] });
  expect(list.json()).toMatchObject({ code: 'stale_revision', current: [{ record: { id }, fields: { name: { theirs: '二', yours: '四' } } }] });
  // An equal change is no conflict.
  expect((await change(id, 1, { name: '二' })).json()).toMatchObject({ data: { revision: 3 } });
});

test('simultaneous edits of different fields are all kept', async () => {
  const id = await addOne({ name: 'a' });
  const answers = await Promise.all([change(id, 1, { name: 'b' }), change(id, 1, { price: '5' }, editor), change(id, 1, { note: 'n' })]);
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
  expect((await read(id)).values).toMatchObject({ name: 'b', price: '5.00', note: 'n' });
});

test('translations are stored beside the values', async () => {
  const id = await addOne({ name: '茶' });
  expect((await change(id, 1, { name: 'Tea' }, testTable.owner, { locale: 'en' })).statusCode).toBe(200);
  expect((await read(id)).values.name).toBe('茶');
  expect((await read(id, '?locale=en')).values.name).toBe('Tea');
  expect((await change(id, 2, { name: 'Thee' }, testTable.owner, { locale: 'nl' })).json()).toMatchObject({ fields: { locale: { code: 'unknown' } } });
});

test('links are ordered lists that both sides can change', async () => {
  const [a, b] = [await addOne({ name: 'a' }), await addOne({ name: 'b' })];
  const one = await addOne({ name: '林', friends: [b, a] }, people.path);
  const two = await addOne({ name: '王', friends: [a] }, people.path);
  expect((await read(one, '', people.path)).values.friends).toEqual([b, a]);
  const model = await siteModel(program.ctx, testTable.site.id);
  const inverse = model.byName.get(testTable.table.id)?.fields.find((field) => field.type === 'inverse')?.key ?? '';
  expect((await read(a)).values[inverse]).toEqual(expect.arrayContaining([one, two]));
  const answer = await change(b, 1, { [inverse]: [two] });
  expect(answer.statusCode).toBe(200);
  expect((await read(one, '', people.path)).values.friends).toEqual([a]);
  expect((await read(two, '', people.path)).values.friends).toEqual([a, b]);
  const missing = await testTable.owner.send('POST', `${people.path}/records`, { records: [{ friends: [a, one] }] });
  expect(missing.json()).toMatchObject({ fields: { 'records.0.friends.1': { code: 'unknown' } } });
});

test('upserts match records by a unique value', async () => {
  const id = await addOne({ slug: 'oolong', name: 'old' });
  const answer = await add(
    [
      { slug: 'oolong', name: 'new' },
      { slug: 'pu-er', name: 'made' },
    ],
    { upsertOn: 'slug' },
  );
  expect(answer.json()).toMatchObject({ data: { created: 1, updated: 1 } });
  expect((await read(id)).values.name).toBe('new');
  expect((await add([{ slug: 'x-1' }, { slug: 'x-1' }], { upsertOn: 'slug' })).json()).toMatchObject({ fields: { 'records.1.slug': { code: 'duplicate' } } });
  expect((await add([{ name: 'x' }], { upsertOn: 'name' })).json()).toMatchObject({ fields: { upsertOn: { code: 'wrong_type' } } });
});

test('a repeated call with the same idempotency key runs once', async () => {
  const before = await count();
  const key = { 'idempotency-key': 'order-7' };
  const body = [{ name: 'once' }];
  const [one, two] = await Promise.all([add(body, {}, key), add(body, {}, key)]);
  const three = await add(body, {}, key);
  expect(one.json()).toEqual(two.json());
  expect(three.json()).toEqual(one.json());
  expect(await count()).toBe(before + 1);
  expect((await add([{ name: 'other' }], {}, key)).json()).toMatchObject({ code: 'conflict' });
  // Keys are separate per person, and a failed call does not use its key up.
  expect((await add(body, {}, key, editor)).json()).not.toEqual(one.json());
  expect((await add([{ name: 5 }], {}, { 'idempotency-key': 'bad' })).statusCode).toBe(422);
  expect((await add([{ name: '5' }], {}, { 'idempotency-key': 'bad' })).statusCode).toBe(200);
  expect((await add(body, {}, { 'idempotency-key': 'with space' })).statusCode).toBe(400);
});

test('a failure inside a transaction leaves nothing', async () => {
  const before = await count();
  const model = await siteModel(program.ctx, testTable.site.id);
  const table = model.byName.get(testTable.table.id);
  if (!table) throw new Error('no table');
  const tableContext = { model, table, reader: { role: 'admin' as const, userId: testTable.owner.userId }, timeZone: 'UTC' };
  let batchId: string | null = null;
  const work = inWrite(program.ctx, null, async (w) => {
    ({ batchId } = await writeBatch(w, tableContext, [{ kind: 'create', values: { name: 'half' } }], { origin: 'api' }));
    // As when the process loses its connection.
    await w.tx.execute('SELECT pg_terminate_backend(pg_backend_pid())');
    return null;
  });
  await expect(work).rejects.toThrow();
  expect(batchId).not.toBeNull();
  expect(await count()).toBe(before);
  const { rowCount } = await program.ctx.postgres.pool.query(`SELECT 1 FROM ${historyTable(testTable.site.id)} WHERE batch = $1`, [batchId]);
  expect(rowCount).toBe(0);
});

test('a cell holds at most a million bytes', async () => {
  const id = await addOne({ note: 'x'.repeat(1_000_000) });
  expect(String((await read(id)).values.note)).toHaveLength(1_000_000);
  expect((await add([{ note: 'x'.repeat(1_000_001) }])).json()).toMatchObject({ fields: { 'records.0.note': { code: 'too_long', max: 1_000_000 } } });
  expect((await add([{ note: '茶'.repeat(333_334) }])).statusCode).toBe(422);
});

test('hostile names and characters and foreign ids are refused', async () => {
  const hostile = await testTable.owner.send('POST', `${testTable.path}/records`, JSON.parse('{"records":[{"constructor":1,"toString":2}]}') as object);
  expect(hostile.json()).toMatchObject({ fields: { 'records.0.constructor': { code: 'unknown_field' }, 'records.0.toString': { code: 'unknown_field' } } });
  expect((await add([{ name: 'a\u0000b' }])).json()).toMatchObject({ fields: { 'records.0.name': { code: 'forbidden_characters' } } });
  expect((await add([{ note: '\ud800' }])).statusCode).toBe(422);
  const elsewhere = await program.makeSite(testTable.owner, { name: 'Other' });
  const id = await addOne({ name: 'mine' });
  expect(
    (
      await testTable.owner.send(
        'PATCH',
        `/api/site/${elsewhere.id}/table/tables/${testTable.table.id}/records/${id}`,
        { values: { name: 'x' } },
        { 'if-match': '"1"' },
      )
    ).statusCode,
  ).toBe(404);
  expect((await testTable.owner.send('PATCH', `${people.path}/records/${id}`, { values: { name: 'x' } }, { 'if-match': '"1"' })).statusCode).toBe(404);
  const list = await testTable.owner.send('PATCH', `${people.path}/records`, { changes: [{ id, values: { name: 'x' } }] });
  expect(list.json()).toMatchObject({ fields: { 'changes.0.id': { code: 'unknown' } } });
  const { batchId } = (await add([{ name: 'b' }])).json<{ data: Written }>().data;
  expect((await testTable.owner.send('POST', `/api/site/${elsewhere.id}/table/batches/${batchId}/undo`)).statusCode).toBe(404);
});

test('single fields are reverted from history', async () => {
  const id = await addOne({ name: 'v1', price: '1' });
  await change(id, 1, { name: 'v2', price: '2' });
  await change(id, 2, { name: 'v3' });
  await change(id, 3, { name: 'Tea' }, testTable.owner, { locale: 'en' });
  const revert = (revision: number, fields: string[]) => testTable.owner.send('POST', `${testTable.path}/records/${id}/revert`, { revision, fields });
  expect((await revert(2, ['name'])).json()).toMatchObject({ data: { values: { name: 'v2', price: '2.00' } } });
  expect((await revert(1, ['name', 'price', 'name@en'])).json()).toMatchObject({ data: { values: { name: 'v1', price: '1.00' } } });
  expect((await read(id, '?locale=en')).values.name).toBe('v1');
  expect((await revert(99, ['name'])).statusCode).toBe(404);
  expect((await revert(1, ['secret'])).json()).toMatchObject({ fields: { secret: { code: 'readonly' } } });
});

test('a batch is undone and redone once each', async () => {
  const { batchId, records } = (await add([{ name: 'u1' }, { name: 'u2' }])).json<{ data: Written }>().data;
  const gone = async () =>
    (await Promise.all(records.map(({ id }) => testTable.owner.get(`${testTable.path}/records/${id}`)))).map((answer) => answer.statusCode);
  expect((await undo(batchId)).json()).toMatchObject({ data: { undone: 2, skippedCount: 0 } });
  expect(await gone()).toEqual([404, 404]);
  expect((await undo(batchId)).json()).toMatchObject({ code: 'bad_transition' });
  const redo = () => testTable.owner.send('POST', `/api/site/${testTable.site.id}/table/batches/${batchId}/redo`);
  expect((await redo()).json()).toMatchObject({ data: { undone: 2 } });
  expect(await gone()).toEqual([200, 200]);
  expect((await redo()).json()).toMatchObject({ code: 'bad_transition' });
  expect((await undo(batchId)).json()).toMatchObject({ data: { undone: 2 } });
  const { data: batches } = (await testTable.owner.get(`/api/site/${testTable.site.id}/table/batches?own=true`)).json<{
    data: { id: string; undone: boolean; created: number }[];
  }>();
  expect(batches.find((batch) => batch.id === batchId)).toMatchObject({ undone: true, created: 2 });
});

test('rules apply to fields and records, before and after a change', async () => {
  const f = testTable.f;
  const rule = { siteId: testTable.site.id, tableId: testTable.table.id, role: 'editor' as const, allowed: true };
  await program.ctx.postgres.db.insert(contentRules).values([
    { ...rule, action: 'update', fields: [f.name ?? '', f.price ?? ''], filter: { field: f.price ?? '', op: 'lt', value: 100 } },
    { ...rule, action: 'create', allowed: false },
  ]);
  await program.ctx.postgres.db.execute(`UPDATE content_sites SET revision = revision + 1`);
  const [cheap, dear] = [await addOne({ name: 'c', price: '1' }), await addOne({ name: 'd', price: '1000' })];
  expect((await add([{ name: 'x' }], {}, {}, editor)).statusCode).toBe(403);
  expect((await change(cheap, 1, { note: 'x' }, editor)).json()).toMatchObject({ fields: { note: { code: 'readonly' } } });
  expect((await change(dear, 1, { name: 'x' }, editor)).statusCode).toBe(403);
  expect((await change(cheap, 1, { price: '100' }, editor)).statusCode).toBe(403);
  expect((await change(cheap, 1, { price: '99' }, editor)).json()).toMatchObject({ data: { values: { price: '99.00' } } });
  const viewer = await program.makePerson('member');
  await program.grant(testTable.site.id, viewer.userId, 'viewer');
  expect((await change(cheap, 2, { name: 'x' }, viewer)).statusCode).toBe(403);
  const { batchId } = (await add([{ name: 'mine' }])).json<{ data: Written }>().data;
  expect((await undo(batchId, viewer)).statusCode).toBe(403);
});
