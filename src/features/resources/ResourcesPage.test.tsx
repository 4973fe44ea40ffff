import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../test/support/axe';
import { resource, site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const base = `/api/site/${site().id}/resource`;
const garden = resource({ id: '0198c0de-0000-7000-8000-0000000000a2', name: 'garden.png', alt: { 'zh-Hans': 'A garden' }, uses: 2, hasGps: true });
const folder = { id: '0198c0de-0000-7000-8000-0000000000f1', parentId: null, name: 'Trips', count: 4 };

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/${site().id}/resource/images${search}`, {
    answers: {
      [`GET ${base}/items`]: { data: { rows: [resource(), garden], after: null, total: 2 } },
      [`GET ${base}/items/${garden.id}`]: { data: garden },
      [`GET ${base}/items/${garden.id}/versions`]: { data: [] },
      [`POST ${base}/uses`]: { data: { uses: [], visible: 0, total: 0 } },
      [`GET ${base}/folders`]: { data: [folder] },
      [`GET ${base}/tags`]: { data: [{ tag: 'tea', count: 3 }] },
      [`GET ${base}/storage`]: { error: 'Not part of these tests', status: 503 },
      ...answers,
    },
    messages: ['form'],
  });
  await screen.findByRole('heading', { level: 1, name: /^Images/, hidden: true });
}
afterEach(() => {
  app.end();
  localStorage.clear();
});
const search = () => app.router.state.location.search;

test('pictures keep their proportions and load by the address of their content', async () => {
  await open();
  const card = await screen.findByRole('link', { name: /^tea\.jpg/ });
  const picture = card.querySelector('img');
  expect(picture).toHaveAttribute('src', expect.stringContaining(`/items/${resource().id}/variant?preset=thumbnail&v=abababab`));
  expect([picture?.getAttribute('loading'), picture?.getAttribute('width'), picture?.getAttribute('height')]).toEqual(['lazy', '300', '200']);
  expect(await violationsOf(app.container)).toEqual([]);
});

test('without resources the page offers an upload', async () => {
  await open('', { [`GET ${base}/items`]: { data: { rows: [], after: null, total: 0 } } });
  expect(await screen.findByText('No images yet')).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Upload' })).not.toHaveLength(0);
});

test('a list that cannot be loaded can be tried again', async () => {
  await open('', { [`GET ${base}/items`]: { error: 'The server is busy', status: 500 } });
  expect(await screen.findByText('The server is busy')).toBeVisible();
  app.server.answer(`GET ${base}/items`, { data: { rows: [garden], after: null, total: 1 } });
  await app.person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: /^garden\.png/ })).toBeVisible();
});

test('readers see neither uploads nor selection', async () => {
  await open('', { 'GET /api/core/load/rpm': { data: { ...startUp(), sites: [site({ role: 'viewer' })] } } });
  expect(await screen.findByRole('link', { name: /^tea\.jpg/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('filters, folders and layout are part of the address and the request', async () => {
  await open();
  await app.person.selectOptions(await screen.findByRole('combobox', { name: 'Filter resources' }), 'unused');
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'Filter by tag' }), 'tea');
  await app.person.click(screen.getByRole('button', { name: /^Trips/ }));
  expect(search()).toBe(`?filter=unused&tag=tea&folder=${folder.id}`);
  await waitFor(() => expect(app.server.calls(`GET ${base}/items`).at(-1)?.search).toContain(`folder=${folder.id}&tag=tea&filter=unused`));
  await app.person.click(screen.getByRole('button', { name: 'List' }));
  expect(await screen.findByRole('row', { name: /garden.png/ })).toBeVisible();
});

test('selected resources go to the bin, and come back with Undo', async () => {
  await open('', {
    [`POST ${base}/remove`]: { data: { ids: [resource().id] } },
    [`POST ${base}/restore`]: { data: { ids: [resource().id] } },
  });
  await app.person.click(await screen.findByRole('checkbox', { name: 'Select tea.jpg' }));
  const bar = screen.getByRole('toolbar', { name: 'Actions on selected resources' });
  await app.person.click(within(bar).getByRole('button', { name: 'Move to bin' }));
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/restore`)[0]?.body).toEqual({ ids: [resource().id] }));
});

test('arrows move between pictures, Shift and Space select', async () => {
  await open();
  const first = await screen.findByRole('link', { name: /^tea\.jpg/ });
  act(() => first.focus());
  await app.person.keyboard(' ');
  await app.person.keyboard('{Shift>}{ArrowRight}{/Shift}');
  await waitFor(() => expect(screen.getByRole('link', { name: /^garden\.png/ })).toHaveFocus());
  expect(screen.getByText('2 selected')).toBeVisible();
  await app.person.keyboard('{Escape}');
  expect(screen.queryByText('2 selected')).toBeNull();
});

