import { screen, waitFor, within } from '@testing-library/react';
import type { Policy } from '@contract/account/factors';
import { instanceActions, may } from '@contract/permissions';
import { violationsOf } from '../../../test/support/axe';
import { auditEntry, person, session, site, user } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../test/support/renderApp';

renderIn('zh-CN');

const wang = person();
const me = person({ id: user().id, loginName: 'chenxiao', displayName: 'Chen Xiao', role: 'owner', secondFactor: true });
const line = auditEntry({
  id: '9',
  action: 'person.role_changed',
  target: { kind: 'person', id: wang.id, name: wang.loginName },
  before: { role: 'member' },
  after: { role: 'manager' },
});
const policy: Policy = { secondFactor: 'off', graceDays: 14, selfRename: true, revision: 1 };
const manager = {
  'GET /api/acc/token/session': { data: session({ role: 'manager', can: instanceActions.filter((action) => may('manager', action)) }) },
} as const;

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search: string, answers: Record<string, Answer> = {}) {
  app = await renderApp(`/account/users/account_users${search}`, {
    answers: {
      'GET /api/acc/users': { data: { rows: [me, wang], total: 2 } },
      'GET /api/acc/invites': { data: [] },
      'GET /api/acc/audit': { data: { rows: [line], next: null } },
      'GET /api/acc/policy': { data: policy },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: '成员与权限' });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
const lastQueryOf = (key: string) => new URLSearchParams(app.server.calls(key).at(-1)?.search);

test('a line is a sentence that opens to changes and origin', async () => {
  await open('?tab=audit');
  const row = await screen.findByRole('button', { name: /Chen Xiao 把 王编辑 的角色从 成员 改为 管理员/ });
  expect(row).toHaveAttribute('aria-expanded', 'false');
  await app.person.click(row);
  expect(row).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByRole('row', { name: '角色 成员 管理员' })).toBeVisible();
  expect(screen.getByText('203.0.113.7')).toBeVisible();
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  await app.person.click(screen.getByRole('button', { name: '只看 Chen Xiao' }));
  await waitFor(() => expect(lastQueryOf('GET /api/acc/audit').get('actor')).toBe(user().id));
});

test('filters are in the address and apply to requests and files', async () => {
  await open(`?tab=audit&range=custom&from=2026-11-01&to=2026-11-05&action=person&result=failed&site=${site().id}&q=${encodeURIComponent('王')}`);
  await screen.findByRole('list', { name: '审计日志' });
  expect(Object.fromEntries(lastQueryOf('GET /api/acc/audit'))).toEqual({
    from: '2026-11-01',
    to: '2026-11-05',
    action: 'person',
    result: 'failed',
    siteId: site().id,
    q: '王',
  });
  expect(screen.getByRole('link', { name: '导出 CSV' })).toHaveAttribute(
    'href',
    `/api/acc/audit/export?from=2026-11-01&to=2026-11-05&action=person&result=failed&siteId=${site().id}&q=%E7%8E%8B&format=csv`,
  );
  app.server.answer('GET /api/acc/audit', { data: { rows: [], next: null } });
  await app.person.selectOptions(screen.getByRole('combobox', { name: '操作类型' }), '站点');
  await app.person.click(await screen.findByRole('button', { name: '清除筛选' }));
  await waitFor(() => expect(Object.fromEntries(lastQueryOf('GET /api/acc/audit'))).toEqual({ from: '2026-11-01', to: '2026-11-05' }));
});

test('invalid filters in the address are ignored', async () => {
  await open('?tab=audit&range=custom&from=2026-02-31&to=x&action=nothing&actor=1;drop&result=maybe');
  await screen.findByRole('list', { name: '审计日志' });
  expect([...lastQueryOf('GET /api/acc/audit').keys()]).toEqual(['from', 'to']);
  expect(lastQueryOf('GET /api/acc/audit').get('from')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test('older lines are loaded by cursor until the end', async () => {
  await open('?tab=audit', {
    'GET /api/acc/audit': (request) =>
      new URL(request.url).searchParams.get('before') === '9'
        ? { data: { rows: [auditEntry({ id: '8', action: 'sign.out' })], next: null } }
        : { data: { rows: [line], next: '9' } },
  });
  await app.person.click(await screen.findByRole('button', { name: '加载更早的记录' }));
  expect(await screen.findByRole('button', { name: /Chen Xiao 退出了登录/ })).toBeVisible();
  expect(screen.getByText('没有更早的记录了')).toBeVisible();
  expect(within(screen.getByRole('list', { name: '审计日志' })).getAllByRole('listitem')).toHaveLength(2);
});

test('a policy rule shows whom it affects and saves its revision', async () => {
  await open('?tab=policy', { 'PUT /api/acc/policy': { data: { ...policy, secondFactor: 'all', graceDays: 7, revision: 2 } } });
  expect(await screen.findByText(/现在有 1 人还没有开启两步验证/)).toBeVisible();
  expect(screen.queryByRole('combobox', { name: '宽限期' })).toBeNull();
  await app.person.click(screen.getByRole('radio', { name: '管理人员' }));
  expect(await screen.findByText('管理人员都已开启两步验证。')).toBeVisible();
  await app.person.click(screen.getByRole('radio', { name: '所有人' }));
  expect(screen.getByRole('link', { name: '王编辑' })).toHaveAttribute('href', `/account/users/account_users?person=${wang.id}`);
  await app.person.selectOptions(screen.getByRole('combobox', { name: '宽限期' }), '7 天');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  app.server.answer('GET /api/acc/policy', { data: { ...policy, secondFactor: 'all', graceDays: 7, revision: 2 } });
  await app.person.click(screen.getByRole('button', { name: '保存' }));
  expect(await screen.findByText('安全策略已保存')).toBeVisible();
  const call = app.server.calls('PUT /api/acc/policy')[0];
  expect([call?.body, call?.headers.get('if-match')]).toEqual([{ secondFactor: 'all', graceDays: 7, selfRename: true }, '"1"']);
  await waitFor(() => expect(screen.queryByRole('button', { name: '保存' })).toBeNull());
});

test('concurrent policy changes are both shown and neither is lost', async () => {
  await open('?tab=policy', {
    'PUT /api/acc/policy': {
      error: 'stale',
      status: 409,
      code: 'stale_revision',
      current: { ...policy, secondFactor: 'managers', selfRename: false, revision: 2 },
    },
  });
  await app.person.click(await screen.findByRole('radio', { name: '所有人' }));
  await app.person.click(screen.getByRole('button', { name: '保存' }));
  const notice = await screen.findByRole('alert');
  expect(within(notice).getByRole('row', { name: '两步验证 所有人 管理人员' })).toBeVisible();
  app.server.answer('PUT /api/acc/policy', { data: { ...policy, secondFactor: 'all', selfRename: false, revision: 3 } });
  await app.person.click(within(notice).getByRole('button', { name: '用我填写的覆盖' }));
  await waitFor(() => expect(app.server.calls('PUT /api/acc/policy')).toHaveLength(2));
  // The other person's changes elsewhere remain.
  expect(app.server.calls('PUT /api/acc/policy')[1]?.body).toEqual({ secondFactor: 'all', graceDays: 14, selfRename: false });
});

test('a manager sees the policy read-only', async () => {
  await open('?tab=policy', { ...manager, 'GET /api/acc/policy': { data: { ...policy, secondFactor: 'managers' } } });
  expect(await screen.findByText('只有所有者可以修改安全策略。')).toBeVisible();
  expect(screen.getByText(/宽限期 14 天/)).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
});
