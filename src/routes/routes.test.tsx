import { act, screen, waitFor, within } from '@testing-library/react';
import { mayOnSite, siteRoles } from '@contract/permissions';
import type { SiteAction } from '@contract/permissions';
import { secondSite, session, site, startUp } from '../../test/support/factories';
import { renderApp, renderIn } from '../../test/support/renderApp';
import en from './messages.en';
import shell from './shell/messages.en';
import zh from './messages.zh-CN';
import { fill, flatTree, href } from './paths';
import { carriedQuery, railModel, reportTabs, sameSection } from './railModel';
import { nodeAt } from './useTrail';

renderIn('zh-CN');

let app: Awaited<ReturnType<typeof renderApp>> | undefined;
afterEach(() => {
  app?.end();
  app = undefined;
});

const at = () => app?.router.state.location;

describe('the route object', () => {
  test('has unique ids and paths, and a title in both languages', () => {
    expect(new Set(flatTree.map(({ node }) => node.id)).size).toBe(flatTree.length);
    expect(new Set(flatTree.map(({ path }) => path)).size).toBe(flatTree.length);
    for (const { node } of flatTree) {
      if (!node.load) continue;
      expect([node.id, node.title]).toEqual([node.id, expect.any(String)]);
      expect(zh[node.title as 'home']).toMatch(/\S/);
      expect(en[node.title as 'home']).toMatch(/\S/);
      expect([node.id, node.chunk]).toEqual([node.id, expect.any(String)]);
    }
  });

  test.each(flatTree.filter(({ node }) => node.load).map(({ node }) => [node.id, node] as const))('%s loads a page', async (_id, node) => {
    const page = await node.load?.();
    expect(page?.Component).toEqual(expect.any(Function));
  });

  test('every redirect leads to a page', () => {
    for (const { node, path } of flatTree) {
      if (node.redirect === undefined) continue;
      expect([path, nodeAt(`${path}/${node.redirect}`.replace(':siteId', 'x'))?.node.load]).toEqual([path, expect.any(Function)]);
    }
  });

  test('addresses match the specification exactly', () => {
    expect(
      flatTree
        .filter(({ node }) => node.load)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      '/account/center/account_center',
      '/account/contacts/account_contacts',
      '/account/trades/account_trades',
      '/account/users/account_users',
      '/developer/crawler',
      '/developer/crawler/:crawlerId',
      '/developer/crawler/:crawlerId/create',
      '/developer/crawler/new/create',
      '/developer/crawler/site/:siteId',
      '/developer/webcv',
      '/home',
      '/home/create/home_create_empty',
      '/home/create/home_create_import',
      '/site/:siteId/als/campaign',
      '/site/:siteId/als/character/ago',
      '/site/:siteId/als/character/fr',
      '/site/:siteId/als/character/pv',
      '/site/:siteId/als/character/ssr',
      '/site/:siteId/als/character/upv',
      '/site/:siteId/als/device',
      '/site/:siteId/als/engine',
      '/site/:siteId/als/entry',
      '/site/:siteId/als/event',
      '/site/:siteId/als/external/so',
      '/site/:siteId/als/external/sp',
      '/site/:siteId/als/external/url',
      '/site/:siteId/als/funnel',
      '/site/:siteId/als/goal',
      '/site/:siteId/als/journey',
      '/site/:siteId/als/keyword',
      '/site/:siteId/als/latest',
      '/site/:siteId/als/latest/events/:pageId',
      '/site/:siteId/als/loc/cities',
      '/site/:siteId/als/loc/countries',
      '/site/:siteId/als/loc/provinces',
      '/site/:siteId/als/overview',
      '/site/:siteId/als/path',
      '/site/:siteId/als/retention',
      '/site/:siteId/als/source',
      '/site/:siteId/als/trend',
      '/site/:siteId/als/visitor',
      '/site/:siteId/beian',
      '/site/:siteId/cs',
      '/site/:siteId/dashboard',
      '/site/:siteId/intl',
      '/site/:siteId/resource/attachments',
      '/site/:siteId/resource/images',
      '/site/:siteId/resource/svgs',
      '/site/:siteId/resource/videos',
      '/site/:siteId/seo',
      '/site/:siteId/setting/base',
      '/site/:siteId/setting/base/menus',
      '/site/:siteId/setting/base/releases',
      '/site/:siteId/setting/base/theme',
      '/site/:siteId/setting/country_block',
      '/site/:siteId/setting/hostname',
      '/site/:siteId/setting/imports',
      '/site/:siteId/setting/measuring',
      '/site/:siteId/setting/share',
      '/site/:siteId/table/admin',
      '/site/:siteId/table/records',
      '/site/:siteId/table/schemas',
      '/site/:siteId/table/table_fields',
    ]);
  });

  test('typed links fill and escape their parameters', () => {
    expect(href('home')).toBe('/home');
    expect(fill('/site/:siteId/x', { siteId: 'a/b' })).toBe('/site/a%2Fb/x');
    expect(fill('/site/:siteId', {})).toBeNull();
  });
});

