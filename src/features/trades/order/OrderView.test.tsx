import { screen, waitFor, within } from '@testing-library/react';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import { renderIn } from '../../../../test/support/renderApp';
import { user } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { invoice, order, payment } from '../../../../test/support/ledger';
import { as, drawer, field, found, ledger, one, openTrades, rewrite, root } from '../../../../test/support/tradesScreen';

renderIn('zh-CN');

checkResponses();
let app: Awaited<ReturnType<typeof openTrades>>;
const open = async (search = '', answers: Record<string, Answer> = {}) => {
  app = await openTrades(search, answers);
};
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});
const press = async (inside: HTMLElement, name: string) => app.person.click(await within(inside).findByRole('button', { name }));

test('an order advances step by step from draft to invoice', async () => {
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
  rewrite(amount, '3,147');
  expect(await within(pay).findByText('⚠ 比应付多 ¥100.00，多出的部分记为余额')).toBeVisible();
  rewrite(amount, '3，047');
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
  rewrite(await field(ask, '企业名称'), '海港茶业有限公司');
  const tax = await field(ask, '税号');
  await app.person.type(tax, '91350211m000100y45');
  expect(await within(ask).findByText('校验位不对，请核对这 18 位统一社会信用代码')).toBeVisible();
  await app.person.type(tax, '{Backspace}6');
  expect(await within(ask).findByText('✓ 税号格式正确')).toBeVisible();
  await press(ask, '提交申请');
  await waitFor(() => expect(within(ask).getByLabelText('注册地址')).toHaveAccessibleDescription(expect.stringContaining('必填')));
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
  await waitFor(() => expect(within(issue).getByLabelText('发票号码')).toHaveAccessibleDescription(expect.stringContaining('必填')));
  rewrite(await field(issue, '发票号码'), '2532 2000 0000 1234 5678');
  await app.person.upload(within(issue).getByLabelText(/发票文件/), new File(['PK'], '发票.ofd'));
  await press(issue, '登记已开具');
  expect(await within(dialog).findByText('发票号码 25322000000012345678')).toBeVisible();
  expect(app.server.calls(`POST ${root}/invoices/${invoice().id}/state`)[0]?.body).toMatchObject({
    to: 'issued',
    number: '25322000000012345678',
    file: { name: '发票.ofd', type: 'application/ofd' },
  });
});

test('a refund is limited to the payment and needs a reason', async () => {
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
  rewrite(await field(ask, '退款金额'), '9999');
  await press(ask, '提交申请');
  await waitFor(() =>
    expect(within(ask).getByLabelText('退款金额')).toHaveAccessibleDescription(expect.stringContaining('填写大于 0、不超过 ¥3,047.00 的金额')),
  );
  expect(await field(ask, '退款原因')).toHaveAccessibleDescription(expect.stringContaining('必填'));
  rewrite(await field(ask, '退款金额'), '1000');
  rewrite(await field(ask, '退款原因'), '少做一页');
  await press(ask, '提交申请');
  await press(dialog, '批准退款 ¥1,000.00');
  await app.person.click(within(await drawer('批准退款 ¥1,000.00？')).getByRole('button', { name: '批准退款 ¥1,000.00' }));
  expect(await within(dialog).findByText(/请先红冲发票再登记退款/)).toBeVisible();
  expect(app.server.calls(`POST ${root}/payments/${payment().id}/refunds`)[0]?.body).toEqual({ amount: 100_000, reason: '少做一页' });
});

