import { configure, screen, waitFor, within } from '@testing-library/react';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetails } from '@contract/tables/webhooks';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import type { Answer } from '../../../../test/support/fakeServer';
import { tableOf } from '../../../../test/support/recordsScreen';
import { renderApp, renderIn } from '../../../../test/support/renderApp';

renderIn('zh-CN');

checkResponses();

jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const id = '11111111-1111-4111-8111-111111111111';
const one = `${base}/hooks/${id}`;
const at = '2026-11-20T08:00:00.000Z';
const hookOf = (change: Partial<Webhook> = {}): Webhook => ({
  id,
  name: '刷新官网',
  url: 'https://hooks.example.com/cache',
  events: ['record.created', 'record.published'],
  tables: ['t_articleaaaaa'],
  filter: null,
  enabled: true,
  off: null,
  failingSince: null,
  oldSecretUntil: null,
  createdAt: at,
  revision: 3,
  figures: { sent: 9, failed: 1, waiting: 2 },
  latest: [
    { id: '12', state: 'failed', event: 'record.created', at, status: 500 },
    { id: '11', state: 'sent', event: 'record.created', at, status: 200 },
  ],
  ...change,
});
const deliveryOf = (change: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: '12',
  event: 'record.created',
  tableId: 't_articleaaaaa',
  batchId: null,
  records: 3,
  state: 'failed',
  attempts: 9,
  at,
  triedAt: at,
  nextAt: null,
  status: 500,
  error: 'answered',
  detail: '',
  ms: 42,
  ...change,
});
const wholeOf = (change: Partial<WebhookDeliveryDetails> = {}): WebhookDeliveryDetails => ({
  ...deliveryOf(),
  recordIds: [],
  request: { url: 'https://hooks.example.com/cache', headers: { 'webhook-id': 'msg_1_12' }, body: '{"event":"record.created"}', rebuilt: false },
  reply: '数据库忙',
  ...change,
});
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

