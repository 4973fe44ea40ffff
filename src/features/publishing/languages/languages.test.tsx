import { screen, waitFor, within } from '@testing-library/react';
import { tagsOf } from '@contract/languages/tags';
import { violationsOf } from '../../../../test/support/axe';
import { language, site, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { hostname } from '../../../../test/support/hostnames';
import { builtSite, languagesPart, openSettings, settingPath, settingsPart, siteParts } from '../../../../test/support/publishingScreen';

const partsIn = (languages: readonly (string | object)[], revision: number) =>
  siteParts({ settings: settingsPart({ company: 'Leaf' }, 1), languages: languagesPart(languages, revision) });
const stored = `GET ${settingPath}/parts`;
const change = `PUT ${settingPath}/languages`;
const plan = `POST ${settingPath}/languages/plan`;
const hostnames = `GET /api/site/${site().id}/hostnames`;
const intls = ['zh-Hans', 'en', 'ja'].map((code) => language({ code }));
const nothing = { addresses: 0, examples: [], redirects: [], removedRedirects: [], collisions: [], removed: [] };

let app: Awaited<ReturnType<typeof openSettings>>;
async function open(answers: Record<string, Answer> = {}, role: 'admin' | 'viewer' = 'admin') {
  app = await openSettings('', {
    'GET /api/core/load/rpm': { data: startUp({ sites: [builtSite({ role })], intls }) },
    [stored]: { data: partsIn(['zh-Hans', 'en'], 2) },
    [plan]: { data: nothing },
    ...answers,
  });
  await screen.findByRole('list', { name: 'Languages of the site' });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
const edit = async () => {
  await app.person.click(await screen.findByRole('button', { name: 'Edit languages' }));
  return within(await screen.findByRole('dialog', { name: 'Languages' }));
};
type Saved = { readonly content: { readonly languages: readonly { readonly tag: string }[] }; readonly confirm: readonly string[] };
const bodies = () => app.server.calls(change).map(({ body }) => body as Saved);
const saved = () => app.server.calls(change).map(({ body, headers }) => [headers.get('if-match'), tagsOf((body as Saved).content)]);

test('languages are added, ordered and removed, then saved together', async () => {
  await open({ [change]: { data: { revision: 3 } } });
  const dialog = await edit();
  await app.person.selectOptions(dialog.getByRole('combobox', { name: 'Add a language' }), 'Japanese');
  await app.person.click(dialog.getByRole('button', { name: 'Move Japanese up' }));
  expect(dialog.getByRole('button', { name: 'Move Japanese up' })).toHaveFocus();
  await app.person.click(dialog.getByRole('button', { name: 'Move Japanese up' }));
  expect(dialog.getByRole('button', { name: 'Move Japanese down' })).toHaveFocus();
  await app.person.click(dialog.getByRole('button', { name: 'Remove English' }));
  expect(await violationsOf(screen.getByRole('dialog'))).toEqual([]);
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved. Visitors see it after the next release')).toBeVisible();
  expect(saved()).toEqual([['"2"', ['ja', 'zh-Hans']]]);
});

test('a language of a region is added by its tag', async () => {
  await open({ [change]: { data: { revision: 3 } } });
  const dialog = await edit();
  await app.person.selectOptions(dialog.getByRole('combobox', { name: 'Add a language' }), 'Another language…');
  const tag = dialog.getByRole('textbox', { name: 'Language tag' });
  for (const [typed, error] of [
    ['xx-YY', 'No language, script or region has this code'],
    ['zh-cn', 'The site already has this language'],
  ] as const) {
    await app.person.clear(tag);
    await app.person.type(tag, `${typed}{Enter}`);
    expect(dialog.getByRole('alert')).toHaveTextContent(error);
  }
  await app.person.clear(tag);
  await app.person.type(tag, 'es_mx{Enter}');
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved()).toEqual([['"2"', ['zh-Hans', 'en', 'es-MX']]]));
});

test('prices and dates of a language are written as chosen', async () => {
  await open({ [change]: { data: { revision: 3 } } });
  const dialog = await edit();
  await app.person.click(dialog.getByRole('button', { name: 'Options of English' }));
  for (const [field, typed] of [
    ['Currency', 'US dollar'],
    ['Time zone', 'New_York'],
    ['Dates', 'digits'],
  ] as const) {
    await app.person.type(dialog.getByRole('combobox', { name: field }), `{Control>}a{/Control}${typed}`);
    await app.person.click(await screen.findByRole('option', { name: new RegExp(typed.replace('_', ' '), 'i') }));
  }
  const example = within(dialog.getByRole('group', { name: 'Example' }));
  expect([example.getByText('$1,234.50').lang, example.getByText(/^\d{4}-\d\d-\d\d$/).lang]).toEqual(['en', 'en']);
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(bodies()[0]?.content.languages[1]).toMatchObject({ currency: 'USD', timeZone: 'America/New_York', dateStyle: 'iso' }));
});

