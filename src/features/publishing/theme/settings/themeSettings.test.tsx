import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { site, startUp } from '../../../../../test/support/factories';
import { violationsOf } from '../../../../../test/support/axe';
import type { Answer } from '../../../../../test/support/fakeServer';
import { languagesPart } from '../../../../../test/support/publishingScreen';
import { openTheme, parts, theme, themeCall } from '../../../../../test/support/themeScreen';

let app: Awaited<ReturnType<typeof openTheme>>;
const open = async (answers: Record<string, Answer> = {}) => {
  app = await openTheme('', { [themeCall.saveSettings]: { data: { revision: 3 } }, ...answers });
  await screen.findByRole('form', { name: 'Settings of the theme' });
};
afterEach(() => {
  app.end();
  localStorage.clear();
  sessionStorage.clear();
});
const saves = () => app.server.calls(themeCall.saveSettings);
const valuesOf = (body: unknown): unknown => (body as { theme: unknown }).theme;
const frames = () => screen.getAllByTitle('Preview of a page');

test('a changed setting is saved by itself and loads the preview again', async () => {
  await open({ [themeCall.parts]: { data: parts({ columns: 4 }) } });
  expect(await violationsOf(screen.getByRole('form', { name: 'Settings of the theme' }))).toEqual([]);
  await waitFor(() => expect(frames()[0]).toHaveAttribute('src', 'http://tea.localhost:3001/_preview/token/about'));
  const before = frames()[0];
  if (before) fireEvent.load(before);
  app.server.answer(themeCall.parts, { data: parts({ columns: 4, headline: 'Tea' }, 3) });
  await app.person.type(screen.getByRole('textbox', { name: 'Headline' }), 'Tea');
  await waitFor(() => expect(saves()).toHaveLength(1));
  expect(saves().map(({ headers, body }) => [headers.get('if-match'), valuesOf(body)])).toEqual([['"2"', { columns: 4, headline: 'Tea' }]]);
  // The new page loads behind the old one.
  await waitFor(() => expect(frames()).toHaveLength(2));
  expect(screen.getByText(/Changes are saved to the draft/)).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Headline' })).toHaveValue('Tea');
});

test('an invalid value is not saved, and leaving asks', async () => {
  await open();
  await app.person.type(screen.getByRole('textbox', { name: 'Link' }), 'about us');
  expect(screen.getByRole('alert')).toHaveTextContent('Enter an address that begins with /');
  await app.person.click(screen.getByRole('checkbox', { name: 'Show team' }));
  await waitFor(() => expect(saves().map(({ body }) => valuesOf(body))).toEqual([{ show_team: false }]));
  expect(await screen.findByText('Some settings are not valid and were not saved.')).toBeVisible();
  await act(() => app.router.navigate('/home'));
  expect(await screen.findByRole('dialog', { name: 'Leave this page?' })).toBeVisible();
});

test('a setting returns to its default', async () => {
  await open({ [themeCall.parts]: { data: parts({ accent: '#ff8800' }) } });
  const contrast = screen.getByRole('list', { name: 'Contrast' });
  expect(within(contrast).getByText(/White text 2\.3 : 1/)).toHaveTextContent('hard to read');
  await app.person.click(screen.getByRole('button', { name: 'Reset “Accent colour” to its default' }));
  expect(screen.getByRole('textbox', { name: 'Accent colour' })).toHaveValue('#1746d1');
  await waitFor(() => expect(saves().map(({ body }) => valuesOf(body))).toEqual([{}]));
});

test('changes of others in other settings are preserved', async () => {
  let refusals = 1;
  await open({
    [themeCall.saveSettings]: () =>
      refusals-- > 0 ? { error: 'stale', status: 409, code: 'stale_revision', current: { revision: 7 } } : { data: { revision: 8 } },
  });
  app.server.answer(themeCall.parts, { data: parts({ columns: 5 }, 7) });
  await app.person.type(screen.getByRole('textbox', { name: 'Headline' }), 'Tea');
  await waitFor(() => expect(saves()).toHaveLength(2));
  expect(saves().map(({ headers, body }) => [headers.get('if-match'), valuesOf(body)])).toEqual([
    ['"2"', { headline: 'Tea' }],
    ['"7"', { headline: 'Tea', columns: 5 }],
  ]);
});

test('a text has one for each language of the site', async () => {
  const two = { ...parts({ headline: '茶', link: '/about' }), languages: languagesPart(['zh-Hans', 'en']) };
  await open({ [themeCall.parts]: { data: two } });
  expect(screen.getByRole('textbox', { name: /^Headline · Simplified Chinese/ })).toHaveValue('茶');
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'Language of the texts' }), 'en');
  expect(app.router.state.location.search).toContain('tag=en');
  const english = screen.getByRole('textbox', { name: 'Headline · English' });
  expect(english).toHaveValue('');
  expect(english).toHaveAttribute('placeholder', '茶');
  expect(screen.getByRole('textbox', { name: 'Link' })).toHaveValue('/about');
  await waitFor(() => expect(frames().at(-1)).toHaveAttribute('src', 'http://tea.localhost:3001/_preview/token/en/about'));
  await app.person.type(english, 'Tea');
  await waitFor(() => expect(saves().map(({ body }) => valuesOf(body))).toEqual([{ headline: { 'zh-Hans': '茶', en: 'Tea' }, link: '/about' }]));
  expect(await violationsOf(screen.getByRole('form', { name: 'Settings of the theme' }))).toEqual([]);
});

