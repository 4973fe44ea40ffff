import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { ContentRecord, RecordPage, UndoResult, Written } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { siteModel } from '../../server/areas/tables/core/model';
import { readCursor, writeCursor } from '../../server/areas/tables/core/read/sort';
import { contentTables } from '../../server/areas/tables/core/schema';
import { inWrite, writeBatch } from '../../server/areas/tables/core/write';
import type { TableContext } from '../../server/areas/tables/core/tableContext';
import { personOn, setRule } from '../integration/tablesLifeSupport';
import { makeTestApp } from '../support/app';
import type { Browser, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';

let program: TestApp;
let teas: Tabled;
let makers: MadeTable;
beforeAll(async () => {
  program = await makeTestApp();
  teas = await makeTabled(
    program,
    [
      { key: 'name', type: 'text' },
      { key: 'code', type: 'text', unique: true },
      { key: 'story', type: 'longText' },
      { key: 'kind', type: 'select', options: { choices: [{ id: 'g', title: '绿茶', color: 'grey' }] } },
    ],
    { title: '茶', drafts: true },
  );
  makers = await addTestTable(
    teas.owner,
    teas.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'makes', type: 'relations', options: { to: teas.table.id }, inverseTitle: '茶厂' },
      { key: 'best', type: 'relation', options: { to: teas.table.id } },
    ],
    { title: '茶厂' },
  );
});
afterAll(() => program.close());

const add = async (records: object[], path = teas.path, by: Browser = teas.owner): Promise<Written> =>
  (await by.send('POST', `${path}/records`, { records })).json<{ data: Written }>().data;
const addOne = async (record: object, path = teas.path): Promise<string> => (await add([record], path)).records[0]?.id ?? '';
const read = async (path: string): Promise<RecordPage> => (await teas.owner.get(path)).json<{ data: RecordPage }>().data;
const rows = async (path: string): Promise<ContentRecord[]> => (await read(`${path}/records?limit=1000`)).rows;
const definition = async (): Promise<ContentTable> => (await teas.owner.get(teas.path)).json<{ data: ContentTable }>().data;

test('impossible revision numbers are refused', async () => {
  const id = await addOne({ name: '龙井' });
  const beyond = 2 ** 31;
  const statuses = [
    await teas.owner.get(`${teas.path}/records/${id}/history?before=${beyond}`),
    await teas.owner.send('POST', `${teas.path}/records/${id}/revert`, { revision: beyond, fields: ['name'] }),
    await teas.owner.send('PATCH', `${teas.path}/records`, { changes: [{ id, revision: -beyond - 1, values: { name: '碧螺春' } }] }),
  ].map((answer) => answer.statusCode);
  expect(statuses).toEqual([422, 422, 422]);
  expect((await teas.owner.get(`${teas.path}/records/${id}/history?before=${beyond - 1}`)).statusCode).toBe(200);
});

test.each([
  ['长'.repeat(101), 'too_long'],
  ['绿\u202e茶', 'forbidden_characters'],
])('an invalid pasted choice title fails its row only', async (title, code) => {
  const before = await definition();
  const answer = await teas.owner.send('POST', `${teas.path}/records/paste`, {
    fields: [teas.f['kind']],
    rows: [
      { id: null, cells: [title] },
      { id: null, cells: ['红茶'] },
    ],
    addChoices: true,
  });
  expect(answer.json()).toMatchObject({
    data: { batchId: null, failed: 1, rows: expect.arrayContaining([expect.objectContaining({ errors: [expect.objectContaining({ code })] })]) },
  });
  expect(await definition()).toEqual(before);
});

test('pasted titles that differ only in case become one choice', async () => {
  const rowsOf = ['Red', 'red', 'RED'].map((cell) => ({ id: null, cells: [cell] }));
  const answer = await teas.owner.send('POST', `${teas.path}/records/paste`, { fields: [teas.f['kind']], rows: rowsOf, addChoices: true });
  expect(answer.json()).toMatchObject({ data: { created: 3, failed: 0 } });
  const { fields, revision } = await definition();
  const { id = '', options } = fields.find((field) => field.key === 'kind') ?? {};
  expect(options?.choices?.map((choice) => choice.title)).toEqual(['绿茶', 'Red']);
  const saved = await teas.owner.send('PATCH', `${teas.path}/fields/${id}`, { options, help: '颜色' }, { 'if-match': `"${revision}"` });
  expect(saved.statusCode).toBe(200);
});

test('a value too long for its index is a field error', async () => {
  const answer = await teas.owner.send('POST', `${teas.path}/records`, { records: [{ code: randomBytes(3000).toString('hex') }] });
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({ fields: { 'records.0.code': { code: 'too_long' } } });
});

test('pages sorted by a long text can be turned', async () => {
  const table = await addTestTable(teas.owner, teas.site.id, [{ key: 'story', type: 'longText' }], { title: '故事' });
  await add(
    ['a', 'b', 'c'].map((begin) => ({ story: begin + randomBytes(4000).toString('hex') })),
    table.path,
  );
  const firstLetters: string[] = [];
  let cursor = '';
  for (let page = 0; page < 3; page++) {
    const { rows: some, next } = await read(`${table.path}/records?limit=1&sort=story${cursor && `&cursor=${cursor}`}`);
    firstLetters.push(...some.map((row) => String(row.values['story']).slice(0, 1)));
    cursor = next ?? '';
  }
  expect(firstLetters).toEqual(['a', 'b', 'c']);
});