describe('the rail', () => {
  const all = { instance: () => true, site: () => true, anySite: () => true };

  test('shows the sections a role may see, only inside a site', () => {
    expect(railModel({}, all).map((group) => group.group)).toEqual(['main', 'developer', 'account']);
    const inside = railModel({ siteId: 'x' }, all);
    expect(inside.map((group) => group.group)).toEqual(['main', 'data', 'content', 'manage', 'developer', 'account']);
    const support = railModel({ siteId: 'x' }, { ...all, site: (action) => action !== 'analytics.read' });
    expect(support.flatMap((group) => group.items.map((item) => item.node.id))).not.toContain('site.als');
  });

  test('tools of developers are hidden from people who may use them on no site', () => {
    const groups = railModel({}, { ...all, anySite: (action) => action !== 'crawler.read' && action !== 'analytics.read' });
    expect(groups.map(({ group }) => group)).toEqual(['main', 'account']);
  });

  test('analytics has one entry for each group of reports', () => {
    const als = railModel({ siteId: 'x' }, all)
      .flatMap(({ items }) => items)
      .find(({ node }) => node.id === 'site.als');
    expect(als?.below.map(({ title, to }) => [title, to.replace('/site/x/als/', '')])).toEqual([
      [{ reports: 'summary' }, 'overview'],
      [{ reports: 'live' }, 'latest'],
      [{ reports: 'source' }, 'source'],
      [{ reports: 'page' }, 'entry'],
      [{ reports: 'audience' }, 'loc'],
      [{ reports: 'behavior' }, 'character'],
      [{ reports: 'conversion' }, 'goal'],
      [{ reports: 'campaign' }, 'campaign'],
    ]);
  });

  test('reports of one group are tabs of each other', () => {
    const trail = nodeAt('/site/x/als/external/sp')?.trail ?? [];
    const model = reportTabs(trail, { siteId: 'x' }, all);
    expect(model?.group).toBe('source');
    expect(model?.tabs.map(({ to }) => to.replace('/site/x/als/', ''))).toEqual(['source', 'engine', 'keyword', 'external/so', 'external/sp', 'external/url']);
  });

  test('a report without siblings has no tabs', () => {
    expect(reportTabs(nodeAt('/site/x/als/campaign')?.trail ?? [], { siteId: 'x' }, all)).toBeNull();
    expect(reportTabs(nodeAt('/site/x/als/latest')?.trail ?? [], { siteId: 'x' }, all)).toBeNull();
    expect(reportTabs(nodeAt('/home')?.trail ?? [], {}, all)).toBeNull();
  });

  test('another report keeps the range and drops the layout of the table', () => {
    expect(carriedQuery('?range=last7&filter=a:is:b&page=3&by=path')).toBe('range=last7&filter=a%3Ais%3Ab');
  });

  test('switching the site keeps the section and drops its ids', () => {
    const trail = nodeAt('/site/a/als/latest/events/p1')?.trail ?? [];
    expect(sameSection(trail, 'b', all)).toBe('/site/b/als/latest');
    expect(sameSection(nodeAt('/site/a/als/trend')?.trail ?? [], 'b', all)).toBe('/site/b/als/trend');
    expect(sameSection([], 'b', all)).toBe('/site/b');
  });

  test('switching the site opens the nearest page the role may see', () => {
    const support = { ...all, site: (action: SiteAction) => mayOnSite('support', action) };
    expect(sameSection(nodeAt('/site/a/als/trend')?.trail ?? [], 'b', support)).toBe('/site/b');
    expect(sameSection(nodeAt('/site/a/table/admin')?.trail ?? [], 'b', support)).toBe('/site/b/table');
  });
});

