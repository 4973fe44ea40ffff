import { configure, screen, waitFor, within } from '@testing-library/react';
import type { Conversion, ConversionPlan } from '@contract/tables/conversion';
import type { Duplicates } from '@contract/tables/indexes';
import type { ContentTable } from '@contract/tables/schemas';
import { checkResponses } from '../../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../../test/support/axe';
import type { Answer } from '../../../../../test/support/fakeServer';
import { renderApp } from '../../../../../test/support/renderApp';
import { tableOf } from '../../../../../test/support/recordsScreen';

checkResponses();

jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const of = `${base}/tables/t_articleaaaaa`;
const price = `${of}/fields/f_priceaaaaaaa`;
const recordId = '0193a000-0000-7000-8000-000000000001';
let app: Awaited<ReturnType<typeof renderApp>>;
let table: ContentTable = tableOf();

const plan = (change: Partial<ConversionPlan> = {}): ConversionPlan => ({
  examined: 12,
  records: 12,
  exact: true,
  counts: { empty: 3, convertible: 6, lossy: 2, failing: 1 },
  samples: [
    { kind: 'failing', recordId, label: '春茶', locale: null, before: '9007199254740993', after: null, reason: '超出范围' },
    { kind: 'lossy', recordId, label: '秋茶', locale: null, before: '12.5', after: '13', reason: '会四舍五入' },
  ],
  choices: [],
  choiceCount: 0,
  duplicates: 0,
  seconds: 2,
  uses: [
    { kind: 'view', id: recordId, name: '便宜的', tableId: table.id, effect: 'keeps' },
    { kind: 'formula', id: 'f_x', name: '总价', tableId: table.id, effect: 'breaks' },
  ],
  blocked: [],
  ...change,
});
const conversion = (change: Partial<Conversion> = {}): Conversion => ({
  id: recordId,
  jobId: '0193a000-0000-7000-8000-00000000000a',
  state: 'running',
  from: 'number',
  to: 'integer',
  undoes: false,
  at: '2026-11-20T08:00:00.000Z',
  by: '林',
  doneAt: null,
  done: 5,
  total: 12,
  lossy: 0,
  emptied: 0,
  edited: 0,
  error: null,
  undoUntil: null,
  ...change,
});
async function open(search: string, answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/abcdefghijkl/table/table_fields${search}`, {
    answers: {
      [`GET ${base}/tables`]: () => ({ data: [table] }),
      [`GET ${price}/conversion`]: { data: { conversion: null, undoable: null } },
      [`GET ${price}/usage`]: { data: [] },
      ...answers,
    },
  });
  return app.person;
}
const search = () => new URLSearchParams(app.router.state.location.search);
beforeEach(() => {
  table = tableOf();
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('a conversion is previewed, adjusted, run and undone', async () => {
  let last: { conversion: Conversion | null; undoable: Conversion | null } = { conversion: null, undoable: null };
  const person = await open('?field=price', {
    [`GET ${price}/conversion`]: () => ({ data: last }),
    [`POST ${price}/conversion/plan`]: () => ({ data: plan() }),
    [`POST ${price}/conversion`]: () => {
      last = { conversion: conversion(), undoable: null };
      return { data: conversion() };
    },
  });
  await person.click(await screen.findByRole('button', { name: 'Change type…' }));
  expect(search().get('convert')).toBe('-');
  const dialog = await screen.findByRole('dialog', { name: 'Change the type of “价格”' });
  expect(within(dialog).queryByRole('button', { name: /^Formula/ })).toBeNull();
  await person.click(within(dialog).getByRole('button', { name: /^Whole number/ }));
  expect(search().get('convert')).toBe('integer');
  await person.type(within(dialog).getByLabelText(/^Unit/), '元');
  await person.click(within(dialog).getByRole('button', { name: 'Try it' }));
  expect(await within(dialog).findByText('All 12 records were checked, those in the bin too. Nothing has been changed yet.')).toBeInTheDocument();
  expect(app.server.calls(`POST ${price}/conversion/plan`)[0]?.body).toEqual({ type: 'integer', options: { unit: '元' }, addChoices: true });
  expect(within(dialog).getByText('超出范围')).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: 'Will change 2' }));
  expect(within(dialog).getByRole('row', { name: /秋茶.*12.5.*13.*会四舍五入/ })).toBeInTheDocument();
  const uses = within(dialog).getByRole('region', { name: 'What this affects' });
  expect(
    within(uses)
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual(['Formula · 总价Stops working', 'View · 便宜的Keeps working']);
  expect(await violationsOf(dialog)).toEqual([]);
  const go = within(dialog).getByRole('button', { name: 'Change type' });
  expect(go).toBeDisabled();
  await person.click(within(dialog).getByRole('radio', { name: /^Empty the values that do not fit/ }));
  await person.click(go);
  const call = app.server.calls(`POST ${price}/conversion`)[0];
  expect(call?.headers.get('if-match')).toBe('"1"');
  expect(call?.body).toEqual({ type: 'integer', options: { unit: '元' }, addChoices: true, misfits: 'empty', keepUnique: true });
  expect(await within(dialog).findByText('Changing to “Whole number”')).toBeInTheDocument();
  expect(within(dialog).getByText('5 of 12')).toBeInTheDocument();
  const done = conversion({ state: 'done', done: 12, lossy: 2, emptied: 1, undoUntil: '2026-12-20T08:00:00.000Z' });
  last = { conversion: done, undoable: done };
  expect(await within(dialog).findByText('Changed to “Whole number”')).toBeInTheDocument();
  expect(within(dialog).getByText('2 values changed; 1 value did not fit and is empty now')).toBeInTheDocument();
  app.server.answer(`POST ${price}/conversion/undo`, () => {
    const undone = conversion({ state: 'done', from: 'integer', to: 'number', undoes: true, edited: 3, emptied: 1 });
    last = { conversion: undone, undoable: null };
    return { data: { ...undone, state: 'running' } };
  });
  await person.click(within(dialog).getByRole('button', { name: 'Undo' }));
  const undoDialog = await screen.findByRole('dialog', { name: 'Undo, and go back to “Decimal number”?' });
  await person.click(within(undoDialog).getByRole('button', { name: 'Undo' }));
  expect(await within(dialog).findByText('Back to “Decimal number”')).toBeInTheDocument();
  expect(
    within(dialog).getByText('3 values were edited since and were changed back; 1 of them could not be changed back and is as before the change'),
  ).toBeInTheDocument();
});

test('conversion options persist, errors show at controls, and conflicts retry', async () => {
  const person = await open('?field=price&convert=currency', {
    [`POST ${price}/conversion/plan`]: {
      error: '不对',
      status: 422,
      code: 'invalid_fields',
      fields: { 'options.decimals': { code: 'out_of_range', min: 0, max: 10 } },
    },
  });
  const dialog = await screen.findByRole('dialog', { name: 'Change the type of “价格”' });
  await person.type(within(dialog).getByLabelText(/^Unit/), '箱');
  await person.click(within(dialog).getByRole('button', { name: 'Try it' }));
  await waitFor(() => expect(within(dialog).getByLabelText(/^Decimal places/)).toHaveAttribute('aria-invalid', 'true'));
  await person.click(within(dialog).getByRole('button', { name: 'Another one' }));
  await person.click(within(dialog).getByRole('button', { name: /^Currency/ }));
  expect(within(dialog).getByLabelText(/^Unit/)).toHaveValue('箱');
  app.server.answer(`POST ${price}/conversion/plan`, { data: plan({ counts: { empty: 0, convertible: 12, lossy: 0, failing: 0 }, samples: [] }) });
  app.server.answer(`POST ${price}/conversion`, { error: '已被修改', status: 409, code: 'stale_revision', current: table });
  await person.click(within(dialog).getByRole('button', { name: 'Try it' }));
  await person.click(await within(dialog).findByRole('button', { name: 'Change type' }));
  expect(await within(dialog).findByText('Somebody has just changed this table. The latest version is here; try it once more.')).toBeInTheDocument();
  expect(within(dialog).queryByRole('button', { name: 'Change type' })).toBeNull();
});

test('a primary field is not converted to an unsuitable type', async () => {
  const person = await open('?field=title&convert=image', {
    [`GET ${of}/fields/f_titleaaaaaaa/conversion`]: { data: { conversion: null, undoable: null } },
    [`GET ${of}/fields/f_titleaaaaaaa/usage`]: { data: [] },
    [`POST ${of}/fields/f_titleaaaaaaa/conversion/plan`]: { data: plan({ blocked: ['primary'], counts: { empty: 0, convertible: 12, lossy: 0, failing: 0 } }) },
  });
  const dialog = await screen.findByRole('dialog', { name: 'Change the type of “标题”' });
  await person.click(within(dialog).getByRole('button', { name: 'Try it' }));
  expect(await within(dialog).findByText(/The primary field names records and cannot have this type/)).toBeInTheDocument();
  expect(within(dialog).getByRole('button', { name: 'Change type' })).toBeDisabled();
});

test('duplicate values prevent unique fields and are listed with their records', async () => {
  const found: Duplicates = {
    total: 1,
    records: 3,
    values: [{ value: '12.50', count: 3, records: [{ id: recordId, label: '春茶' }] }],
    labels: { records: {}, people: {} },
  };
  const person = await open('?field=price', {
    [`GET ${price}/usage`]: { data: [{ kind: 'formula', id: 'f_titleaaaaaaa', name: '总价', tableId: table.id }] },
    [`PUT ${price}/indexes`]: { error: '重复', status: 409, code: 'conflict', current: { values: 1, jobId: null } },
    [`GET ${price}/duplicates`]: () => ({ data: found }),
  });
  const part = await screen.findByRole('region', { name: 'Unique and index' });
  await person.click(within(part).getByRole('checkbox', { name: 'Values must differ' }));
  expect(app.server.calls(`PUT ${price}/indexes`)[0]?.body).toEqual({ unique: true });
  expect(await within(part).findByText('1 value occurs more than once. Make the values unique first.')).toBeInTheDocument();
  expect(within(part).getByRole('checkbox', { name: 'Values must differ' })).not.toBeChecked();
  await person.click(within(part).getByRole('button', { name: 'Show repeated values' }));
  const list = await screen.findByRole('dialog', { name: 'Repeated values · 价格' });
  expect(await within(list).findByText('12.50')).toBeInTheDocument();
  expect(within(list).getByRole('link', { name: '春茶' })).toHaveAttribute('href', expect.stringContaining(`record=${recordId}`));
  expect(within(list).getByText('2 more')).toBeInTheDocument();
  await person.click(within(list).getByRole('button', { name: 'Close' }));
  app.server.answer(`PUT ${price}/indexes`, () => {
    table = { ...table, revision: 2, fields: table.fields.map((one) => (one.key === 'price' ? { ...one, indexed: true } : one)) };
    return { data: { jobId: null, table } };
  });
  await person.click(within(part).getByRole('checkbox', { name: 'Index' }));
  await waitFor(() => expect(within(screen.getByRole('region', { name: 'Unique and index' })).getByRole('checkbox', { name: 'Index' })).toBeChecked());
  const usage = screen.getByRole('region', { name: 'Where it is used' });
  expect(within(usage).getByRole('link', { name: '总价' })).toHaveAttribute('href', expect.stringContaining('field=f_titleaaaaaaa'));
});
