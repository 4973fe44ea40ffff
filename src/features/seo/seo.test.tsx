import { screen, waitFor, within } from '@testing-library/react';
import type { SeoOverview, SeoPage, Sitemaps } from '@contract/seo/schemas';
import { violationsOf } from '../../../test/support/axe';
import { startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { builtSite, languagesPart, settingPath, siteParts } from '../../../test/support/publishingScreen';
import { renderApp } from '../../../test/support/renderApp';

const base = `/api/site/${builtSite().id}/seo`;
const page = (change: Partial<SeoPage> = {}): SeoPage => ({
  path: '/blog/spring',
  kind: 'record',
  title: 'Spring tea · Leaf',
  description: 'Picked early',
  inherited: { title: 'Spring tea · Leaf', description: 'Picked early' },
  indexing: 'index',
  reason: null,
  override: null,
  problems: [],
  ...change,
});
const overview: SeoOverview = {
  pages: 12,
  indexable: 9,
  more: false,
  closed: 'settings',
  problems: [{ problem: 'description_missing', pages: 4 }],
  unused: ['/gone'],
  crawl: { finishedAt: '2026-11-20T08:00:00.000Z', score: 82, pages: 12, indexable: 9, issues: { error: 3, warning: 7, notice: 1 } },
};
const sitemaps: Sitemaps = {
  none: null,
  rows: [
    { path: '/sitemap.xml', kind: 'index', collection: null, pages: 12 },
    { path: '/sitemap-baidu-1.txt', kind: 'flat', collection: null, pages: 12 },
  ],
};

let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => app.end());

async function open(tab: string, answers: Record<string, Answer> = {}, role: 'admin' | 'viewer' = 'admin') {
  app = await renderApp(`/site/${builtSite().id}/seo${tab === '' ? '' : `?tab=${tab}`}`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [builtSite({ role })] }) },
      [`GET ${settingPath}/parts`]: { data: siteParts({ languages: languagesPart(['en', 'zh-Hans'], 1) }) },
      [`GET ${base}/overview`]: { data: overview },
      [`GET ${base}/pages`]: { data: { rows: [page(), page({ path: '/about', title: 'About', problems: ['title_duplicate'] })], total: 2, revision: 3 } },
      [`GET ${base}/sitemaps`]: { data: sitemaps },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'SEO' });
  return app;
}

test('the overview counts problems and leads to their pages', async () => {
  const { container } = await open('');
  const problems = await screen.findByRole('list', { name: 'What to improve' });
  expect(within(problems).getByRole('link', { name: '4 pages' })).toHaveAttribute('href', expect.stringContaining('problem=description_missing'));
  expect(screen.getByRole('alert')).toHaveTextContent('keep search engines away');
  expect(screen.getByText('/gone')).toBeVisible();
  const health = within(screen.getByRole('region', { name: 'Search health' }));
  expect(health.getByText('Errors').closest('div')).toHaveTextContent('3');
  expect(health.getByRole('link', { name: 'Open crawl results' })).toHaveAttribute('href', `/developer/crawler/site/${builtSite().id}`);
  expect(await violationsOf(container)).toEqual([]);
});

test('a page gets a title, which is measured and previewed while it is typed', async () => {
  const { server, person, container } = await open('pages', { [`PATCH ${base}/pages`]: { data: { revision: 4 } } });
  await person.click(await screen.findByRole('button', { name: 'Edit /blog/spring' }));
  const form = screen.getByRole('form', { name: 'Edit /blog/spring' });
  const title = within(form).getByRole('textbox', { name: /^Title/ });
  await person.type(title, `${'Long '.repeat(20)}title`);
  expect(within(form).getByText(/the end is cut off/)).toBeVisible();
  expect(within(form).getByRole('figure', { name: 'Search result: Desktop' })).toHaveTextContent(/Long .{0,5}…/);
  expect(await violationsOf(container)).toEqual([]);
  await person.clear(title);
  await person.type(title, 'First flush');
  await person.click(within(form).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Saved/)).toBeVisible();
  const sent = server.requests.find(({ method }) => method === 'PATCH');
  expect(sent?.body).toMatchObject({ overrides: [{ path: '/blog/spring', title: { en: 'First flush' } }] });
});