test('a cursor can hold a very long record position', () => {
  const place = { ord: `1.${'3'.repeat(1500)}`, id: '01900000-0000-7000-8000-000000000000', keys: [] };
  expect(readCursor('order', [], writeCursor('order', place))).toEqual(place);
});

test('undo changes only records that the caller may change', async () => {
  const table = await addTestTable(teas.owner, teas.site.id, [{ key: 'name', type: 'text' }], { title: '共用' });
  const editor = await personOn(program, teas.site, 'editor');
  await setRule(program, table.table, teas.site, {
    role: 'editor',
    action: 'delete',
    allowed: true,
    filter: { field: table.f['name'] ?? '', op: 'eq', value: '可删' },
  });
  const created = await add([{ name: '可删' }, { name: '要留' }], table.path);
  const keep = created.records[1]?.id;
  expect((await editor.send('POST', `${table.path}/records/trash`, { target: { ids: [keep] } })).statusCode).toBe(403);
  const undone = (await editor.send('POST', `/api/site/${teas.site.id}/table/batches/${created.batchId}/undo`, {})).json<{ data: UndoResult }>().data;
  expect(undone).toMatchObject({ undone: 1, skippedCount: 1 });
  expect((await rows(table.path)).map((row) => row.values['name'])).toEqual(['要留']);
});

test('undo leaves fields alone that the caller may not see', async () => {
  const table = await addTestTable(
    teas.owner,
    teas.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'cost', type: 'text' },
    ],
    { title: '成本' },
  );
  const editor = await personOn(program, teas.site, 'editor');
  await setRule(program, table.table, teas.site, { role: 'editor', action: 'read', allowed: true, fields: [table.f['name'] ?? ''] });
  const id = await addOne({ name: '旧名', cost: '1' }, table.path);
  const changed = await teas.owner.send('PATCH', `${table.path}/records`, { changes: [{ id, values: { name: '新名', cost: '2' } }] });
  const { batchId } = changed.json<{ data: Written }>().data;
  const undone = (await editor.send('POST', `/api/site/${teas.site.id}/table/batches/${batchId}/undo`, {})).json<{ data: UndoResult }>().data;
  expect(undone).toMatchObject({ undone: 1, skippedCount: 0 });
  expect((await rows(table.path)).map((row) => row.values)).toEqual([{ name: '旧名', cost: '2' }]);
});

test('reverting a record does not remove links from the other side', async () => {
  const id = await addOne({ name: '铁观音' });
  await addOne({ name: '安溪', makes: [id] }, makers.path);
  const inverse = (await definition()).fields.find((field) => field.type === 'inverse')?.key;
  const answer = await teas.owner.send('POST', `${teas.path}/records/${id}/revert`, { revision: 1, fields: [inverse] });
  expect(answer.json()).toMatchObject({ code: 'invalid_fields', fields: { [inverse ?? '']: { code: 'readonly' } } });
  expect((await rows(makers.path)).find((row) => row.values['name'] === '安溪')?.values['makes']).toEqual([id]);
});

test('a pasted name shared by many records is ambiguous', async () => {
  await add([...Array.from({ length: 30 }, () => ({ name: '无名' })), { name: '独一' }]);
  const paste = async (name: string) =>
    (await teas.owner.send('POST', `${makers.path}/records/paste`, { fields: [makers.f['best']], rows: [{ id: null, cells: [name] }] })).json<{
      data: unknown;
    }>().data;
  expect(await paste('无名')).toMatchObject({ failed: 1, rows: [{ errors: [{ code: 'duplicate' }] }] });
  expect(await paste('独一')).toMatchObject({ failed: 0, created: 1 });
});

test('concurrent schedules keep the earliest due time of the table', async () => {
  const created = await add([{ name: '早' }, { name: '晚' }]);
  const [early = '', late = ''] = created.records.map(({ id }) => id);
  const model = await siteModel(program.ctx, teas.site.id);
  const table = model.tables.find((one) => one.id === teas.table.id);
  if (!table) throw new Error('no table');
  const tableContext: TableContext = { model, table, reader: { role: 'admin', userId: teas.owner.userId }, timeZone: 'Asia/Shanghai' };
  const now = program.ctx.now();
  const at = (hours: number): Date => new Date(now + hours * 3_600_000);
  let second: Promise<unknown> = Promise.resolve();
  await inWrite(program.ctx, null, async (w) => {
    await writeBatch(w, tableContext, [{ kind: 'schedule', id: early, publishAt: at(1) }], { origin: 'console' });
    second = inWrite(program.ctx, null, (other) => writeBatch(other, tableContext, [{ kind: 'schedule', id: late, publishAt: at(2) }], { origin: 'console' }));
    // Until the second transaction waits for the lock of the first.
    for (let waiting = 0; waiting === 0;) {
      const found = await program.ctx.postgres.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      waiting = found.rows[0]?.n ?? 0;
    }
  });
  await second;
  const [row] = await program.ctx.postgres.db.select({ dueAt: contentTables.dueAt }).from(contentTables).where(eq(contentTables.id, table.id));
  expect(row?.dueAt).toEqual(at(1));
});
