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
  await screen.findByRole('heading', { level: 1, name: '成员与权限', hidden: true });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
const drawer = () => screen.findByRole('dialog', { name: '成员' });
const press = (name: string, inside: HTMLElement = document.body) => app.person.click(within(inside).getByRole('button', { name }));

test('the list shows roles and states, with filters in the address', async () => {
  await open();
  const table = await screen.findByRole('table', { name: '成员列表' });
  expect(within(table).getByRole('row', { name: /王编辑 wang\.bianji 成员 1 wang@example\.com 未开启 正常 从未登录/ })).toBeVisible();
  expect(within(table).getByRole('row', { name: /Chen Xiao ?我/ })).toBeVisible();
  await app.person.type(screen.getByRole('searchbox', { name: '搜索成员' }), '王');
  await app.person.selectOptions(screen.getByRole('combobox', { name: '角色' }), '成员');
  await waitFor(() => expect(app.server.calls('GET /api/acc/users').at(-1)?.search).toBe('?page=1&size=20&sort=displayName&q=%E7%8E%8B&role=member'));
  expect(new URLSearchParams(app.router.state.location.search).get('q')).toBe('王');
  app.server.answer('GET /api/acc/users', { data: { rows: [], total: 0 } });
  await app.person.selectOptions(screen.getByRole('combobox', { name: '状态' }), '已停用');
  await press('清除筛选', await screen.findByText('没有符合条件的成员').then((text) => text.parentElement ?? document.body));
  await waitFor(() => expect(app.server.calls('GET /api/acc/users').at(-1)?.search).toBe('?page=1&size=20&sort=displayName'));
});

test('a person has an address, and a role change sends the revision', async () => {
  await open('', { [`PATCH ${one(wang.id)}`]: { data: person({ role: 'manager', revision: 4 }) } });
  await app.person.click(await screen.findByRole('button', { name: /王编辑/ }));
  const box = await drawer();
  expect(app.router.state.location.search).toBe(`?person=${wang.id}`);
  await app.person.selectOptions(await within(box).findByRole('combobox', { name: '角色' }), '管理员');
  await press('更改角色', box);
  expect(await screen.findByText('王编辑 的角色已改为管理员')).toBeInTheDocument();
  const call = app.server.calls(`PATCH ${one(wang.id)}`)[0];
  expect([call?.body, call?.headers.get('if-match')]).toEqual([{ role: 'manager' }, '"3"']);
  expect(await violationsOf(box)).toEqual([]);
});

test("lowering the last owner's role asks first and explains the refusal", async () => {
  await open(`?person=${me.id}`, { [`PATCH ${one(me.id)}`]: { error: 'last', status: 409, code: 'last_owner' } });
  const box = await drawer();
  expect(await within(box).findByText(/这是你自己的账号/)).toBeVisible();
  expect(within(box).queryByRole('button', { name: '删除' })).toBeNull();
  await app.person.selectOptions(within(box).getByRole('combobox', { name: '角色' }), '成员');
  await press('更改角色', box);
  await press('更改', await screen.findByRole('dialog', { name: '把自己的角色改为成员？' }));
  expect(await within(box).findByText(/这是唯一的所有者/)).toBeVisible();
  expect(within(box).getByRole('combobox', { name: '角色' })).toHaveValue('member');
});

test('a manager cannot change owners or assign higher roles', async () => {
  await open(`?person=${boss.id}`, manager);
  let box = await drawer();
  expect(await within(box).findByText(/这位成员的权限不低于你/)).toBeVisible();
  expect(within(box).queryByRole('button', { name: /停用|删除|更改角色|生成链接/ })).toBeNull();
  app.end();
  await open(`?person=${wang.id}`, manager);
  box = await drawer();
  const role = await within(box).findByRole('combobox', { name: '角色' });
  expect(within(role).getByRole('option', { name: '所有者' })).toBeDisabled();
  expect(within(role).getByRole('option', { name: '财务' })).toBeDisabled();
  expect(within(role).getByRole('option', { name: '管理员' })).toBeEnabled();
  // Only owners make links and reset second factors.
  expect(within(box).queryByRole('button', { name: '生成链接' })).toBeNull();
});

