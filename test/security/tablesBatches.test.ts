import { randomUUID } from 'node:crypto';
import type { Batch, ContentRecord, RecordChange, UndoResult, Written } from '../../contract/tables/records';
import { personOn, setRule } from '../integration/tablesLifeSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';

/** An editor sees every record except those of kind `secret`, and every field except `cost`; batches must reveal no more. */
let program: TestApp;
let teas: Tabled;
let shelves: MadeTable;
let vaults: MadeTable;
let editor: Person;
beforeAll(async () => {
  program = await makeTestApp();
  teas = await makeTabled(program, [
    { key: 'name', type: 'text' },
    { key: 'kind', type: 'text' },
    { key: 'cost', type: 'number' },
  ]);
  const to = teas.table.id;
  shelves = await addTestTable(teas.owner, teas.site.id, [
    { key: 'name', type: 'text' },
    { key: 'tea', type: 'relation', options: { to } },
    { key: 'teas', type: 'relations', options: { to } },
  ]);
  vaults = await addTestTable(teas.owner, teas.site.id, [
    { key: 'name', type: 'text' },
    { key: 'cascading', type: 'relation', options: { to, onDelete: 'cascade' } },
    { key: 'blocking', type: 'relation', options: { to, onDelete: 'block' } },
  ]);
  editor = await personOn(program, teas.site, 'editor');
  const filter = { field: teas.f['kind'] ?? '', op: 'ne' as const, value: 'secret' };
  for (const action of ['read', 'update', 'delete'] as const)
    await setRule(program, teas.table, teas.site, { role: 'editor', action, allowed: true, filter, fields: [teas.f['name'] ?? '', teas.f['kind'] ?? ''] });
  await setRule(program, vaults.table, teas.site, { role: 'editor', action: 'read', allowed: false });
});
afterAll(() => program.close());

