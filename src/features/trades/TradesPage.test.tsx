import { screen, waitFor, within } from '@testing-library/react';
import { instanceActions, may } from '@contract/permissions';
import type { InstanceRole } from '@contract/permissions';
import type { OrderWhole } from '@contract/ledger';
import { checkAnswers } from '@/store/contractChecks';
import { faultsOf } from '../../../test/support/axe';
import { session, user } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { customer, invoice, order, payment, refund } from '../../../test/support/ledger';
import { renderApp } from '../../../test/support/renderApp';

const path = '/account/trades/account_trades';
const root = '/api/acc/trades';
const one = `${root}/orders/${order().id}`;

checkAnswers();
let app: Awaited<ReturnType<typeof renderApp>>;
const found = (...rows: OrderWhole[]) => ({
  rows,
  total: rows.length,
  sums:
    rows.length === 0
      ? []
      : [{ currency: 'CNY', total: rows.reduce((sum, row) => sum + row.total, 0), paid: rows.reduce((sum, row) => sum + row.paid, 0), refunded: 0 }],
});
const as = (role: InstanceRole) =>
  ({ 'GET /api/acc/token/session': { data: session({ role, can: instanceActions.filter((action) => may(role, action)) }) } }) satisfies Record<string, Answer>;

async function open(search = '', answers: Record<string, Answer> = {}, heading = '订单与发票') {
  app = await renderApp(path + search, {
    answers: {
      [`GET ${root}/orders`]: { data: found(order()) },
      [`GET ${root}/renewals`]: { data: [] },
      [`GET ${root}/titles`]: { data: [] },
      [`GET ${root}/invoices`]: { data: { rows: [], total: 0 } },
      [`GET ${root}/customers`]: { data: { people: [customer, { id: user().id, name: '陈晓' }], sites: [{ id: 'abcdefghijkl', name: 'Tea House' }] } },
      [`GET ${one}`]: { data: order() },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: heading, hidden: true });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});
const drawer = (name: string) => screen.findByRole('dialog', { name });
const press = async (within_: HTMLElement, name: string | RegExp) => app.person.click(await within(within_).findByRole('button', { name }));
const rewrite = async (box: HTMLElement, text: string) => {
  await app.person.clear(box);
  if (text !== '') await app.person.type(box, text);
};
const field = (dialog: HTMLElement, name: string | RegExp) => within(dialog).findByRole('textbox', { name });
const lastQuery = (key: string) => new URLSearchParams(app.server.calls(key).at(-1)?.search ?? '');

/** An order that moves as the server's would. */
function ledger(start: OrderWhole) {
  let now = start;
  const step = (change: Partial<OrderWhole>): Answer => {
    now = { ...now, ...change, revision: now.revision + 1 };
    return { data: now };
  };
  return {
    [`GET ${one}`]: () => ({ data: now }),
    [`GET ${root}/orders`]: () => ({ data: found(now) }),
    [`POST ${one}/state`]: async (request: Request) => step({ state: ((await request.json()) as { to: 'pending' }).to }),
    [`POST ${one}/payments`]: () => step({ payments: [payment()] }),
    [`POST ${root}/payments/${payment().id}/state`]: () => step({ payments: [payment({ state: 'confirmed' })], paid: now.total, state: 'paid' }),
    [`POST ${root}/payments/${payment().id}/refunds`]: () => step({ refunds: [refund()], state: 'refunding' }),
    [`POST ${root}/refunds/${refund().id}/state`]: async (request: Request) => {
      const { to } = (await request.json()) as { to: 'approved' | 'done' };
      return step({ refunds: [refund({ state: to })], ...(to === 'done' && { state: 'partly_refunded', refunded: refund().amount }) });
    },
    [`POST ${root}/invoices`]: () => {
      now = { ...now, invoices: [invoice()], invoiced: now.total };
      return { data: invoice() };
    },
    [`POST ${root}/invoices/${invoice().id}/state`]: () => {
      const issued = invoice({ state: 'issued', number: '25322000000012345678', issuedAt: '2026-11-22T02:00:00.000Z', revision: 2 });
      now = { ...now, invoices: [issued] };
      return { data: issued };
    },
  } satisfies Record<string, Answer>;
}