test('site roles of a person are saved as differences', async () => {
  await open(`?person=${wang.id}`, { 'PATCH /api/acc/grants': { data: { people: [], sites: [], grants: [] } } });
  const box = await drawer();
  await app.person.selectOptions(await within(box).findByRole('combobox', { name: '在 Tea House 的角色' }), '分析');
  await app.person.selectOptions(within(box).getByRole('combobox', { name: '添加站点…' }), 'Harbour News');
  await app.person.keyboard('{Escape}');
  await press('继续编辑', await screen.findByRole('dialog', { name: '放弃未保存的站点权限？' }));
  await press('保存权限', box);
  await waitFor(() => expect(app.server.calls('PATCH /api/acc/grants')).toHaveLength(1));
  expect(app.server.calls('PATCH /api/acc/grants')[0]?.body).toEqual({
    changes: [
      { userId: wang.id, siteId: site().id, role: 'analyst' },
      { userId: wang.id, siteId: 'mnopqrstuvwx', role: 'viewer' },
    ],
  });
  expect(await screen.findByText('王编辑 的站点权限已保存')).toBeInTheDocument();
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
  expect(await within(box).findByText('待确认的新邮箱：w2@example.com')).toBeVisible();
  await press('全部退出', box);
  await press('全部退出', await screen.findByRole('dialog', { name: '让 王编辑 在所有设备上退出？' }));
  expect(await screen.findByText('王编辑 的 2 个登录已结束')).toBeInTheDocument();
  await press('重置', box);
  await press('重置', await screen.findByRole('dialog', { name: '重置 王编辑 的两步验证？' }));
  expect(await screen.findByText('现在不行')).toBeInTheDocument();
  await press('停用', box);
  await press('停用', await screen.findByRole('dialog', { name: '停用 王编辑 的账号？' }));
  expect(await screen.findByText('王编辑 的账号已停用')).toBeInTheDocument();
  await press('删除', box);
  const ask = await screen.findByRole('dialog', { name: '删除 王编辑 的账号？' });
  await app.person.type(within(ask).getByRole('textbox'), 'wang.bianji{Enter}');
  expect(await within(ask).findByText(/这是唯一的所有者/)).toBeVisible();
  app.server.answer(`DELETE ${one(wang.id)}`, { data: null });
  await app.person.type(within(ask).getByRole('textbox'), '{Enter}');
  await waitFor(() => expect(app.router.state.location.search).toBe(''));
  expect(app.server.calls(`DELETE ${one(wang.id)}`)[1]?.body).toEqual({ confirm: 'wang.bianji' });
});

test('a one-time link is shown until closed and stored nowhere', async () => {
  const url = 'http://localhost/sign/reset#t=very-secret';
  await open(`?person=${wang.id}`, { [`POST ${one(wang.id)}/link`]: { data: { url, expiresAt: '2026-11-20T08:30:00.000Z' } } });
  const box = await drawer();
  await within(box).findByText('重设密码的链接');
  await press('生成链接', box);
  await press('生成链接', await screen.findByRole('dialog', { name: '给 王编辑 生成重设密码的链接？' }));
  const linkDialog = await screen.findByRole('dialog', { name: '王编辑 的重设链接' });
  expect(within(linkDialog).getByRole('textbox', { name: '链接' })).toHaveValue(url);
  expect(app.server.calls(`POST ${one(wang.id)}/link`)[0]?.body).toEqual({ kind: 'reset' });
  await app.person.keyboard('{Escape}');
  expect(linkDialog).toBeVisible();
  await press('完成', linkDialog);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '王编辑 的重设链接' })).toBeNull());
  expect(JSON.stringify(app.store.getState())).not.toContain('very-secret');
});

