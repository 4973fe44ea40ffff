import { act, screen, waitFor, within } from '@testing-library/react';
import type { Site } from '@contract/sites/schemas';
import { violationsOf } from '../../../test/support/axe';
import { secondSite, session, site, startUp } from '../../../test/support/factories';
import { choose, figuresAnswer, figuresOfBoth, openHome, siteCards, siteList, siteNames } from '../../../test/support/homeScreen';
import { added } from './sitesSlice';

let app: Awaited<ReturnType<typeof openHome>>;
const open = async (...args: Parameters<typeof openHome>) => (app = await openHome(...args));
afterEach(() => {
  app.end();
  localStorage.clear();
  sessionStorage.clear();
});

const chooseFor = (name: string, item: string) => choose(app, name, item);

test('the sites appear before their figures', async () => {
  let arrive = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await open('/home', { 'GET /api/core/sites/figures': { ...figuresOfBoth, wait: held } });
  await siteList();
  expect(screen.getByRole('link', { name: 'Tea House' })).toHaveAttribute('href', `/site/${site().id}`);
  expect(screen.queryByText('120')).toBeNull();
  arrive();
  const card = (await screen.findByText('120')).closest('li');
  expect(card).toHaveTextContent('Tea House');
  expect(card).toHaveTextContent('+20%');
  expect(card).toHaveTextContent('3 online');
  expect(screen.getByText('4,500')).toBeVisible();
});

test('older sites come first until their figures arrive', async () => {
  const sites = [site({ createdAt: '2026-01-05T08:00:00.000Z' }), secondSite({ createdAt: '2026-02-05T08:00:00.000Z' })];
  let arrive = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites }) }, 'GET /api/core/sites/figures': { ...figuresOfBoth, wait: held } });
  await siteList();
  expect(siteNames()).toEqual(['Tea House', 'Harbour News']);
  arrive();
  await waitFor(() => expect(siteNames()).toEqual(['Harbour News', 'Tea House']));
});

test('failed figures keep the list, show one message and can retry', async () => {
  await open('/home', { 'GET /api/core/sites/figures': { error: 'no', status: 500, code: 'analytics_unavailable' } });
  expect(await screen.findByText(/Visitor figures cannot be read right now/)).toBeVisible();
  expect(siteCards()).toHaveLength(2);
  app.server.answer('GET /api/core/sites/figures', figuresOfBoth);
  await app.person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('120')).toBeVisible();
  expect(screen.queryByText(/Visitor figures cannot be read right now/)).toBeNull();
});

test('pinned sites come first, then by visitors, with order in the address', async () => {
  await open();
  await screen.findByText('120');
  await waitFor(() => expect(siteNames()).toEqual(['Harbour News', 'Tea House']));
  app.server.answer(`PUT /api/core/sites/${site().id}/pin`, { data: site({ pinned: true }) });
  await chooseFor('Tea House', 'Pin');
  await waitFor(() => expect(siteNames()).toEqual(['Tea House', 'Harbour News']));
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Name');
  expect(app.router.state.location.search).toBe('?sort=name');
});

test('search matches name, address and pinyin initials, and offers a reset', async () => {
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site(), secondSite({ name: '云栖书店' })] }) } });
  await siteList();
  await app.person.keyboard('/');
  const search = screen.getByRole('searchbox', { name: 'Search sites' });
  expect(search).toHaveFocus();
  await app.person.type(search, 'yqsd');
  expect(search).toHaveValue('yqsd');
  await waitFor(() => expect(siteNames()).toEqual(['云栖书店']));
  await waitFor(() => expect(app.router.state.location.search).toBe('?q=yqsd'));
  await app.person.clear(search);
  await app.person.type(search, 'nowhere');
  expect(await screen.findByText('No site matches “nowhere”')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Clear search' }));
  await waitFor(() => expect(siteCards()).toHaveLength(2));
});

