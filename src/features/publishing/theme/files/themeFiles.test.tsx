import { EditorView } from '@codemirror/view';
import { act, screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../../../test/support/axe';
import { site, startUp } from '../../../../../test/support/factories';
import type { Answer } from '../../../../../test/support/fakeServer';
import { fileContent, openTheme, theme, themeCall, themeFile } from '../../../../../test/support/themeScreen';

const home = 'templates/home.liquid';
const original = `<h1>${home}</h1>\n`;

let app: Awaited<ReturnType<typeof openTheme>>;
const open = async (search = '', answers: Record<string, Answer> = {}) => {
  app = await openTheme(`?view=files${search}`, answers);
  await screen.findByRole('navigation', { name: 'Files of the theme' });
};
afterEach(() => {
  app.end();
  localStorage.clear();
  sessionStorage.clear();
});

const content = (path = home) => screen.findByRole('textbox', { name: `Content of ${path}` });
async function editor(path = home): Promise<EditorView> {
  const view = EditorView.findFromDOM(await content(path));
  if (!view) throw new Error('There is no editor');
  return view;
}
const type = async (text: string, path = home) => {
  const view = await editor(path);
  act(() => view.dispatch({ changes: { from: view.state.doc.length, insert: text } }));
};
const writes = () => app.server.calls(themeCall.write);
const tree = () => screen.getByRole('navigation', { name: 'Files of the theme' });
const saved = (revision: number): Answer => ({ data: fileContent(home, `${original}<p>New</p>`, { revision }) });
/** The theme after the home page was changed. */
const changedTheme = (revision: number): Answer => ({
  data: theme({ revision: 5, files: [themeFile('layouts/base.liquid'), themeFile(home, { revision, shipped: 'changed' }), themeFile('theme.json')] }),
});

test('a file is edited and saved with the keyboard', async () => {
  await open('', { [themeCall.write]: saved(2) });
  expect((await editor()).state.doc.toString()).toBe(original);
  expect(await violationsOf(app.container)).toEqual([]);
  await type('<p>New</p>');
  expect(within(tree()).getByRole('button', { name: /home\.liquid.*Unsaved/ })).toBeVisible();
  app.server.answer(themeCall.theme, changedTheme(2));
  (await content()).focus();
  await app.person.keyboard('{Control>}s{/Control}');
  expect(await screen.findByText(`${home} saved`)).toBeVisible();
  expect(writes().map(({ search, headers, body }) => [search, headers.get('if-match'), body])).toEqual([
    [`?path=${encodeURIComponent(home)}`, '"1"', { text: `${original}<p>New</p>` }],
  ]);
  expect(await within(tree()).findByRole('button', { name: /home\.liquid.*Differs from the shipped theme/ })).toBeVisible();
  // The editor stays as it is, with what can be undone.
  await app.person.click(screen.getByRole('button', { name: 'Undo' }));
  expect((await editor()).state.doc.toString()).toBe(original);
});

test('unsaved text survives other files, and leaving asks', async () => {
  await open();
  await type('<p>New</p>');
  await app.person.click(within(tree()).getByRole('button', { name: /^base\.liquid/ }));
  await editor('layouts/base.liquid');
  await app.person.click(within(tree()).getByRole('button', { name: /^home\.liquid/ }));
  expect((await editor()).state.doc.toString()).toBe(`${original}<p>New</p>`);
  await app.person.click(screen.getByRole('button', { name: 'Undo' }));
  expect((await editor()).state.doc.toString()).toBe(original);
  await app.person.click(screen.getByRole('button', { name: 'Redo' }));
  await act(() => app.router.navigate('/home'));
  const dialog = await screen.findByRole('dialog', { name: 'Leave this page?' });
  await app.person.click(within(dialog).getByRole('button', { name: /Stay|Keep editing/ }));
  expect(screen.getByRole('heading', { name: home })).toBeVisible();
});

test('problems of unsaved text lead to their lines', async () => {
  const problems = [{ path: home, line: 2, column: 3, code: 'syntax', detail: 'tag "nope" not found' }];
  await open('', { [themeCall.checkFile]: { data: { problems } }, [themeCall.check]: { data: { revision: 4, problems: [] } } });
  await type('{% nope %}');
  const list = await screen.findByRole('list', { name: 'Problems of the theme' });
  expect(list).toHaveTextContent('Syntax: tag "nope" not found');
  await app.person.click(within(list).getByRole('button', { name: `${home}, line 2` }));
  const { state } = await editor();
  expect(state.selection.main.head).toBe(state.doc.line(2).from + 2);
});

test('a refused file is not saved and keeps its text', async () => {
  const problems = [{ path: home, line: 1, column: 1, code: 'syntax', detail: 'not closed' }];
  await open('', { [themeCall.write]: { error: 'Invalid', status: 422, code: 'invalid_fields', current: { problems } } });
  await type('{% if %}');
  await app.person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('1 error, so the file was not saved. Your changes are still here.')).toBeVisible();
  expect((await editor()).state.doc.toString()).toBe(`${original}{% if %}`);
});

