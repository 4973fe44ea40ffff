import { screen, waitFor, within } from '@testing-library/react';
import type { SiteBase } from '@contract/sites/base';
import { violationsOf } from '../../../../test/support/axe';
import type { Answer } from '../../../../test/support/fakeServer';
import { builtSite, openSettings, settingPath } from '../../../../test/support/publishingScreen';

const base = (change: Partial<SiteBase> = {}): SiteBase => ({
  name: 'Tea House',
  slug: 'tea-house',
  systemHost: 'http://tea-house.localhost:3001',
  defaultLang: 'zh-Hans',
  timeZone: 'Asia/Shanghai',
  state: 'published',
  visibility: 'public',
  hasPassword: false,
  maintenance: { message: {}, retryAfter: 3600, addresses: [] },
  bypassLink: 'http://tea-house.localhost:3001/_site/bypass?key=abc',
  formerSlugs: [],
  revision: 4,
  ...change,
});

let app: Awaited<ReturnType<typeof openSettings>>;
async function open(answers: Record<string, Answer> = {}) {
  app = await openSettings('', { [`GET ${settingPath}/base`]: { data: base() }, ...answers });
  await screen.findByRole('heading', { name: 'Takes effect at once' });
}
afterEach(() => {
  app.end();
});
const press = async (name: string) => app.person.click(await screen.findByRole('button', { name }));
const sent = (method: string) => app.server.requests.filter((one) => one.method === method);

test('a password is needed before the site asks for one', async () => {
  await open({ [`PUT ${settingPath}/base`]: { data: base({ visibility: 'password', hasPassword: true, revision: 5 }) } });
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
    maintenance: { message: {}, retryAfter: 3600, addresses: [] },
  });
});

test('addresses that get the site during maintenance are checked by the server', async () => {
  await open({
    [`PUT ${settingPath}/base`]: { error: 'no', status: 422, code: 'invalid_fields', fields: { 'maintenance.addresses': { code: 'not_an_address_range' } } },
  });
  await press('Change: Maintenance');
  const dialog = await screen.findByRole('dialog', { name: 'Maintenance' });
  const addresses = within(dialog).getByRole('textbox', { name: /IP addresses that get the site/ });
  await app.person.type(addresses, '203.0.113.0/24, office');
  await app.person.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(addresses).toHaveAccessibleDescription(/An IP address or a range/));
  expect(sent('PUT')[0]?.body).toMatchObject({ maintenance: { addresses: ['203.0.113.0/24', 'office'] } });
});

test('an address that another site uses is refused at its field', async () => {
  await open({ [`PUT ${settingPath}/base`]: { error: 'taken', status: 409, code: 'slug_taken', fields: { slug: { code: 'taken' } } } });
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
  const change = `POST /api/core/sites/${builtSite().id}/state`;
  await open({ [change]: { data: { ...builtSite(), state: 'maintenance' } } });
  await press('Start maintenance');
  const dialog = await screen.findByRole('dialog', { name: 'Start maintenance?' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Start maintenance' }));
  await waitFor(() => expect(app.server.calls(change).map(({ body }) => body)).toEqual([{ to: 'maintenance' }]));
  expect(await screen.findByRole('button', { name: 'End maintenance' })).toBeVisible();
});