test('the table layout is remembered', async () => {
  await open();
  await app.person.click(screen.getByRole('button', { name: 'Table' }));
  const table = await screen.findByRole('table', { name: 'Sites' });
  await app.person.click(within(table).getByRole('button', { name: 'Site' }));
  await waitFor(() =>
    expect(
      within(table)
        .getAllByRole('rowheader')
        .map((cell) => within(cell).getByRole('link').textContent),
    ).toEqual(['Harbour News', 'Tea House']),
  );
  expect(within(table).getByRole('columnheader', { name: 'Site' })).toHaveAttribute('aria-sort', 'ascending');
  expect(localStorage.getItem('console:home.view')).toBe('table');
});

test('arrows move through the sites, Enter opens, n creates', async () => {
  await open('/home?sort=name');
  await siteList();
  await app.person.click(screen.getByRole('searchbox', { name: 'Search sites' }));
  await app.person.keyboard('{ArrowDown}');
  expect(screen.getByRole('link', { name: 'Harbour News' })).toHaveFocus();
  await app.person.keyboard('{ArrowDown}');
  expect(screen.getByRole('link', { name: 'Tea House' })).toHaveFocus();
  await app.person.keyboard('{Home}');
  expect(screen.getByRole('link', { name: 'Harbour News' })).toHaveFocus();
  await app.person.keyboard('n');
  expect(await screen.findByRole('heading', { level: 1, name: 'Add site' })).toBeVisible();
});

describe('renaming', () => {
  const path = `PATCH /api/core/sites/${site().id}`;
  async function rename(to: string) {
    await chooseFor('Tea House', 'Rename…');
    const box = await screen.findByRole('textbox', { name: 'Name' });
    await app.person.clear(box);
    await app.person.type(box, to);
    await app.person.keyboard('{Enter}');
  }

  test('shows the new name immediately and sends the revision', async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await open('/home', { [path]: { data: site({ name: 'Tea Room', revision: 2 }), wait: held } });
    await rename('Tea Room');
    expect(await screen.findByRole('link', { name: 'Tea Room' })).toBeVisible();
    expect(app.server.calls(path)[0]?.headers.get('if-match')).toBe('"1"');
    answer();
    await waitFor(() => expect(app.store.getState().sites.entities[site().id]?.revision).toBe(2));
  });

  test('restores the name when the change is refused', async () => {
    await open('/home', { [path]: { error: 'broken', status: 500, code: 'internal' } });
    await rename('Tea Room');
    expect(await screen.findByText('It was not renamed. The name is still “Tea House”.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Tea House' })).toBeVisible();
  });

  test('shows the name that another person set meanwhile', async () => {
    await open('/home', { [path]: { error: 'stale', status: 409, code: 'stale_revision', current: site({ name: 'Coffee House', revision: 5 }) } });
    await rename('Tea Room');
    expect(await screen.findByRole('link', { name: 'Coffee House' })).toBeVisible();
    expect(await screen.findByText('It was not renamed. The name is still “Coffee House”.')).toBeVisible();
  });

  test('an empty name stays in the dialog with an error', async () => {
    await open();
    await chooseFor('Tea House', 'Rename…');
    const box = await screen.findByRole('textbox', { name: 'Name' });
    await app.person.clear(box);
    await app.person.keyboard('{Enter}');
    await waitFor(() => expect(box).toHaveAccessibleDescription(expect.stringContaining('Required')));
    expect(app.server.calls(path)).toHaveLength(0);
  });
});

test('archiving removes a site from the list and can be undone', async () => {
  const path = `POST /api/core/sites/${site().id}/state`;
  await open('/home', { [path]: { data: site({ state: 'archived' }) } });
  await siteList();
  await chooseFor('Tea House', 'Archive');
  await waitFor(() => expect(siteNames()).toEqual(['Harbour News']));
  app.server.answer(path, { data: site() });
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(siteNames()).toContain('Tea House'));
  expect(app.server.calls(path).map((call) => call.body)).toEqual([{ to: 'archived' }, { to: 'open' }]);
});

