import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';

let program: TestApp;
let made: Tabled;
beforeAll(async () => {
  program = await makeTestApp();
  made = await makeTabled(program, [
    { key: 'name', type: 'text', options: { maxLength: 20 } },
    { key: 'slug', type: 'slug', unique: true },
    { key: 'price', type: 'currency', options: { currency: 'CNY', decimals: 2, min: 0 } },
  ]);
});
afterAll(() => program.close());

type Rows = { data: { records: { id: string; n: number; revision: number }[]; batchId: string; created: number; updated: number; unchanged: number } };
const add = async (records: object[], more: object = {}) => made.owner.send('POST', `${made.path}/records`, { records, ...more });
const list = async () =>
  (await made.owner.get(`${made.path}/records`)).json<{ data: { rows: { id: string; values: Record<string, unknown>; revision: number }[] } }>().data.rows;

test('records are made, changed and undone', async () => {
  const answer = await add([
    { name: '红茶', price: '12.5' },
    { name: '绿茶', price: 8 },
  ]);
  expect(answer.json()).toMatchObject({ data: { created: 2 } });
  const { records, batchId } = answer.json<Rows>().data;
  expect((await list()).map((row) => row.values)).toMatchObject([
    { name: '红茶', price: '12.50' },
    { name: '绿茶', price: '8.00' },
  ]);
  const changed = await made.owner.send('PATCH', `${made.path}/records/${records[0]?.id}`, { values: { name: '白茶' } }, { 'if-match': '"1"' });
  expect(changed.json()).toMatchObject({ data: { revision: 2, values: { name: '白茶' } } });
  const undo = await made.owner.send('POST', `/api/site/${made.site.id}/table/batches/${batchId}/undo`);
  expect(undo.json()).toMatchObject({ data: { undone: 1, skippedCount: 1 } });
  expect((await list()).map((row) => row.values.name)).toEqual(['白茶']);
});