test('a refused action shows the reason and the current order', async () => {
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

test('a draft is deleted after confirmation, which can be undone', async () => {
  await open(`?order=${order().id}`, { [`DELETE ${one}`]: { data: null }, [`POST ${one}/restore`]: { data: order() } });
  await press(await drawer('订单详情'), '删除草稿');
  await app.person.click(within(await drawer('删除这份草稿？')).getByRole('button', { name: '删除草稿' }));
  await waitFor(() => expect(app.router.state.location.search).toBe(''));
  expect(app.server.calls(`DELETE ${one}`)).toHaveLength(1);
  await app.person.click(await screen.findByRole('button', { name: '撤销' }));
  await waitFor(() => expect(app.server.calls(`POST ${one}/restore`)).toHaveLength(1));
});

test('invalid files are refused, and a failed payment keeps its input', async () => {
  await open(`?order=${order().id}`, { [`GET ${one}`]: { data: order({ state: 'pending' }) }, [`POST ${one}/payments`]: { network: true } });
  await press(await drawer('订单详情'), '登记付款');
  const pay = await drawer('登记付款');
  const file = within(pay).getByLabelText(/付款凭证/);
  app.person = app.person.setup({ applyAccept: false });
  await app.person.upload(file, new File(['MZ'], 'virus.exe'));
  expect(await within(pay).findByText('“virus.exe”的格式不能用，请选择 PDF、PNG、JPG 文件')).toBeVisible();
  await app.person.upload(file, new File([new Uint8Array(2 * 1024 * 1024 + 1)], 'huge.png'));
  expect(await within(pay).findByText('“huge.png”有 2 MB，超过了 2 MB')).toBeVisible();
  rewrite(await field(pay, '金额'), '12,50');
  await press(pay, '登记');
  await waitFor(() => expect(within(pay).getByLabelText('金额')).toHaveAccessibleDescription(expect.stringContaining('金额格式不对，例如 1,234.50')));
  rewrite(await field(pay, '金额'), '1250');
  rewrite(await field(pay, /流水号/), 'B-9');
  await press(pay, '登记');
  expect(await within(pay).findByText('没有完成')).toBeVisible();
  // A press outside closes the dialog; its input is still there when it opens again.
  await app.person.keyboard('{Escape}');
  await press(await drawer('订单详情'), '登记付款');
  await waitFor(async () => expect(await field(await drawer('登记付款'), '金额')).toHaveValue('1,250.00'));
  expect(await field(await drawer('登记付款'), /流水号/)).toHaveValue('B-9');
});

test('a refused receipt is marked until another is chosen', async () => {
  await open(`?order=${order().id}`, {
    [`GET ${one}`]: { data: order({ state: 'pending' }) },
    [`POST ${one}/payments`]: { error: '文件不对', status: 422, code: 'invalid_fields', fields: { receipt: { code: 'pattern' } } },
  });
  await press(await drawer('订单详情'), '登记付款');
  const pay = await drawer('登记付款');
  const file = within(pay).getByLabelText(/付款凭证/);
  await app.person.upload(file, new File(['MZ'], '回单.pdf', { type: 'application/pdf' }));
  await press(pay, '登记');
  expect(await within(pay).findByText(/内容和格式不符/)).toBeVisible();
  expect(within(pay).queryByText('没有完成')).toBeNull();
  await app.person.upload(file, new File(['%PDF-1.7'], '回单.pdf', { type: 'application/pdf' }));
  await waitFor(() => expect(within(pay).queryByText(/内容和格式不符/)).toBeNull());
});

test('a member sees their own orders and can only report payments', async () => {
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

test('an invoice covers several orders in one currency', async () => {
  const paid = { state: 'paid' as const, paid: order().total };
  const second = order({ ...paid, id: '5f6a7b80-1111-4222-8333-944455566688', number: 'T20261120-0002', title: '证书' });
  const third = order({ ...paid, id: '5f6a7b80-1111-4222-8333-944455566677', number: 'T20261120-0003', title: 'Hosting', currency: 'USD' });
  await open('?tab=invoices', { [`GET ${root}/orders`]: { data: found(order(paid), second, third) }, [`POST ${root}/invoices`]: { data: invoice() } });
  await app.person.click(await screen.findByRole('link', { name: '申请发票' }));
  const ask = await drawer('申请发票');
  await app.person.selectOptions(within(ask).getByRole('combobox', { name: '客户' }), '海港茶业');
  const boxes = await within(ask).findAllByRole('checkbox', { name: /T2026/ });
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, false]);
  await app.person.click(boxes[2] as HTMLElement);
  await app.person.click(within(ask).getByRole('button', { name: '个人' }));
  rewrite(await field(ask, '姓名'), '林小满');
  await press(ask, '提交申请');
  expect(await within(ask).findByText('一张发票只能用一种币种')).toBeVisible();
  await app.person.click(boxes[2] as HTMLElement);
  rewrite(await field(ask, 'T20261120-0002 的开票金额'), '5000');
  await press(ask, '提交申请');
  expect(await within(ask).findByText('最多可开 ¥3,047.00')).toBeVisible();
  rewrite(await field(ask, 'T20261120-0002 的开票金额'), '1000');
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

test('axe finds nothing in an order or its dialog', async () => {
  await open(`?order=${order().id}`, ledger(order({ state: 'pending', payments: [payment({ sameReference: true })] })));
  const dialog = await drawer('订单详情');
  await within(dialog).findByText(/等待确认。/);
  expect(await violationsOf(dialog)).toEqual([]);
  await app.person.click(within(dialog).getByRole('button', { name: '登记付款' }));
  expect(await violationsOf(await drawer('登记付款'))).toEqual([]);
});