test('states are tagged and filtered', async () => {
  const draft = secondSite({ state: 'draft', purpose: 'built', visibility: 'password' });
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site(), draft] }) } });
  const inList = within(await siteList());
  expect(inList.getByText('Draft')).toBeVisible();
  expect(inList.getByText('Password')).toBeVisible();
  expect(inList.queryByText('Published')).toBeNull();
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Draft');
  await waitFor(() => expect(siteNames()).toEqual(['Harbour News']));
  expect(app.router.state.location.search).toBe('?state=draft');
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Suspended');
  expect(await screen.findByText('No site matches the filter')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Show all sites' }));
  await waitFor(() => expect(siteNames()).toHaveLength(2));
});

test('maintenance begins and ends from the menu', async () => {
  const built = site({ purpose: 'built', url: null, systemHost: 'http://tea.localhost:3001' });
  const path = `POST /api/core/sites/${built.id}/state`;
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [built] }) }, [path]: { data: { ...built, state: 'maintenance' } } });
  await siteList();
  await chooseFor('Tea House', 'Start maintenance');
  expect(await within(await siteList()).findByText('Maintenance')).toBeVisible();
  app.server.answer(path, { data: built });
  await chooseFor('Tea House', 'End maintenance');
  await waitFor(() => expect(app.server.calls(path).map((call) => call.body)).toEqual([{ to: 'maintenance' }, { to: 'published' }]));
});

test('a suspension needs a reason, which undoing its end restores', async () => {
  const reason = 'Reported for phishing';
  const path = `POST /api/core/sites/${site().id}/state`;
  const suspended = site({ state: 'suspended', suspendedReason: reason });
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site()] }) }, [path]: { data: suspended } });
  await siteList();
  await chooseFor('Tea House', 'Suspend…');
  const dialog = await screen.findByRole('dialog', { name: 'Suspend “Tea House”' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Suspend' }));
  expect(app.server.calls(path)).toHaveLength(0);
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Reason' }), reason);
  await app.person.click(within(dialog).getByRole('button', { name: 'Suspend' }));
  expect(await within(await siteList()).findByText(reason, { exact: false })).toBeVisible();
  app.server.answer(path, { data: site() });
  await chooseFor('Tea House', 'Put back in use');
  await waitFor(() => expect(app.server.calls(path)).toHaveLength(2));
  app.server.answer(path, { data: suspended });
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(app.server.calls(path).map((call) => call.body)).toEqual([{ to: 'suspended', reason }, { to: 'open' }, { to: 'suspended', reason }]),
  );
});

test('a site admin cannot change a suspended site', async () => {
  await open('/home', {
    'GET /api/core/load/rpm': { data: startUp({ sites: [site({ state: 'suspended' })] }) },
    'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Actions for “Tea House”' }));
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['Open', 'Visit website', 'Pin']);
});

test('deleting needs the name and shows the days left in the bin', async () => {
  const path = `DELETE /api/core/sites/${site().id}`;
  const deletedAt = new Date(Date.now() - 2.5 * 86_400_000).toISOString();
  const gone: Site = site({ state: 'deleted', deletedAt });
  await open('/home', { [path]: { data: gone }, 'GET /api/core/sites/bin': { data: [gone] }, [`POST /api/core/sites/${gone.id}/state`]: { data: site() } });
  await siteList();
  await chooseFor('Tea House', 'Delete…');
  const dialog = await screen.findByRole('dialog', { name: 'Delete “Tea House”' });
  const box = within(dialog).getByRole('textbox');
  await app.person.type(box, 'tea house');
  await app.person.click(within(dialog).getByRole('button', { name: 'Move to bin' }));
  expect(box).toHaveAccessibleDescription(expect.stringContaining('This differs from the text above'));
  expect(app.server.calls(path)).toHaveLength(0);
  await app.person.clear(box);
  await app.person.type(box, 'Tea House{Enter}');
  await waitFor(() => expect(siteNames()).toEqual(['Harbour News']));
  expect(app.server.calls(path)[0]?.body).toEqual({ confirm: 'Tea House' });

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await app.person.click(screen.getByRole('button', { name: 'Bin' }));
  expect(await screen.findByText('Days left: 28')).toBeVisible();
  app.server.answer('GET /api/core/sites/bin', { data: [] });
  await app.person.click(screen.getByRole('button', { name: 'Restore “Tea House”' }));
  expect(await screen.findByText('The bin is empty')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'In use' }));
  await waitFor(() => expect(siteNames()).toContain('Tea House'));
});

