import { screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../../test/support/axe';
import { language, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { builtSite, openSettings, settingPath, settingsPart, siteParts } from '../../../../test/support/publishingScreen';

const partsIn = (languages: string[], revision: number) =>
  siteParts({ settings: settingsPart({ company: 'Leaf' }, 1), languages: { content: { languages }, revision } });
const stored = `GET ${settingPath}/parts`;
const change = `PUT ${settingPath}/parts/languages`;
const intls = ['zh-Hans', 'en', 'ja'].map((code) => language({ code }));

let app: Awaited<ReturnType<typeof openSettings>>;
async function open(answers: Record<string, Answer> = {}, role: 'admin' | 'viewer' = 'admin') {
  app = await openSettings('', {
    'GET /api/core/load/rpm': { data: startUp({ sites: [builtSite({ role })], intls }) },
    [stored]: { data: partsIn(['zh-Hans', 'en'], 2) },
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
const saved = () => app.server.calls(change).map(({ body, headers }) => [headers.get('if-match'), body]);

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
  expect(saved()).toEqual([['"2"', { languages: ['ja', 'zh-Hans'] }]]);
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
  await waitFor(() => expect(saved()).toEqual(['"2"', '"5"'].map((revision) => [revision, { languages: ['zh-Hans'] }])));
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
