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
  app = await renderApp(`${path}?${search}`, { answers });
  await screen.findByRole('heading', { level: 1, name: '个人中心', hidden: true });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('tabs have addresses, and an unknown one opens the first', async () => {
  await open('tab=nonsense');
  const tabs = screen.getByRole('navigation', { name: '个人中心的内容' });
  expect(within(tabs).getByRole('link', { name: '资料' })).toHaveAttribute('aria-current', 'page');
  await app.person.click(within(tabs).getByRole('link', { name: '通知' }));
  expect(await screen.findByRole('checkbox', { name: /新设备登录/ })).toBeChecked();
  expect(app.router.state.location.search).toBe('?tab=notices');
});

test('an unsaved profile survives switching tabs', async () => {
  await open('tab=profile', { 'GET /api/acc/security': { error: 'no', status: 500 } });
  const box = screen.getByRole('textbox', { name: '显示名称' });
  await app.person.type(box, ' 二');
  await app.person.click(screen.getByRole('link', { name: '通知' }));
  await screen.findByRole('checkbox', { name: /新设备登录/ });
  await app.person.click(screen.getByRole('link', { name: '资料' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: '显示名称' })).toHaveValue('Chen Xiao 二'));
});

test('sign-in history highlights failures and keeps its page in the address', async () => {
  await open('tab=history', {
    'GET /api/acc/sign-ins': { data: { rows: [record(), record({ id: '2', result: 'bad_code', factor: 'totp', place: '', device: '' })], total: 45 } },
  });
  const table = await screen.findByRole('table', { name: '登录历史' });
  expect(within(table).getByRole('row', { name: /成功 密码 中国 上海 203\.0\.113\.7 Chrome · macOS/ })).toBeVisible();
  expect(within(table).getByRole('row', { name: /验证码不正确 身份验证器的验证码 未知地点 203\.0\.113\.7 未知设备/ })).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '下一页' }));
  await waitFor(() => expect(app.server.calls('GET /api/acc/sign-ins').at(-1)?.search).toBe('?page=2&size=20'));
  expect(app.router.state.location.search).toBe('?tab=history&page=2');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
});

test('failed sign-in history can be loaded again', async () => {
  await open('tab=history', { 'GET /api/acc/sign-ins': { error: '出错了', status: 500 } });
  expect(await screen.findByText('出错了')).toBeVisible();
  app.server.answer('GET /api/acc/sign-ins', { data: { rows: [], total: 0 } });
  await app.person.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('最近 90 天没有登录记录')).toBeVisible();
});

test('tokens show scopes and expiry and can be ended after confirmation', async () => {
  await open('tab=tokens', { 'GET /api/acc/tokens': { data: [token(), old] }, [`DELETE /api/acc/tokens/${token().id}`]: { data: null } });
  const list = await screen.findByRole('list', { name: '令牌列表' });
  expect(within(list).getByText('权限：查看统计', { selector: 'li:first-child *' })).toBeVisible();
  expect(within(list).getByText('站点：Tea House、已不存在的站点')).toBeVisible();
  expect(within(list).getByText('已过期')).toBeVisible();
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  app.server.answer('GET /api/acc/tokens', { data: [old] });
  await app.person.click(within(list).getByRole('button', { name: '停用“每周报表”' }));
  await app.person.click(within(await screen.findByRole('dialog', { name: '停用令牌“每周报表”？' })).getByRole('button', { name: '停用' }));
  await waitFor(() => expect(within(list).queryByText('每周报表')).toBeNull());
  expect(await screen.findByText('令牌“每周报表”已停用')).toBeVisible();
});

