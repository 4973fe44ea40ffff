import { screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../test/support/axe';
import { contact, site } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const path = '/account/contacts/account_contacts';
const one = `/api/acc/contacts/${contact().id}`;
const anna = contact({
  id: '5a1c8f1a-0b0c-4bb8-8b7a-3d1a5e6f7a04',
  name: 'Anna Schmidt',
  company: 'Müller GmbH',
  email: 'anna@mueller.example',
  subscriptions: { security: ['mail'] },
});

const health = { mail: true, unheard: [], waiting: 0, failed: 0 };
let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await renderApp(path + search, {
    answers: {
      'GET /api/acc/contacts': { data: [contact(), anna] },
      'GET /api/acc/contact-health': { data: health },
      [`GET ${one}`]: { data: contact() },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Contacts', hidden: true });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
const drawer = (name: string) => screen.findByRole('dialog', { name });
const saving = (dialog: HTMLElement) => app.person.click(within(dialog).getByRole('button', { name: 'Save' }));

test('the list can be searched, and no match offers a reset', async () => {
  await open();
  expect(await screen.findByRole('link', { name: 'Anna Schmidt' })).toBeVisible();
  const search = screen.getByRole('searchbox', { name: 'Search contacts' });
  await app.person.type(search, 'müller');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Lin Yue' })).toBeNull());
  await waitFor(() => expect(app.router.state.location.search).toBe('?q=m%C3%BCller'));
  await app.person.type(search, ' nobody');
  expect(await screen.findByText('No contact matches “müller nobody”')).toBeVisible();
});

test('adding shows errors at their fields, then lists the contact', async () => {
  await open('', {
    'GET /api/acc/contacts': { data: [] },
    'POST /api/acc/contacts': { error: 'no', status: 409, code: 'email_taken', fields: { email: { code: 'taken' } } },
  });
  expect(await screen.findByText('No contacts yet')).toBeVisible();
  await app.person.click(screen.getByRole('link', { name: 'Add contact' }));
  const dialog = await drawer('Add contact');
  expect(app.router.state.location.search).toBe('?id=new');
  await saving(dialog);
  await waitFor(() => expect(within(dialog).getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(expect.stringContaining('Required')));
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Name' }), '周雨');
  const email = within(dialog).getByRole('textbox', { name: /E-mail/ });
  await app.person.type(email, 'yu@example.com');
  await app.person.click(within(dialog).getByRole('checkbox', { name: 'Security: E-mail' }));
  await saving(dialog);
  await waitFor(() => expect(email).toHaveAccessibleDescription(expect.stringContaining('Another contact has this e-mail address')));
  app.server.answer('POST /api/acc/contacts', { data: contact({ id: anna.id, name: '周雨' }) });
  await saving(dialog);
  expect(await screen.findByRole('link', { name: '周雨' })).toBeVisible();
  expect(app.server.calls('POST /api/acc/contacts')[1]?.body).toEqual({
    name: '周雨',
    company: '',
    title: 'other',
    email: 'yu@example.com',
    phone: null,
    locale: 'en',
    wechat: '',
    address: '',
    kinds: [],
    siteIds: null,
    subscriptions: { security: ['mail'] },
    webhook: null,
    quietHours: null,
    note: '',
  });
  expect(app.router.state.location.search).toBe('');
});

test('a contact has its own address and a PATCH sends only changes', async () => {
  await open(`?id=${contact().id}`, { [`PATCH ${one}`]: { data: contact({ company: 'Tea Ltd', revision: 2 }) } });
  const dialog = await drawer('Edit contact');
  await app.person.type(await within(dialog).findByRole('textbox', { name: /Company/ }), 'Tea Ltd');
  await saving(dialog);
  await waitFor(() => expect(app.router.state.location.search).toBe(''));
  expect(app.server.calls(`PATCH ${one}`)[0]?.body).toEqual({ company: 'Tea Ltd' });
  expect(app.server.calls(`PATCH ${one}`)[0]?.headers.get('if-match')).toBe('"1"');
  expect(await screen.findByText('Tea Ltd')).toBeVisible();
});

test('a conflict shows both versions, and mine overwrites the newest revision', async () => {
  const theirs = contact({ name: 'Lin Yue (HK)', phone: '+85221234567', revision: 5 });
  await open(`?id=${contact().id}`, {
    [`PATCH ${one}`]: { error: 'stale', status: 409, code: 'stale_revision', current: theirs },
    [`PUT ${one}`]: { data: contact({ name: 'Lin Yue 2', revision: 6 }) },
  });
  const dialog = await drawer('Edit contact');
  const name = await within(dialog).findByRole('textbox', { name: 'Name' });
  await app.person.type(name, ' 2');
  await saving(dialog);
  expect(await within(dialog).findByRole('row', { name: 'Name Lin Yue 2 Lin Yue (HK)' })).toBeVisible();
  expect(name).toHaveValue('Lin Yue 2');
  await app.person.click(within(dialog).getByRole('button', { name: 'Overwrite with mine' }));
  await waitFor(() => expect(app.server.calls(`PUT ${one}`)[0]?.headers.get('if-match')).toBe('"5"'));
  expect(await screen.findByRole('link', { name: 'Lin Yue 2' })).toBeVisible();
});

test('accepting the saved version leaves nothing to save', async () => {
  const theirs = contact({ name: 'Lin Yue (HK)', revision: 5 });
  await open(`?id=${contact().id}`, { [`PATCH ${one}`]: { error: 'stale', status: 409, code: 'stale_revision', current: theirs } });
  const dialog = await drawer('Edit contact');
  const name = await within(dialog).findByRole('textbox', { name: 'Name' });
  await app.person.type(name, ' 2');
  await saving(dialog);
  await app.person.click(await within(dialog).findByRole('button', { name: 'Take the saved ones' }));
  expect(name).toHaveValue('Lin Yue (HK)');
  expect(name).toHaveFocus();
  await app.person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('closing with unsaved input asks first', async () => {
  await open(`?id=${contact().id}`);
  const dialog = await drawer('Edit contact');
  await app.person.type(await within(dialog).findByRole('textbox', { name: /Company/ }), 'x');
  await app.person.keyboard('{Escape}');
  const question = await drawer('Discard what you typed?');
  await app.person.click(within(question).getByRole('button', { name: 'Keep editing' }));
  expect(within(dialog).getByRole('textbox', { name: /Company/ })).toHaveValue('x');
});

test('removing hides the contact at once and can be undone', async () => {
  await open();
  await app.person.click(await screen.findByRole('button', { name: 'Remove Lin Yue' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Lin Yue' })).toBeNull());
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('link', { name: 'Lin Yue' })).toBeVisible();
  expect(app.server.calls(`DELETE ${one}`)).toHaveLength(0);
});

test('a failed list can retry, and a deleted contact is reported', async () => {
  await open('', { 'GET /api/acc/contacts': { error: 'Broken', status: 500, code: 'internal', requestId: 'req-3' } });
  expect(await screen.findByText('Broken')).toBeVisible();
  app.server.answer('GET /api/acc/contacts', { data: [anna] });
  await app.person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Anna Schmidt' })).toBeVisible();
  app.end();
  await open(`?id=${contact().id}`, { [`GET ${one}`]: { error: 'gone', status: 404, code: 'not_found' } });
  expect(await screen.findByText('This contact does not exist. It may have been removed.')).toBeVisible();
});

test('axe finds nothing in the list or the drawer', async () => {
  const whole = contact({
    webhook: 'https://hooks.example.com/x',
    webhookSecret: 'key-1',
    siteIds: [site().id],
    quietHours: { from: '22:00', to: '08:00', timeZone: 'Asia/Shanghai' },
  });
  await open('', { 'GET /api/acc/contacts': { data: [whole, anna] }, [`GET ${one}`]: { data: whole } });
  await screen.findByRole('link', { name: 'Lin Yue' });
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  await app.person.click(screen.getByRole('link', { name: 'Lin Yue' }));
  const dialog = await drawer('Edit contact');
  await within(dialog).findByRole('textbox', { name: 'Name' });
  expect(await violationsOf(dialog)).toEqual([]);
});
