import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Grants } from '@contract/people/schemas';
import { instanceActions, may } from '@contract/permissions';
import { violationsOf } from '../../../test/support/axe';
import { person, session } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const wang = person();
const li = person({ id: '2f6f2a44-5a0e-4a53-9a51-6a3e8b0f4b24', loginName: 'lina', displayName: '李娜', role: 'finance' });
const people = [li, wang].map(({ id, loginName, displayName, role, state }) => ({ id, loginName, displayName, role, state }));
const sites = ['茶社', '书店', '律所'].map((name, at) => ({ id: `site-${String(at)}`, name }));
const grants: Grants = { people, sites, grants: [{ userId: wang.id, siteId: 'site-0', role: 'editor' }] };
const patch = 'PATCH /api/acc/grants';

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(answers: Record<string, Answer> = {}, search = '?tab=grants') {
  app = await renderApp(`/account/users/account_users${search}`, {
    answers: { 'GET /api/acc/grants': { data: grants }, 'GET /api/acc/invites': { data: [] }, ...answers },
  });
  return screen.findByRole('grid', { name: 'Site access' });
}
// Virtualized rows need a frame with a size, which jsdom does not compute.
const height = jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(640);
const width = jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1100);
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
afterAll(() => {
  height.mockRestore();
  width.mockRestore();
});
/** Found by the title of the row's name (the login name): a search of the whole grid by role takes seconds. */
const cells = (login: string): HTMLElement[] => [
  ...(screen.getByTitle(login).closest('[role="row"]')?.querySelectorAll<HTMLElement>('[role="gridcell"]') ?? []),
];
const cell = (login: string, at: number): HTMLElement => {
  const found = cells(login)[at];
  if (!found) throw new Error(`no cell ${String(at)}`);
  return found;
};

test('roles chosen by keyboard or menu are saved in one call', async () => {
  const saved: Grants = {
    ...grants,
    grants: [
      { userId: wang.id, siteId: 'site-1', role: 'analyst' },
      { userId: li.id, siteId: 'site-0', role: 'admin' },
    ],
  };
  await open({ [patch]: { data: saved } });
  expect(cells('wang.bianji').map((one) => one.textContent)).toEqual(['Editor', '·No access', '·No access']);
  cell('wang.bianji', 0).focus();
  await app.person.keyboard('{Delete}{ArrowRight}');
  await waitFor(() => expect(cell('wang.bianji', 1)).toHaveFocus());
  await app.person.keyboard('a{ArrowUp}{Home}');
  await waitFor(() => expect(cell('lina', 0)).toHaveFocus());
  await app.person.keyboard('{Enter}');
  await app.person.click(within(await screen.findByRole('menu', { name: 'Choose a role' })).getByRole('menuitem', { name: /Site admin/ }));
  expect(cell('wang.bianji', 0)).toHaveTextContent('No access(unsaved)');
  expect(cell('wang.bianji', 0)).toHaveAttribute('title', 'Saved: Editor');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  app.server.answer('GET /api/acc/grants', { data: saved });
  await app.person.click(screen.getByRole('button', { name: 'Save 3 changes' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull());
  expect(app.server.calls(patch)[0]?.body).toEqual({
    changes: [
      { userId: wang.id, siteId: 'site-0', role: null },
      { userId: wang.id, siteId: 'site-1', role: 'analyst' },
      { userId: li.id, siteId: 'site-0', role: 'admin' },
    ],
  });
  expect(sessionStorage).toHaveLength(0);
});

test('reverting an edit removes it, and edits survive switching tabs', async () => {
  await open();
  cell('wang.bianji', 0).focus();
  await app.person.keyboard('v');
  expect(await screen.findByRole('button', { name: 'Save 1 change' })).toBeVisible();
  await app.person.keyboard('e');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull());
  await app.person.keyboard('s');
  await app.person.click(screen.getByRole('link', { name: /Invitations/ }));
  await screen.findByText('No invitations yet');
  await app.person.click(screen.getByRole('link', { name: 'Site access' }));
  await screen.findByRole('grid', { name: 'Site access' });
  expect(cell('wang.bianji', 0)).toHaveTextContent('Support(unsaved)');
  await app.person.click(screen.getByRole('link', { name: 'Sites' }));
  await app.person.click(within(await screen.findByRole('dialog', { name: 'Leave this page?' })).getByRole('button', { name: 'Keep editing' }));
  await app.person.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(cell('wang.bianji', 0)).toHaveTextContent('Editor');
});

test('a refused save keeps every change and says why', async () => {
  await open({ [patch]: { error: '站点已不存在。', status: 422, code: 'invalid_fields' } });
  cell('wang.bianji', 2).focus();
  await app.person.keyboard('m');
  await app.person.click(await screen.findByRole('button', { name: 'Save 1 change' }));
  expect(await screen.findByText('站点已不存在。')).toBeVisible();
  expect(cell('wang.bianji', 2)).toHaveTextContent('Site admin(unsaved)');
});

test('a cell changed concurrently is marked, and saving warns of overwriting', async () => {
  await open();
  cell('wang.bianji', 0).focus();
  await app.person.keyboard('v');
  app.server.answer('GET /api/acc/grants', { data: { ...grants, grants: [{ userId: wang.id, siteId: 'site-0', role: 'admin' }] } });
  const { peopleApi } = await import('./peopleApi');
  act(() => void app.store.dispatch(peopleApi.util.invalidateTags(['Grants'])));
  expect(await screen.findByText(/Somebody else has just changed 1 of these/)).toBeVisible();
  expect(cell('wang.bianji', 0)).toHaveAttribute('title', 'Saved: Site admin');
});

test('a manager cannot change a finance person', async () => {
  await open({ 'GET /api/acc/token/session': { data: session({ role: 'manager', can: instanceActions.filter((action) => may('manager', action)) }) } });
  expect(screen.getByRole('rowheader', { name: /李娜/ })).toHaveAttribute('title', 'Finance: managed by owners only');
  cell('Finance: managed by owners only', 0).focus();
  await app.person.keyboard('e{Enter}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(cell('Finance: managed by owners only', 0)).toHaveTextContent('No access');
  cell('wang.bianji', 1).focus();
  await app.person.keyboard('e');
  expect(await screen.findByRole('button', { name: 'Save 1 change' })).toBeVisible();
});

test('only visible people of a thousand are rendered, and searching narrows', async () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({
    ...people[1],
    id: `${String(at).padStart(8, '0')}-5a0e-4a53-9a51-6a3e8b0f4b24`,
    displayName: `成员 ${String(at)}`,
    loginName: `m${String(at)}`,
    role: 'member' as const,
    state: 'active' as const,
  }));
  const grid = await open({ 'GET /api/acc/grants': { data: { people: many, sites, grants: [] } } });
  expect(grid).toHaveAttribute('aria-rowcount', '1001');
  expect(within(grid).getAllByRole('row').length).toBeLessThan(60);
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search people' }), { target: { value: 'm999' } });
  expect(await screen.findByRole('rowheader', { name: /成员 999/ })).toBeVisible();
  expect(screen.getByText('1 person × 3 sites')).toBeVisible();
});
