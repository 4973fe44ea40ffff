import { configure, screen, waitFor, within } from '@testing-library/react';
import type { ContentTable } from '@contract/tables/schemas';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { site, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { recordId, tableOf } from '../../../../test/support/recordsScreen';
import { base, calls, of, openRecords, people, threeRecords, written } from '../../../../test/support/recordsPage';
import type { RecordsApp } from '../../../../test/support/recordsPage';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let app: RecordsApp;
const editors = { 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'editor' })] }) } };
/** Opens the editor of the cell below this column's head in the first row, and types into it. */
async function typeInto(column: string, text: string, answers: Record<string, Answer> = {}): Promise<void> {
  app = await openRecords(threeRecords, '', { [calls.change]: { data: written() }, ...answers }, 'en');
  const grid = await screen.findByRole('grid');
  const head = within(grid).getByRole('columnheader', { name: new RegExp(column) });
  const row = (await within(grid).findByText('春茶上市')).closest('[role="row"]') as HTMLElement;
  const cell = row.querySelector(`[aria-colindex="${head.getAttribute('aria-colindex') ?? ''}"]`) as HTMLElement;
  await app.person.dblClick(cell);
  await app.person.type(await screen.findByRole('combobox', { name: column }), text);
}
const lastWrite = () => app.server.calls(calls.change).at(-1)?.body as { changes: { values: Record<string, unknown> }[] } | undefined;
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('a choice that does not exist is created in the cell', async () => {
  const field = `PATCH ${of}/fields/f_statusaaaaaa`;
  let table: ContentTable = tableOf();
  await typeInto('分类', 'Event', {
    [`GET ${base}/tables`]: () => ({ data: [table, tableOf(people)] }),
    [field]: async (request) => {
      const { options } = (await request.clone().json()) as Pick<ContentTable['fields'][number], 'options'>;
      table = { ...table, revision: 2, fields: table.fields.map((one) => (one.id === 'f_statusaaaaaa' ? { ...one, options } : one)) };
      return { data: table };
    },
  });
  await app.person.click(await screen.findByRole('option', { name: 'Create “Event”' }));
  await waitFor(() => expect(lastWrite()).toBeDefined());
  const change = app.server.calls(field)[0]?.body as Pick<ContentTable['fields'][number], 'options'> | undefined;
  const choices = change?.options.choices ?? [];
  expect(choices.map(({ title }) => title)).toEqual(['新闻', '教程', 'Event']);
  expect(lastWrite()?.changes[0]?.values).toEqual({ f_statusaaaaaa: choices[2]?.id });
});

test('a choice that the server refuses is reported in the list', async () => {
  await typeInto('分类', 'Event', { [`PATCH ${of}/fields/f_statusaaaaaa`]: { error: 'Changed meanwhile', status: 409, code: 'stale_revision' } });
  await app.person.click(await screen.findByRole('option', { name: 'Create “Event”' }));
  expect(await screen.findByText('Not created: Changed meanwhile')).toBeInTheDocument();
});

test('people who may not design tables cannot create choices', async () => {
  await typeInto('分类', 'Event', editors);
  expect(await screen.findByText('No matching options')).toBeInTheDocument();
  expect(screen.queryByRole('option', { name: /Create/ })).toBeNull();
});

test('a record that does not exist is created from the link picker', async () => {
  const add = `POST ${base}/tables/t_authoraaaaaa/records`;
  await typeInto('作者', 'Lin', { ...editors, [add]: { data: written({ created: 1, updated: 0, records: [{ id: recordId(77), n: 7, revision: 1 }] }) } });
  await app.person.click(await screen.findByRole('option', { name: 'Create “Lin”' }));
  await waitFor(() => expect(lastWrite()?.changes[0]?.values).toEqual({ f_authoraaaaaa: recordId(77) }));
  expect(app.server.calls(add)[0]?.body).toEqual({ records: [{ f_nameaaaaaaaa: 'Lin' }] });
});

test('no linked record is created where the person may not', async () => {
  const answer = { [`GET ${base}/tables`]: { data: [tableOf(), tableOf({ ...people, may: ['read'] })] } };
  await typeInto('作者', 'Lin', answer);
  expect(await screen.findByText('No matching records')).toBeInTheDocument();
  expect(screen.queryByRole('option', { name: /Create/ })).toBeNull();
});