test('resources are moved from the open folder to none', async () => {
  await open(`?folder=${folder.id}`, { [`POST ${base}/move`]: { data: { ids: [garden.id] } } });
  await app.person.click(await screen.findByRole('checkbox', { name: 'Select garden.png' }));
  await app.person.click(screen.getByRole('button', { name: 'Move' }));
  const dialog = await screen.findByRole('dialog', { name: 'Move 1 resource' });
  const target = within(dialog).getByRole('combobox', { name: 'To' });
  expect(target).toHaveValue(folder.id);
  await app.person.selectOptions(target, 'Not in a folder');
  await app.person.click(within(dialog).getByRole('button', { name: 'Move' }));
  expect(await screen.findByText('1 resource taken out of its folder')).toBeVisible();
  expect(app.server.calls(`POST ${base}/move`).map(({ body }) => body)).toEqual([{ ids: [garden.id], folderId: null }]);
});

test('a resource opens at its address, and saving sends its revision', async () => {
  await open(`?item=${garden.id}`, { [`PATCH ${base}/items/${garden.id}`]: { data: { ...garden, name: 'tea garden.png', revision: 2 } } });
  const drawer = await screen.findByRole('dialog', { name: 'garden.png' });
  expect(await within(drawer).findByText(/contains the position where it was taken/)).toBeVisible();
  const name = within(drawer).getByRole('textbox', { name: 'Name' });
  await app.person.clear(name);
  await app.person.type(name, 'tea garden.png');
  fireEvent.keyDown(within(drawer).getByRole('button', { name: /^Focal point: 50% / }), { key: 'ArrowRight' });
  // A quarter turn takes the focal point along; cropping by a key can be undone.
  await app.person.click(within(drawer).getByRole('button', { name: 'Rotate right' }));
  await app.person.click(within(drawer).getByRole('button', { name: 'Crop' }));
  fireEvent.keyDown(within(drawer).getByRole('button', { name: 'Top left corner' }), { key: 'ArrowRight' });
  fireEvent.keyDown(within(drawer).getByRole('button', { name: 'Top left corner' }), { key: 'ArrowRight' });
  await app.person.click(within(drawer).getByRole('button', { name: 'Undo edit' }));
  await app.person.click(within(drawer).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(app.server.calls(`PATCH ${base}/items/${garden.id}`)).toHaveLength(1));
  const [call] = app.server.calls(`PATCH ${base}/items/${garden.id}`);
  expect(call?.body).toMatchObject({
    name: 'tea garden.png',
    rotation: 90,
    crop: { x: 0.01, y: 0, width: 0.99, height: 1 },
    focalY: 0.52,
    alt: { 'zh-Hans': 'A garden' },
  });
  expect(call?.headers.get('if-match')).toBe('"1"');
});

