import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Contact } from '@contract/contacts/schemas';
import { violationsOf } from '../../../test/support/axe';
import { contact, secondSite, site } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const path = '/account/contacts/account_contacts';
const one = `/api/acc/contacts/${contact().id}`;
const anna = contact({
  id: '5a1c8f1a-0b0c-4bb8-8b7a-3d1a5e6f7a04',
  name: 'Anna Schmidt',
  email: 'anna@mueller.example',
  emailVerifiedAt: '2026-11-01T00:00:00.000Z',
});
const health = { mail: true, unheard: [], waiting: 0, failed: 0 };

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search = '', answers: Record<string, Answer> = {}, held: Contact = contact()) {
  app = await renderApp(path + search, {
    answers: { 'GET /api/acc/contacts': { data: [held, anna] }, 'GET /api/acc/contact-health': { data: health }, [`GET ${one}`]: { data: held }, ...answers },
  });
  await screen.findByRole('heading', { level: 1, name: 'Contacts', hidden: true });
}
async function opened(held: Contact, answers: Record<string, Answer> = {}) {
  await open(`?id=${held.id}`, answers, held);
  const dialog = await screen.findByRole('dialog', { name: 'Edit contact' });
  await within(dialog).findByRole('textbox', { name: 'Name' });
  return within(dialog);
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
// Found by text: computing the roles of everything behind the drawer is slow.
const press = (name: string) => app.person.click(screen.getByText(name, { selector: 'button' }));
const patched = () => app.server.calls(`PATCH ${one}`).at(-1)?.body;
const saves = { [`PATCH ${one}`]: { data: contact({ revision: 2 }) } };

test('delivery problems of notices are shown above the list', async () => {
  await open('', { 'GET /api/acc/contact-health': { data: { mail: false, unheard: ['security', 'crawl'], waiting: 0, failed: 3 } } });
  expect(
    await screen.findByText(/Nobody receives security notices.*add a webhook to a contact for all sites, and choose “Webhook” for “Security”/),
  ).toBeVisible();
  expect(screen.queryByText(/no notices go out by e-mail/)).toBeNull();
  expect(screen.getByText(/Notices that did not get through in the last 7 days: 3/)).toBeVisible();
  expect(screen.getByRole('option', { name: 'Crawls (reaches nobody)' })).toBeInTheDocument();
});

test('filters are kept in the address', async () => {
  await open('?state=verified');
  expect(await screen.findByRole('link', { name: 'Anna Schmidt' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Lin Yue' })).toBeNull();
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'Filter by topic' }), 'security');
  expect(app.router.state.location.search).toBe('?state=verified&topic=security');
  expect(await screen.findByText('No contact matches these filters')).toBeVisible();
  await press('Clear filters');
  expect(await screen.findByRole('link', { name: 'Lin Yue' })).toBeVisible();
  expect(app.router.state.location.search).toBe('');
});

test('an unconfirmed address offers a link by mail or to copy', async () => {
  const url = 'https://console.example/sign/contact#t=abc';
  const expiresAt = '2026-11-21T08:00:00.000Z';
  await opened(contact(), { [`POST ${one}/verify`]: { data: { url: null, mailed: true, expiresAt } } });
  await press('Send verification link');
  expect(await screen.findByText(/A verification mail is on its way to lin@example\.com/)).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Verification link' })).toBeNull();
  app.server.answer(`POST ${one}/verify`, { data: { url, mailed: false, expiresAt } });
  await press('Send again');
  expect(await screen.findByText(/There is no mail server/)).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Verification link' })).toHaveValue(url);
  app.server.answer(`POST ${one}/verify`, { error: '操作过于频繁，请稍后再试。', status: 429, code: 'too_many_requests' });
  await press('Send again');
  expect(await screen.findByText('操作过于频繁，请稍后再试。')).toBeVisible();
});

test('a test message shows the response', async () => {
  const held = contact({ emailVerifiedAt: '2026-11-01T00:00:00.000Z', webhook: 'https://hooks.example.com/x', webhookSecret: 'key-1' });
  await opened(held, {
    [`POST ${one}/test`]: (request) =>
      request.json().then(({ channel }: { channel: string }) => ({
        data: channel === 'mail' ? { delivered: true, detail: '250 queued' } : { delivered: false, detail: 'HTTP 500' },
      })),
  });
  const [mail, hook] = screen.getAllByRole('button', { name: 'Send a test' });
  if (!mail || !hook) throw new Error('two channels have a test each');
  await app.person.click(mail);
  expect(await screen.findByText('250 queued')).toBeVisible();
  await app.person.click(hook);
  expect(await screen.findByText('HTTP 500')).toBeVisible();
  expect(screen.getByText('Not delivered')).toBeVisible();
  app.server.answer(`POST ${one}/test`, { data: { delivered: false, detail: 'address_refused: 127.0.0.1' } });
  await app.person.click(hook);
  expect(await screen.findByText(/This address is on this machine or a private network and is not connected to, for safety/)).toBeVisible();
  expect(screen.queryByText(/address_refused/)).toBeNull();
});

test('a webhook key stays hidden, and a new address requires saving', async () => {
  await opened(contact({ webhook: 'https://hooks.example.com/x', webhookSecret: 'key-1' }));
  expect(screen.getByLabelText('Signing key')).toHaveAttribute('type', 'password');
  await press('Show');
  expect(screen.getByRole('textbox', { name: 'Signing key' })).toHaveValue('key-1');
  await app.person.type(screen.getByRole('textbox', { name: /^Webhook/ }), '2');
  expect(screen.queryByLabelText('Signing key')).toBeNull();
  expect(screen.getByText('Save first, then verify and test')).toBeVisible();
});

test('at least one site is required, and hidden sites stay', async () => {
  const dialog = await opened(contact({ siteIds: [site().id, 'unseenunseen'] }), saves);
  await app.person.click(dialog.getByRole('checkbox', { name: 'Sites you cannot see, or that are gone: 1' }));
  await app.person.click(dialog.getByRole('checkbox', { name: site().name }));
  await press('Save');
  expect(await screen.findByText('Choose at least one site')).toBeVisible();
  await app.person.click(dialog.getByRole('checkbox', { name: secondSite().name }));
  await app.person.click(dialog.getByRole('radio', { name: 'All sites' }));
  await app.person.click(dialog.getByRole('radio', { name: 'Some sites' }));
  expect(dialog.getByRole('checkbox', { name: secondSite().name })).toBeChecked();
  await press('Save');
  await waitFor(() => expect(patched()).toEqual({ siteIds: [secondSite().id] }));
});

test('a chosen channel without an address shows a message', async () => {
  const dialog = await opened(contact({ subscriptions: { uptime: ['webhook'] } }));
  expect(dialog.getByText('Webhook is chosen, but there is no address for it')).toBeVisible();
  fireEvent.change(dialog.getByRole('textbox', { name: /^Webhook/ }), { target: { value: 'https://hooks.example.com/x' } });
  await waitFor(() => expect(dialog.queryByText('Webhook is chosen, but there is no address for it')).toBeNull());
});

test('quiet hours can be turned on, changed and turned off', async () => {
  const dialog = await opened(contact(), saves);
  await app.person.click(dialog.getByRole('checkbox', { name: /Quiet hours/ }));
  fireEvent.change(dialog.getByLabelText('From'), { target: { value: '' } });
  await press('Save');
  expect(await screen.findByText('Enter a time, for example 22:00')).toBeVisible();
  fireEvent.change(dialog.getByLabelText('From'), { target: { value: '23:30' } });
  await press('Save');
  await waitFor(() => expect(patched()).toEqual({ quietHours: { from: '23:30', to: '08:00', timeZone: expect.any(String) } }));
});

test('existing quiet hours can be removed', async () => {
  const dialog = await opened(contact({ quietHours: { from: '22:00', to: '08:00', timeZone: 'Asia/Shanghai' } }), saves);
  await app.person.click(dialog.getByRole('checkbox', { name: /Quiet hours/ }));
  await press('Save');
  await waitFor(() => expect(patched()).toEqual({ quietHours: null }));
});

describe('one person, two contacts', () => {
  const takenResponse = { error: 'taken', status: 409, code: 'email_taken', fields: { email: { code: 'taken' } }, current: anna };

  test('a duplicate address offers to merge and saves the typed input', async () => {
    const dialog = await opened(contact(), { [`PATCH ${one}`]: takenResponse, [`POST ${one}/merge`]: { data: contact({ revision: 2, phone: '+49151' }) } });
    const email = dialog.getByRole('textbox', { name: /E-mail/ });
    await app.person.clear(email);
    await app.person.type(email, 'anna@mueller.example');
    await press('Save');
    await app.person.click(await screen.findByRole('button', { name: 'Merge “Anna Schmidt” into this one…' }));
    const merging = within(await screen.findByRole('dialog', { name: 'Merge into “Lin Yue”' }));
    app.server.answer(`PATCH ${one}`, { data: contact({ revision: 3, email: 'anna@mueller.example' }) });
    await app.person.click(merging.getByRole('button', { name: 'Merge' }));
    await waitFor(() => expect(app.router.state.location.search).toBe(''));
    expect(app.server.calls(`POST ${one}/merge`)[0]?.body).toEqual({ from: anna.id });
    expect(patched()).toEqual({ email: 'anna@mueller.example' });
    expect(app.server.calls(`PATCH ${one}`).at(-1)?.headers.get('if-match')).toBe('"2"');
    expect(screen.queryByRole('link', { name: 'Anna Schmidt' })).toBeNull();
  });

  test('a new contact with a known address is merged into that contact', async () => {
    const there = `/api/acc/contacts/${anna.id}`;
    await open('?id=new', { 'POST /api/acc/contacts': takenResponse, [`PATCH ${there}`]: { data: { ...anna, phone: '+49151', revision: 2 } } });
    const dialog = within(await screen.findByRole('dialog', { name: 'Add contact' }));
    await app.person.type(dialog.getByRole('textbox', { name: 'Name' }), 'Anna');
    await app.person.type(dialog.getByRole('textbox', { name: /E-mail/ }), 'anna@mueller.example');
    await app.person.type(dialog.getByRole('textbox', { name: /Phone/ }), '+49151');
    await press('Save');
    await app.person.click(await screen.findByRole('button', { name: 'Add what you typed to “Anna Schmidt”' }));
    await waitFor(() => expect(app.router.state.location.search).toBe(''));
    expect(app.server.calls(`PATCH ${there}`)[0]?.body).toEqual({ phone: '+49151' });
  });

  test('choosing one from the list previews the changes first', async () => {
    const dialog = await opened(contact({ email: null }), { [`POST ${one}/merge`]: { data: contact({ email: anna.email, revision: 2 }) } });
    await app.person.click(dialog.getByRole('button', { name: 'Merge another contact…' }));
    const merging = within(await screen.findByRole('dialog', { name: 'Merge into “Lin Yue”' }));
    expect(merging.getByRole('row', { name: 'E-mail anna@mueller.example' })).toBeVisible();
    await app.person.click(merging.getByRole('button', { name: 'Merge' }));
    await waitFor(() => expect(dialog.getByRole('textbox', { name: /E-mail/ })).toHaveValue('anna@mueller.example'));
  });
});

describe('importing', () => {
  const rows = [
    { line: 2, name: '王芳', email: 'wang@example.cn', result: 'added', field: null, code: null },
    { line: 3, name: '李雷', email: '坏的', result: 'refused', field: 'email', code: 'not_an_email' },
    { line: 4, name: '韩梅', email: null, result: 'duplicate', field: null, code: null },
  ];
  const url = 'POST /api/acc/contacts-import';

  test('a preview shows every line before the import', async () => {
    await open('?import=1', { [url]: { data: { rows, added: 1 } } });
    const dialog = within(await screen.findByRole('dialog', { name: 'Import contacts' }));
    const box = dialog.getByRole('textbox', { name: 'Table or vCards' });
    fireEvent.change(box, { target: { value: '姓名,邮箱\n王芳,wang@example.cn' } });
    await app.person.click(dialog.getByRole('button', { name: 'Preview' }));
    expect(await dialog.findByText('E-mail: Not an e-mail address, for example name@example.com')).toBeVisible();
    expect(dialog.getByText('Already there, skipped')).toBeVisible();
    expect(await violationsOf(screen.getByRole('dialog', { name: 'Import contacts' }))).toEqual([]);
    await app.person.click(dialog.getByRole('button', { name: 'Import contacts: 1' }));
    await waitFor(() => expect(app.router.state.location.search).toBe(''));
    expect(app.server.calls(url).map((call) => call.body)).toEqual([
      { format: 'csv', text: '姓名,邮箱\n王芳,wang@example.cn', dryRun: true },
      { format: 'csv', text: '姓名,邮箱\n王芳,wang@example.cn', dryRun: false },
    ]);
    await waitFor(() => expect(app.server.calls('GET /api/acc/contacts').length).toBeGreaterThan(1));
  });

  test('GB 18030 files and vCards are read, and unreadable files reported', async () => {
    await open('?import=1', { [url]: { error: 'bad', status: 422, code: 'invalid_fields', fields: { text: { code: 'pattern' } } } });
    const dialog = within(await screen.findByRole('dialog', { name: 'Import contacts' }));
    const box = dialog.getByRole('textbox', { name: 'Table or vCards' });
    const choose = (bytes: Uint8Array<ArrayBuffer>) =>
      fireEvent.change(dialog.getByLabelText('Choose file', { selector: 'input' }), { target: { files: [new File([bytes], 'x')] } });
    choose(Uint8Array.from([0xd0, 0xd5, 0xc3, 0xfb]));
    await waitFor(() => expect(box).toHaveValue('姓名'));
    choose(new TextEncoder().encode('BEGIN:VCARD\nFN:x'));
    await waitFor(() => expect(box).toHaveValue('BEGIN:VCARD\nFN:x'));
    await app.person.click(dialog.getByRole('button', { name: 'Preview' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/No contacts could be read/);
    expect(box).toHaveValue('BEGIN:VCARD\nFN:x');
    expect(app.server.calls(url)[0]?.body).toMatchObject({ format: 'vcard' });
  });
});
