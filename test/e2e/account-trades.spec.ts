import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './support/accounts';
import type { Office } from './support/accounts';

/** Orders, payments, invoices and statements from finance's and the customer's side. */

const trades = '/account/trades/account_trades';
/** The smallest file that is a valid PDF, without pages. */
const paper = Buffer.from(`%PDF-1.7\n${' '.repeat(60)}\nxref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 1>>\nstartxref\n70\n%%EOF\n`);
type Order = { readonly id: string; readonly number: string; readonly revision: number };

const idOf = async (office: Office, context: BrowserContext): Promise<string> =>
  (await office.ask<{ userId: string }>(context, 'GET', '/api/acc/token/session')).userId;
const addOrder = async (office: Office, context: BrowserContext, customerId: string, title: string): Promise<Order> => {
  const items = [{ name: title, quantity: '1', unitPrice: 50_000, discount: 0, taxRate: 600 }];
  return office.ask<Order>(context, 'POST', '/api/acc/trades/orders', { customerId, title, kind: 'service', currency: 'CNY', items });
};
const send = (office: Office, { context, order }: { context: BrowserContext; order: Order }): Promise<Order> =>
  office.ask<Order>(context, 'POST', `/api/acc/trades/orders/${order.id}/state`, { to: 'pending' }, { 'if-match': `"${order.revision}"` });
/** Confirms the open dialog. */
const agree = (page: Page, question: RegExp, answer: RegExp | string) =>
  page.getByRole('dialog', { name: question }).getByRole('button', { name: answer }).click();
const fileOf = async (page: Page, link: string): Promise<Buffer> => {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: link }).click();
  return readFile(await (await download).path());
};

test('an order is written, sent, paid, invoiced and listed in the statement', async ({ browser, desk, office }) => {
  const theirs = await office.join(browser, { loginName: 'cheng.yi', displayName: '程一' });
  await desk.goto(trades);
  await desk.getByRole('link', { name: '新建订单' }).click();
  const drawer = desk.getByRole('dialog', { name: '新建订单' });
  await drawer.getByLabel('标题').fill('企业套餐 2027');
  await drawer.getByRole('combobox', { name: '客户' }).fill('程一');
  await desk.getByRole('option', { name: '程一' }).click();
  await drawer.getByRole('textbox', { name: '第 1 行 名称' }).fill('企业套餐');
  await drawer.getByRole('textbox', { name: '第 1 行 数量' }).fill('2');
  await drawer.getByRole('textbox', { name: '第 1 行 税率 %' }).fill('6');
  const price = drawer.getByRole('textbox', { name: '第 1 行 单价' });
  await price.fill('-500');
  await drawer.getByRole('button', { name: '保存草稿' }).click();
  await expect(price).toBeFocused();
  await expect(price).toHaveAttribute('aria-invalid', 'true');
  await expect(price).toHaveValue('-500');
  await expect(drawer.getByLabel('标题')).toHaveValue('企业套餐 2027');
  await price.fill('500');
  // 2 × 500 plus 6 %.
  await expect(drawer.getByRole('group', { name: '明细' })).toContainText('1,060.00');
  await drawer.getByRole('button', { name: '保存草稿' }).click();
  const number = /T\d{8}-\d{4}/.exec((await desk.getByText(/^已建立草稿/).textContent()) ?? '')?.[0] ?? '';
  expect(number).not.toBe('');

  const order = desk.getByRole('dialog', { name: '订单详情' });
  // Notices are in the dialog too.
  const stand = order.locator('[role=status]:not(.notice-host)').first();
  await expect(stand).toContainText('草稿，客户还看不到');
  expect((await office.ask<{ rows: unknown[] }>(theirs, 'GET', '/api/acc/trades/orders')).rows).toEqual([]);
  await order.getByRole('button', { name: '发送给客户，等待付款' }).click();
  await agree(desk, /^发送 .*1,060\.00 的订单/, '发送给客户，等待付款');
  await expect(stand).toContainText('等待付款，还差');

  await order.getByRole('button', { name: '登记付款' }).click();
  const payment = desk.getByRole('dialog', { name: '登记付款' });
  await expect(payment.getByLabel('金额')).toHaveValue('1,060.00');
  await payment.getByLabel('流水号').fill('2026112000011');
  await payment.getByRole('button', { name: '登记', exact: true }).click();
  await expect(stand).toContainText('等待确认');
  await order.getByRole('button', { name: /^确认到账 .*1,060\.00/ }).click();
  await agree(desk, /^确认收到/, /^确认到账/);
  await expect(stand).toContainText('款项已付清');

  await order.getByRole('button', { name: '申请发票' }).click();
  const asking = desk.getByRole('dialog', { name: '申请发票' });
  await asking.getByRole('button', { name: '企业', exact: true }).click();
  await asking.getByLabel('企业名称').fill('青舟科技有限公司');
  await asking.getByLabel('税号').fill('91350100M000100Y44');
  await asking.getByRole('button', { name: '提交申请' }).click();
  await expect(asking.getByLabel('税号')).toBeFocused();
  await asking.getByLabel('税号').fill('91350100M000100Y43');
  await asking.getByRole('button', { name: '提交申请' }).click();
  const invoice = order.getByRole('list', { name: '发票' }).getByRole('listitem').filter({ hasText: '青舟科技有限公司' });
  await expect(invoice).toContainText('待开票');
  await invoice.getByRole('button', { name: '登记已开具' }).click();
  const issuing = desk.getByRole('dialog', { name: '登记已开具的发票' });
  await issuing.getByLabel('发票号码').fill('26312000000012345678');
  await issuing.getByLabel('发票文件').setInputFiles({ name: '发票.pdf', mimeType: 'application/pdf', buffer: paper });
  await issuing.getByRole('button', { name: '登记已开具' }).click();
  await expect(invoice).toContainText('发票号码 26312000000012345678');
  await expect(invoice).toContainText('已开具');

  await desk.goto(`${trades}?tab=statement`);
  await desk.getByRole('combobox', { name: '客户' }).selectOption('程一');
  const lines = desk.getByRole('table', { name: '对账单' }).getByRole('row').filter({ hasText: number });
  await expect(lines).toHaveCount(2);
  await expect(lines.nth(0)).toContainText(/应收.*1,060\.00.*1,060\.00/);
  await expect(lines.nth(1)).toContainText(/收款.*-.*1,060\.00.*0\.00/);
  const csv = (await fileOf(desk, '导出 CSV')).toString('utf8');
  expect(csv).toContain(number);
  expect(csv).toContain('1060.00');
  const pdf = await fileOf(desk, '下载 PDF');
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  await theirs.close();
});