test('the list: sums, filters in the address and in the question, files of what is shown', async () => {
  await open();
  expect(screen.getByText('本系统不直接收款；付款状态由管理员登记。')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'T20261120-0001' })).toBeVisible();
  expect(within(screen.getByRole('list', { name: '合计' })).getByText('总额 ¥3,047.00，已付 ¥0.00')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '退款', pressed: false }));
  await waitFor(() => expect(lastQuery(`GET ${root}/orders`).getAll('state')).toEqual(['refunding', 'refunded', 'partly_refunded']));
  await app.person.selectOptions(screen.getByRole('combobox', { name: '客户' }), '海港茶业');
  await app.person.selectOptions(screen.getByRole('combobox', { name: '创建日期' }), '今年');
  await app.person.type(screen.getByRole('searchbox', { name: '搜索订单' }), '官网');
  await waitFor(() => expect(lastQuery(`GET ${root}/orders`).get('q')).toBe('官网'));
  const asked = lastQuery(`GET ${root}/orders`);
  expect(asked.get('customerId')).toBe(customer.id);
  expect(asked.get('from')).toMatch(/^\d{4}-01-01$/);
  const file = new URL(screen.getByRole('link', { name: '导出 CSV' }).getAttribute('href') ?? '', location.origin);
  expect([file.pathname, file.searchParams.get('q'), file.searchParams.get('format')]).toEqual([`${root}/orders/export`, '官网', 'csv']);
  expect(new URLSearchParams(app.router.state.location.search).get('state')).toBe('refunds');
  await app.person.click(screen.getByRole('button', { name: '总额' }));
  await waitFor(() => expect(lastQuery(`GET ${root}/orders`).get('sort')).toBe('-total'));
});

test('nothing yet, nothing found, nothing answered: each says so and leads on', async () => {
  await open('', { [`GET ${root}/orders`]: { data: found() } });
  expect(await screen.findByText('还没有订单')).toBeVisible();
  app.end();
  await open('?state=closed', { [`GET ${root}/orders`]: { data: found() } });
  expect(await screen.findByText('没有符合条件的订单')).toBeVisible();
  app.server.answer(`GET ${root}/orders`, { data: found(order()) });
  await app.person.click(screen.getByRole('button', { name: '清除筛选' }));
  expect(await screen.findByRole('button', { name: 'T20261120-0001' })).toBeVisible();
  app.end();
  await open('', { [`GET ${root}/orders`]: { error: 'Broken', status: 500, code: 'internal', requestId: 'req-7' } });
  expect(await screen.findByText('Broken')).toBeVisible();
  app.server.answer(`GET ${root}/orders`, { data: found(order()) });
  await app.person.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('button', { name: 'T20261120-0001' })).toBeVisible();
});

test('an order is written: live totals, faults at their fields, then it is sent as whole minor units', async () => {
  await open('', { [`POST ${root}/orders`]: { data: order() } });
  await app.person.click(await screen.findByRole('link', { name: '新建订单' }));
  const dialog = await drawer('新建订单');
  const submit = () => press(dialog, '保存草稿');
  await submit();
  await waitFor(async () => expect(await field(dialog, '标题')).toHaveAccessibleDescription('必填'));
  expect(await field(dialog, '标题')).toHaveFocus();
  expect(await field(dialog, '第 1 行 单价')).toHaveAccessibleDescription('必填');
  await app.person.type(await field(dialog, '标题'), '官网改版');
  const who = within(dialog).getByRole('combobox', { name: '客户' });
  await app.person.type(who, '海港');
  await app.person.click(await screen.findByRole('option', { name: '海港茶业' }));
  await app.person.type(await field(dialog, '第 1 行 名称'), '官网设计');
  await rewrite(await field(dialog, '第 1 行 数量'), '２．５');
  await rewrite(await field(dialog, '第 1 行 单价'), '1200');
  await rewrite(await field(dialog, '第 1 行 折扣'), '200');
  await rewrite(await field(dialog, '第 1 行 税率 %'), '6');
  // Enter goes on to a new line, with the tax rate of the one before.
  await app.person.keyboard('{Enter}');
  await app.person.type(await field(dialog, '第 2 行 名称'), '域名');
  expect(await field(dialog, '第 2 行 税率 %')).toHaveValue('6');
  await rewrite(await field(dialog, '第 2 行 税率 %'), '0');
  await rewrite(await field(dialog, '第 2 行 单价'), '79.00');
  expect(await field(dialog, '第 1 行 单价')).toHaveValue('1,200.00');
  expect(within(dialog).getByText('¥3,047.00')).toBeVisible();
  await rewrite(await field(dialog, '第 2 行 折扣'), '80');
  await submit();
  await waitFor(async () => expect(await field(dialog, '第 2 行 折扣')).toHaveAccessibleDescription('不能超过金额'));
  await rewrite(await field(dialog, '第 2 行 折扣'), '');
  await submit();
  await waitFor(() => expect(app.router.state.location.search).toBe(`?order=${order().id}`));
  expect(app.server.calls(`POST ${root}/orders`)[0]?.body).toMatchObject({
    customerId: customer.id,
    siteId: null,
    title: '官网改版',
    currency: 'CNY',
    period: null,
    items: [
      { name: '官网设计', quantity: '2.5', unitPrice: 120_000, discount: 20_000, taxRate: 600 },
      { name: '域名', quantity: '1', unitPrice: 7_900, discount: 0, taxRate: 0 },
    ],
  });
  expect(await screen.findByRole('dialog', { name: '订单详情' })).toBeVisible();
});