test('selected pages get texts from a template, which can be undone', async () => {
  const rows = [{ path: '/about', title: 'About us', description: '' }];
  const { server, person, container } = await open('pages', {
    [`POST ${base}/pages/fill`]: { data: { rows } },
    [`PATCH ${base}/pages`]: { data: { revision: 4 } },
  });
  await person.click(await screen.findByRole('checkbox', { name: 'Select /about' }));
  await person.click(screen.getByRole('button', { name: 'Texts from a template' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Texts of 1 page' }));
  await person.type(dialog.getByRole('textbox', { name: /^Title/ }), '{{title} us');
  await person.click(dialog.getByRole('button', { name: 'Preview' }));
  expect(await dialog.findByText('About us')).toBeVisible();
  await person.click(dialog.getByRole('button', { name: 'Apply' }));
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  const sent = () => server.requests.filter(({ method }) => method === 'PATCH').map(({ body, headers }) => [body, headers.get('if-match')]);
  await waitFor(() => expect(sent()).toHaveLength(2));
  const override = { path: '/about', description: {}, indexing: null, image: null, canonical: '' };
  expect(sent()).toEqual([
    [{ overrides: [{ ...override, title: { en: 'About us' } }] }, '"0"'],
    [{ overrides: [{ ...override, title: {} }] }, '"4"'],
  ]);
  expect(await violationsOf(container)).toEqual([]);
});

test('titles are pasted from a spreadsheet', async () => {
  const { server, person } = await open('pages', { [`PATCH ${base}/pages`]: { data: { revision: 4 } } });
  await person.click(await screen.findByRole('button', { name: 'Paste from a spreadsheet' }));
  const dialog = within(await screen.findByRole('dialog'));
  await person.click(dialog.getByRole('textbox'));
  await person.paste('/about\tAbout\nnowhere\tTitle');
  expect(await dialog.findByText(/Line 2 is left out/)).toBeVisible();
  await person.click(dialog.getByRole('button', { name: 'Change 1 page' }));
  await waitFor(() =>
    expect(server.requests.find(({ method }) => method === 'PATCH')?.body).toMatchObject({ overrides: [{ path: '/about', title: { en: 'About' } }] }),
  );
});

test('a viewer reads titles and changes nothing', async () => {
  await open('pages', {}, 'viewer');
  expect(await screen.findByText('Same title as another page')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
});

test('a template shows what it makes of a page before it is saved', async () => {
  const { server, person, container } = await open('settings', { [`PUT ${settingPath}/parts/seo`]: { data: { revision: 1 } } });
  const [title] = await screen.findAllByRole('textbox', { name: /^Title/ });
  expect(screen.getAllByText('Example: Page title · Tea House')).toHaveLength(2);
  await person.type(title as HTMLElement, '{{title} | {{site}');
  expect(screen.getAllByText(/^Example: Page title \| /)).toHaveLength(2);
  await person.click(screen.getByRole('checkbox', { name: 'GPTBot' }));
  expect(await violationsOf(container)).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Saved/)).toBeVisible();
  expect(server.requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    templates: [{ kind: 'record', collection: '*', title: { en: '{title} | {site}' } }],
    agents: { refused: ['GPTBot'] },
  });
});

test('sitemaps are listed with the addresses to submit', async () => {
  await open('sitemaps');
  const flat = await screen.findByRole('list', { name: 'Flat files for Baidu' });
  expect(within(flat).getByRole('link')).toHaveAttribute('href', 'http://tea-house.localhost:3001/sitemap-baidu-1.txt');
});
