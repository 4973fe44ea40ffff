import { screen, waitFor, within } from '@testing-library/react';
import type { Site } from '@contract/sites/schemas';
import { secondSite, site, startUp } from '../../../test/support/factories';
import { choose, figures, figuresAnswer, openHome, siteList, siteNames } from '../../../test/support/homeScreen';

let app: Awaited<ReturnType<typeof openHome>>;
const open = async (...args: Parameters<typeof openHome>) => (app = await openHome(...args));
afterEach(() => {
  app.end();
  localStorage.clear();
  sessionStorage.clear();
});

const chooseFor = (name: string, item: string) => choose(app, name, item);

test('search finds full pinyin and tags, and the tag filter is part of the address', async () => {
  const sites = [site({ tags: [{ name: 'Key account', color: 'red' }] }), secondSite({ name: '云栖书店' })];
  await open('/home', {
    'GET /api/core/load/rpm': { data: startUp({ sites }) },
    'GET /api/core/sites/pinyin': { data: [{ siteId: secondSite().id, syllables: ['yun', 'qi', 'shu', 'dian'] }] },
  });
  await siteList();
  expect(app.server.calls('GET /api/core/sites/pinyin')).toHaveLength(0);
  const search = screen.getByRole('searchbox', { name: 'Search sites' });
  await app.person.type(search, 'yunqishu');
  await waitFor(() => expect(siteNames()).toEqual(['云栖书店']));
  await app.person.clear(search);
  await app.person.type(search, 'account');
  await waitFor(() => expect(siteNames()).toEqual(['Tea House']));
  await app.person.clear(search);
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'Tag' }), 'Key account (1)');
  await waitFor(() => expect(siteNames()).toEqual(['Tea House']));
  expect(app.router.state.location.search).toBe('?tag=Key+account');
});

test('signs show what is wrong with a site, and unread conversations', async () => {
  const ends = new Date(Date.now() + 2.5 * 86_400_000).toISOString();
  const ill = figures({ uptime: 'down', certificate: { until: ends, failed: false }, issues: { errors: 12, warnings: 3 }, unread: 4 });
  await open('/home?sort=health', { 'GET /api/core/sites/figures': figuresAnswer(ill, figures({ siteId: secondSite().id, visits: null, uptime: 'up' })) });
  const card = (await screen.findByText('Down')).closest('li');
  for (const text of ['Tea House', 'Certificate expires in 3 days', '12 crawl errors']) expect(card).toHaveTextContent(text);
  expect(screen.getByLabelText('4 unread conversations')).toBeVisible();
  expect(siteNames()).toEqual(['Tea House', 'Harbour News']);
  expect(screen.getByTitle('Site is up')).toBeInTheDocument();
});

describe('several sites', () => {
  const path = 'POST /api/core/sites/changes';
  const bodies = () => app.server.calls(path).map((call) => call.body);

  test('are archived with undo, and report those that refuse', async () => {
    const refused = { siteId: secondSite().id, code: 'forbidden', error: 'You may not do this.' };
    await open('/home?sort=name', { [path]: { data: { sites: [site({ state: 'archived' })], failed: [refused] } } });
    (await screen.findByRole('link', { name: 'Harbour News' })).focus();
    await app.person.keyboard('x');
    await app.person.click(screen.getByRole('checkbox', { name: 'Select “Tea House”' }));
    expect(await screen.findByText('2 sites selected')).toBeVisible();
    await app.person.click(screen.getByRole('button', { name: 'Archive' }));
    expect(await screen.findByText('1 site archived · 1 site was not changed. You may not do this. Harbour News')).toBeVisible();
    expect(siteNames()).toEqual(['Harbour News']);
    app.server.answer(path, { data: { sites: [site()], failed: [] } });
    await app.person.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(siteNames()).toEqual(['Harbour News', 'Tea House']));
    expect(bodies()).toEqual([
      { siteIds: [secondSite().id, site().id], change: { kind: 'move', to: 'archived' } },
      { siteIds: [site().id], change: { kind: 'move', to: 'open' } },
    ]);
  });

  test('are chosen and changed by keyboard, and the focus stays in the list', async () => {
    await open('/home?sort=name', { [path]: { data: { sites: [site({ state: 'archived' })], failed: [] } } });
    const [harbour, tea] = [await screen.findByRole('link', { name: 'Harbour News' }), screen.getByRole('link', { name: 'Tea House' })];
    harbour.focus();
    await app.person.keyboard('x');
    const bar = within(await screen.findByRole('toolbar', { name: 'Selected sites' }));
    await screen.findByRole('link', { name: /Why$/ });
    await app.person.tab();
    await app.person.tab();
    expect(screen.getByRole('link', { name: /Why$/ })).toHaveFocus();
    await app.person.tab();
    expect(bar.getByRole('button', { name: /^Select all/ })).toHaveFocus();
    await app.person.tab({ shift: true });
    expect(harbour).toHaveFocus();
    await app.person.keyboard('{ArrowDown}x');
    expect(tea).toHaveFocus();
    await app.person.tab();
    await app.person.tab();
    await app.person.keyboard('{Escape}');
    await waitFor(() => expect(tea).toHaveFocus());
    await app.person.keyboard('x');
    const archive = await screen.findByRole('button', { name: 'Archive' });
    archive.focus();
    await app.person.keyboard('{Enter}');
    await waitFor(() => expect(siteNames()).toEqual(['Harbour News']));
    await waitFor(() => expect(harbour).toHaveFocus());
  });

  test('get tags in a dialog', async () => {
    const tags: Site['tags'] = [{ name: 'Old', color: 'grey' }];
    await open('/home', {
      'GET /api/core/load/rpm': { data: startUp({ sites: [site({ tags }), secondSite()] }) },
      [path]: { data: { sites: [site({ tags: [{ name: 'New', color: 'blue' }] })], failed: [] } },
    });
    await chooseFor('Tea House', 'Tags…');
    const dialog = within(await screen.findByRole('dialog', { name: 'Tags of “Tea House”' }));
    await app.person.click(dialog.getByRole('checkbox', { name: 'Old' }));
    await app.person.type(dialog.getByRole('textbox', { name: 'New tag' }), 'New');
    await app.person.click(dialog.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(bodies()).toHaveLength(2));
    expect(bodies()).toEqual([
      { siteIds: [site().id], change: { kind: 'tags', add: [], remove: ['Old'] } },
      { siteIds: [site().id], change: { kind: 'tags', add: [{ name: 'New', color: 'blue' }], remove: [] } },
    ]);
    expect(await within(await siteList()).findByText('New')).toBeVisible();
  });
});
