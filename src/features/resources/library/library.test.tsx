import { screen, waitFor, within } from '@testing-library/react';
import type { ResourceUsage } from '@contract/resources/library';
import { violationsOf } from '../../../../test/support/axe';
import { resource, site } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';

const base = `/api/site/${site().id}/resource`;
const tea = resource();
const garden = resource({ id: '0198c0de-0000-7000-8000-0000000000a2', name: 'garden.png', uses: 3 });
const use: ResourceUsage = {
  resourceId: garden.id,
  tableId: 't_1',
  tableTitle: 'Products',
  fieldId: 'f_1',
  fieldTitle: 'Pictures',
  recordId: '0198c0de-0000-7000-8000-0000000000b1',
  label: 'Green tea',
  deleted: false,
};
const uses = { uses: [use], visible: 1, total: 3 };

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search: string, answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/${site().id}/resource/images${search}`, {
    answers: {
      [`GET ${base}/items`]: { data: { rows: [tea, garden], after: null, total: 2 } },
      [`GET ${base}/items/${garden.id}`]: { data: garden },
      [`GET ${base}/items/${garden.id}/versions`]: { data: [] },
      [`POST ${base}/uses`]: { data: uses },
      [`GET ${base}/folders`]: { data: [] },
      [`GET ${base}/tags`]: { data: [] },
      ...answers,
    },
    messages: ['form'],
  });
}
afterEach(() => {
  app.end();
  localStorage.clear();
});
const drawer = () => screen.findByRole('dialog', { name: 'garden.png' });

test('the drawer links to records that use a picture, and counts the others', async () => {
  await open(`?item=${garden.id}`);
  const link = await within(await drawer()).findByRole('link', { name: 'Green tea' });
  expect(link).toHaveAttribute('href', expect.stringContaining(`record=${use.recordId}`));
  expect(within(await drawer()).getByText('Products · Pictures')).toBeVisible();
  expect(within(await drawer()).getByText('And 2 places that you cannot see')).toBeVisible();
});

test('what is used moves to the bin only after its uses were shown', async () => {
  await open(`?item=${garden.id}`, { [`POST ${base}/remove`]: { data: { ids: [garden.id] } } });
  await app.person.click(await within(await drawer()).findByRole('button', { name: 'More actions' }));
  await app.person.click(screen.getByRole('menuitem', { name: 'Move to bin' }));
  const question = await screen.findByRole('dialog', { name: 'Move a resource that is in use to the bin?' });
  expect(within(question).getByRole('link', { name: 'Green tea' })).toBeVisible();
  expect(app.server.calls(`POST ${base}/remove`)).toHaveLength(0);
  await app.person.click(within(question).getByRole('button', { name: 'Move to bin' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/remove`)).toHaveLength(1));
});

test('another picture takes the place of one everywhere, which can be undone', async () => {
  const done = { batchId: 'b1', tableId: 't_1', changed: 1, remaining: 2, removed: [garden.id], jobId: null };
  await open(`?item=${garden.id}`, {
    [`POST ${base}/replace`]: { data: done },
    [`POST ${base}/restore`]: { data: { ids: [garden.id] } },
    [`POST /api/site/${site().id}/table/batches/b1/undo`]: { data: { batchId: 'b2', undone: 1, skipped: [], skippedCount: 0 } },
  });
  await app.person.click(await within(await drawer()).findByRole('button', { name: 'Replace everywhere' }));
  const dialog = await screen.findByRole('dialog', { name: 'Replace “garden.png” everywhere' });
  await app.person.click(await within(dialog).findByRole('button', { name: 'tea.jpg' }));
  expect(within(dialog).queryByRole('button', { name: 'garden.png' })).toBeNull();
  await app.person.click(within(dialog).getByRole('checkbox'));
  await app.person.click(within(dialog).getByRole('button', { name: 'Replace with “tea.jpg”' }));
  expect(await screen.findByText(/^2 places stay as they are/)).toBeVisible();
  expect(app.server.calls(`POST ${base}/replace`)[0]?.body).toEqual({ ids: [garden.id], by: tea.id, remove: true });
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.calls(`POST /api/site/${site().id}/table/batches/b1/undo`)).toHaveLength(1), { timeout: 5000 });
  expect(app.server.calls(`POST ${base}/restore`)).toHaveLength(1);
});

test('of duplicates one is kept, and the others are replaced by it', async () => {
  await open('?filter=duplicates', {
    [`GET ${base}/duplicates`]: { data: { groups: [{ exact: false, rows: [tea, garden] }], total: 1 } },
    [`POST ${base}/replace`]: { data: { batchId: null, tableId: null, changed: 0, remaining: 0, removed: [tea.id], jobId: null } },
  });
  const group = await screen.findByRole('region', { name: '2 pictures that look the same' });
  // What does not apply to duplicates is not offered.
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Sort by' })).toBeNull();
  expect(await violationsOf(group)).toEqual([]);
  await app.person.click(within(group).getByRole('button', { name: 'Keep this one: garden.png' }));
  await app.person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep this one' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/replace`)[0]?.body).toEqual({ ids: [tea.id], by: garden.id, remove: true }));
});

