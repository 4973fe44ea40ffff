import { fieldTypes, filterOps, opsOf } from '../../contract/tables/terms';
import type { FilterOp } from '../../contract/tables/terms';
import type { ContentTable, FieldInput } from '../../contract/tables/schemas';
import { RecordFilterSchema } from '../../contract/tables/recordFilter';
import { siteModel, tableOf } from '../../server/areas/tables/core/model';
import { listRecords } from '../../server/areas/tables/core/read';
import type { TableContext } from '../../server/areas/tables/core/tableContext';
import { Failure } from '../../server/http/failure';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { makeTabled } from '../support/tables';
import type { TestField, Tabled } from '../support/tables';
import { page } from './tablesReadSupport';

/** Every operator on every type of field, computed ones included: allowed operators are answered, others are refused, and none fails. */
let program: TestApp;
let testTable: Tabled;
let fields: ContentTable['fields'];
const later = new Set(['relation', 'relations', 'inverse', 'lookup', 'rollup', 'formula', 'button']);
const choices = [{ id: 'a', title: 'A' }];
const optionsOf: Partial<Record<string, FieldInput['options']>> = {
  select: { choices },
  multiSelect: { choices },
  currency: { currency: 'CNY', decimals: 2 },
  repeater: { items: [{ key: 'a', title: 'A', type: 'text' }] },
  autonumber: { prefix: 'No-', pad: 4 },
};
beforeAll(async () => {
  program = await makeTestApp();
  const plain = fieldTypes.filter((type) => !later.has(type));
  testTable = await makeTabled(program, [
    { key: 'name', type: 'text' },
    ...plain.map((type): TestField => ({ key: `x_${type.toLowerCase()}`, type, ...(optionsOf[type] ? { options: optionsOf[type] } : {}) })),
  ]);
  const add = async (field: object): Promise<void> => {
    const answer = await testTable.owner.send('POST', `${testTable.path}/fields`, field);
    if (answer.statusCode !== 200) throw new Error(`${JSON.stringify(field)}: ${answer.body}`);
  };
  const own = testTable.table.id;
  await add({ key: 'one', title: 'one', type: 'relation', options: { to: own } });
  await add({ key: 'many', title: 'many', type: 'relations', options: { to: own } });
  await add({ key: 'back', title: 'back', type: 'inverse', options: { of: `${own}.one` } });
  await add({ key: 'counted', title: 'counted', type: 'rollup', options: { relation: 'many', how: 'count' } });
  await add({ key: 'press', title: 'press', type: 'button', options: { label: 'x', url: 'https://example.com/' } });
  for (const type of plain.filter((one) => one !== 'password'))
    await add({ key: `l_${type.toLowerCase()}`, title: `l ${type}`, type: 'lookup', options: { relation: 'one', target: `x_${type.toLowerCase()}` } });
  for (const [key, formula] of [
    ['text', 'CONCAT({name}, "!")'],
    ['number', '{x_integer} + 1'],
    ['boolean', '{x_integer} > 1'],
    ['date', '{x_date}'],
    ['datetime', '{x_datetime}'],
    ['auto', '{x_autonumber} + 1'],
  ])
    await add({ key: `c_${key}`, title: `c ${key}`, type: 'formula', options: { formula } });
  await testTable.owner.send('POST', `${testTable.path}/records`, { records: [{ name: 'a', x_integer: 5, x_date: '2026-01-02' }, { name: 'b' }] });
  fields = (await testTable.owner.get(testTable.path)).json<{ data: ContentTable }>().data.fields;
});
afterAll(() => program.close());

/** Calls the reader directly, because the API limits requests per person. */
async function outcomeOf(tableContext: TableContext, filter: object): Promise<string> {
  const read = RecordFilterSchema.safeParse(filter);
  if (!read.success) return 'invalid_fields';
  try {
    await listRecords(program.ctx, tableContext, { filter: read.data, limit: 1, fields: ['-'] });
    return 'answered';
  } catch (error) {
    return error instanceof Failure ? error.code : String(error);
  }
}

const id = '01900000-0000-7000-8000-000000000000';
const scalars: readonly unknown[] = ['a', '5', 5, 1.5, true, '2026-01-02', '10:30', 'last7', id, '$user', '', null];
const valuesFor = (op: FilterOp): readonly unknown[] =>
  op === 'some' || op === 'none'
    ? [{ and: [] }, { field: 'name', op: 'eq', value: 'a' }, ...scalars]
    : [...scalars, [], [id], ['a', null], [1, 2], ['2026-01-01', '2026-01-31'], ['09:00', '10:00']];

test('no operator fails on any field type, whatever the value', async () => {
  const failed: string[] = [];
  const model = await siteModel(program.ctx, testTable.site.id);
  const tableContext: TableContext = {
    model,
    table: tableOf(model, testTable.table.id),
    reader: { role: 'admin', userId: testTable.owner.userId },
    timeZone: 'Asia/Shanghai',
  };
  let tried = 0;
  for (const field of fields)
    for (const op of filterOps) {
      let answered = 0;
      for (const value of valuesFor(op)) {
        const filter = { field: field.id, op, ...(value === '' && (op === 'empty' || op === 'notEmpty') ? {} : { value }) };
        tried++;
        const outcome = await outcomeOf(tableContext, filter);
        if (outcome === 'answered') answered++;
        else if (outcome !== 'invalid_fields') failed.push(`${field.key} ${op} ${JSON.stringify(value)}: ${outcome}`);
      }
      const isLed = !(op === 'some' || op === 'none') || ['relation', 'relations', 'inverse'].includes(field.type);
      const isSecret = field.type === 'password' && op !== 'empty' && op !== 'notEmpty';
      const mayAsk = field.problem === null && opsOf[field.yields].includes(op) && isLed && !isSecret;
      if (answered > 0 !== mayAsk) failed.push(`${field.key} (${field.type}, ${field.yields}) ${op}: ${answered} answered`);
    }
  expect(failed).toEqual([]);
  expect(tried).toBeGreaterThan(10_000);
}, 300_000);

test('autonumbers are filtered as numbers', async () => {
  const found = async (op: FilterOp, value?: unknown): Promise<unknown[]> =>
    (await page(testTable.owner, testTable.path, { filter: { field: 'x_autonumber', op, value } })).rows.map((row) => row.values['x_autonumber']);
  expect(await found('eq', 1)).toEqual([1]);
  expect(await found('ne', '1')).toEqual([2]);
  expect(await found('in', [2])).toEqual([2]);
  expect(await found('nin', [2])).toEqual([1]);
  expect(await found('gt', 1)).toEqual([2]);
  expect(await found('between', [1, 2])).toEqual([1, 2]);
  expect(await found('notEmpty')).toEqual([1, 2]);
});
