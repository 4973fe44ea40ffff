import { act, screen, waitFor, within } from '@testing-library/react';
import type { SiteFigures } from '@contract/sites/list';
import type { Site } from '@contract/sites/schemas';
import { violationsOf } from '../../../test/support/axe';
import { secondSite, session, site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';
import { added } from './sitesSlice';

const visits = { visitorsToday: 120, visitorsYesterdaySoFar: 100, viewsToday: 300, series: [1, 5, 9], online: 3, lastHitAt: '2026-11-20T08:00:00.000Z' };
const figures = (change: Partial<SiteFigures> = {}): SiteFigures => ({
  siteId: site().id,
  visits,
  uptime: null,
  certificate: null,
  issues: null,
  unread: null,
  ...change,
});
const second = { ...visits, visitorsToday: 4500, visitorsYesterdaySoFar: 5000, online: 0 };
const figuresAnswer = (...sites: SiteFigures[]) => ({ data: { sites, failed: [] } });
const both = figuresAnswer(figures(), figures({ siteId: secondSite().id, visits: second }));
const ready = { 'GET /api/core/sites/figures': both } satisfies Record<string, Answer>;

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(path = '/home', answers: Record<string, Answer> = {}) {
  app = await renderApp(path, { answers: { ...ready, ...answers }, messages: ['form', 'siteChanges'] });
  await screen.findByRole('heading', { level: 1, name: 'Sites' });
  return app;
}
afterEach(() => {
  app.end();
  localStorage.clear();
  sessionStorage.clear();
});

const list = () => screen.findByRole('list', { name: 'Sites' });
const cards = () => within(screen.getByRole('list', { name: 'Sites' })).getAllByRole('listitem');
const names = () => cards().map((card) => within(card).getByRole('link').textContent);
async function choose(name: string, item: string | RegExp) {
  await app.person.click(await screen.findByRole('button', { name: `Actions for “${name}”` }));
  await app.person.click(await screen.findByRole('menuitem', { name: item }));
}

test('the sites appear before their figures', async () => {
  let arrive = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await open('/home', { 'GET /api/core/sites/figures': { ...both, wait: held } });
  await list();
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
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites }) }, 'GET /api/core/sites/figures': { ...both, wait: held } });
  await list();
  expect(names()).toEqual(['Tea House', 'Harbour News']);
  arrive();
  await waitFor(() => expect(names()).toEqual(['Harbour News', 'Tea House']));
});

test('failed figures keep the list, show one message and can retry', async () => {
  await open('/home', { 'GET /api/core/sites/figures': { error: 'no', status: 500, code: 'analytics_unavailable' } });
  expect(await screen.findByText(/Visitor figures cannot be read right now/)).toBeVisible();
  expect(cards()).toHaveLength(2);
  app.server.answer('GET /api/core/sites/figures', both);
  await app.person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('120')).toBeVisible();
  expect(screen.queryByText(/Visitor figures cannot be read right now/)).toBeNull();
});

test('pinned sites come first, then by visitors, with order in the address', async () => {
  await open();
  await screen.findByText('120');
  await waitFor(() => expect(names()).toEqual(['Harbour News', 'Tea House']));
  app.server.answer(`PUT /api/core/sites/${site().id}/pin`, { data: site({ pinned: true }) });
  await choose('Tea House', 'Pin');
  await waitFor(() => expect(names()).toEqual(['Tea House', 'Harbour News']));
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Name');
  expect(app.router.state.location.search).toBe('?sort=name');
});

test('search matches name, address and pinyin initials, and offers a reset', async () => {
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site(), secondSite({ name: '云栖书店' })] }) } });
  await list();
  await app.person.keyboard('/');
  const search = screen.getByRole('searchbox', { name: 'Search sites' });
  expect(search).toHaveFocus();
  await app.person.type(search, 'yqsd');
  expect(search).toHaveValue('yqsd');
  await waitFor(() => expect(names()).toEqual(['云栖书店']));
  await waitFor(() => expect(app.router.state.location.search).toBe('?q=yqsd'));
  await app.person.clear(search);
  await app.person.type(search, 'nowhere');
  expect(await screen.findByText('No site matches “nowhere”')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Clear search' }));
  await waitFor(() => expect(cards()).toHaveLength(2));
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
  await list();
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
    await choose('Tea House', 'Rename…');
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
    await choose('Tea House', 'Rename…');
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
  await list();
  await choose('Tea House', 'Archive');
  await waitFor(() => expect(names()).toEqual(['Harbour News']));
  app.server.answer(path, { data: site() });
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(names()).toContain('Tea House'));
  expect(app.server.calls(path).map((call) => call.body)).toEqual([{ to: 'archived' }, { to: 'open' }]);
});

test('states are tagged and filtered', async () => {
  const draft = secondSite({ state: 'draft', purpose: 'built', visibility: 'password' });
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site(), draft] }) } });
  const inList = within(await list());
  expect(inList.getByText('Draft')).toBeVisible();
  expect(inList.getByText('Password')).toBeVisible();
  expect(inList.queryByText('Published')).toBeNull();
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Draft');
  await waitFor(() => expect(names()).toEqual(['Harbour News']));
  expect(app.router.state.location.search).toBe('?state=draft');
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Suspended');
  expect(await screen.findByText('No site matches the filter')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Show all sites' }));
  await waitFor(() => expect(names()).toHaveLength(2));
});

