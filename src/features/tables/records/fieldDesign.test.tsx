import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentTable } from '@contract/tables/schemas';
import { ensureMessages } from '@/i18n';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { site, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { fieldOf, tableOf, viewOf } from '../../../../test/support/recordsScreen';
import { base, of, openRecords, people, threeRecords } from '../../../../test/support/recordsPage';
import type { RecordsApp } from '../../../../test/support/recordsPage';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

const added = fieldOf({ id: 'f_newaaaaaaaaa', key: 'priority', type: 'select', title: 'Priority', options: { choices: [] } });
let app: RecordsApp;
let table: ContentTable = tableOf();
const put = (change: Partial<ContentTable>): Answer => {
  table = { ...table, revision: table.revision + 1, ...change };
  return { data: table };
};
async function open(answers: Record<string, Answer> = {}) {
  app = await openRecords(threeRecords, '', { [`GET ${base}/tables`]: () => ({ data: [table, tableOf(people)] }), ...answers }, 'en');
  // The designer's parts load their messages only once, with the first test that opens them.
  await ensureMessages(['tableDesign', 'tableConvert']);
  await screen.findByRole('grid');
  return app.person;
}
/** The button in the notice: that of the toolbar has nothing to undo. */
const undoButton = async () => {
  const buttons = await screen.findAllByRole<HTMLButtonElement>('button', { name: 'Undo' });
  return buttons.find(({ disabled }) => !disabled) as HTMLElement;
};
const headTitles = () => screen.getAllByRole('columnheader').map((head) => head.querySelector('.g-title')?.textContent);
const openMenu = async (title: string) => {
  fireEvent.click(screen.getByRole('button', { name: `Menu of “${title}”` }));
  return screen.findByRole('menu', { name: `Menu of “${title}”` });
};
beforeEach(() => {
  table = tableOf();
  // The grid renders only columns in view: all fit into this size.
  jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1400);
  jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
});
afterEach(() => {
  jest.restoreAllMocks();
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('the last column adds a field, which can be undone', async () => {
  const person = await open({
    [`POST ${of}/fields`]: () => put({ fields: [...table.fields, added] }),
    [`DELETE ${of}/fields/${added.id}`]: () => put({ fields: table.fields.filter(({ id }) => id !== added.id) }),
  });
  await person.click(screen.getByRole('button', { name: 'New field' }));
  const panel = await screen.findByRole('dialog', { name: 'New field' });
  await person.type(within(panel).getByLabelText('Name'), 'Priority');
  await person.type(within(panel).getByRole('searchbox', { name: 'Search field types' }), 'single sel{Enter}');
  expect(within(panel).getByLabelText('Name')).toHaveValue('Priority');
  // Only what a choice needs.
  expect(within(panel).getByRole('button', { name: 'Add choice' })).toBeInTheDocument();
  expect(within(panel).queryByLabelText('Placeholder')).toBeNull();
  await person.click(within(panel).getByRole('button', { name: 'New field' }));
  await waitFor(() => expect(headTitles().at(-2)).toBe('Priority'));
  expect(app.server.calls(`POST ${of}/fields`)[0]?.body).toMatchObject({ type: 'select', title: 'Priority' });
  await person.click(await undoButton());
  await waitFor(() => expect(headTitles()).not.toContain('Priority'));
});

test('a field inserted left of another stands before it', async () => {
  const person = await open({
    [`POST ${of}/fields`]: () => put({ fields: [...table.fields, fieldOf({ ...added, type: 'text' })] }),
    [`PUT ${of}/order`]: async (request) => {
      const { fields } = (await request.clone().json()) as { fields: string[] };
      return put({ fields: fields.flatMap((id) => table.fields.find((one) => one.id === id) ?? []) });
    },
  });
  await person.click(within(await openMenu('价格')).getByRole('menuitem', { name: 'Insert field left' }));
  const panel = await screen.findByRole('dialog', { name: 'New field' });
  await person.click(within(panel).getByRole('button', { name: /^Single line/ }));
  await person.type(within(panel).getByLabelText('Name'), 'Priority{Enter}');
  await waitFor(() => expect(headTitles().indexOf('Priority')).toBe(headTitles().indexOf('价格') - 1));
});

test('a field is renamed in its column head', async () => {
  const person = await open({
    [`PATCH ${of}/fields/f_priceaaaaaaa`]: async (request) => {
      const { title } = (await request.clone().json()) as { title: string };
      return put({ fields: table.fields.map((field) => (field.id === 'f_priceaaaaaaa' ? { ...field, title } : field)) });
    },
  });
  await person.dblClick(screen.getByText('价格'));
  const input = screen.getByRole('textbox', { name: 'Rename “价格”' });
  await person.clear(input);
  await person.type(input, 'Cost{Enter}');
  await waitFor(() => expect(headTitles()).toContain('Cost'));
  const [call] = app.server.calls(`PATCH ${of}/fields/f_priceaaaaaaa`);
  expect(call?.headers.get('if-match')).toBe('"1"');
  expect(call?.body).toEqual({ title: 'Cost' });
});

/** Pins the column of prices and waits for its notice. */
const pinPrice = async (person: RecordsApp['person']) => {
  await person.click(within(await openMenu('价格')).getByRole('menuitem', { name: 'Pin to the left' }));
  expect(await screen.findByText('“价格” pinned to the left')).toBeInTheDocument();
};
const expectNoUndo = () => waitFor(() => expect(screen.queryByText('“价格” pinned to the left')).toBeNull());

test('a pinned column returns to its place by Undo', async () => {
  const person = await open();
  const before = headTitles();
  await pinPrice(person);
  expect(headTitles()).not.toEqual(before);
  await person.click(await undoButton());
  await waitFor(() => expect(headTitles()).toEqual(before));
});

test('a later change of the columns ends the offer to undo pinning', async () => {
  const person = await open();
  await pinPrice(person);
  await person.click(within(await openMenu('日期')).getByRole('menuitem', { name: 'Hide field' }));
  await expectNoUndo();
});

test('another view ends the offer to undo pinning', async () => {
  const view = viewOf({ kind: 'grid' });
  const person = await open({ [`GET ${of}/views`]: { data: [view] } });
  await pinPrice(person);
  await act(() => app.router.navigate(`${app.router.state.location.pathname}?view=${view.id}`));
  await expectNoUndo();
});

test('an unused field is deleted at once and comes back by Undo', async () => {
  const [price] = table.fields.filter(({ id }) => id === 'f_priceaaaaaaa');
  const at = `${of}/fields/f_priceaaaaaaa`;
  const person = await open({
    [`GET ${at}/usage`]: { data: [] },
    [`DELETE ${at}`]: () => put({ fields: table.fields.filter(({ id }) => id !== price?.id) }),
    [`POST ${at}/restore`]: () => put({ fields: [...table.fields, ...(price ? [price] : [])] }),
  });
  await person.click(within(await openMenu('价格')).getByRole('menuitem', { name: 'Delete field' }));
  await waitFor(() => expect(headTitles()).not.toContain('价格'));
  await person.click(await undoButton());
  await waitFor(() => expect(headTitles()).toContain('价格'));
});

test('deleting a used field first lists what uses it', async () => {
  const at = `${of}/fields/f_priceaaaaaaa`;
  const person = await open({ [`GET ${at}/usage`]: { data: [{ kind: 'formula', id: 'f_sumaaaaaaaaa', name: 'Total', tableId: null }] } });
  await person.click(within(await openMenu('价格')).getByRole('menuitem', { name: 'Delete field' }));
  expect(await screen.findByText(/Total/)).toBeInTheDocument();
  expect(app.server.calls(`DELETE ${at}`)).toEqual([]);
});

test('the type is changed without leaving the records', async () => {
  const person = await open({ [`GET ${of}/fields/f_priceaaaaaaa/conversion`]: { data: { conversion: null, undoable: null } } });
  await person.click(within(await openMenu('价格')).getByRole('menuitem', { name: 'Change type' }));
  expect(await screen.findByRole('searchbox', { name: 'Find a type' })).toBeInTheDocument();
});

test('people who may not design tables see no design actions', async () => {
  await open({ 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'editor' })] }) } });
  expect(screen.queryByRole('button', { name: 'New field' })).toBeNull();
  const menu = await openMenu('价格');
  const names = within(menu)
    .getAllByRole('menuitem')
    .map((item) => item.textContent);
  expect(names).toContain('Hide field');
  expect(names.filter((name) => /Rename|Insert|Delete|Duplicate|Change type/.test(name ?? ''))).toEqual([]);
});