test('lines move with Alt and an arrow; a removed one comes back', async () => {
  await open(`?order=${order().id}&edit=1`);
  const dialog = await drawer('编辑草稿');
  const name = await field(dialog, '第 2 行 名称');
  await app.person.click(name);
  await app.person.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(async () => expect(await field(dialog, '第 1 行 名称')).toHaveValue('域名 tea.example'));
  await waitFor(async () => expect(await field(dialog, '第 1 行 名称')).toHaveFocus());
  await press(dialog, '删除第 1 行');
  await waitFor(async () => expect(await field(dialog, '第 1 行 名称')).toHaveValue('官网设计'));
  expect(within(dialog).queryByRole('textbox', { name: '第 2 行 名称' })).toBeNull();
  await press(dialog, '撤销');
  expect(await field(dialog, '第 1 行 名称')).toHaveValue('域名 tea.example');
  expect(await field(dialog, '第 2 行 名称')).toHaveValue('官网设计');
});

test('what was typed into an order survives a refusal, a reload, and is let go only when asked', async () => {
  const refused: Answer = {
    error: 'no',
    status: 422,
    code: 'invalid_fields',
    fields: { customerId: { code: 'unknown' }, 'items.1.unitPrice': { code: 'out_of_range' } },
  };
  await open(`?order=${order().id}&edit=1`, { [`PUT ${one}`]: refused });
  let dialog = await drawer('编辑草稿');
  await rewrite(await field(dialog, '标题'), '官网改版二期');
  await press(dialog, '保存草稿');
  await waitFor(() => expect(within(dialog).getByRole('combobox', { name: '客户' })).toHaveAccessibleDescription('已不存在，请重新选择'));
  expect(await field(dialog, '第 2 行 单价')).toHaveAccessibleDescription('超出范围');
  expect(await field(dialog, '标题')).toHaveValue('官网改版二期');
  app.end();
  await open(`?order=${order().id}&edit=1`);
  dialog = await drawer('编辑草稿');
  await waitFor(async () => expect(await field(dialog, '标题')).toHaveValue('官网改版二期'));
  expect(within(dialog).getByText('已恢复上次没有保存的内容。')).toBeVisible();
  await press(dialog, '关闭');
  await app.person.click(within(await drawer('放弃填写的内容？')).getByRole('button', { name: '继续填写' }));
  expect(await field(dialog, '标题')).toHaveValue('官网改版二期');
  await press(dialog, '取消');
  await app.person.click(within(await drawer('放弃填写的内容？')).getByRole('button', { name: '放弃' }));
  await drawer('订单详情');
  await press(await drawer('订单详情'), '编辑');
  expect(await field(await drawer('编辑草稿'), '标题')).toHaveValue('官网改版');
});

test('two people at one draft: what only they changed is kept, what both changed is shown side by side', async () => {
  const theirs = order({ title: '官网改版（三期）', note: '本周交付', revision: 5 });
  let refusals = 1;
  await open(`?order=${order().id}&edit=1`, {
    [`PUT ${one}`]: () => (refusals-- > 0 ? { error: 'stale', status: 409, code: 'stale_revision', current: theirs } : { data: order({ revision: 6 }) }),
  });
  const dialog = await drawer('编辑草稿');
  await rewrite(await field(dialog, '标题'), '官网改版二期');
  await press(dialog, '保存草稿');
  expect(await within(dialog).findByRole('row', { name: '标题 官网改版二期 官网改版（三期）' })).toBeVisible();
  await press(dialog, '用我填写的覆盖');
  await waitFor(() => expect(app.server.calls(`PUT ${one}`)).toHaveLength(2));
  expect(app.server.calls(`PUT ${one}`)[1]?.headers.get('if-match')).toBe('"5"');
  expect(app.server.calls(`PUT ${one}`)[1]?.body).toMatchObject({ title: '官网改版二期', note: '本周交付' });
});

