import { act, screen, waitFor, within } from '@testing-library/react';
import type { SiteParts } from '@contract/publishing/schemas';
import type { TableField } from '@contract/tables/schemas';
import { violationsOf } from '../../../../test/support/axe';
import { site } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { openSettings, settingPath as base, siteParts } from '../../../../test/support/publishingScreen';
import { fieldOf, tableOf } from '../../../../test/support/recordsScreen';

const item = (id: string, path: string, items: SiteParts['menus']['content'][string] = []) => ({ id, label: { 'zh-Hans': id }, target: { path }, items });
const parts = (change: Partial<SiteParts> = {}): SiteParts =>
  siteParts({ menus: { content: { main: [item('Home', '/'), item('Shop', '/shop')] }, revision: 2 }, ...change });
const manifest = {
  format: 1,
  name: { en: 'Company' },
  version: '1.0.0',
  menus: { main: { en: 'Main menu' } },
  settings: [],
  collections: {
    news: {
      title: { en: 'News' },
      fields: { title: { type: 'text', label: { en: 'Title' }, required: true }, cover: { type: 'image', label: { en: 'Cover' }, required: false } },
    },
  },
  templates: {
    home: { label: { en: 'Home' }, shows: 'page', data: {} },
    news: { for: 'news', shows: 'list', data: {} },
    article: { for: 'news', shows: 'record', data: {} },
  },
};
const theme = { revision: 1, base: 'company', shippedVersion: '1.0.0', files: [], missing: [], manifest };
const field = (id: string, type: TableField['type'], title: string) => fieldOf({ id, type, title, key: title.toLowerCase() });
const tableId = 't_aaaaaaaaaa';
const table = tableOf({
  id: tableId,
  title: 'Articles',
  primaryField: 'f_aaaaaaaaaa',
  fields: [field('f_aaaaaaaaaa', 'text', 'Title'), field('f_bbbbbbbbbb', 'image', 'Picture'), field('f_cccccccccc', 'slug', 'Slug')],
});