test('a deletion can be undone from its notice', async () => {
  const state = `POST /api/core/sites/${site().id}/state`;
  const archived = site({ state: 'archived' });
  await open('/home?show=archived', {
    'GET /api/core/load/rpm': { data: startUp({ sites: [archived, secondSite()] }) },
    [`DELETE /api/core/sites/${site().id}`]: { data: site({ state: 'deleted' }) },
  });
  app.server.answer(state, async (request) => ({
    data: site({ state: ((await request.json()) as { to: 'open' | 'archived' }).to === 'archived' ? 'archived' : 'published' }),
  }));
  await chooseFor('Tea House', 'Delete…');
  await app.person.type(within(await screen.findByRole('dialog')).getByRole('textbox'), 'Tea House{Enter}');
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('“Tea House” restored')).toBeVisible();
  expect(app.server.calls(state).map((call) => call.body)).toEqual([{ to: 'open' }, { to: 'archived' }]);
  expect(siteNames()).toEqual(['Tea House']);
});

describe('the demo site', () => {
  const demo = site({ demo: true });
  const path = `DELETE /api/core/sites/${demo.id}`;
  const openWith = (role: Site['role']) => open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [{ ...demo, role }, secondSite()] }) } });

  test('is removed in one click, and restored in another', async () => {
    await openWith('admin');
    app.server.answer(path, { data: { ...demo, state: 'deleted' } });
    app.server.answer(`POST /api/core/sites/${demo.id}/state`, { data: demo });
    expect(within(await siteList()).getByText('Demo')).toBeVisible();
    await app.person.click(screen.getByRole('button', { name: 'Remove demo' }));
    await waitFor(() => expect(siteNames()).toEqual(['Harbour News']));
    expect(app.server.calls(path)[0]?.body).toEqual({ confirm: demo.name });
    expect(await screen.findByText(/^The demo moved to the bin/)).toBeVisible();
    await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(siteNames()).toContain(demo.name));
    expect(await screen.findByText('Demo restored')).toBeVisible();
  });

  test('stays when the server refuses', async () => {
    await openWith('admin');
    app.server.answer(path, { error: 'It stays', status: 500, code: 'internal' });
    await app.person.click(await screen.findByRole('button', { name: 'Remove demo' }));
    expect(await screen.findByText('It stays')).toBeVisible();
    expect(siteNames()).toContain(demo.name);
  });

  test('cannot be removed without the right to delete it', async () => {
    await openWith('editor');
    expect(within(await siteList()).getByText('Demo')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove demo' })).toBeNull();
  });
});

test('a site created in another tab appears', async () => {
  await open();
  await siteList();
  act(() => void app.store.dispatch(added(secondSite({ id: 'zzzzzzzzzzzz', name: 'Third' }))));
  expect(await screen.findByRole('link', { name: 'Third' })).toBeVisible();
});

test('an empty list explains the next step or whom to ask', async () => {
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [] }) }, 'GET /api/core/sites/figures': figuresAnswer() });
  expect(await screen.findByText('No sites yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Add site' })).toHaveAttribute('href', '/home/create/home_create_empty');
  app.end();
  await open('/home', {
    'GET /api/core/load/rpm': { data: startUp({ sites: [] }) },
    'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) },
  });
  expect(await screen.findByText('No sites to see yet')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Add site' })).toBeNull();
});

test('the menu of a site lists only permitted actions', async () => {
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'viewer' })] }) } });
  await app.person.click(await screen.findByRole('button', { name: 'Actions for “Tea House”' }));
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['Open', 'Visit website', 'Pin']);
});

test('axe finds nothing in cards or table', async () => {
  await open();
  await screen.findByText('120');
  const main = screen.getByRole('main');
  expect(await violationsOf(main)).toEqual([]);
  await app.person.click(screen.getByRole('button', { name: 'Table' }));
  await screen.findByRole('table');
  expect(await violationsOf(main)).toEqual([]);
});