test('a customer sees only own orders, reports payment and requests an invoice', async ({ browser, context, desk, office }) => {
  const theirs = await office.join(browser, { loginName: 'su.buyer', displayName: '苏桥' });
  const others = await office.join(browser, { loginName: 'han.buyer', displayName: '韩松' });
  const own = await addOrder(office, context, await idOf(office, theirs), '年度维护');
  const foreign = await addOrder(office, context, await idOf(office, others), '别人的域名');
  for (const order of [own, foreign]) await send(office, { context, order });

  const page = await theirs.newPage();
  await page.goto(trades);
  const rows = page.getByRole('table', { name: '订单列表' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('年度维护');
  await expect(page.getByRole('link', { name: '新建订单' })).toHaveCount(0);
  await page.goto(`${trades}?order=${foreign.id}`);
  await expect(page.getByText('这个订单不存在，可能已被删除。')).toBeVisible();

  await page.goto(`${trades}?order=${own.id}`);
  const order = page.getByRole('dialog', { name: '订单详情' });
  await order.getByRole('button', { name: '上传付款凭证' }).click();
  const payment = page.getByRole('dialog', { name: '上传付款凭证' });
  await payment.getByLabel('付款凭证').setInputFiles({ name: '回单.pdf', mimeType: 'application/pdf', buffer: paper });
  await payment.getByRole('button', { name: '提交', exact: true }).click();
  await expect(order.getByText('待确认', { exact: true })).toBeVisible();
  await expect(order.getByRole('button', { name: /^确认到账/ })).toHaveCount(0);

  await desk.goto(`${trades}?order=${own.id}`);
  await expect(desk.getByRole('dialog', { name: '订单详情' }).getByRole('link', { name: /^下载凭证/ })).toBeVisible();
  await desk.getByRole('button', { name: /^确认到账 ./ }).click();
  await agree(desk, /^确认收到/, /^确认到账/);
  await expect(desk.getByText(/^已确认到账/)).toBeVisible();

  await page.goto(`${trades}?tab=invoices&ask=1`);
  const asking = page.getByRole('dialog', { name: '申请发票' });
  await asking.getByRole('textbox', { name: `${own.number} 的开票金额` }).fill('600');
  await asking.getByRole('button', { name: '个人', exact: true }).click();
  await asking.getByLabel('姓名').fill('苏桥');
  await asking.getByRole('button', { name: '提交申请' }).click();
  await expect(asking.getByText(/^最多可开/)).toBeVisible();
  await asking.getByRole('textbox', { name: `${own.number} 的开票金额` }).fill('530');
  await expect(asking.getByLabel('姓名')).toHaveValue('苏桥');
  await asking.getByRole('button', { name: '提交申请' }).click();
  await expect(page.getByText('已申请“苏桥”的发票')).toBeVisible();
  const invoice = page.getByRole('list', { name: '发票' }).getByRole('listitem').filter({ hasText: '苏桥' });
  await expect(invoice).toContainText('待开票');
  await expect(invoice.getByRole('button')).toHaveCount(0);
  await theirs.close();
  await others.close();
});
