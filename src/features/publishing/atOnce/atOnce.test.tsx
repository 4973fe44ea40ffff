import { screen, waitFor, within } from '@testing-library/react';
import { SettingsPart } from '@contract/publishing/parts';
import type { SiteBase } from '@contract/sites/base';
import { violationsOf } from '../../../../test/support/axe';
import { site as anySite, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';

const site = () => anySite({ purpose: 'built', url: null, systemHost: 'http://tea-house.localhost:3001' });
const settings = `/api/site/${site().id}/setting`;
const base = (change: Partial<SiteBase> = {}): SiteBase => ({
  name: 'Tea House',
  slug: 'tea-house',
  systemHost: 'http://tea-house.localhost:3001',
  defaultLang: 'zh-Hans',
  timeZone: 'Asia/Shanghai',
  state: 'published',
  visibility: 'public',
  hasPassword: false,
  maintenance: { message: {}, retryAfter: 3600 },
  bypassLink: 'http://tea-house.localhost:3001/_site/bypass?key=abc',
  formerSlugs: [],
  revision: 4,
  ...change,
});
const unedited = <T,>(content: T) => ({ content, revision: 0 });
const parts = {
  settings: unedited(SettingsPart.parse({})),
  menus: unedited({}),
  routes: unedited([]),
  redirects: unedited([]),
  languages: unedited({ languages: ['zh-Hans'] }),
};

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/${site().id}/setting/base`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [site()] }) },
      [`GET ${settings}/parts`]: { data: parts },
      [`GET ${settings}/base`]: { data: base() },
      ...answers,
    },
  });
  await screen.findByRole('heading', { name: 'Takes effect at once' });
}
afterEach(() => {
  app.end();
});
const press = async (name: string) => app.person.click(await screen.findByRole('button', { name }));
const sent = (method: string) => app.server.requests.filter((one) => one.method === method);

test('a password is needed before the site asks for one', async () => {
  await open({ [`PUT ${settings}/base`]: { data: base({ visibility: 'password', hasPassword: true, revision: 5 }) } });
  await press('Change: Visibility');
  const dialog = await screen.findByRole('dialog', { name: 'Visibility' });
  await app.person.click(within(dialog).getByRole('radio', { name: 'People with the password' }));
  await app.person.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Required')).toBeVisible();
  await app.person.type(within(dialog).getByLabelText('Password'), 'open sesame');
  expect(await violationsOf(dialog)).toEqual([]);
  await app.person.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved, and in effect')).toBeVisible();
  const [{ body, headers } = { body: null, headers: new Headers() }] = sent('PUT');
  expect(headers.get('if-match')).toBe('"4"');
  expect(body).toEqual({
    name: 'Tea House',
    slug: 'tea-house',
    defaultLang: 'zh-Hans',
    timeZone: 'Asia/Shanghai',
    visibility: 'password',
    password: 'open sesame',
    maintenance: { message: {}, retryAfter: 3600 },
  });
});

test('an address that another site uses is refused at its field', async () => {
  await open({ [`PUT ${settings}/base`]: { error: 'taken', status: 409, code: 'slug_taken', fields: { slug: { code: 'taken' } } } });
  await press('Change: System address');
  const dialog = await screen.findByRole('dialog', { name: 'System address' });
  const slug = within(dialog).getByRole('textbox', { name: 'Site slug' });
  await app.person.clear(slug);
  await app.person.type(slug, 'harbour-news');
  await app.person.click(within(dialog).getByRole('button', { name: 'Change the address' }));
  expect(await within(dialog).findByText('In use, choose another')).toBeVisible();
  expect(slug).toHaveValue('harbour-news');
});

test('maintenance starts after a confirmation', async () => {
  const change = `POST /api/core/sites/${site().id}/state`;
  await open({ [change]: { data: { ...site(), state: 'maintenance' } } });
  await press('Start maintenance');
  const dialog = await screen.findByRole('dialog', { name: 'Start maintenance?' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Start maintenance' }));
  await waitFor(() => expect(app.server.calls(change).map(({ body }) => body)).toEqual([{ to: 'maintenance' }]));
  expect(await screen.findByRole('button', { name: 'End maintenance' })).toBeVisible();
});
