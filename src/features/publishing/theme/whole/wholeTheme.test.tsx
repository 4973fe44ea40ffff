import { screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../../../test/support/axe';
import type { Answer } from '../../../../../test/support/fakeServer';
import { openTheme, theme, themeCall } from '../../../../../test/support/themeScreen';

let app: Awaited<ReturnType<typeof openTheme>>;
const open = async (answers: Record<string, Answer> = {}) => {
  app = await openTheme('', answers);
};
afterEach(() => {
  app.end();
  localStorage.clear();
  sessionStorage.clear();
});
const button = (name: string) => screen.findByRole('button', { name });

test('another theme replaces this one after a confirmation, with undo', async () => {
  await open({ [themeCall.install]: { data: theme({ revision: 5, base: 'blog' }) }, [themeCall.restore]: { data: theme({ revision: 6 }) } });
  await app.person.click(await button('Change theme'));
  const dialog = await screen.findByRole('dialog', { name: 'Choose a theme' });
  expect(await within(dialog).findByText('In use')).toBeVisible();
  expect(await violationsOf(dialog)).toEqual([]);
  await app.person.click(within(dialog).getByRole('button', { name: 'Use the theme “Blog”' }));
  const question = await screen.findByRole('dialog', { name: 'Change to the theme “Blog”?' });
  await app.person.click(within(question).getByRole('button', { name: 'Use' }));
  expect(await screen.findByText('Changed to the theme “Blog”')).toBeVisible();
  await app.person.click(await button('Undo'));
  await waitFor(() => expect(app.server.calls(themeCall.restore)).toHaveLength(1));
  expect([...app.server.calls(themeCall.install), ...app.server.calls(themeCall.restore)].map(({ headers, body }) => [headers.get('if-match'), body])).toEqual([
    ['"4"', { name: 'blog' }],
    ['"5"', { revision: 4 }],
  ]);
});

test('a site without a theme chooses one at once', async () => {
  await open({ [themeCall.theme]: { data: theme({ revision: 0 }) }, [themeCall.install]: { data: theme({ revision: 1, base: 'blog' }) } });
  await app.person.click(await button('Use the theme “Blog”'));
  expect(await screen.findByText('Changed to the theme “Blog”')).toBeVisible();
  expect(app.server.calls(themeCall.install).map(({ headers }) => headers.get('if-match'))).toEqual(['"0"']);
});

test('a refused archive lists its problems', async () => {
  const problems = [{ path: 'theme.json', line: 3, column: 1, code: 'manifest', detail: 'version' }];
  await open({ [themeCall.importZip]: { error: 'Invalid', status: 422, code: 'invalid_fields', current: { problems } } });
  await app.person.click(await button('Import ZIP'));
  await app.person.upload(screen.getByLabelText('ZIP file of a theme'), new File(['PK'], 'studio.zip', { type: 'application/zip' }));
  await app.person.click(await button('Import and replace'));
  const list = await screen.findByRole('list', { name: 'Problems of the theme' });
  expect(list).toHaveTextContent('theme.json, line 3version has a value that is not allowed');
  expect(app.server.calls(themeCall.importZip).map(({ body }) => body)).toEqual([{ zip: btoa('PK') }]);
  app.server.answer(themeCall.importZip, { data: theme({ revision: 5, base: null }) });
  await app.person.click(await button('Import and replace'));
  expect(await screen.findByText('Theme imported, 3 files')).toBeVisible();
});

test('the theme goes back to an earlier change', async () => {
  const change = (revision: number, path: string | null) => ({
    revision,
    kind: path === null ? 'install' : 'edit',
    base: 'company',
    files: path === null ? 20 : 1,
    path,
    updatedBy: null,
    updatedAt: '2026-11-20T08:00:00.000Z',
  });
  await open({
    [themeCall.changes]: { data: { rows: [change(4, 'assets/theme.css'), change(1, null)], more: false } },
    [themeCall.restore]: { data: theme({ revision: 5 }) },
  });
  await app.person.click(await button('Changes'));
  const list = await screen.findByRole('list', { name: 'Changes' });
  expect(list).toHaveTextContent('Changed assets/theme.css');
  await app.person.click(within(list).getByRole('button', { name: /^Go back to this:/ }));
  await app.person.click(await button('Go back to this'));
  await waitFor(() =>
    expect(app.server.calls(themeCall.restore).map(({ headers, body }) => [headers.get('if-match'), body])).toEqual([['"4"', { revision: 1 }]]),
  );
});

test('the theme is exported as a ZIP archive', async () => {
  await open();
  expect(screen.getByRole('link', { name: 'Export ZIP' })).toHaveAttribute('href', expect.stringMatching(/\/setting\/theme\/zip$/));
});