test('a conflict shows both versions, and mine can be kept', async () => {
  await open('', {
    [themeCall.write]: { error: 'stale', status: 409, code: 'stale_revision', current: { revision: 3 } },
    [themeCall.file]: ({ url }) => {
      const theirs = new URL(url).searchParams.get('revision') === '3';
      return { data: fileContent(home, theirs ? '<h1>Theirs</h1>\n' : original, { revision: theirs ? 3 : 1 }) };
    },
  });
  await type('<p>Mine</p>');
  await app.person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Somebody has just saved this file')).toBeVisible();
  expect(await screen.findByText('Theirs', { exact: false })).toBeVisible();
  app.server.answer(themeCall.write, { data: fileContent(home, `${original}<p>Mine</p>`, { revision: 4 }) });
  await app.person.click(screen.getByRole('button', { name: 'Overwrite with mine' }));
  await waitFor(() => expect(writes().map(({ headers }) => headers.get('if-match'))).toEqual(['"1"', '"3"']));
  expect((await editor()).state.doc.toString()).toBe(`${original}<p>Mine</p>`);
});

test('an earlier version is compared and restored, which can be undone', async () => {
  const version = (revision: number) => ({
    revision,
    bytes: 20,
    removed: false,
    change: revision,
    updatedBy: null,
    updatedAt: `2026-11-2${String(revision)}T08:00:00.000Z`,
  });
  await open(`&file=${encodeURIComponent(home)}&show=history`, {
    [themeCall.theme]: changedTheme(2),
    [themeCall.versions]: { data: [version(2), version(1)] },
    [themeCall.restoreFile]: { data: fileContent(home, original, { revision: 3 }) },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Restore this version' }));
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.calls(themeCall.restoreFile)).toHaveLength(2));
  expect(app.server.calls(themeCall.restoreFile).map(({ headers, body }) => [headers.get('if-match'), body])).toEqual([
    ['"2"', { path: home, revision: 1 }],
    ['"3"', { path: home, revision: 2 }],
  ]);
});

test('the shipped text can be put into the editor', async () => {
  await open(`&file=${encodeURIComponent(home)}&show=shipped`, {
    [themeCall.difference]: { data: { path: home, shipped: '<h1>Shipped</h1>\n', own: original } },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Use the shipped text' }));
  expect((await editor()).state.doc.toString()).toBe('<h1>Shipped</h1>\n');
  expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
  expect(writes()).toEqual([]);
});

test('a file is added under an allowed path and removed with undo', async () => {
  await open('', { [themeCall.write]: { data: fileContent('parts/card.liquid', '') }, [themeCall.remove]: { data: null }, [themeCall.restoreFile]: saved(3) });
  const choose = async (name: string) => {
    await app.person.click(screen.getByRole('button', { name: 'Actions for files' }));
    await app.person.click(screen.getByRole('menuitem', { name }));
  };
  await choose('New file');
  const path = await screen.findByRole('textbox', { name: 'Path' });
  await app.person.clear(path);
  await app.person.type(path, '../secret.liquid{Enter}');
  expect(await screen.findByText(/This path cannot be used/)).toBeVisible();
  await app.person.clear(path);
  await app.person.type(path, 'parts/card.liquid{Enter}');
  await waitFor(() => expect(writes().map(({ search, headers }) => [search, headers.get('if-match')])).toEqual([['?path=parts%2Fcard.liquid', '"0"']]));
  await app.person.click(within(tree()).getByRole('button', { name: /^home\.liquid/ }));
  await editor();
  await choose('Remove file');
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(app.server.calls(themeCall.restoreFile).map(({ headers, body }) => [headers.get('if-match'), body])).toEqual([['"0"', { path: home, revision: 1 }]]),
  );
});

test('readers can look at files and not change them', async () => {
  await open('', { 'GET /api/core/load/rpm': { data: { ...startUp(), sites: [site({ role: 'viewer' })] } } });
  expect((await editor()).state.readOnly).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Actions for files' })).toBeNull();
});