test('from draft to invoice: one step leads to the next', async () => {
  await open(`?order=${order().id}`, ledger(order()));
  const dialog = await drawer('订单详情');
  const stands = (text: string) => within(dialog).findByText(text);
  expect(await stands('草稿，客户还看不到。发送后客户就能看到，明细不能再改。')).toBeVisible();
  await press(dialog, '发送给客户，等待付款');
  await app.person.click(within(await drawer('发送 ¥3,047.00 的订单？')).getByRole('button', { name: '发送给客户，等待付款' }));
  expect(await stands('等待付款，还差 ¥3,047.00。')).toBeVisible();
  expect(app.server.calls(`POST ${one}/state`)[0]?.headers.get('if-match')).toBe('"1"');

  await press(dialog, '登记付款');
  const pay = await drawer('登记付款');
  const amount = await field(pay, '金额');
  expect(amount).toHaveValue('3,047.00');
  await rewrite(amount, '3,147');
  expect(await within(pay).findByText('⚠ 比应付多 ¥100.00，多出的部分记为余额')).toBeVisible();
  await rewrite(amount, '3，047');
  const receipt = new File(['%PDF-1.7 receipt'], '回单.pdf', { type: 'application/pdf' });
  await app.person.upload(within(pay).getByLabelText(/付款凭证/), receipt);
  await press(pay, '登记');
  expect(await stands('有一笔 ¥3,047.00 的付款等待确认。')).toBeVisible();
  expect(app.server.calls(`POST ${one}/payments`)[0]?.body).toMatchObject({
    method: 'bank',
    amount: 304_700,
    receipt: { name: '回单.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7 receipt').toString('base64') },
  });

  await press(dialog, '确认到账 ¥3,047.00');
  await app.person.click(within(await drawer('确认收到 ¥3,047.00？')).getByRole('button', { name: '确认到账 ¥3,047.00' }));
  expect(await stands('款项已付清，交付后标记为已完成。')).toBeVisible();

  await press(dialog, '申请发票');
  const ask = await drawer('申请发票');
  await app.person.click(within(ask).getByRole('radio', { name: '专用发票' }));
  await app.person.type(await field(ask, '企业名称'), '海港茶业有限公司');
  const tax = await field(ask, '税号');
  await app.person.type(tax, '91350211m000100y45');
  expect(await within(ask).findByText('校验位不对，请核对这 18 位统一社会信用代码')).toBeVisible();
  await app.person.type(tax, '{Backspace}6');
  expect(await within(ask).findByText('✓ 税号格式正确')).toBeVisible();
  await press(ask, '提交申请');
  await waitFor(async () => expect(await field(ask, '注册地址')).toHaveAccessibleDescription('必填'));
  await app.person.click(within(ask).getByRole('radio', { name: '普通发票' }));
  await press(ask, '提交申请');
  await waitFor(() => expect(within(dialog).getByText('待开票')).toBeVisible());
  expect(app.server.calls(`POST ${root}/invoices`)[0]?.body).toMatchObject({
    type: 'normal',
    title: '海港茶业有限公司',
    taxNumber: '91350211M000100Y46',
    orders: [{ orderId: order().id, amount: 304_700 }],
  });

  await press(dialog, '登记已开具');
  const issue = await drawer('登记已开具的发票');
  await press(issue, '登记已开具');
  await waitFor(async () => expect(await field(issue, '发票号码')).toHaveAccessibleDescription('必填'));
  await app.person.type(await field(issue, '发票号码'), '2532 2000 0000 1234 5678');
  await app.person.upload(within(issue).getByLabelText(/发票文件/), new File(['PK'], '发票.ofd'));
  await press(issue, '登记已开具');
  expect(await within(dialog).findByText('发票号码 25322000000012345678')).toBeVisible();
  expect(app.server.calls(`POST ${root}/invoices/${invoice().id}/state`)[0]?.body).toMatchObject({
    to: 'issued',
    number: '25322000000012345678',
    file: { name: '发票.ofd', type: 'application/ofd' },
  });
});