test('machine translations can be opened to search engines', async () => {
  await open({ [change]: { data: { revision: 3 } } });
  const dialog = await edit();
  const box = dialog.getByRole('checkbox', { name: 'Keep machine translations out of search engines' });
  expect(box).toBeChecked();
  await app.person.click(box);
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(app.server.calls(change)).toHaveLength(1));
  expect(bodies()[0]?.content).toMatchObject({ noindexMachine: false });
});

test('the last language cannot be removed', async () => {
  await open({ [stored]: { data: partsIn(['en'], 0) } });
  const dialog = await edit();
  expect(dialog.getByRole('button', { name: 'Remove English' })).toBeDisabled();
});

test('an added language gets fields, and unsaved texts stay', async () => {
  const save = `PUT ${settingPath}/parts/settings`;
  await open({ [change]: { data: { revision: 3 } }, [save]: { data: { revision: 2 } } });
  const company = screen.getByRole('textbox', { name: /Company/ });
  await app.person.clear(company);
  await app.person.type(company, 'Tea Ltd');
  const dialog = await edit();
  await app.person.selectOptions(dialog.getByRole('combobox', { name: 'Add a language' }), 'Japanese');
  app.server.answer(stored, { data: partsIn(['zh-Hans', 'en', 'ja'], 3) });
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  const texts = within(await screen.findByRole('group', { name: 'Japanese' }));
  await app.person.type(texts.getByRole('textbox', { name: /Tagline/ }), 'Sencha');
  await app.person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(app.server.calls(save)).toHaveLength(1));
  expect(app.server.calls(save)[0]?.body).toEqual(settingsPart({ company: 'Tea Ltd', tagline: { ja: 'Sencha' } }).content);
});

test('an added language alone leaves nothing to save', async () => {
  await open({ [change]: { data: { revision: 3 } } });
  const dialog = await edit();
  await app.person.selectOptions(dialog.getByRole('combobox', { name: 'Add a language' }), 'Japanese');
  app.server.answer(stored, { data: partsIn(['zh-Hans', 'en', 'ja'], 3) });
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByRole('group', { name: 'Japanese' });
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('a conflict shows both lists, and mine can be kept', async () => {
  let refusals = 1;
  await open({
    [change]: () => (refusals-- > 0 ? { error: 'stale', status: 409, code: 'stale_revision', current: { revision: 5 } } : { data: { revision: 6 } }),
  });
  const dialog = await edit();
  await app.person.click(dialog.getByRole('button', { name: 'Remove English' }));
  app.server.answer(stored, { data: partsIn(['zh-Hans', 'en', 'ja'], 5) });
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Simplified Chinese, English and Japanese')).toBeVisible();
  await app.person.click(dialog.getByRole('button', { name: 'Overwrite with mine' }));
  await waitFor(() => expect(saved()).toEqual(['"2"', '"5"'].map((revision) => [revision, ['zh-Hans']])));
});

test('a viewer sees the languages but cannot edit them', async () => {
  await open({}, 'viewer');
  const list = within(screen.getByRole('list', { name: 'Languages of the site' }));
  expect(list.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'Simplified ChineseDefault, without a prefix',
    'EnglishAddresses begin with /en',
  ]);
  expect(screen.queryByRole('button', { name: 'Edit languages' })).toBeNull();
});

test('a language gets a prefix, a fallback and a policy of its own', async () => {
  await open({ [stored]: { data: partsIn(['zh-Hans', 'en', 'ja'], 2) }, [change]: { data: { revision: 3 } } });
  const dialog = await edit();
  await app.person.click(dialog.getByRole('button', { name: 'Options of Japanese' }));
  const prefix = dialog.getByRole('textbox', { name: /Prefix/ });
  await app.person.clear(prefix);
  await app.person.type(prefix, 'nihon');
  await app.person.selectOptions(dialog.getByRole('combobox', { name: 'Where a page is not translated' }), 'Say that there is no page');
  await app.person.selectOptions(dialog.getByRole('combobox', { name: 'Falls back to' }), 'English');
  expect(await violationsOf(screen.getByRole('dialog'))).toEqual([]);
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Begin with the code of a language in lower case, such as en or zh-hant')).toBeVisible();
  await app.person.clear(prefix);
  await app.person.type(prefix, 'jp');
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(bodies()[0]?.content.languages[2]).toMatchObject({ tag: 'ja', path: 'jp', missing: 'hide', fallback: ['en'] }));
});