test('maintenance begins and ends from the menu', async () => {
  const built = site({ purpose: 'built', url: null, systemHost: 'http://tea.localhost:3001' });
  const path = `POST /api/core/sites/${built.id}/state`;
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [built] }) }, [path]: { data: { ...built, state: 'maintenance' } } });
  await list();
  await choose('Tea House', 'Start maintenance');
  expect(await within(await list()).findByText('Maintenance')).toBeVisible();
  app.server.answer(path, { data: built });
  await choose('Tea House', 'End maintenance');
  await waitFor(() => expect(app.server.calls(path).map((call) => call.body)).toEqual([{ to: 'maintenance' }, { to: 'published' }]));
});

test('a suspension needs a reason, which undoing its end restores', async () => {
  const reason = 'Reported for phishing';
  const path = `POST /api/core/sites/${site().id}/state`;
  const suspended = site({ state: 'suspended', suspendedReason: reason });
  await open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site()] }) }, [path]: { data: suspended } });
  await list();
  await choose('Tea House', 'Suspend…');
  const dialog = await screen.findByRole('dialog', { name: 'Suspend “Tea House”' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Suspend' }));
  expect(app.server.calls(path)).toHaveLength(0);
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Reason' }), reason);
  await app.person.click(within(dialog).getByRole('button', { name: 'Suspend' }));
  expect(await within(await list()).findByText(reason, { exact: false })).toBeVisible();
  app.server.answer(path, { data: site() });
  await choose('Tea House', 'Put back in use');
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
  await list();
  await choose('Tea House', 'Delete…');
  const dialog = await screen.findByRole('dialog', { name: 'Delete “Tea House”' });
  const box = within(dialog).getByRole('textbox');
  await app.person.type(box, 'tea house');
  await app.person.click(within(dialog).getByRole('button', { name: 'Move to bin' }));
  expect(box).toHaveAccessibleDescription(expect.stringContaining('This differs from the text above'));
  expect(app.server.calls(path)).toHaveLength(0);
  await app.person.clear(box);
  await app.person.type(box, 'Tea House{Enter}');
  await waitFor(() => expect(names()).toEqual(['Harbour News']));
  expect(app.server.calls(path)[0]?.body).toEqual({ confirm: 'Tea House' });

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await app.person.click(screen.getByRole('button', { name: 'Bin' }));
  expect(await screen.findByText('Days left: 28')).toBeVisible();
  app.server.answer('GET /api/core/sites/bin', { data: [] });
  await app.person.click(screen.getByRole('button', { name: 'Restore “Tea House”' }));
  expect(await screen.findByText('The bin is empty')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'In use' }));
  await waitFor(() => expect(names()).toContain('Tea House'));
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
  await choose('Tea House', 'Delete…');
  await app.person.type(within(await screen.findByRole('dialog')).getByRole('textbox'), 'Tea House{Enter}');
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('“Tea House” restored')).toBeVisible();
  expect(app.server.calls(state).map((call) => call.body)).toEqual([{ to: 'open' }, { to: 'archived' }]);
  expect(names()).toEqual(['Tea House']);
});

describe('the demo site', () => {
  const demo = site({ demo: true });
  const path = `DELETE /api/core/sites/${demo.id}`;
  const openWith = (role: Site['role']) => open('/home', { 'GET /api/core/load/rpm': { data: startUp({ sites: [{ ...demo, role }, secondSite()] }) } });

  test('is removed in one click, and restored in another', async () => {
    await openWith('admin');
    app.server.answer(path, { data: { ...demo, state: 'deleted' } });
    app.server.answer(`POST /api/core/sites/${demo.id}/state`, { data: demo });
    expect(within(await list()).getByText('Demo')).toBeVisible();
    await app.person.click(screen.getByRole('button', { name: 'Remove demo' }));
    await waitFor(() => expect(names()).toEqual(['Harbour News']));
    expect(app.server.calls(path)[0]?.body).toEqual({ confirm: demo.name });
    expect(await screen.findByText(/^The demo moved to the bin/)).toBeVisible();
    await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(names()).toContain(demo.name));
    expect(await screen.findByText('Demo restored')).toBeVisible();
  });

  test('stays when the server refuses', async () => {
    await openWith('admin');
    app.server.answer(path, { error: 'It stays', status: 500, code: 'internal' });
    await app.person.click(await screen.findByRole('button', { name: 'Remove demo' }));
    expect(await screen.findByText('It stays')).toBeVisible();
    expect(names()).toContain(demo.name);
  });

  test('cannot be removed without the right to delete it', async () => {
    await openWith('editor');
    expect(within(await list()).getByText('Demo')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove demo' })).toBeNull();
  });
});

test('a site created in another tab appears', async () => {
  await open();
  await list();
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