test('a refund: no more than was paid, a reason, approved and recorded; an invoice in the way is named', async () => {
  const paid = order({
    state: 'paid',
    paid: order().total,
    invoiced: order().total,
    payments: [payment({ state: 'confirmed' })],
    invoices: [invoice({ state: 'issued', number: '1' })],
  });
  await open(`?order=${order().id}`, ledger(paid));
  const dialog = await drawer('订单详情');
  await app.person.click((await within(dialog).findAllByRole('button', { name: '申请退款' }))[0] as HTMLElement);
  const ask = await drawer('申请退款');
  await rewrite(await field(ask, '退款金额'), '9999');
  await press(ask, '提交申请');
  await waitFor(async () => expect(await field(ask, '退款金额')).toHaveAccessibleDescription('填写大于 0、不超过 ¥3,047.00 的金额'));
  expect(await field(ask, '退款原因')).toHaveAccessibleDescription('必填');
  await rewrite(await field(ask, '退款金额'), '1000');
  await app.person.type(await field(ask, '退款原因'), '少做一页');
  await press(ask, '提交申请');
  await press(dialog, '批准退款 ¥1,000.00');
  await app.person.click(within(await drawer('批准退款 ¥1,000.00？')).getByRole('button', { name: '批准退款 ¥1,000.00' }));
  expect(await within(dialog).findByText(/请先红冲发票再登记退款/)).toBeVisible();
  expect(app.server.calls(`POST ${root}/payments/${payment().id}/refunds`)[0]?.body).toEqual({ amount: 100_000, reason: '少做一页' });
});

test('an act that is refused says why and shows the present order', async () => {
  let fetched = 0;
  await open(`?order=${order().id}`, {
    [`GET ${one}`]: () => ({ data: fetched++ === 0 ? order() : order({ state: 'pending', revision: 2 }) }),
    [`POST ${one}/state`]: { error: '刚被改过', status: 409, code: 'stale_revision', requestId: 'req-9' },
  });
  const dialog = await drawer('订单详情');
  await press(dialog, '发送给客户，等待付款');
  await app.person.click(within(await drawer('发送 ¥3,047.00 的订单？')).getByRole('button', { name: '发送给客户，等待付款' }));
  expect(await screen.findByText('刚被改过')).toBeVisible();
  expect(await within(dialog).findByRole('button', { name: '登记付款' })).toBeVisible();
});

test('a draft is deleted after a question', async () => {
  await open(`?order=${order().id}`, { [`DELETE ${one}`]: { data: null } });
  await press(await drawer('订单详情'), '删除草稿');
  await app.person.click(within(await drawer('删除这份草稿？')).getByRole('button', { name: '删除草稿' }));
  await waitFor(() => expect(app.router.state.location.search).toBe(''));
  expect(app.server.calls(`DELETE ${one}`)).toHaveLength(1);
});

test('files that cannot be used are refused before they are sent, and a payment typed stays after a failure', async () => {
  await open(`?order=${order().id}`, { [`GET ${one}`]: { data: order({ state: 'pending' }) }, [`POST ${one}/payments`]: { network: true } });
  await press(await drawer('订单详情'), '登记付款');
  const pay = await drawer('登记付款');
  const file = within(pay).getByLabelText(/付款凭证/);
  app.person = app.person.setup({ applyAccept: false });
  await app.person.upload(file, new File(['MZ'], 'virus.exe'));
  expect(await within(pay).findByText('“virus.exe”的格式不能用，请选择 PDF、PNG、JPG 文件')).toBeVisible();
  await app.person.upload(file, new File([new Uint8Array(2 * 1024 * 1024 + 1)], 'huge.png'));
  expect(await within(pay).findByText('“huge.png”有 2 MB，超过了 2 MB')).toBeVisible();
  await rewrite(await field(pay, '金额'), '12,50');
  await press(pay, '登记');
  await waitFor(async () => expect(await field(pay, '金额')).toHaveAccessibleDescription('金额格式不对，例如 1,234.50'));
  await rewrite(await field(pay, '金额'), '1250');
  await app.person.type(await field(pay, /流水号/), 'B-9');
  await press(pay, '登记');
  expect(await within(pay).findByText('没有完成')).toBeVisible();
  // Closed by a press beside it: it is all there when the dialog opens again.
  await app.person.keyboard('{Escape}');
  await press(await drawer('订单详情'), '登记付款');
  await waitFor(async () => expect(await field(await drawer('登记付款'), '金额')).toHaveValue('1,250.00'));
  expect(await field(await drawer('登记付款'), /流水号/)).toHaveValue('B-9');
});