test('a new token shows its value once and stores it nowhere', async () => {
  const value = `sck_${'a'.repeat(43)}`;
  await open('tab=tokens', {
    'GET /api/acc/tokens': { data: [] },
    'POST /api/acc/tokens': { error: 'no', status: 422, code: 'invalid_fields', fields: { 'addresses.1': { code: 'not_an_address_range' } } },
  });
  await app.person.click(await screen.findByRole('button', { name: '新建令牌' }));
  expect(app.router.state.location.search).toBe('?tab=tokens&new=1');
  const dialog = await screen.findByRole('dialog', { name: '新建令牌' });
  const inside = within(dialog);
  await app.person.click(inside.getByRole('button', { name: '新建令牌' }));
  await waitFor(() => expect(inside.getByRole('textbox', { name: '名称' })).toHaveFocus());
  expect(inside.getByText('至少选择一项')).toBeVisible();
  await app.person.type(inside.getByRole('textbox', { name: '名称' }), '每周报表');
  await app.person.click(inside.getByRole('checkbox', { name: /查看统计/ }));
  await app.person.click(inside.getByRole('radio', { name: '指定站点' }));
  await app.person.click(inside.getByRole('button', { name: '新建令牌' }));
  expect(await inside.findByText('至少选择一个站点')).toBeVisible();
  await app.person.click(inside.getByRole('checkbox', { name: 'Tea House' }));
  await app.person.type(inside.getByRole('textbox', { name: /允许的 IP 地址/ }), '203.0.113.7{Enter}nowhere');
  await app.person.click(inside.getByRole('button', { name: '新建令牌' }));
  await waitFor(() => expect(inside.getByRole('textbox', { name: /允许的 IP 地址/ })).toHaveAccessibleDescription(/填写 IP 地址或网段/));
  app.server.answer('POST /api/acc/tokens', { data: { token: token({ siteIds: [site().id] }), value } });
  app.server.answer('GET /api/acc/tokens', { data: [token({ siteIds: [site().id] })] });
  await app.person.click(inside.getByRole('button', { name: '新建令牌' }));
  const tokenDialog = await screen.findByRole('dialog', { name: '令牌“每周报表”已创建' });
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
  await app.person.click(within(tokenDialog).getByRole('button', { name: '我已保存' }));
  expect(await screen.findByRole('list', { name: '令牌列表' })).toBeVisible();
  expect(JSON.stringify(app.store.getState())).not.toContain(value);
  expect(sessionStorage).toHaveLength(0);
});

test('a mail preference applies at once and is reverted when refused', async () => {
  const patch = `PATCH /api/acc/user/${user().id}`;
  await open('tab=notices', { [patch]: { data: user({ notices: { newDevice: false, access: true }, revision: 2 }) } });
  const box = await screen.findByRole('checkbox', { name: /新设备登录/ });
  expect(box).toBeChecked();
  expect(await screen.findByText(/还没有验证邮箱/)).toBeVisible();
  await app.person.click(box);
  await waitFor(() => expect(box).not.toBeChecked());
  expect(app.server.calls(patch)[0]?.body).toEqual({ notices: { newDevice: false, access: true } });
  app.server.answer(patch, { error: '现在不行', status: 500 });
  await app.person.click(screen.getByRole('checkbox', { name: /权限变更/ }));
  expect(await screen.findByText('现在不行')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('checkbox', { name: /权限变更/ })).toBeChecked());
});

test('closing the account asks for the login name and protects owners', async () => {
  await open('tab=data', { 'POST /api/acc/close': { error: 'no', status: 409, code: 'last_owner' } });
  expect(await screen.findByRole('link', { name: '下载我的数据' })).toHaveAttribute('href', '/api/acc/export');
  await app.person.click(screen.getByRole('button', { name: '注销账号' }));
  const dialog = await screen.findByRole('dialog', { name: '注销这个账号？' });
  await app.person.type(within(dialog).getByRole('textbox'), 'chen{Enter}');
  expect(await within(dialog).findByText('和上面的文字不一致')).toBeVisible();
  expect(app.server.calls('POST /api/acc/close')).toHaveLength(0);
  await app.person.type(within(dialog).getByRole('textbox'), 'xiao{Enter}');
  expect(await within(dialog).findByText(/你是唯一的所有者/)).toBeVisible();
  expect(within(dialog).getByRole('textbox')).toHaveValue('chenxiao');
  app.server.answer('POST /api/acc/close', { data: null });
  await app.person.type(within(dialog).getByRole('textbox'), '{Enter}');
  await waitFor(() => expect(app.left).toHaveLength(1));
  expect(app.server.calls('POST /api/acc/close').at(-1)?.body).toEqual({ confirm: 'chenxiao' });
});

test('an error beside the button reports a file that is no picture', async () => {
  await open('tab=profile');
  // A drop is not held to the `accept` of the field.
  const drop = new File(['hello'], 'a.txt', { type: 'text/plain' });
  fireEvent.drop(screen.getByRole('button', { name: '选择图片' }), { dataTransfer: { files: [drop] } });
  expect(await screen.findByText('无法打开这个文件，选择 JPG、PNG 或 WebP 图片')).toBeVisible();
});