test('what changes is confirmed before it is saved', async () => {
  const moved = [{ from: 'a.test/en', to: 'a.test/english' }];
  await open({
    [change]: { data: { revision: 3 } },
    [plan]: {
      data: {
        ...nothing,
        addresses: 1,
        examples: moved,
        redirects: [{ from: '/en/*', to: '/english/:splat' }],
        removed: [{ tag: 'en', records: 4, texts: 1, resources: 0 }],
      },
    },
  });
  const dialog = await edit();
  await app.person.click(dialog.getByRole('button', { name: 'Remove English' }));
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  const review = within(await screen.findByRole('dialog', { name: 'What changes' }));
  expect(review.getByText('a.test/en → a.test/english')).toBeVisible();
  expect(review.getByText('/en/* → /english/:splat')).toBeVisible();
  expect(review.getByText('Visitors no longer get what is written in English: 4 translated records and 1 text of menus, titles and settings.')).toBeVisible();
  await app.person.selectOptions(review.getByRole('combobox', { name: 'Delete these texts after' }), '90 days');
  const name = review.getByRole('textbox', { name: 'Type “English” to remove it' });
  await app.person.type(name, 'Englisch');
  await app.person.click(review.getByRole('button', { name: 'Save' }));
  expect(await review.findByText('This is not the name of the language')).toBeVisible();
  await app.person.clear(name);
  await app.person.type(name, 'English');
  await app.person.click(review.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(bodies()).toMatchObject([{ confirm: ['en'], days: 90 }]));
});

test('a removed language is restored until its texts are deleted', async () => {
  const row = { tag: 'ja', removedAt: '2026-11-20T08:00:00.000Z', by: 'Lin', purgeAt: '2026-12-20T08:00:00.000Z', purging: false };
  const removed = `GET ${settingPath}/languages/removed`;
  await open({
    [removed]: { data: { rows: [row, { ...row, tag: 'fr', purging: true }] } },
    [`POST ${settingPath}/languages/removed/ja/restore`]: { data: { revision: 3 } },
  });
  const list = within(await screen.findByRole('list', { name: 'Removed languages' }));
  expect(list.getByText('Removed by Lin, 2026-11-20 · texts are deleted on 2026-12-20')).toBeVisible();
  expect(list.queryByRole('button', { name: 'Restore French' })).toBeNull();
  app.server.answer(removed, { data: { rows: [] } });
  await app.person.click(list.getByRole('button', { name: 'Restore Japanese' }));
  expect(await screen.findByText('Japanese is a language of the site again. Visitors get it after the next release')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Removed languages' })).toBeNull());
});

test('a prefix that hides a page is refused', async () => {
  await open({ [plan]: { data: { ...nothing, collisions: [{ tag: 'en', path: '/en/about' }] } } });
  const dialog = await edit();
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('The prefix of English would hide the page /en/about. Choose another prefix.')).toBeVisible();
  expect(bodies()).toEqual([]);
});

test('a language is given a hostname that serves the site', async () => {
  const id = '00000000-0000-4000-8000-00000000000e';
  const rows = [
    hostname({ host: 'www.a.test', unicode: 'www.a.test', apex: 'a.test', role: 'primary', served: true }),
    hostname({ id, host: 'en.a.test', unicode: 'en.a.test', apex: 'a.test', role: 'serve', served: true }),
    hostname({ host: 'b.test', unicode: 'b.test', apex: 'b.test', role: 'serve', served: true }),
  ];
  await open({ [change]: { data: { revision: 3 } }, [hostnames]: { data: { rows, system: null, tlsMode: 'proxy', ready: true } } });
  const dialog = await edit();
  await app.person.selectOptions(dialog.getByRole('combobox', { name: 'Addresses' }), 'Subdomains of the main hostname');
  await app.person.click(dialog.getByRole('button', { name: 'Options of English' }));
  const choice = await dialog.findByRole('combobox', { name: 'Hostname' });
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['None, use the prefix', 'en.a.test']);
  await app.person.selectOptions(choice, 'en.a.test');
  expect(await dialog.findByText('On en.a.test')).toBeVisible();
  await app.person.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(bodies()[0]?.content).toMatchObject({ strategy: 'subdomain', languages: [{ hostname: null }, { hostname: id }] }));
});