describe('addresses', () => {
  test.each([
    ['/', '/home'],
    ['/home/create', '/home/create/home_create_empty'],
    ['/account', '/account/center/account_center'],
    [`/site/${site().id}`, `/site/${site().id}/dashboard`],
  ])('%s goes to %s', async (from, to) => {
    app = await renderApp(from);
    await waitFor(() => expect(at()?.pathname).toBe(to));
  });

  test.each([
    ['als', 'als/overview'],
    ['als/external', 'als/external/so'],
    ['als/loc', 'als/loc/provinces'],
    ['als/character', 'als/character/pv'],
  ])('/site/{id}/%s goes to %s and keeps the query string', async (from, to) => {
    app = await renderApp(`/site/${site().id}/${from}?range=today&who=all`);
    await waitFor(() => expect(at()?.pathname).toBe(`/site/${site().id}/${to}`));
    expect(at()?.search).toBe('?range=today&who=all');
  });

  test.each(['imports', 'measuring', 'share'])('the old address of %s leads to the settings of the site', async (page) => {
    app = await renderApp(`/site/${site().id}/als/${page}?tab=a#b`);
    await waitFor(() => expect(at()?.pathname).toBe(`/site/${site().id}/setting/${page}`));
    expect(at()?.search).toBe('?tab=a');
    expect(at()?.hash).toBe('#b');
  });

  test.each(siteRoles)('the address of a site leads %s to its dashboard', async (role) => {
    app = await renderApp(`/site/${site().id}`, { answers: { 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role })] }) } } });
    await waitFor(() => expect(at()?.pathname).toBe(`/site/${site().id}/dashboard`));
    expect(screen.queryByText('404 Not Found')).toBeNull();
  });

  test.each([
    '/nothing',
    '/site',
    '/home/nothing',
    `/site/${site().id}/nothing`,
    `/site/${site().id}/als/nothing`,
    '/account/trades/nothing',
    '/developer/nothing',
  ])('%s shows the plain message inside the frame', async (path) => {
    app = await renderApp(path, { locale: 'en' });
    expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeVisible();
    expect(screen.getByRole('navigation', { name: shell.navigation })).toBeVisible();
    expect(screen.getByRole('link', { name: shell.toHome })).toHaveAttribute('href', '/home');
  });

  test('pages of a suspended site show why it is suspended', async () => {
    const suspended = site({ state: 'suspended', suspendedReason: 'Reported for phishing' });
    app = await renderApp(`/site/${suspended.id}/nothing`, { locale: 'en', answers: { 'GET /api/core/load/rpm': { data: startUp({ sites: [suspended] }) } } });
    expect(await screen.findByText(/^This site is suspended\..* Reason: Reported for phishing$/)).toBeVisible();
  });

  test('an unknown site address keeps the rail and links to the site', async () => {
    app = await renderApp(`/site/${site().id}/nothing`, { locale: 'en' });
    expect(await screen.findByRole('link', { name: `Back to ${site().name}` })).toHaveAttribute('href', `/site/${site().id}`);
    expect(within(screen.getByRole('navigation', { name: shell.navigation })).getByRole('link', { name: en.table })).toBeVisible();
  });

  test('a site without access is not found', async () => {
    app = await renderApp('/site/zzzzzzzzzzzz/dashboard');
    expect(await screen.findByRole('heading', { name: '找不到站点' })).toBeVisible();
  });

  test.each([
    ['/account/users/account_users', session({ role: 'member', can: ['trades.read'] }), site()],
    [`/site/${site().id}/als/overview`, session(), site({ role: 'support' })],
  ])('%s is unavailable to people whose rail hides it', async (path, who, known) => {
    app = await renderApp(path, { answers: { 'GET /api/acc/token/session': { data: who }, 'GET /api/core/load/rpm': { data: startUp({ sites: [known] }) } } });
    expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeVisible();
    expect(screen.getByRole('navigation', { name: '导航' })).toBeVisible();
  });

  test('the search of an unknown address opens the palette', async () => {
    app = await renderApp('/nothing', { locale: 'en' });
    await app.person.click(await screen.findByRole('button', { name: shell.findPage }));
    expect(await screen.findByRole('combobox')).toHaveFocus();
  });

  test('an unreadable request shows a 400 on an Application Error page', async () => {
    app = await renderApp('/account/unknown', { locale: 'en' });
    await screen.findByRole('heading', { name: '404 Not Found' });
    await act(async () => app?.router.navigate('/home', { formMethod: 'get', formEncType: 'text/plain', body: 'x' }));
    expect(await screen.findByRole('heading', { name: 'Application Error' })).toBeVisible();
    expect(screen.getByText('400')).toBeVisible();
    expect(screen.getByRole('navigation', { name: shell.navigation })).toBeVisible();
  });

  test('submitting to a route without an action shows a 405', async () => {
    app = await renderApp('/account/unknown');
    await screen.findByRole('heading', { name: '404 Not Found' });
    const form = new FormData();
    form.set('a', '1');
    await act(async () => app?.router.navigate('/home', { formMethod: 'post', formData: form }));
    expect(await screen.findByRole('heading', { name: 'Application Error' })).toBeVisible();
    expect(screen.getByText('405')).toBeVisible();
    expect(screen.getByRole('navigation', { name: '导航' })).toBeVisible();
  });
});

