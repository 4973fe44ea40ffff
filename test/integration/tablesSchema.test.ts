import { jest } from '@jest/globals';
import { fieldTypes } from '../../contract/tableTerms';
import type { FieldType } from '../../contract/tableTerms';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { TestField, Tabled } from '../support/tables';

jest.setTimeout(60_000);
let program: TestApp;
let main: Tabled;

beforeAll(async () => {
  program = await makeTestApp();
  main = await makeTabled(program, [
    { key: 'title', type: 'text', title: '标题' },
    { key: 'slug', type: 'slug', options: { from: 'title' } },
  ]);
});
afterAll(() => program.close());

const needed: Partial<Record<FieldType, TestField['options']>> = {
  repeater: { items: [{ key: 'a', title: 'A', type: 'text' }] },
  lookup: { relation: 'relation', target: 'title' },
  rollup: { relation: 'relation', how: 'count' },
  formula: { formula: '1 + 1' },
  button: { label: 'Open', url: 'https://tea.example/' },
  inverse: { of: 'parent' },
};

test('a table with a field of every type can be made in one call, and holds drafts', async () => {
  const fields = fieldTypes.map((type): TestField => ({
    key: type.toLowerCase(),
    type,
    options: type === 'relation' || type === 'relations' ? { to: main.table.id } : (needed[type] ?? {}),
    indexed: type === 'multiSelect' || type === 'integer',
    unique: type === 'email',
  }));
  const { table } = await addTestTable(main.owner, main.site.id, [{ key: 'parent', type: 'relation', options: { to: 'every' } }, ...fields], {
    key: 'every',
    drafts: true,
  });
  expect(table.fields.map((field) => field.type)).toEqual(['relation', ...fieldTypes]);
  expect(table.primaryField).toBe(table.fields.find((field) => field.key === 'text')?.id);
});