test('an owner confirms their own pending address with a link', async () => {
  const url = 'http://localhost/sign/email#t=very-secret';
  await open(`?person=${me.id}`, {
    [`GET ${one(me.id)}`]: { data: { ...me, pendingEmail: 'chen@example.com', grants: [] } },
    [`POST ${one(me.id)}/link`]: { data: { url, expiresAt: '2026-11-21T08:30:00.000Z' } },
  });
  const box = await drawer();
  await within(box).findByText('确认邮箱的链接');
  await press('生成链接', box);
  expect(await screen.findByRole('textbox', { name: '链接' })).toHaveValue(url);
  expect(app.server.calls(`POST ${one(me.id)}/link`)[0]?.body).toEqual({ kind: 'email' });
  await press('完成');
  expect(JSON.stringify(app.store.getState())).not.toContain('very-secret');
});

test.each([
  [true, /填写后会发送邀请邮件/],
  [false, /没有配置邮件服务器，链接由你转交/],
])('inviting promises mail only where mail works (%s)', async (mail, text) => {
  await open('?invite=1', { 'GET /api/acc/security': { data: security({ mail }) } });
  const box = await screen.findByRole('dialog', { name: '邀请成员' });
  await waitFor(() => expect(within(box).getByRole('textbox', { name: /邮箱/ })).toHaveAccessibleDescription(text));
});

test('inviting keeps the input after an error, then shows the link', async () => {
  await open('?invite=1', {
    ...manager,
    'POST /api/acc/invites': { error: 'no', status: 422, code: 'invalid_fields', fields: { email: { code: 'duplicate' } } },
  });
  let box = await screen.findByRole('dialog', { name: '邀请成员' });
  const role = within(box).getByRole('combobox', { name: '角色' });
  expect(
    within(role)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['管理员', '成员']);
  await app.person.type(within(box).getByRole('textbox', { name: /邮箱/ }), 'New@Example.com');
  await app.person.selectOptions(within(box).getByRole('combobox', { name: '添加站点…' }), 'Tea House');
  await app.person.selectOptions(within(box).getByRole('combobox', { name: '在 Tea House 的角色' }), '编辑');
  await press('生成邀请', box);
  await waitFor(() => expect(within(box).getByRole('textbox', { name: /邮箱/ })).toHaveAccessibleDescription(/已经邀请过这个邮箱/));
  // A press outside by accident, and back: everything is still there.
  await app.person.keyboard('{Escape}');
  await press('邀请成员');
  box = await screen.findByRole('dialog', { name: '邀请成员' });
  await waitFor(() => expect(within(box).getByRole('textbox', { name: /邮箱/ })).toHaveValue('New@Example.com'));
  app.server.answer('POST /api/acc/invites', { data: { invite: invite(), url: 'http://localhost/sign/invite#t=abc', mailed: false } });
  await press('生成邀请', box);
  const inviteDialog = await screen.findByRole('dialog', { name: '邀请已生成' });
  expect(within(inviteDialog).getByText(/系统还没有配置邮件服务/)).toBeVisible();
  expect(app.server.calls('POST /api/acc/invites').at(-1)?.body).toEqual({
    email: 'new@example.com',
    role: 'member',
    grants: [{ siteId: site().id, role: 'editor' }],
    message: '',
    days: 7,
  });
  await press('完成', inviteDialog);
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
  const list = await screen.findByRole('list', { name: '邀请' });
  expect(within(list).getByText(/成员 · Tea House：编辑/)).toBeVisible();
  expect(within(list).getByRole('button', { name: '给 worn@example.com 换新链接' })).toBeDisabled();
  expect(within(list).queryByRole('button', { name: /未填邮箱/ })).toBeNull();
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  await press('给 new@example.com 换新链接', list);
  await press('完成', await screen.findByRole('dialog', { name: '新的邀请链接' }));
  await press('撤回给 worn@example.com 的邀请', list);
  await press('撤回', await screen.findByRole('dialog', { name: '撤回给 worn@example.com 的邀请？' }));
  expect(await screen.findByText('邀请已撤回')).toBeInTheDocument();
});

test('the page is hidden from people without permission', async () => {
  app = await renderApp('/home', { answers: { 'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) } } });
  await screen.findByRole('heading', { level: 1, name: '站点' });
  expect(screen.queryByRole('link', { name: '成员与权限' })).toBeNull();
});
