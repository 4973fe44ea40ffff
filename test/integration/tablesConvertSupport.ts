import type { Conversion, ConversionResult, ConversionInput, ConversionPlan } from '../../contract/tables/conversion';
import type { ContentRecord } from '../../contract/tables/records';
import type { ContentTable, FieldInput, TableField } from '../../contract/tables/schemas';
import { until } from '../support/until';
import type { Calls, Failed } from './tablesLifeSupport';

const fail = (message: string): never => {
  throw new Error(message);
};
export const fieldIn = (table: ContentTable, key: string): TableField => table.fields.find((one) => one.key === key) ?? fail(`no field ${key}`);

/** Conversions of fields by the current person: planned, started, awaited and undone. `at`: the address of a field's conversion. */
export function conversionsOf(calls: () => Calls) {
  const fresh = (table: ContentTable): Promise<ContentTable> => calls().get<ContentTable>(`tables/${table.id}`);
  const at = (table: ContentTable, key: string, tail = ''): string => `tables/${table.id}/fields/${key}/conversion${tail}`;
  const plan = (table: ContentTable, key: string, body: ConversionInput) => calls().post<ConversionPlan>(at(table, key, '/plan'), body);
  const state = async (table: ContentTable, key: string): Promise<ConversionResult> => calls().get<ConversionResult>(at(table, key));
  const failed = (body: string): never => fail(body.slice(0, 300));
  async function start(table: ContentTable, key: string, body: ConversionInput): Promise<Conversion> {
    const answer = await calls().send('POST', at(table, key), body, (await fresh(table)).revision);
    // Another conversion of the table ended in between.
    if (answer.statusCode === 409 && answer.json<Failed>().code === 'stale_revision') return start(table, key, body);
    return answer.statusCode === 200 ? answer.json<{ data: Conversion }>().data : failed(answer.body);
  }
  const ended = async (table: ContentTable, key: string): Promise<Conversion> => {
    await until(async () => (await state(table, key)).conversion?.state !== 'running');
    return (await state(table, key)).conversion ?? fail('no conversion');
  };
  async function convert(table: ContentTable, key: string, body: ConversionInput): Promise<Conversion> {
    await start(table, key, body);
    return ended(table, key);
  }
  async function undo(table: ContentTable, key: string): Promise<Conversion> {
    await calls().post(at(table, key, '/undo'), {});
    return ended(table, key);
  }
  const values = async (table: ContentTable, key: string): Promise<unknown[]> => {
    const rows = await calls().rows(table.id, 'sort=$n');
    return rows.map((row) => row.values[key] ?? null);
  };
  const make = (fields: FieldInput[], more: object = {}): Promise<ContentTable> =>
    calls().table({ title: '表', fields: [{ type: 'text', title: 'Name', key: 'name' }, ...fields], ...more });
  const patch = (table: ContentTable, row: ContentRecord, changedValues: object) =>
    calls().send('PATCH', `tables/${table.id}/records/${row.id}`, { values: changedValues }, row.revision);
  return { fresh, at, plan, state, start, ended, convert, undo, values, make, patch };
}