test('a private resource has no public address, but expiring links', async () => {
  const item = `${base}/items/${garden.id}`;
  await open(`?item=${garden.id}`, {
    [`GET ${item}`]: { data: { ...garden, visibility: 'private', downloads: 3, lastDownloadedAt: garden.updatedAt } },
    [`POST ${item}/address`]: {
      data: { address: 'http://tea.localhost:3001/_r/x?e=1&s=y', expiresAt: '2026-12-01T00:00:00.000Z', poster: null, captions: [] },
    },
  });
  const drawer = await screen.findByRole('dialog', { name: 'garden.png' });
  await app.person.click(await within(drawer).findByRole('button', { name: 'More actions' }));
  await app.person.click(screen.getByRole('menuitem', { name: 'Create expiring link' }));
  expect(within(drawer).queryByRole('button', { name: 'Copy' })).toBeNull();
  const dialog = screen.getByRole('dialog', { name: 'Expiring link' });
  await app.person.selectOptions(within(dialog).getByRole('combobox', { name: 'Valid for' }), '1 day');
  await app.person.type(within(dialog).getByRole('textbox', { name: /^Download as/ }), 'offer.png');
  await app.person.click(within(dialog).getByRole('button', { name: 'Create link' }));
  expect(await within(dialog).findByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(app.server.calls(`POST ${item}/address`).map(({ body }) => body)).toEqual([{ expiresIn: 86_400, downloadAs: 'offer.png' }]);
  expect(within(drawer).getByText('Downloads').nextElementSibling).toHaveTextContent('3');
});

test('an expiring link of a video comes with those of its poster and captions', async () => {
  const item = `${base}/items/${garden.id}`;
  const captions = [{ language: 'en', use: 'subtitles', label: 'English', address: 'http://tea.localhost:3001/_r/x.vtt?s=c' }];
  await open(`?item=${garden.id}`, {
    [`GET ${item}`]: { data: { ...garden, visibility: 'private' } },
    [`POST ${item}/address`]: { data: { address: '/x', expiresAt: '2026-12-01T00:00:00.000Z', poster: 'http://tea.localhost:3001/_r/p?s=p', captions } },
  });
  const drawer = await screen.findByRole('dialog', { name: 'garden.png' });
  await app.person.click(await within(drawer).findByRole('button', { name: 'More actions' }));
  await app.person.click(screen.getByRole('menuitem', { name: 'Create expiring link' }));
  const dialog = screen.getByRole('dialog', { name: 'Expiring link' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Create link' }));
  expect(await within(dialog).findByRole('textbox', { name: 'Link to the poster' })).toHaveValue('http://tea.localhost:3001/_r/p?s=p');
  expect(within(dialog).getByRole('textbox', { name: 'Link to “English”' })).toHaveValue('http://tea.localhost:3001/_r/x.vtt?s=c');
  expect(within(dialog).getByRole('button', { name: 'Copy the link to “English”' })).toBeVisible();
});

test('a public picture has an address and code that shows it', async () => {
  await open(`?item=${garden.id}`);
  const drawer = await screen.findByRole('dialog', { name: 'garden.png' });
  expect(await within(drawer).findByRole('link', { name: 'Download original' })).toHaveAttribute('href', expect.stringContaining('download=true'));
  await app.person.click(await within(drawer).findByRole('button', { name: 'Copy' }));
  const names = screen.getAllByRole('menuitem').map((one) => one.textContent);
  expect(names).toEqual(['Copy address', 'Copy HTML', 'Copy Markdown', 'Copy <picture>', 'Copy srcset']);
});

test('leaving a resource by its address asks before typed text is lost', async () => {
  await open();
  await act(() => app.router.navigate(`?item=${garden.id}`));
  const drawer = await screen.findByRole('dialog', { name: 'garden.png' });
  const title = await within(drawer).findByRole('textbox', { name: /^Title/ });
  await app.person.type(title, 'G');
  await act(() => app.router.navigate(-1));
  await app.person.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(search()).toBe(`?item=${garden.id}`);
  expect(title).toHaveValue('G');
  // What was typed and removed again is no change.
  await app.person.clear(title);
  await app.person.click(within(drawer).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(search()).toBe(''), { timeout: 5000 });
});

test('a conflict shows both versions of what differs', async () => {
  const theirs = { ...garden, name: 'park.png', tags: ['tea'], revision: 2 };
  await open(`?item=${garden.id}`, { [`PATCH ${base}/items/${garden.id}`]: { error: 'Changed', code: 'stale_revision', status: 409, current: theirs } });
  const drawer = await screen.findByRole('dialog', { name: 'garden.png' });
  const title = await within(drawer).findByRole('textbox', { name: /^Title/ });
  await app.person.type(title, 'G');
  await app.person.click(within(drawer).getByRole('button', { name: 'Save' }));
  const rows = await within(drawer).findAllByRole('row');
  expect(rows.slice(1).map((row) => within(row).getByRole('rowheader').textContent)).toEqual(['Name', 'Tags', expect.stringMatching(/^Title \(/)]);
  expect(rows[1]).toHaveTextContent('garden.pngpark.png');
});

test('an empty folder says so and keeps the upload', async () => {
  await open(`?folder=${folder.id}`, { [`GET ${base}/items`]: { data: { rows: [], after: null, total: 0 } } });
  expect(await screen.findByText('No images in this folder')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Upload' })).toBeVisible();
});

test('a move is undone by moving each resource to where it was', async () => {
  const moved = { ...garden, folderId: folder.id };
  await open('', {
    [`GET ${base}/items`]: { data: { rows: [resource(), moved], after: null, total: 2 } },
    [`POST ${base}/move`]: { data: { ids: [] } },
  });
  await app.person.click(await screen.findByRole('checkbox', { name: 'Select tea.jpg' }));
  await app.person.click(screen.getByRole('button', { name: 'Select all 2' }));
  await app.person.click(within(screen.getByRole('toolbar', { name: 'Actions on selected resources' })).getByRole('button', { name: 'Move' }));
  await app.person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Move' }));
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/move`)).toHaveLength(3));
  expect(
    app.server
      .calls(`POST ${base}/move`)
      .slice(1)
      .map(({ body }) => body),
  ).toEqual([
    { ids: [resource().id], folderId: null },
    { ids: [garden.id], folderId: folder.id },
  ]);
});

test('a dialog stays open when its call failed', async () => {
  await open('', { [`POST ${base}/tag`]: { error: 'The server is busy', status: 500 } });
  await app.person.click(await screen.findByRole('checkbox', { name: 'Select tea.jpg' }));
  await app.person.click(screen.getByRole('button', { name: 'Tag' }));
  const dialog = await screen.findByRole('dialog');
  await app.person.type(within(dialog).getByRole('textbox', { name: /^Add/ }), 'green');
  await app.person.click(within(dialog).getByRole('button', { name: 'Tag' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/tag`)).toHaveLength(1));
  expect(await screen.findByText('The server is busy')).toBeInTheDocument();
  expect(within(dialog).getByRole('textbox', { name: /^Add/ })).toHaveValue('green');
});

test('the bin is emptied after a question', async () => {
  const inBin = { data: { rows: [{ ...garden, deletedAt: garden.updatedAt }], after: null, total: 1 } };
  await open('?bin=1', { [`GET ${base}/items`]: inBin, [`POST ${base}/purge`]: { data: { ids: [] } } });
  await app.person.click(await screen.findByRole('button', { name: 'Empty bin' }));
  const question = await screen.findByRole('dialog', { name: 'Delete 1 resource for good?' });
  expect(app.server.calls(`POST ${base}/purge`)).toHaveLength(0);
  await app.person.click(within(question).getByRole('button', { name: 'Empty bin' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/purge`)[0]?.body).toEqual({ ids: [garden.id] }));
});