let app: Awaited<ReturnType<typeof openSettings>>;
async function open(part = '', answers: Record<string, Answer> = {}) {
  app = await openSettings(`/menus${part}`, {
    [`GET ${base}/parts`]: { data: parts() },
    [`GET ${base}/theme`]: { data: theme },
    [`GET /api/site/${site().id}/table/tables`]: { data: [table] },
    ...answers,
  });
  await screen.findByRole('group', { name: 'Parts of the menus' });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
const press = async (name: string | RegExp) => app.person.click(await screen.findByRole('button', { name }));
const sent = () => app.server.requests.filter(({ method }) => method === 'PUT');

test('items are moved with the keyboard, undone, and saved', async () => {
  await open('', { [`PUT ${base}/parts/menus`]: { data: { revision: 3 } } });
  const handle = await screen.findByRole('button', { name: 'Move Shop' });
  expect(screen.getByRole('heading', { name: 'Main menu' })).toBeVisible();
  expect(await violationsOf(screen.getByRole('form', { name: 'Menus' }))).toEqual([]);
  act(() => handle.focus());
  await app.person.keyboard('{Alt>}{ArrowRight}{/Alt}');
  expect(await screen.findByText('Shop is now at place 2 of 2, level 2')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Move Shop' })).toHaveFocus();
  await app.person.keyboard('{Alt>}{ArrowRight}{/Alt}');
  expect(await screen.findByText('Shop cannot be moved further this way')).toBeInTheDocument();
  await press('Undo');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  act(() => screen.getByRole('button', { name: 'Move Shop' }).focus());
  await app.person.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await press('Save');
  expect(await screen.findByText('Saved. Visitors see it after the next release')).toBeVisible();
  expect(sent().map(({ body, headers }) => [headers.get('if-match'), (body as { main: { id: string }[] }).main.map(({ id }) => id)])).toEqual([
    ['"2"', ['Shop', 'Home']],
  ]);
});

test('an item needs a label and a target', async () => {
  await open('', { [`PUT ${base}/parts/menus`]: { data: { revision: 3 } } });
  await press('Add an item to Main menu');
  const dialog = await screen.findByRole('dialog', { name: 'Add an item' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
  expect(await within(dialog).findAllByText('Required')).toHaveLength(2);
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Label' }), 'Partner');
  await app.person.selectOptions(within(dialog).getByRole('combobox', { name: 'Leads to' }), 'url');
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Address' }), 'javascript:alert(1)');
  await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
  expect(await within(dialog).findByText(/Enter a whole address/)).toBeVisible();
  await app.person.clear(within(dialog).getByRole('textbox', { name: 'Address' }));
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Address' }), 'https://partner.example/');
  await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
  await press('Save');
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.body).toMatchObject({ main: [{}, {}, { label: { 'zh-Hans': 'Partner' }, target: { url: 'https://partner.example/' }, items: [] }] });
});

test('the next item has the focus after one was removed', async () => {
  await open('', {
    [`GET ${base}/parts`]: { data: parts({ menus: { content: { main: [item('Home', '/', [item('News', '/news')]), item('Shop', '/shop')] }, revision: 2 } }) },
  });
  await press('Remove Home');
  expect(screen.getByRole('button', { name: 'Remove Shop' })).toHaveFocus();
  await press('Remove Shop');
  expect(screen.getByRole('button', { name: 'Add an item to Main menu' })).toHaveFocus();
});

test('the focus stays in the list when a redirect is removed', async () => {
  const to = (from: string) => ({ from, to: '/', status: 301 as const, origin: 'person' as const, note: '', expiresOn: null });
  await open('?part=redirects', { [`GET ${base}/parts`]: { data: parts({ redirects: { content: [to('/a'), to('/b')], revision: 1 } }) } });
  await press('Remove /b');
  expect(screen.getByRole('button', { name: 'Remove /a' })).toHaveFocus();
  await press('Remove /a');
  expect(screen.getByRole('button', { name: 'Add a redirect' })).toHaveFocus();
});

test('the address that takes the place of a removed one has the focus', async () => {
  const page = (path: string) => ({ kind: 'template' as const, path, template: 'home', title: {} });
  await open('?part=addresses', { [`GET ${base}/parts`]: { data: parts({ routes: { content: [page('/one'), page('/two')], revision: 1 } }) } });
  await press('Remove /one');
  expect(screen.getByRole('button', { name: 'Remove /two' })).toHaveFocus();
});

test('unsaved changes are guarded between the parts', async () => {
  await open();
  await press('Remove Home');
  await press('Redirects');
  const dialog = await screen.findByRole('dialog', { name: 'Leave this page?' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
  expect(screen.getByText('Unsaved changes')).toBeVisible();
});

test('a table becomes a collection with suggested fields', async () => {
  const { home: _home, ...templates } = manifest.templates;
  await open('?part=addresses', {
    [`PUT ${base}/parts/routes`]: { data: { revision: 1 } },
    [`GET ${base}/theme`]: { data: { ...theme, manifest: { ...manifest, templates } } },
  });
  expect(await screen.findByText(/The home page \(\/\) shows nothing yet/)).toBeVisible();
  await press('Choose a table for News');
  const dialog = await screen.findByRole('dialog', { name: 'News' });
  await app.person.selectOptions(await within(dialog).findByRole('combobox', { name: 'Table' }), 'Articles');
  expect(within(dialog).getByRole('combobox', { name: /^Title/ })).toHaveValue('f_aaaaaaaaaa');
  expect(within(dialog).getByRole('combobox', { name: /^Cover/ })).toHaveValue('f_bbbbbbbbbb');
  expect(within(dialog).queryByRole('option', { name: 'Articles · Slug' })).toBeNull();
  const list = within(dialog).getByRole('textbox', { name: /Address of the list/ });
  await app.person.clear(list);
  await app.person.type(list, '/_reserved');
  await app.person.click(within(dialog).getByRole('button', { name: 'Apply' }));
  expect(await within(dialog).findByText('The system uses this address. Choose another one')).toBeVisible();
  await app.person.clear(list);
  await app.person.type(list, '/');
  expect(await violationsOf(dialog)).toEqual([]);
  await app.person.click(within(dialog).getByRole('button', { name: 'Apply' }));
  expect(await screen.findByText('Table: Articles · / · /news/{slug}')).toBeVisible();
  expect(screen.queryByText(/shows nothing yet/)).toBeNull();
  await press('Save');
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.body).toEqual([
    {
      kind: 'collection',
      collection: 'news',
      table: tableId,
      fields: { title: 'f_aaaaaaaaaa', cover: 'f_bbbbbbbbbb' },
      listPath: '/',
      recordPath: '/news/{slug}',
      slug: 'f_cccccccccc',
      perPage: 10,
      sort: '-$publishedAt',
      feed: true,
      sitemap: true,
    },
  ]);
});

test('the home page of a theme needs no address', async () => {
  await open('?part=addresses');
  expect(await screen.findByRole('button', { name: 'Choose a table for News' })).toBeVisible();
  expect(screen.queryByText(/shows nothing yet/)).toBeNull();
});

test('a page gets a template and an address of its own', async () => {
  await open('?part=addresses', {
    [`GET ${base}/parts`]: { data: parts({ routes: { content: [{ kind: 'template', path: '/', template: 'home', title: {} }], revision: 1 } }) },
  });
  await press('Add a page');
  const dialog = await screen.findByRole('dialog', { name: 'Add a page' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
  expect(await within(dialog).findByText('This address is taken. Choose another one')).toBeVisible();
  await app.person.clear(within(dialog).getByRole('textbox', { name: 'Address' }));
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Address' }), '/start');
  await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
  expect(await screen.findByRole('button', { name: 'Edit /start' })).toBeVisible();
});

test('redirects are imported with a dry run, and loops are named', async () => {
  await open('?part=redirects', { [`PUT ${base}/parts/redirects`]: { data: { revision: 1 } } });
  expect(await screen.findByText('No redirects')).toBeVisible();
  await press('Import');
  const dialog = await screen.findByRole('dialog', { name: 'Import' });
  const box = within(dialog).getByRole('textbox', { name: 'Redirects' });
  await app.person.click(box);
  await app.person.paste('/a /b\n/b /a 302\nnonsense\n/c /d');
  expect(await within(dialog).findByText('2 redirects are left out, because they would lead round in a loop: /a, /b')).toBeVisible();
  expect(within(dialog).getByText('Line 3: nonsense')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Add 1 redirect' })).toBeEnabled();
  await app.person.clear(box);
  await app.person.paste('Redirect 301 /a.html /b\nRedirectMatch 301 ^/b$ /c');
  expect(await within(dialog).findByText('2 new, 0 replaced, 0 left out.')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: '.htaccess' })).toHaveAttribute('aria-pressed', 'true');
  await app.person.click(within(dialog).getByRole('button', { name: 'Add 2 redirects' }));
  expect(await screen.findByText(/1 redirect leads to another one/)).toBeVisible();
  await app.person.type(screen.getByRole('textbox', { name: 'Address or path' }), '/a.html');
  expect(screen.getByRole('list', { name: 'Redirects on the way' })).toHaveTextContent('/b by /a.html/c by /b');
  await press('Shorten chains');
  await press('Edit /b');
  const edit = await screen.findByRole('dialog', { name: 'Edit the redirect' });
  await app.person.type(within(edit).getByRole('textbox', { name: /^Note/ }), 'Moved');
  await app.person.click(within(edit).getByRole('button', { name: 'Apply' }));
  await app.person.type(screen.getByRole('searchbox', { name: 'Find an address' }), 'moved');
  expect(screen.queryByRole('button', { name: 'Edit /a.html' })).toBeNull();
  await press('Save');
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.body).toEqual([
    { from: '/a.html', to: '/c', status: 301, origin: 'import', note: '', expiresOn: null },
    { from: '/b', to: '/c', status: 301, origin: 'import', note: 'Moved', expiresOn: null },
  ]);
});