test('an earlier version is used again over the revision that is shown', async () => {
  const version = {
    version: 1,
    kind: 'image',
    contentType: 'image/jpeg',
    bytes: 1000,
    sha256: 'cd'.repeat(32),
    width: 30,
    height: 20,
    rotation: 0,
    crop: null,
  };
  await open(`?item=${garden.id}`, {
    [`GET ${base}/items/${garden.id}/versions`]: { data: [{ ...version, by: 'Li', createdAt: garden.createdAt }] },
    [`POST ${base}/items/${garden.id}/versions/1/activate`]: { data: { ...garden, revision: 2 } },
  });
  await app.person.click(await within(await drawer()).findByRole('button', { name: 'Restore version 1' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/items/${garden.id}/versions/1/activate`)[0]?.headers.get('if-match')).toBe('"1"'));
});

test('a new file is shown beside the current one before it replaces it', async () => {
  URL.createObjectURL = () => 'blob:new';
  URL.revokeObjectURL = () => undefined;
  await open(`?item=${garden.id}`);
  const input = within(await drawer()).getByLabelText('Replace file', { selector: 'input' });
  await app.person.upload(input, new File(['tea'], 'new.png', { type: 'image/png' }));
  const dialog = await screen.findByRole('dialog', { name: 'Replace the file of “garden.png”' });
  expect(Array.from(dialog.querySelectorAll('img'), (one) => one.getAttribute('src'))).toEqual([expect.stringContaining('preset=small'), 'blob:new']);
  await app.person.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Replace the file/ })).toBeNull());
});

test('alternative texts are saved when they are left, and Enter moves on', async () => {
  await open('', { [`PATCH ${base}/items/${tea.id}`]: { data: { ...tea, alt: { 'zh-Hans': 'Tea' }, revision: 2 } } });
  await app.person.click(await screen.findByRole('button', { name: 'More ways to upload' }));
  await app.person.click(await screen.findByRole('menuitem', { name: 'Write alternative texts' }));
  const dialog = await screen.findByRole('dialog', { name: 'Alternative texts' });
  const first = await within(dialog).findByRole('textbox', { name: /^Alternative text of tea.jpg/ });
  await app.person.type(first, 'Tea{Enter}');
  expect(within(dialog).getByRole('textbox', { name: /^Alternative text of garden.png/ })).toHaveFocus();
  await waitFor(() => expect(app.server.calls(`PATCH ${base}/items/${tea.id}`)[0]?.body).toEqual({ alt: { 'zh-Hans': 'Tea' } }));
  expect(await within(dialog).findByText('Saved')).toBeVisible();
  expect(await violationsOf(dialog)).toEqual([]);
});

test('a text that somebody else wrote meanwhile is shown before it is replaced', async () => {
  const newer = { ...tea, alt: { 'zh-Hans': 'Leaves' }, revision: 5 };
  await open('?filter=noAlt', { [`PATCH ${base}/items/${tea.id}`]: { error: 'Changed', code: 'stale_revision', status: 409, current: newer } });
  await app.person.click(await screen.findByRole('button', { name: 'Write alternative texts' }));
  const dialog = await screen.findByRole('dialog', { name: 'Alternative texts' });
  await app.person.type(await within(dialog).findByRole('textbox', { name: /^Alternative text of tea.jpg/ }), 'Tea{Enter}');
  expect(await within(dialog).findByText(/Somebody else changed it to: Leaves/)).toBeVisible();
  app.server.answer(`PATCH ${base}/items/${tea.id}`, { data: { ...newer, alt: { 'zh-Hans': 'Tea' }, revision: 6 } });
  await app.person.click(within(dialog).getByRole('button', { name: 'Keep mine' }));
  await waitFor(() => expect(app.server.calls(`PATCH ${base}/items/${tea.id}`).at(-1)?.headers.get('if-match')).toBe('"5"'));
});

test('each address says what became of it', async () => {
  await open('', { [`POST ${base}/from-address`]: { data: { resource: null, problem: 'private' } } });
  await app.person.click(await screen.findByRole('button', { name: 'More ways to upload' }));
  await app.person.click(await screen.findByRole('menuitem', { name: 'Add from web addresses' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add files from web addresses' });
  await app.person.type(within(dialog).getByRole('textbox'), 'http://10.0.0.1/a.jpg{Enter}ftp://x');
  await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
  expect(await within(dialog).findByText('The address is not public')).toBeVisible();
  expect(await within(dialog).findByText('Not a web address')).toBeVisible();
  expect(app.server.calls(`POST ${base}/from-address`).map(({ body }) => body)).toEqual([{ url: 'http://10.0.0.1/a.jpg', folderId: null }]);
  app.server.answer(`POST ${base}/from-address`, { data: { resource: tea, problem: null } });
  await app.person.click(within(dialog).getByRole('button', { name: 'Try again' }));
  expect(await within(dialog).findByRole('link', { name: 'tea.jpg' })).toBeVisible();
  expect(app.server.calls(`POST ${base}/from-address`)).toHaveLength(2);
});

test('columns show pictures in their proportions', async () => {
  await open('');
  await app.person.click(await screen.findByRole('button', { name: 'Columns' }));
  const card = await screen.findByRole('link', { name: /^tea\.jpg/ });
  // 200 of 300 pixels, and the caption below.
  const { width = '', height = '' } = card.closest<HTMLElement>('.resource-masonry-item')?.style ?? {};
  expect(Math.round((Number.parseFloat(width) * 2) / 3) + 56).toBe(Number.parseFloat(height));
});