test('a member reads their own orders, reports a payment, and is offered nothing else', async () => {
  const mine = order({ customer: { id: user().id, name: '陈晓' }, state: 'pending', memo: null });
  await open('', { ...as('member'), ...ledger(mine) });
  await app.person.click(await screen.findByRole('button', { name: 'T20261120-0001' }));
  expect(screen.queryByRole('link', { name: '新建订单' })).toBeNull();
  const dialog = await drawer('订单详情');
  expect(await within(dialog).findByText(/转账后上传付款凭证/)).toBeVisible();
  for (const name of ['取消订单', '修改备注', '登记付款', '编辑']) expect(within(dialog).queryByRole('button', { name })).toBeNull();
  await press(dialog, '上传付款凭证');
  await press(await drawer('上传付款凭证'), '提交');
  expect(await within(dialog).findByText('有一笔 ¥3,047.00 的付款等待确认。')).toBeVisible();
  expect(within(dialog).queryByRole('button', { name: '确认到账' })).toBeNull();
  expect(app.server.calls(`GET ${root}/customers`)).toHaveLength(0);
});

test('a manager reads everything and writes nothing', async () => {
  await open(`?order=${order().id}`, {
    ...as('manager'),
    ...ledger(order({ state: 'paid', paid: order().total, payments: [payment({ state: 'confirmed' })] })),
  });
  const dialog = await drawer('订单详情');
  await within(dialog).findByText('款项已付清，交付后标记为已完成。');
  expect(
    within(dialog)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent),
  ).toEqual(['关闭']);
});

test('what runs out soon can be renewed in one press', async () => {
  const row = { orderId: order().id, number: order().number, title: '证书', customer, site: null, endsOn: '2026-12-01', days: 10, renewalOrderId: null };
  const next = order({ id: '5f6a7b80-1111-4222-8333-944455566699', number: 'T20261121-0001' });
  await open('', { [`GET ${root}/renewals`]: { data: [row] }, [`POST ${one}/renew`]: { data: next }, [`GET ${root}/orders/${next.id}`]: { data: next } });
  expect(await screen.findByText('还有 10 天')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '起草续费订单：证书' }));
  await waitFor(() => expect(app.router.state.location.search).toBe(`?order=${next.id}`));
});

test('invoices of several orders: chosen, changed, in one currency', async () => {
  const paid = { state: 'paid' as const, paid: order().total };
  const second = order({ ...paid, id: '5f6a7b80-1111-4222-8333-944455566688', number: 'T20261120-0002', title: '证书' });
  const third = order({ ...paid, id: '5f6a7b80-1111-4222-8333-944455566677', number: 'T20261120-0003', title: 'Hosting', currency: 'USD' });
  await open('?tab=invoices', { [`GET ${root}/orders`]: { data: found(order(paid), second, third) }, [`POST ${root}/invoices`]: { data: invoice() } });
  await app.person.click(await screen.findByRole('button', { name: '申请发票' }));
  const ask = await drawer('申请发票');
  await app.person.selectOptions(within(ask).getByRole('combobox', { name: '客户' }), '海港茶业');
  const boxes = await within(ask).findAllByRole('checkbox', { name: /T2026/ });
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, false]);
  await app.person.click(boxes[2] as HTMLElement);
  await app.person.click(within(ask).getByRole('button', { name: '个人' }));
  await app.person.type(await field(ask, '姓名'), '林小满');
  await press(ask, '提交申请');
  expect(await within(ask).findByText('一张发票只能用一种币种')).toBeVisible();
  await app.person.click(boxes[2] as HTMLElement);
  await rewrite(await field(ask, 'T20261120-0002 的开票金额'), '5000');
  await press(ask, '提交申请');
  expect(await within(ask).findByText('最多可开 ¥3,047.00')).toBeVisible();
  await rewrite(await field(ask, 'T20261120-0002 的开票金额'), '1000');
  await press(ask, '提交申请');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(app.server.calls(`POST ${root}/invoices`)[0]?.body).toMatchObject({
    titleType: 'person',
    taxNumber: null,
    orders: [
      { orderId: order().id, amount: 304_700 },
      { orderId: second.id, amount: 100_000 },
    ],
  });
});