const dataOf = async <T>(sent: Promise<{ statusCode: number; body: string }>): Promise<T> => {
  const { statusCode, body } = await sent;
  if (statusCode >= 300) throw new Error(body);
  return (JSON.parse(body) as { data: T }).data;
};
const outcome = async (sent: Promise<{ statusCode: number; body: string }>): Promise<unknown> => {
  const { statusCode, body } = await sent;
  const { requestId: _, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return [statusCode, rest];
};
const add = async (at: MadeTable, records: object[]): Promise<string[]> =>
  (await dataOf<Written>(teas.owner.send('POST', `${at.path}/records`, { records }))).records.map(({ id }) => id);
const batchesPath = (): string => `/api/site/${teas.site.id}/table/batches`;
const undo = (batchId: string | null, by: Person): Promise<UndoResult> => dataOf(by.send('POST', `${batchesPath()}/${batchId}/undo`, {}));
const change = (by: Person, changes: object[]): Promise<Written> => dataOf(by.send('PATCH', `${teas.path}/records`, { changes }));
const read = (by: Person, at: MadeTable, id: string): Promise<ContentRecord> => dataOf(by.get(`${at.path}/records/${id}`));

test('undo names no record that the caller may not see', async () => {
  const [hidden = '', open = '', edited = ''] = await add(teas, [{ name: 'a', kind: 'secret' }, { name: 'b' }, { name: 'c' }]);
  const { batchId } = await change(
    teas.owner,
    [hidden, open, edited].map((id) => ({ id, values: { name: 'changed' } })),
  );
  await change(teas.owner, [{ id: edited, values: { name: 'changed again' } }]);
  const answer = await undo(batchId, editor);
  expect(answer).toMatchObject({ undone: 1, skipped: [{ recordId: edited, field: teas.f['name'] }], skippedCount: 1 });
  expect((await read(teas.owner, teas, hidden)).values['name']).toBe('changed');
});

test('undo names no field that the caller may not see', async () => {
  const [id = ''] = await add(teas, [{ name: 'a' }]);
  const { batchId } = await change(teas.owner, [{ id, values: { name: 'b', cost: '5' } }]);
  expect(await undo(batchId, editor)).toMatchObject({ undone: 1, skipped: [], skippedCount: 0 });
  expect((await read(teas.owner, teas, id)).values).toMatchObject({ name: 'a', cost: '5' });
});

test('a batch counts visible records, and is hidden without any', async () => {
  await add(teas, [{ name: 'a', kind: 'secret' }, { name: 'b', kind: 'secret' }, { name: 'c' }]);
  await add(teas, [{ name: 'd', kind: 'secret' }]);
  const listed = (by: Person): Promise<Batch[]> => dataOf(by.get(`${batchesPath()}?table=${teas.table.id}`));
  const [hidden, mixed] = await listed(teas.owner);
  expect([hidden?.created, mixed?.created]).toEqual([1, 3]);
  const [first] = await listed(editor);
  expect([first?.id, first?.created]).toEqual([mixed?.id, 1]);
});

test('moving before a hidden record fails as with an unknown one', async () => {
  const [hidden = '', moved = ''] = await add(teas, [{ name: 'a', kind: 'secret' }, { name: 'b' }]);
  const move = (ids: string[], before: string): Promise<unknown> => outcome(editor.send('POST', `${teas.path}/records/move`, { ids, before }));
  expect(await move([moved], hidden)).toEqual(await move([moved], randomUUID()));
  expect(await move([hidden], moved)).toEqual(await move([randomUUID()], moved));
  expect(await move([hidden], hidden)).toMatchObject([404, { code: 'not_found' }]);
});

test('a move does not name records shifted to make room', async () => {
  const ids = await add(teas, [{ name: 'a', kind: 'secret' }, { name: 'b', kind: 'secret' }, { name: 'c' }, { name: 'd' }]);
  const [first = '', second = '', third = '', moved = ''] = ids;
  const { pool } = program.ctx.postgres;
  await pool.query(`UPDATE s_${teas.site.id}.${teas.table.id} SET ord = 500000 WHERE id = ANY($1)`, [[first, second, third]]);
  const answer = await dataOf<Written>(editor.send('POST', `${teas.path}/records/move`, { ids: [moved], before: third }));
  expect(answer).toMatchObject({ updated: 1, records: [{ id: moved }] });
});

test('removal neither counts nor names hidden cascaded records', async () => {
  const [tea = ''] = await add(teas, [{ name: 'a' }]);
  const [vault = ''] = await add(vaults, [{ name: 'v', cascading: tea }]);
  const target = { ids: [tea] };
  const answer = await dataOf<Written>(editor.send('POST', `${teas.path}/records/trash`, { target }));
  expect(answer).toMatchObject({ updated: 1, records: [{ id: tea }] });
  const [mine] = await dataOf<Batch[]>(editor.get(`${batchesPath()}?own=true`));
  expect(mine).toMatchObject({ id: answer.batchId, removed: 1 });
  expect(await undo(answer.batchId, editor)).toMatchObject({ undone: 1, skipped: [] });
  expect((await read(teas.owner, vaults, vault)).deletedAt).toBeNull();
});

test('removing a hidden record fails like removing an unknown one', async () => {
  const [hidden = ''] = await add(teas, [{ name: 'a', kind: 'secret' }]);
  await add(vaults, [{ name: 'v', blocking: hidden }]);
  const remove = (id: string): Promise<unknown> => outcome(editor.send('POST', `${teas.path}/records/trash`, { target: { ids: [id] } }));
  expect(await remove(hidden)).toEqual(await remove(randomUUID()));
});

describe('hidden links', () => {
  let hidden = '';
  let open = '';
  let shelf = '';
  beforeEach(async () => {
    [hidden = '', open = ''] = await add(teas, [{ name: 'a', kind: 'secret' }, { name: 'b' }]);
    [shelf = ''] = await add(shelves, [{ name: 's', tea: hidden, teas: [hidden, open] }]);
  });
  const write = (values: object, revision: number) => editor.send('PATCH', `${shelves.path}/records/${shelf}`, { values }, { 'if-match': `"${revision}"` });

  test('stay when a record is written back as read', async () => {
    const visibleRecord = await read(editor, shelves, shelf);
    expect(visibleRecord.values).toMatchObject({ tea: null, teas: [open] });
    expect(await dataOf(write(visibleRecord.values, visibleRecord.revision))).toMatchObject({ revision: visibleRecord.revision });
    expect((await read(teas.owner, shelves, shelf)).values).toMatchObject({ tea: hidden, teas: [hidden, open] });
  });

  test('neither cause conflicts nor appear in them', async () => {
    const { revision, values } = await read(editor, shelves, shelf);
    await dataOf(teas.owner.send('PATCH', `${shelves.path}/records`, { changes: [{ id: shelf, values: { name: 't', teas: [open, hidden] } }] }));
    expect((await write({ teas: values['teas'] }, revision)).statusCode).toBe(200);
    const [other = ''] = await add(teas, [{ name: 'c' }]);
    await dataOf(teas.owner.send('PATCH', `${shelves.path}/records`, { changes: [{ id: shelf, values: { teas: [hidden, other] } }] }));
    const refused = await write({ teas: [] }, revision);
    expect(refused.statusCode).toBe(409);
    expect(refused.body).not.toContain(hidden);
    expect(refused.json()).toMatchObject({ current: { fields: { teas: { base: [open], theirs: [other], yours: [] } } } });
  });

  test('cannot be discovered by writing their ids', async () => {
    const { revision } = await read(editor, shelves, shelf);
    for (const values of [(id: string) => ({ tea: id }), (id: string) => ({ teas: [id] })])
      expect(await outcome(write(values(hidden), revision))).toEqual(await outcome(write(values(randomUUID()), revision)));
  });

  test('are absent from history and from reverts of restricted readers', async () => {
    await dataOf(teas.owner.send('PATCH', `${shelves.path}/records`, { changes: [{ id: shelf, values: { tea: open, teas: [open] } }] }));
    const history = await editor.get(`${shelves.path}/records/${shelf}/history`);
    expect(history.body).not.toContain(hidden);
    const [last] = history.json<{ data: RecordChange[] }>().data;
    expect(last?.fields).toMatchObject({
      [shelves.f['tea'] ?? '']: { before: null, after: open },
      [shelves.f['teas'] ?? '']: { before: [open], after: [open] },
    });
    await dataOf(editor.send('POST', `${shelves.path}/records/${shelf}/revert`, { revision: 1, fields: ['teas'] }));
    expect((await read(teas.owner, shelves, shelf)).values['teas']).toEqual([open]);
  });

  test('are neither shown nor counted in a bulk edit preview', async () => {
    const sent = await editor.send('POST', `${shelves.path}/records/bulk`, { target: { ids: [shelf] }, values: { tea: null, teas: [open] }, dryRun: true });
    expect(sent.body).not.toContain(hidden);
    expect(sent.json()).toMatchObject({
      data: { updated: 0, unchanged: 1, samples: [{ before: { tea: null, teas: [open] }, after: { tea: null, teas: [open] } }] },
    });
  });
});
