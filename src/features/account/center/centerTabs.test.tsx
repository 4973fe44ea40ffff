import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { SignInRecord } from '@contract/account/factors';
import type { ApiToken } from '@contract/tokens/schemas';
import { violationsOf } from '../../../../test/support/axe';
import { site, user } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';

const path = '/account/center/account_center';
const record = (change: Partial<SignInRecord> = {}): SignInRecord => ({
  id: '1',
  at: '2026-11-20T08:00:00.000Z',
  result: 'done',
  factor: 'password',
  address: '203.0.113.7',
  place: '中国 上海',
  device: 'Chrome · macOS',
  ...change,
});
const token = (change: Partial<ApiToken> = {}): ApiToken => ({
  id: '33333333-3333-4333-8333-333333333333',
  name: '每周报表',
  ending: 'x9Qz',
  scopes: ['analytics:read'],
  siteIds: null,
  addresses: [],
  createdAt: '2026-11-01T08:00:00.000Z',
  expiresAt: '2096-11-20T08:00:00.000Z',
  lastUsedAt: null,
  lastAddress: null,
  ...change,
});
const old = token({ id: '44444444-4444-4444-8444-444444444444', name: '旧脚本', expiresAt: '2020-01-01T00:00:00.000Z', siteIds: [site().id, 'gonegonegone'] });

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search: string, answers: Record<string, Answer> = {}) {
  app = await renderApp(`${path}?${search}`, { answers, messages: ['form', 'chart', 'security'] });
  await screen.findByRole('heading', { level: 1, name: 'Profile', hidden: true });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('tabs have addresses, and an unknown one opens the first', async () => {
  await open('tab=nonsense');
  const tabs = screen.getByRole('navigation', { name: 'Parts of your profile' });
  expect(within(tabs).getByRole('link', { name: 'Profile' })).toHaveAttribute('aria-current', 'page');
  await app.person.click(within(tabs).getByRole('link', { name: 'Notifications' }));
  expect(await screen.findByRole('checkbox', { name: /Sign-in on a new device/ })).toBeChecked();
  expect(app.router.state.location.search).toBe('?tab=notices');
});

test('an unsaved profile survives switching tabs', async () => {
  await open('tab=profile', { 'GET /api/acc/security': { error: 'no', status: 500 } });
  await app.person.hover(screen.getByRole('textbox', { name: 'Display name' }));
  await screen.findByRole('form', { name: 'About you' });
  const box = screen.getByRole('textbox', { name: 'Display name' });
  await app.person.type(box, ' 二');
  await app.person.click(screen.getByRole('link', { name: 'Notifications' }));
  await screen.findByRole('checkbox', { name: /Sign-in on a new device/ });
  await app.person.click(within(screen.getByRole('navigation', { name: 'Parts of your profile' })).getByRole('link', { name: 'Profile' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Display name' })).toHaveValue('Chen Xiao 二'));
});

test('sign-in history highlights failures and keeps its page in the address', async () => {
  await open('tab=history', {
    'GET /api/acc/sign-ins': { data: { rows: [record(), record({ id: '2', result: 'bad_code', factor: 'totp', place: '', device: '' })], total: 45 } },
  });
  const table = await screen.findByRole('table', { name: 'Sign-in history' });
  expect(within(table).getByRole('row', { name: /Signed in Password 中国 上海 203\.0\.113\.7 Chrome · macOS/ })).toBeVisible();
  expect(within(table).getByRole('row', { name: /Wrong code Authenticator code Unknown place 203\.0\.113\.7 Unknown device/ })).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(app.server.calls('GET /api/acc/sign-ins').at(-1)?.search).toBe('?page=2&size=20'));
  expect(app.router.state.location.search).toBe('?tab=history&page=2');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
});

test('failed sign-in history can be loaded again', async () => {
  await open('tab=history', { 'GET /api/acc/sign-ins': { error: '出错了', status: 500 } });
  expect(await screen.findByText('出错了')).toBeVisible();
  app.server.answer('GET /api/acc/sign-ins', { data: { rows: [], total: 0 } });
  await app.person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No sign-ins in the last 90 days')).toBeVisible();
});

test('tokens show scopes and expiry and can be ended after confirmation', async () => {
  await open('tab=tokens', { 'GET /api/acc/tokens': { data: [token(), old] }, [`DELETE /api/acc/tokens/${token().id}`]: { data: null } });
  const list = await screen.findByRole('list', { name: 'API tokens' });
  expect(within(list).getByText('Permissions: Read analytics', { selector: 'li:first-child *' })).toBeVisible();
  expect(within(list).getByText('Sites: Tea House, a site that no longer exists')).toBeVisible();
  expect(within(list).getByText('Expired')).toBeVisible();
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  app.server.answer('GET /api/acc/tokens', { data: [old] });
  await app.person.click(within(list).getByRole('button', { name: 'Revoke “每周报表”' }));
  await app.person.click(within(await screen.findByRole('dialog', { name: 'Revoke token “每周报表”?' })).getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(within(list).queryByText('每周报表')).toBeNull());
  expect(await screen.findByText('Token “每周报表” revoked')).toBeVisible();
});

test('a new token shows its value once and stores it nowhere', async () => {
  const value = `sck_${'a'.repeat(43)}`;
  await open('tab=tokens', {
    'GET /api/acc/tokens': { data: [] },
    'POST /api/acc/tokens': { error: 'no', status: 422, code: 'invalid_fields', fields: { 'addresses.1': { code: 'not_an_address_range' } } },
  });
  await app.person.click(await screen.findByRole('button', { name: 'New token' }));
  expect(app.router.state.location.search).toBe('?tab=tokens&new=1');
  const dialog = await screen.findByRole('dialog', { name: 'New token' });
  const inside = within(dialog);
  await app.person.click(inside.getByRole('button', { name: 'New token' }));
  await waitFor(() => expect(inside.getByRole('textbox', { name: 'Name' })).toHaveFocus());
  expect(inside.getByText('Choose at least one')).toBeVisible();
  await app.person.type(inside.getByRole('textbox', { name: 'Name' }), '每周报表');
  await app.person.click(inside.getByRole('checkbox', { name: /Read analytics/ }));
  await app.person.click(inside.getByRole('radio', { name: 'Selected sites' }));
  await app.person.click(inside.getByRole('button', { name: 'New token' }));
  expect(await inside.findByText('Choose at least one site')).toBeVisible();
  await app.person.click(inside.getByRole('checkbox', { name: 'Tea House' }));
  await app.person.type(inside.getByRole('textbox', { name: /Allowed IP addresses/ }), '203.0.113.7{Enter}nowhere');
  await app.person.click(inside.getByRole('button', { name: 'New token' }));
  await waitFor(() =>
    expect(inside.getByRole('textbox', { name: /Allowed IP addresses/ })).toHaveAccessibleDescription(/An IP address or a range such as 203\.0\.113\.0\/24/),
  );
  app.server.answer('POST /api/acc/tokens', { data: { token: token({ siteIds: [site().id] }), value } });
  app.server.answer('GET /api/acc/tokens', { data: [token({ siteIds: [site().id] })] });
  await app.person.click(inside.getByRole('button', { name: 'New token' }));
  const tokenDialog = await screen.findByRole('dialog', { name: 'Token “每周报表” created' });
  expect(app.server.calls('POST /api/acc/tokens').at(-1)?.body).toEqual({
    name: '每周报表',
    scopes: ['analytics:read'],
    siteIds: [site().id],
    addresses: ['203.0.113.7', 'nowhere'],
    days: 90,
  });
  expect(within(tokenDialog).getByText(value)).toBeVisible();
  expect(within(tokenDialog).getByText(/^curl .*Bearer sck_a+' http.*\/api\/core\/sites\/figures$/)).toBeVisible();
  await app.person.keyboard('{Escape}');
  expect(tokenDialog).toBeVisible();
  await app.person.click(within(tokenDialog).getByRole('button', { name: 'I have stored it' }));
  expect(await screen.findByRole('list', { name: 'API tokens' })).toBeVisible();
  expect(JSON.stringify(app.store.getState())).not.toContain(value);
  expect(sessionStorage).toHaveLength(0);
});

test('a mail preference applies at once and is reverted when refused', async () => {
  const patch = `PATCH /api/acc/user/${user().id}`;
  await open('tab=notices', { [patch]: { data: user({ notices: { newDevice: false, access: true, mention: true }, revision: 2 }) } });
  const box = await screen.findByRole('checkbox', { name: /Sign-in on a new device/ });
  expect(box).toBeChecked();
  expect(await screen.findByText(/There is no confirmed e-mail address yet, so nothing is sent/)).toBeVisible();
  await app.person.click(box);
  await waitFor(() => expect(box).not.toBeChecked());
  expect(app.server.calls(patch)[0]?.body).toEqual({ notices: { newDevice: false, access: true, mention: true } });
  app.server.answer(patch, { error: '现在不行', status: 500 });
  await app.person.click(screen.getByRole('checkbox', { name: /Changes of access/ }));
  expect(await screen.findByText('现在不行')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('checkbox', { name: /Changes of access/ })).toBeChecked());
});

test('closing the account asks for the login name and protects owners', async () => {
  await open('tab=data', { 'POST /api/acc/close': { error: 'no', status: 409, code: 'last_owner' } });
  expect(await screen.findByRole('link', { name: 'Download my data' })).toHaveAttribute('href', '/api/acc/export');
  await app.person.click(screen.getByRole('button', { name: 'Close account' }));
  const dialog = await screen.findByRole('dialog', { name: 'Close this account?' });
  await app.person.type(within(dialog).getByRole('textbox'), 'chen{Enter}');
  expect(await within(dialog).findByText('This differs from the text above')).toBeVisible();
  expect(app.server.calls('POST /api/acc/close')).toHaveLength(0);
  await app.person.type(within(dialog).getByRole('textbox'), 'xiao{Enter}');
  expect(await within(dialog).findByText(/You are the only owner, so the account cannot be closed/)).toBeVisible();
  expect(within(dialog).getByRole('textbox')).toHaveValue('chenxiao');
  app.server.answer('POST /api/acc/close', { data: null });
  await app.person.type(within(dialog).getByRole('textbox'), '{Enter}');
  await waitFor(() => expect(app.left).toHaveLength(1));
  expect(app.server.calls('POST /api/acc/close').at(-1)?.body).toEqual({ confirm: 'chenxiao' });
});

test('an error beside the button reports a file that is no picture', async () => {
  await open('tab=profile');
  // A dropped file need not match the `accept` of the field.
  const drop = new File(['hello'], 'a.txt', { type: 'text/plain' });
  fireEvent.drop(screen.getByRole('button', { name: 'Choose image' }), { dataTransfer: { files: [drop] } });
  expect(await screen.findByText('This file cannot be opened. Choose a JPG, PNG or WebP image')).toBeVisible();
});