describe('the frame', () => {
  test('names the page in title and breadcrumbs in the current language', async () => {
    app = await renderApp('/account/unknown', { locale: 'en' });
    await screen.findByRole('heading', { name: '404 Not Found' });
    expect(document.title).toBe('Not found · Account · Sitewright');
    expect(screen.getByRole('navigation', { name: 'Navigation' })).toBeVisible();
  });

  test('keeps the active rail entry visible on load and navigation', async () => {
    // jsdom lays nothing out: the rail is 600 pixels high here, and every entry is 200 pixels below its lower edge.
    const layout = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function place(this: Element) {
      return this.matches('nav.rail') ? new DOMRect(0, 0, 200, 600) : new DOMRect(0, 760, 200, 40);
    });
    try {
      app = await renderApp(`/site/${site().id}/setting/share`, { locale: 'en' });
      const rail = await screen.findByRole('navigation', { name: shell.navigation });
      await waitFor(() => expect(rail.scrollTop).toBeGreaterThanOrEqual(200));
      rail.scrollTop = 0;
      await app.person.click(within(rail).getByRole('link', { name: en.contacts }));
      await waitFor(() => expect(rail.scrollTop).toBe(200));
    } finally {
      layout.mockRestore();
    }
  });

  test('the palette finds a site by part of its name, by keyboard', async () => {
    app = await renderApp('/account/unknown');
    await screen.findByRole('heading', { name: '404 Not Found' });
    await app.person.click(screen.getByRole('button', { name: '搜索或跳转' }));
    const field = await screen.findByRole('combobox');
    await app.person.type(field, 'harbour');
    expect(await screen.findByRole('option', { name: /Harbour News/ })).toHaveAttribute('aria-selected', 'true');
    await app.person.keyboard('{Enter}');
    await waitFor(() => expect(at()?.pathname).toContain(`/site/${secondSite().id}`));
  });

  test('warns when the connection is not encrypted', async () => {
    app = await renderApp('/account/unknown', {
      answers: { 'GET /api/acc/token/session': { data: session({ insecureTransport: true }) }, 'GET /api/core/load/rpm': { data: startUp() } },
    });
    expect(await screen.findByText(/连接没有加密/)).toBeVisible();
  });
});