test('titles: kept, refused twice, forgotten after a question', async () => {
  const title = {
    id: '5f6a7b80-1111-4222-8333-944455566605',
    titleType: 'company' as const,
    title: '海港茶业有限公司',
    taxNumber: '91350211M000100Y46',
    address: '',
    phone: '',
    bank: '',
    account: '',
    email: null,
  };
  await open('?tab=titles', {
    [`POST ${root}/titles`]: { error: 'conflict', status: 409, code: 'conflict' },
    [`DELETE ${root}/titles/${title.id}`]: { data: null },
  });
  await app.person.click(await screen.findByRole('button', { name: '添加抬头' }));
  const dialog = await drawer('添加抬头');
  await app.person.type(await field(dialog, '企业名称'), title.title);
  await press(dialog, '保存');
  await waitFor(async () => expect(await field(dialog, '税号')).toHaveAccessibleDescription('必填'));
  await app.person.type(await field(dialog, '税号'), title.taxNumber);
  await press(dialog, '保存');
  expect(await within(dialog).findByText('已经有相同的抬头，或者抬头已满 50 个。')).toBeVisible();
  app.server.answer(`POST ${root}/titles`, { data: title });
  app.server.answer(`GET ${root}/titles`, { data: [title] });
  await press(dialog, '保存');
  await app.person.click(await screen.findByRole('button', { name: '删除抬头：海港茶业有限公司' }));
  app.server.answer(`GET ${root}/titles`, { data: [] });
  await app.person.click(within(await drawer('删除抬头“海港茶业有限公司”？')).getByRole('button', { name: '删除' }));
  expect(await screen.findByText('还没有发票抬头')).toBeVisible();
});

test('a statement: of a chosen customer and month, with its files', async () => {
  const statement = {
    customer,
    currency: 'CNY',
    from: '2026-11-01',
    to: '2026-11-30',
    opening: 0,
    charges: 304_700,
    payments: 200_000,
    refunds: 0,
    closing: 104_700,
    lines: [
      { at: '2026-11-20T08:00:00.000Z', kind: 'charge', number: order().number, title: '官网改版', amount: 304_700, balance: 304_700 },
      { at: '2026-11-21T08:00:00.000Z', kind: 'payment', number: order().number, title: '官网改版', amount: -200_000, balance: 104_700 },
    ],
  };
  await open('?tab=statement&from=2026-11-01&to=2026-11-30', { [`GET ${root}/statement`]: { data: statement } });
  expect(await screen.findByText('选好客户和日期，就能看到期初、往来和期末余额。')).toBeVisible();
  await app.person.selectOptions(screen.getByRole('combobox', { name: '客户' }), '海港茶业');
  expect(await screen.findByRole('row', { name: '2026-11-21 收款 T20261120-0001 官网改版 -¥2,000.00 ¥1,047.00' })).toBeVisible();
  const pdf = new URL(screen.getByRole('link', { name: '下载 PDF' }).getAttribute('href') ?? '', location.origin);
  expect(Object.fromEntries(pdf.searchParams)).toEqual({ customerId: customer.id, currency: 'CNY', from: '2026-11-01', to: '2026-11-30', format: 'pdf' });
  await app.person.click(screen.getByRole('button', { name: '上一时段' }));
  await waitFor(() => expect(lastQuery(`GET ${root}/statement`).get('to')).toBe('2026-10-31'));
});

test('nothing for axe to find, in the list, the order, its form and its dialogs', async () => {
  await open('', ledger(order({ state: 'pending', payments: [payment({ sameReference: true })] })));
  await screen.findByRole('button', { name: 'T20261120-0001' });
  expect(await faultsOf(screen.getByRole('main'))).toEqual([]);
  await app.person.click(screen.getByRole('button', { name: 'T20261120-0001' }));
  const dialog = await drawer('订单详情');
  await within(dialog).findByText(/等待确认。/);
  expect(await faultsOf(dialog)).toEqual([]);
  await app.person.click(within(dialog).getByRole('button', { name: '登记付款' }));
  expect(await faultsOf(await drawer('登记付款'))).toEqual([]);
  app.end();
  await open(`?order=${order().id}&edit=1`);
  const form = await drawer('编辑草稿');
  await field(form, '标题');
  expect(await faultsOf(form)).toEqual([]);
});
