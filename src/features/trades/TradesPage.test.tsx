import { screen, waitFor, within } from '@testing-library/react';
import { checkResponses } from '../../../test/support/checkedResponses';
import { violationsOf } from '../../../test/support/axe';
import { renderIn } from '../../../test/support/renderApp';
import type { Answer } from '../../../test/support/fakeServer';
import { customer, order } from '../../../test/support/ledger';
import { drawer, field, found, ledger, one, openTrades, rewrite, root } from '../../../test/support/tradesScreen';

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
const lastQuery = (key: string) => new URLSearchParams(app.server.calls(key).at(-1)?.search ?? '');

test('the list shows sums, and its filters apply to files', async () => {
  await open();
  expect(screen.getByText('本系统不直接收款；付款状态由财务人员登记。')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'T20261120-0001' })).toBeVisible();
  expect(within(screen.getByRole('list', { name: '合计' })).getByText('总额 ¥3,047.00，已付 ¥0.00')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '退款', pressed: false }));
  await waitFor(() => expect(lastQuery(`GET ${root}/orders`).getAll('state')).toEqual(['refunding', 'refunded', 'partly_refunded']));
  await app.person.selectOptions(screen.getByRole('combobox', { name: '客户' }), '海港茶业');
  await app.person.selectOptions(screen.getByRole('combobox', { name: '创建日期' }), '今年');
  rewrite(screen.getByRole('searchbox', { name: '搜索订单' }), '官网');
  await waitFor(() => expect(lastQuery(`GET ${root}/orders`).get('q')).toBe('官网'));
  const orderQuery = lastQuery(`GET ${root}/orders`);
  expect(orderQuery.get('customerId')).toBe(customer.id);
  expect(orderQuery.get('from')).toMatch(/^\d{4}-01-01$/);
  const file = new URL(screen.getByRole('link', { name: '导出 CSV' }).getAttribute('href') ?? '', location.origin);
  expect([file.pathname, file.searchParams.get('q'), file.searchParams.get('format')]).toEqual([`${root}/orders/export`, '官网', 'csv']);
  expect(new URLSearchParams(app.router.state.location.search).get('state')).toBe('refunds');
  await app.person.click(screen.getByRole('button', { name: '总额' }));
  await waitFor(() => expect(lastQuery(`GET ${root}/orders`).get('sort')).toBe('-total'));
});

test('empty, filtered and failed lists each show a message and action', async () => {
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

test('an expiring order can be renewed with one click', async () => {
  const row = { orderId: order().id, number: order().number, title: '证书', customer, site: null, endsOn: '2026-12-01', days: 10, renewalOrderId: null };
  const next = order({ id: '5f6a7b80-1111-4222-8333-944455566699', number: 'T20261121-0001' });
  await open('', { [`GET ${root}/renewals`]: { data: [row] }, [`POST ${one}/renew`]: { data: next }, [`GET ${root}/orders/${next.id}`]: { data: next } });
  expect(await screen.findByText('还有 10 天')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '起草续费订单：证书' }));
  await waitFor(() => expect(app.router.state.location.search).toBe(`?order=${next.id}`));
});

test('billing details are saved, checked for duplicates, and deleted after confirmation', async () => {
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
    [`POST ${root}/titles/${title.id}/restore`]: { data: title },
  });
  await app.person.click(await screen.findByRole('button', { name: '添加抬头' }));
  const dialog = await drawer('添加抬头');
  rewrite(await field(dialog, '企业名称'), title.title);
  await press(dialog, '保存');
  await waitFor(() => expect(within(dialog).getByLabelText('税号')).toHaveAccessibleDescription(expect.stringContaining('必填')));
  rewrite(await field(dialog, '税号'), title.taxNumber);
  await press(dialog, '保存');
  expect(await within(dialog).findByText('已经有相同的抬头，或者抬头已满 50 个。')).toBeVisible();
  app.server.answer(`POST ${root}/titles`, { data: title });
  app.server.answer(`GET ${root}/titles`, { data: [title] });
  await press(dialog, '保存');
  await app.person.click(await screen.findByRole('button', { name: '删除抬头：海港茶业有限公司' }));
  app.server.answer(`GET ${root}/titles`, { data: [] });
  await app.person.click(within(await drawer('删除抬头“海港茶业有限公司”？')).getByRole('button', { name: '删除' }));
  expect(await screen.findByText('还没有发票抬头')).toBeVisible();
  app.server.answer(`GET ${root}/titles`, { data: [title] });
  await app.person.click(await screen.findByRole('button', { name: '撤销' }));
  expect(await screen.findByText('海港茶业有限公司')).toBeVisible();
});

test('a statement has a customer, a month and its files', async () => {
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
  expect(await screen.findByRole('row', { name: '2026-11-21 收款 T20261120-0001 官网改版 −¥2,000.00 ¥1,047.00' })).toBeVisible();
  const pdf = new URL(screen.getByRole('link', { name: '下载 PDF' }).getAttribute('href') ?? '', location.origin);
  expect(Object.fromEntries(pdf.searchParams)).toEqual({ customerId: customer.id, currency: 'CNY', from: '2026-11-01', to: '2026-11-30', format: 'pdf' });
  await app.person.click(screen.getByRole('button', { name: '上一时段' }));
  await waitFor(() => expect(lastQuery(`GET ${root}/statement`).get('to')).toBe('2026-10-31'));
});

test('axe finds nothing in the list', async () => {
  await open('', ledger(order({ state: 'pending' })));
  await screen.findByRole('button', { name: 'T20261120-0001' });
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
});