test('an invalid or refused text is named with its language', async () => {
  const two = { ...parts({ headline: '茶' }), languages: languagesPart(['zh-Hans', 'en']) };
  const fields = { 'theme.headline.en': { code: 'unknown' } };
  await open({ [themeCall.parts]: { data: two }, [themeCall.saveSettings]: { error: 'refused', status: 422, code: 'invalid_fields', fields } });
  const choice = screen.getByRole('combobox', { name: 'Language of the texts' });
  const english = () => screen.getByRole('textbox', { name: 'Headline · English' });
  await app.person.selectOptions(choice, 'en');
  fireEvent.change(english(), { target: { value: 'x'.repeat(501) } });
  expect(screen.getByRole('alert')).toHaveTextContent('At most 500 characters');
  await app.person.selectOptions(choice, 'zh-Hans');
  expect(screen.getByText('Some settings are not valid and were not saved: English.')).toBeVisible();
  await app.person.selectOptions(choice, 'en');
  fireEvent.change(english(), { target: { value: 'Tea' } });
  expect(await screen.findByText('Headline · English: No longer exists. Choose again')).toBeVisible();
});

test('a setting that both changed shows both values', async () => {
  await open({ [themeCall.saveSettings]: { error: 'stale', status: 409, code: 'stale_revision', current: { revision: 7 } } });
  app.server.answer(themeCall.parts, { data: parts({ headline: 'Coffee' }, 7) });
  await app.person.type(screen.getByRole('textbox', { name: 'Headline' }), 'Tea');
  const row = (await screen.findByRole('rowheader', { name: 'Headline' })).closest('tr');
  expect(row).toHaveTextContent('HeadlineTeaCoffee');
  app.server.answer(themeCall.saveSettings, { data: { revision: 8 } });
  await app.person.click(screen.getByRole('button', { name: 'Overwrite with mine' }));
  await waitFor(() => expect(saves().at(-1)?.headers.get('if-match')).toBe('"7"'));
  expect(valuesOf(saves().at(-1)?.body)).toEqual({ headline: 'Tea' });
});

test('a setting that others keep overtaking is not taken for saved', async () => {
  let revision = 7;
  await open({
    [themeCall.saveSettings]: () => {
      revision += 1;
      app.server.answer(themeCall.parts, { data: parts({ columns: revision % 6 }, revision) });
      return { error: 'stale', status: 409, code: 'stale_revision', current: { revision } };
    },
  });
  await app.person.type(screen.getByRole('textbox', { name: 'Headline' }), 'Tea');
  expect(await screen.findByText('The settings were not saved')).toBeVisible();
  expect(saves()).toHaveLength(3);
  expect(screen.getByRole('textbox', { name: 'Headline' })).toHaveValue('Tea');
});

test('what is typed while the setting is saved is no conflict', async () => {
  let sent = 0;
  const headline = screen.getByRole.bind(screen, 'textbox', { name: 'Headline' });
  await open({
    [themeCall.saveSettings]: async () => {
      sent += 1;
      if (sent === 2) return { error: 'stale', status: 409, code: 'stale_revision', current: { revision: 4 } };
      if (sent === 1) await app.person.type(headline(), 'a');
      app.server.answer(themeCall.parts, { data: parts({ headline: 'Te', columns: 5 }, 4) });
      return { data: { revision: sent === 1 ? 3 : 5 } };
    },
  });
  await app.person.type(headline(), 'Te');
  await waitFor(() => expect(saves()).toHaveLength(3));
  expect(valuesOf(saves().at(-1)?.body)).toEqual({ headline: 'Tea', columns: 5 });
  expect(screen.queryByRole('button', { name: 'Overwrite with mine' })).toBeNull();
});

test('the picker of a colour has the name of its setting', async () => {
  await open();
  expect(screen.getByLabelText('Pick a colour for “Accent colour”')).toHaveValue('#1746d1');
});

test('readers see the settings and cannot change them', async () => {
  await open({ 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'editor' })] }) } });
  expect(screen.getByText('Administrators of the site can change the theme. You can look at it.')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Headline' })).toHaveAttribute('readonly');
  expect(screen.getByRole('checkbox', { name: 'Show team' })).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Change theme' })).toBeNull();
});

test('an invalid theme.json leads to its file', async () => {
  app = await openTheme('', { [themeCall.theme]: { data: theme({ manifest: null }) } });
  await app.person.click(await screen.findByRole('button', { name: 'Open theme.json' }));
  expect(await screen.findByRole('heading', { name: 'theme.json' })).toBeVisible();
});

test('any page can be previewed at any width', async () => {
  await open();
  const path = await screen.findByRole('combobox', { name: 'Path to preview' });
  await app.person.clear(path);
  await app.person.type(path, 'news/2{Enter}');
  await waitFor(() => expect(frames().at(-1)).toHaveAttribute('src', 'http://tea.localhost:3001/_preview/token/news/2'));
  await app.person.click(screen.getByRole('button', { name: 'Phone' }));
  expect(frames().at(-1)).toHaveStyle({ width: '390px' });
  expect(frames().at(-1)).toHaveAttribute('sandbox', expect.not.stringContaining('allow-top-navigation'));
  await app.person.click(screen.getByRole('button', { name: 'Pseudo-language' }));
  await waitFor(() => expect(frames().at(-1)).toHaveAttribute('src', 'http://tea.localhost:3001/_preview/token.pseudo/news/2'));
  await app.person.click(screen.getByRole('button', { name: 'Texts as written' }));
  expect(screen.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', 'http://tea.localhost:3001/_preview/token/news/2');
});
