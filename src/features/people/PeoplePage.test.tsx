import { screen, waitFor, within } from '@testing-library/react';
import { instanceActions, may } from '@contract/permissions';
import { violationsOf } from '../../../test/support/axe';
import { invite, person, security, session, site, user } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const path = '/account/users/account_users';
const wang = person();
const me = person({ id: user().id, loginName: 'chenxiao', displayName: 'Chen Xiao', role: 'owner', sites: 0, revision: 1 });
const boss = person({ id: '1f6f2a44-5a0e-4a53-9a51-6a3e8b0f4b14', loginName: 'boss', displayName: '李老板', role: 'owner' });
const one = (id: string) => `/api/acc/users/${id}`;
const manager = {
  'GET /api/acc/token/session': { data: session({ role: 'manager', can: instanceActions.filter((action) => may('manager', action)) }) },
} as const;

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await renderApp(path + search, {
    answers: {
      'GET /api/acc/users': { data: { rows: [wang, me, boss], total: 3 } },
      'GET /api/acc/invites': { data: [] },
      [`GET ${one(wang.id)}`]: { data: { ...wang, grants: [{ siteId: site().id, role: 'editor' }] } },
      [`GET ${one(me.id)}`]: { data: { ...me, grants: [] } },
      [`GET ${one(boss.id)}`]: { data: { ...boss, grants: [] } },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'People', hidden: true });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
const drawer = () => screen.findByRole('dialog', { name: 'Person' });
const press = (name: string, inside: HTMLElement = document.body) => app.person.click(within(inside).getByRole('button', { name }));

test('the list shows roles and states, with filters in the address', async () => {
  await open();
  const table = await screen.findByRole('table', { name: 'People' });
  expect(within(table).getByRole('row', { name: /王编辑 wang\.bianji Member 1 wang@example\.com Off Active Never/ })).toBeVisible();
  expect(within(table).getByRole('row', { name: /Chen Xiao ?me/ })).toBeVisible();
  await app.person.type(screen.getByRole('searchbox', { name: 'Search people' }), '王');
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Member');
  await waitFor(() => expect(app.server.calls('GET /api/acc/users').at(-1)?.search).toBe('?page=1&size=20&sort=displayName&q=%E7%8E%8B&role=member'));
  expect(new URLSearchParams(app.router.state.location.search).get('q')).toBe('王');
  app.server.answer('GET /api/acc/users', { data: { rows: [], total: 0 } });
  await app.person.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Disabled');
  await press('Clear filters', await screen.findByText('Nobody matches').then((text) => text.parentElement ?? document.body));
  await waitFor(() => expect(app.server.calls('GET /api/acc/users').at(-1)?.search).toBe('?page=1&size=20&sort=displayName'));
});

test('a person has an address, and a role change sends the revision', async () => {
  await open('', { [`PATCH ${one(wang.id)}`]: { data: person({ role: 'manager', revision: 4 }) } });
  await app.person.click(await screen.findByRole('button', { name: /王编辑/ }));
  const box = await drawer();
  expect(app.router.state.location.search).toBe(`?person=${wang.id}`);
  await app.person.selectOptions(await within(box).findByRole('combobox', { name: 'Role' }), 'Manager');
  await press('Change role', box);
  expect(await screen.findByText('王编辑 is now Manager')).toBeInTheDocument();
  const call = app.server.calls(`PATCH ${one(wang.id)}`)[0];
  expect([call?.body, call?.headers.get('if-match')]).toEqual([{ role: 'manager' }, '"3"']);
  expect(await violationsOf(box)).toEqual([]);
});

test("lowering the last owner's role asks first and explains the refusal", async () => {
  await open(`?person=${me.id}`, { [`PATCH ${one(me.id)}`]: { error: 'last', status: 409, code: 'last_owner' } });
  const box = await drawer();
  expect(await within(box).findByText(/This is you/)).toBeVisible();
  expect(within(box).queryByRole('button', { name: 'Delete' })).toBeNull();
  await app.person.selectOptions(within(box).getByRole('combobox', { name: 'Role' }), 'Member');
  await press('Change role', box);
  await press('Change', await screen.findByRole('dialog', { name: 'Change your own role to Member?' }));
  expect(await within(box).findByText(/This is the only owner, who cannot be demoted, disabled or deleted/)).toBeVisible();
  expect(within(box).getByRole('combobox', { name: 'Role' })).toHaveValue('member');
});

test('a manager cannot change owners or assign higher roles', async () => {
  await open(`?person=${boss.id}`, manager);
  let box = await drawer();
  expect(await within(box).findByText(/This person may do no less than you, so an owner has to manage them/)).toBeVisible();
  expect(within(box).queryByRole('button', { name: /Disable|Delete|Change role|Create link/ })).toBeNull();
  app.end();
  await open(`?person=${wang.id}`, manager);
  box = await drawer();
  const role = await within(box).findByRole('combobox', { name: 'Role' });
  expect(within(role).getByRole('option', { name: 'Owner' })).toBeDisabled();
  expect(within(role).getByRole('option', { name: 'Finance' })).toBeDisabled();
  expect(within(role).getByRole('option', { name: 'Manager' })).toBeEnabled();
  // Only owners create links and reset second factors.
  expect(within(box).queryByRole('button', { name: 'Create link' })).toBeNull();
});

test('site roles of a person are saved as differences', async () => {
  await open(`?person=${wang.id}`, { 'PATCH /api/acc/grants': { data: { people: [], sites: [], grants: [] } } });
  const box = await drawer();
  await app.person.selectOptions(await within(box).findByRole('combobox', { name: 'Role on Tea House' }), 'Analyst');
  await app.person.selectOptions(within(box).getByRole('combobox', { name: 'Choose a site…' }), 'Harbour News');
  await app.person.keyboard('{Escape}');
  await press('Keep editing', await screen.findByRole('dialog', { name: 'Discard unsaved site access?' }));
  await press('Save access', box);
  await waitFor(() => expect(app.server.calls('PATCH /api/acc/grants')).toHaveLength(1));
  expect(app.server.calls('PATCH /api/acc/grants')[0]?.body).toEqual({
    changes: [
      { userId: wang.id, siteId: site().id, role: 'analyst' },
      { userId: wang.id, siteId: 'mnopqrstuvwx', role: 'viewer' },
    ],
  });
  expect(await screen.findByText('Site access of 王编辑 saved')).toBeInTheDocument();
});

test('actions ask first, report success, and deleting needs the login name', async () => {
  await open(`?person=${wang.id}`, {
    [`GET ${one(wang.id)}`]: { data: { ...wang, secondFactor: true, pendingEmail: 'w2@example.com', grants: [] } },
    [`POST ${one(wang.id)}/sign-out`]: { data: { ended: 2 } },
    [`POST ${one(wang.id)}/disable`]: { data: person({ state: 'disabled' }) },
    [`POST ${one(wang.id)}/reset-second-factor`]: { error: '现在不行', status: 403, code: 'forbidden' },
    [`DELETE ${one(wang.id)}`]: { error: 'no', status: 409, code: 'last_owner' },
  });
  const box = await drawer();
  expect(await within(box).findByText('Waits to be confirmed: w2@example.com')).toBeVisible();
  await press('Sign out', box);
  await press('Sign out', await screen.findByRole('dialog', { name: 'Sign 王编辑 out on all devices?' }));
  expect(await screen.findByText('Sessions of 王编辑 ended: 2')).toBeInTheDocument();
  await press('Reset', box);
  await press('Reset', await screen.findByRole('dialog', { name: 'Reset the two-step verification of 王编辑?' }));
  expect(await screen.findByText('现在不行')).toBeInTheDocument();
  await press('Disable', box);
  await press('Disable', await screen.findByRole('dialog', { name: 'Disable the account of 王编辑?' }));
  expect(await screen.findByText('The account of 王编辑 is disabled')).toBeInTheDocument();
  app.server.answer(`POST ${one(wang.id)}/enable`, { data: person() });
  await app.person.click(screen.getByText('Undo'));
  await waitFor(() => expect(app.server.calls(`POST ${one(wang.id)}/enable`)).toHaveLength(1));
  await press('Delete', box);
  const ask = await screen.findByRole('dialog', { name: 'Delete the account of 王编辑?' });
  await app.person.type(within(ask).getByRole('textbox'), 'wang.bianji{Enter}');
  expect(await within(ask).findByText(/This is the only owner, who cannot be demoted, disabled or deleted/)).toBeVisible();
  app.server.answer(`DELETE ${one(wang.id)}`, { data: null });
  await app.person.type(within(ask).getByRole('textbox'), '{Enter}');
  await waitFor(() => expect(app.router.state.location.search).toBe(''));
  expect(app.server.calls(`DELETE ${one(wang.id)}`)[1]?.body).toEqual({ confirm: 'wang.bianji' });
});

test('a one-time link is shown until closed and stored nowhere', async () => {
  const url = 'http://localhost/sign/reset#t=very-secret';
  await open(`?person=${wang.id}`, { [`POST ${one(wang.id)}/link`]: { data: { url, expiresAt: '2026-11-20T08:30:00.000Z' } } });
  const box = await drawer();
  await within(box).findByText('Password reset link');
  await press('Create link', box);
  await press('Create link', await screen.findByRole('dialog', { name: 'Create a link that sets a new password for 王编辑?' }));
  const linkDialog = await screen.findByRole('dialog', { name: 'Link to set the password of 王编辑' });
  expect(within(linkDialog).getByRole('textbox', { name: 'Link' })).toHaveValue(url);
  expect(app.server.calls(`POST ${one(wang.id)}/link`)[0]?.body).toEqual({ kind: 'reset' });
  await app.person.keyboard('{Escape}');
  expect(linkDialog).toBeVisible();
  await press('Done', linkDialog);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Link to set the password of 王编辑' })).toBeNull());
  expect(JSON.stringify(app.store.getState())).not.toContain('very-secret');
});

test('an owner confirms their own pending address with a link', async () => {
  const url = 'http://localhost/sign/email#t=very-secret';
  await open(`?person=${me.id}`, {
    [`GET ${one(me.id)}`]: { data: { ...me, pendingEmail: 'chen@example.com', grants: [] } },
    [`POST ${one(me.id)}/link`]: { data: { url, expiresAt: '2026-11-21T08:30:00.000Z' } },
  });
  const box = await drawer();
  await within(box).findByText('Link to confirm the e-mail address');
  await press('Create link', box);
  expect(await screen.findByRole('textbox', { name: 'Link' })).toHaveValue(url);
  expect(app.server.calls(`POST ${one(me.id)}/link`)[0]?.body).toEqual({ kind: 'email' });
  await press('Done');
  expect(JSON.stringify(app.store.getState())).not.toContain('very-secret');
});

test.each([
  [true, /The invitation is mailed there/],
  [false, /No mail server is set up: send the link yourself/],
])('inviting promises mail only where mail works (%s)', async (mail, text) => {
  await open('?invite=1', { 'GET /api/acc/security': { data: security({ mail }) } });
  const box = await screen.findByRole('dialog', { name: 'Invite someone' });
  await waitFor(() => expect(within(box).getByRole('textbox', { name: /E-mail/ })).toHaveAccessibleDescription(text));
});

test('inviting keeps the input after an error, then shows the link', async () => {
  await open('?invite=1', {
    ...manager,
    'POST /api/acc/invites': { error: 'no', status: 422, code: 'invalid_fields', fields: { email: { code: 'duplicate' } } },
  });
  let box = await screen.findByRole('dialog', { name: 'Invite someone' });
  const role = within(box).getByRole('combobox', { name: 'Role' });
  expect(
    within(role)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Manager', 'Member']);
  await app.person.type(within(box).getByRole('textbox', { name: /E-mail/ }), 'New@Example.com');
  await app.person.selectOptions(within(box).getByRole('combobox', { name: 'Choose a site…' }), 'Tea House');
  await app.person.selectOptions(within(box).getByRole('combobox', { name: 'Role on Tea House' }), 'Editor');
  await press('Create invitation', box);
  await waitFor(() => expect(within(box).getByRole('textbox', { name: /E-mail/ })).toHaveAccessibleDescription(/This address is invited already/));
  // After an accidental press outside, the input is still there.
  await app.person.keyboard('{Escape}');
  await press('Invite');
  box = await screen.findByRole('dialog', { name: 'Invite someone' });
  await waitFor(() => expect(within(box).getByRole('textbox', { name: /E-mail/ })).toHaveValue('New@Example.com'));
  app.server.answer('POST /api/acc/invites', { data: { invite: invite(), url: 'http://localhost/sign/invite#t=abc', mailed: false } });
  await press('Create invitation', box);
  const inviteDialog = await screen.findByRole('dialog', { name: 'Invitation created' });
  expect(within(inviteDialog).getByText(/No mail server is set up, so nothing was sent to new@example\.com/)).toBeVisible();
  expect(app.server.calls('POST /api/acc/invites').at(-1)?.body).toEqual({
    email: 'new@example.com',
    role: 'member',
    grants: [{ siteId: site().id, role: 'editor' }],
    message: '',
    days: 7,
  });
  await press('Done', inviteDialog);
  expect(sessionStorage).toHaveLength(0);
  expect(JSON.stringify(app.store.getState())).not.toContain('#t=abc');
});

test('invitations show states and can be renewed five times or revoked', async () => {
  const worn = invite({ id: 'd5b7a0de-2f6e-4d6f-8f2b-1c8c7e2a5c06', email: 'worn@example.com', resent: 5 });
  const done = invite({ id: 'e5b7a0de-2f6e-4d6f-8f2b-1c8c7e2a5c07', email: null, state: 'accepted', grants: [{ siteId: site().id, role: 'editor' }] });
  await open('?tab=invites', {
    'GET /api/acc/invites': { data: [invite(), worn, done] },
    [`POST /api/acc/invites/${invite().id}/resend`]: { data: { invite: invite({ resent: 1 }), url: 'http://localhost/sign/invite#t=2', mailed: true } },
    [`DELETE /api/acc/invites/${worn.id}`]: { data: null },
  });
  const list = await screen.findByRole('list', { name: 'Invitations' });
  expect(within(list).getByText(/Member · Tea House: Editor/)).toBeVisible();
  expect(within(list).getByRole('button', { name: 'New link for worn@example.com' })).toBeDisabled();
  expect(within(list).queryByRole('button', { name: /No e-mail/ })).toBeNull();
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  await press('New link for new@example.com', list);
  await press('Done', await screen.findByRole('dialog', { name: 'New invitation link' }));
  await press('Revoke the invitation of worn@example.com', list);
  await press('Revoke', await screen.findByRole('dialog', { name: 'Revoke the invitation of worn@example.com?' }));
  expect(await screen.findByText('Invitation revoked')).toBeInTheDocument();
});

test('the page is hidden from people without permission', async () => {
  app = await renderApp('/home', { answers: { 'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) } } });
  await screen.findByRole('heading', { level: 1, name: 'Sites' });
  expect(screen.queryByRole('link', { name: 'People' })).toBeNull();
});