let app: Awaited<ReturnType<typeof renderApp>>;
let hooks: Webhook[];
let rows: WebhookDelivery[];
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/abcdefghijkl/table/admin?part=webhooks${search}`, {
    answers: {
      [`GET ${base}/tables`]: { data: [tableOf(), tableOf({ id: 't_authoraaaaaa', key: 'authors', title: '作者' })] },
      [`GET ${base}/hooks`]: () => ({ data: hooks }),
      [`GET ${one}/deliveries`]: () => ({ data: { rows, next: null } }),
      [`GET ${one}/deliveries/12`]: { data: wholeOf() },
      ...answers,
    },
  });
  return app.person;
}
const search = () => new URLSearchParams(app.router.state.location.search);
beforeEach(() => {
  hooks = [hookOf()];
  rows = [deliveryOf(), deliveryOf({ id: '11', state: 'sent', status: 200, error: null, records: 1 })];
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('the list shows address, state and the reason of deactivation', async () => {
  hooks = [
    hookOf(),
    hookOf({ id: '22222222-2222-4222-8222-222222222222', name: '同步', enabled: false, off: { reason: 'gone', at }, tables: null, latest: [] }),
  ];
  await open();
  const [first, second] = within(await screen.findByRole('list', { name: 'Webhook 列表' })).getAllByRole('listitem');
  expect(first).toHaveTextContent('刷新官网启用中');
  expect(first).toHaveTextContent('https://hooks.example.com/cache');
  expect(first).toHaveTextContent('文章 · 新建记录、发布');
  expect(first).toHaveTextContent('成功率 90.0%');
  expect(first).toHaveTextContent('2 条等待发送');
  expect(within(first as HTMLElement).getByRole('img', { name: '最近的发送，从新到旧：失败、已送达' })).toBeInTheDocument();
  expect(second).toHaveTextContent('已自动停用：接收地址返回 410');
  expect(second).toHaveTextContent('全部内容表');
  expect(await violationsOf(document.body)).toEqual([]);
});

test('a new webhook shows its secret once and stores it nowhere', async () => {
  hooks = [];
  const person = await open('', {
    [`POST ${base}/hooks`]: () => {
      hooks = [hookOf({ name: '新的' })];
      return { data: { hook: hooks[0], secret } };
    },
  });
  expect(await screen.findByText('还没有 Webhook')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '新建 Webhook' }));
  const sheet = await screen.findByRole('dialog', { name: '新建 Webhook' });
  await person.type(within(sheet).getByLabelText('名称'), '新的');
  await person.type(within(sheet).getByLabelText('接收地址'), 'hooks.example.com');
  await person.click(within(sheet).getByRole('button', { name: '新建' }));
  expect(await within(sheet).findByText(/请填写以 http/)).toBeInTheDocument();
  await person.clear(within(sheet).getByLabelText('接收地址'));
  await person.type(within(sheet).getByLabelText('接收地址'), 'https://hooks.example.com/cache');
  await person.click(within(sheet).getByRole('radio', { name: '指定内容表' }));
  await person.click(within(sheet).getByRole('button', { name: '新建' }));
  expect(await within(sheet).findByText('至少选择一张内容表')).toBeInTheDocument();
  await person.click(within(sheet).getByRole('checkbox', { name: '文章' }));
  await person.click(within(sheet).getByRole('button', { name: '新建' }));
  const secretDialog = await screen.findByRole('dialog', { name: '“新的”的签名密钥' });
  expect(app.server.calls(`POST ${base}/hooks`)[0]?.body).toEqual({
    name: '新的',
    url: 'https://hooks.example.com/cache',
    events: ['record.created', 'record.updated', 'record.deleted'],
    tables: ['t_articleaaaaa'],
    filter: null,
  });
  expect(within(secretDialog).getByLabelText('签名密钥')).toHaveTextContent(secret);
  await person.click(within(secretDialog).getByRole('button', { name: 'Python' }));
  expect(within(secretDialog).getByLabelText('Python 示例代码')).toHaveTextContent('hmac.compare_digest');
  expect(JSON.stringify(app.store.getState())).not.toContain(secret);
  await person.keyboard('{Escape}');
  expect(secretDialog).toBeInTheDocument();
  await person.click(within(secretDialog).getByRole('button', { name: '我已保存' }));
  expect(await screen.findByRole('heading', { name: '新的' })).toBeInTheDocument();
  expect(search().get('hook')).toBe(id);
});

test('an edit sends only changes and keeps the input after conflicts', async () => {
  const patch = `PATCH ${one}`;
  const person = await open(`&hook=${id}&edit=1`, {
    [patch]: { error: '有误', status: 422, code: 'invalid_fields', fields: { url: { code: 'reserved' } } },
  });
  const sheet = await screen.findByRole('dialog', { name: '编辑 Webhook' });
  const url = within(sheet).getByLabelText('接收地址');
  await person.clear(url);
  await person.type(url, 'http://10.0.0.1/x');
  expect(within(sheet).getByText(/这个地址没有加密/)).toBeInTheDocument();
  await person.click(within(sheet).getByRole('button', { name: '保存' }));
  expect(await within(sheet).findByText(/不能使用本机或内网地址/)).toBeInTheDocument();
  app.server.answer(patch, () => {
    hooks = [hookOf({ revision: 8, name: '别人改的' })];
    return { error: '已被修改', status: 409, code: 'stale_revision', current: hooks[0] };
  });
  await person.clear(url);
  await person.type(url, 'https://new.example.com/');
  await person.click(within(sheet).getByRole('button', { name: '保存' }));
  expect(await within(sheet).findByText(/刚被别人改过/)).toBeInTheDocument();
  expect(url).toHaveValue('https://new.example.com/');
  app.server.answer(patch, () => {
    hooks = [hookOf({ revision: 9, name: '别人改的', url: 'https://new.example.com/' })];
    return { data: hooks[0] };
  });
  await person.click(within(sheet).getByRole('button', { name: '保存' }));
  expect(await screen.findByText('已保存“别人改的”')).toBeInTheDocument();
  const last = app.server.calls(patch).at(-1);
  expect(last?.body).toEqual({ url: 'https://new.example.com/' });
  expect(last?.headers.get('if-match')).toBe('"8"');
});

test('the address filters the log, and failed deliveries can be repeated', async () => {
  const person = await open(`&hook=${id}`, {
    [`POST ${one}/deliveries/12/replay`]: { data: deliveryOf({ state: 'waiting' }) },
    [`POST ${one}/replay`]: { data: { count: 7 } },
  });
  const log = await screen.findByRole('list', { name: '发送记录列表' });
  const [failed, sent] = within(log).getAllByRole('listitem');
  expect(failed).toHaveTextContent('新建记录 · 3 条记录');
  expect(failed).toHaveTextContent('接收端返回 500');
  expect(sent).toHaveTextContent('已送达 · 200');
  await person.selectOptions(screen.getByRole('combobox', { name: '状态' }), 'failed');
  await waitFor(() => expect(app.server.calls(`GET ${one}/deliveries`).at(-1)?.search).toContain('state=failed'));
  expect(search().get('state')).toBe('failed');
  await person.click(within(await screen.findByRole('list', { name: '发送记录列表' })).getAllByRole('link')[0] as HTMLElement);
  const sheet = await screen.findByRole('dialog', { name: '发送详情' });
  expect(await within(sheet).findByText('数据库忙')).toBeInTheDocument();
  expect(within(sheet).getByLabelText('请求头')).toHaveTextContent('webhook-id: msg_1_12');
  expect(within(sheet).getByLabelText('正文')).toHaveTextContent('"event": "record.created"');
  expect(search().get('delivery')).toBe('12');
  expect(await violationsOf(document.body)).toEqual([]);
  await person.click(within(sheet).getByRole('button', { name: '重发' }));
  expect(await screen.findByText('已加入发送队列')).toBeInTheDocument();
  await person.click(within(sheet).getByRole('button', { name: '关闭' }));
  await person.click(screen.getByRole('button', { name: '重发失败的消息' }));
  const replayDialog = await screen.findByRole('dialog', { name: '重发失败的消息？' });
  await person.selectOptions(within(replayDialog).getByRole('combobox', { name: '变更时间从' }), 'week');
  await person.click(within(replayDialog).getByRole('button', { name: '重发' }));
  expect(await screen.findByText('7 条消息已加入发送队列')).toBeInTheDocument();
  const { since } = (app.server.calls(`POST ${one}/replay`)[0] ?? { body: {} }).body as { since: string };
  expect(Date.now() - Date.parse(since)).toBeGreaterThanOrEqual(7 * 86_400_000);
});

test('a test shows its result, and removing asks first and can be undone', async () => {
  rows = [];
  const person = await open(`&hook=${id}`, {
    [`POST ${one}/test`]: { data: wholeOf({ event: 'test', state: 'failed', status: null, error: 'timed_out', reply: null, records: 0 }) },
    [`PATCH ${one}`]: () => {
      hooks = [hookOf({ enabled: false, revision: 4 })];
      return { data: hooks[0] };
    },
    [`DELETE ${one}`]: () => {
      hooks = [];
      return { data: null };
    },
    [`POST ${one}/restore`]: () => {
      hooks = [hookOf({ enabled: false, revision: 4 })];
      return { data: hooks[0] };
    },
  });
  expect(await screen.findByText('还没有发送过消息')).toBeInTheDocument();
  await person.click(screen.getAllByRole('button', { name: '发送测试' })[0] as HTMLElement);
  expect(await screen.findByText('测试失败：10 秒内没有收到回复')).toBeInTheDocument();
  app.server.answer(`POST ${one}/test`, { data: wholeOf({ event: 'test', state: 'sent', status: 204, error: null, reply: '', ms: 35 }) });
  await person.click(screen.getAllByRole('button', { name: '发送测试' })[0] as HTMLElement);
  expect(await screen.findByText('测试成功：接收端返回 204，用时 35 毫秒')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '停用' }));
  expect(await screen.findByText('已停用“刷新官网”')).toBeInTheDocument();
  expect(app.server.calls(`PATCH ${one}`)[0]?.body).toEqual({ enabled: false });
  expect(await screen.findByRole('button', { name: '重发失败的消息' })).toBeDisabled();
  await person.click(screen.getByRole('button', { name: '删除' }));
  await person.click(within(await screen.findByRole('dialog', { name: '删除“刷新官网”？' })).getByRole('button', { name: '删除' }));
  expect(await screen.findByText('还没有 Webhook')).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: '撤销' }));
  await waitFor(() => expect(screen.queryByText('还没有 Webhook')).toBeNull());
});

test('a webhook with only test deliveries shows text, no chart', async () => {
  hooks = [
    hookOf({ latest: [{ id: '1', state: 'sent', event: 'test', at: '2026-11-20T08:00:00.000Z', status: 200 }], figures: { sent: 0, failed: 0, waiting: 0 } }),
  ];
  await open(`&hook=${id}`);
  expect(await screen.findByText('目前只做过测试发送')).toBeInTheDocument();
  expect(screen.queryByRole('img', { name: /最近/ })).toBeNull();
});

test('a leaked secret ends at once, and an unknown webhook is reported', async () => {
  const person = await open(`&hook=${id}`, { [`POST ${one}/rotate`]: { data: { hook: hookOf(), secret } } });
  await person.click(await screen.findByRole('button', { name: '更换密钥' }));
  const rotateDialog = await screen.findByRole('dialog', { name: '更换“刷新官网”的签名密钥？' });
  await person.click(within(rotateDialog).getByRole('checkbox', { name: '旧密钥可能已泄露，立即作废' }));
  await person.click(within(rotateDialog).getByRole('button', { name: '更换' }));
  expect(await screen.findByRole('dialog', { name: '“刷新官网”的签名密钥' })).toBeInTheDocument();
  expect(app.server.calls(`POST ${one}/rotate`)[0]?.body).toEqual({ keepOld: false });
  app.end();
  await open('&hook=33333333-3333-4333-8333-333333333333');
  expect(await screen.findByText('这个 Webhook 不存在，可能已被删除。')).toBeInTheDocument();
});
