import { screen, waitFor, within } from '@testing-library/react';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import { renderIn } from '../../../../test/support/renderApp';
import type { Answer } from '../../../../test/support/fakeServer';
import { customer, order } from '../../../../test/support/ledger';
import { drawer, field, one, openTrades, rewrite, root } from '../../../../test/support/tradesScreen';

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

test('an order shows live totals and errors and sends minor units', async () => {
  await open('', { [`POST ${root}/orders`]: { data: order() } });
  await app.person.click(await screen.findByRole('link', { name: '新建订单' }));
  const dialog = await drawer('新建订单');
  const submit = () => press(dialog, '保存草稿');
  await submit();
  await waitFor(() => expect(within(dialog).getByLabelText('标题')).toHaveAccessibleDescription(expect.stringContaining('必填')));
  expect(await field(dialog, '标题')).toHaveFocus();
  expect(await field(dialog, '第 1 行 单价')).toHaveAccessibleDescription(expect.stringContaining('必填'));
  rewrite(await field(dialog, '标题'), '官网改版');
  const who = within(dialog).getByRole('combobox', { name: '客户' });
  await app.person.type(who, '海港');
  await app.person.click(await screen.findByRole('option', { name: '海港茶业' }));
  rewrite(await field(dialog, '第 1 行 名称'), '官网设计');
  rewrite(await field(dialog, '第 1 行 数量'), '２．５');
  rewrite(await field(dialog, '第 1 行 单价'), '1200');
  rewrite(await field(dialog, '第 1 行 折扣'), '200');
  rewrite(await field(dialog, '第 1 行 税率 %'), '6');
  // Enter adds a line with the tax rate of the previous one.
  await app.person.click(await field(dialog, '第 1 行 税率 %'));
  await app.person.keyboard('{Enter}');
  rewrite(await field(dialog, '第 2 行 名称'), '域名');
  expect(await field(dialog, '第 2 行 税率 %')).toHaveValue('6');
  rewrite(await field(dialog, '第 2 行 税率 %'), '0');
  rewrite(await field(dialog, '第 2 行 单价'), '79.00');
  expect(await field(dialog, '第 1 行 单价')).toHaveValue('1,200.00');
  expect(within(dialog).getByText('¥3,047.00')).toBeVisible();
  rewrite(await field(dialog, '第 2 行 折扣'), '80');
  await submit();
  await waitFor(() => expect(within(dialog).getByLabelText('第 2 行 折扣')).toHaveAccessibleDescription(expect.stringContaining('不能超过金额')));
  rewrite(await field(dialog, '第 2 行 折扣'), '');
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

test('lines move with Alt and an arrow, and a removed one returns', async () => {
  await open(`?order=${order().id}&edit=1`);
  const dialog = await drawer('编辑草稿');
  const name = await field(dialog, '第 2 行 名称');
  await app.person.click(name);
  await app.person.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(within(dialog).getByLabelText('第 1 行 名称')).toHaveValue('域名 tea.example'));
  await waitFor(async () => expect(await field(dialog, '第 1 行 名称')).toHaveFocus());
  await press(dialog, '删除第 1 行');
  await waitFor(() => expect(within(dialog).getByLabelText('第 1 行 名称')).toHaveValue('官网设计'));
  expect(within(dialog).queryByRole('textbox', { name: '第 2 行 名称' })).toBeNull();
  await press(dialog, '撤销');
  expect(await field(dialog, '第 1 行 名称')).toHaveValue('域名 tea.example');
  expect(await field(dialog, '第 2 行 名称')).toHaveValue('官网设计');
});

test('order input survives a refusal and a reload until discarded', async () => {
  const refused: Answer = {
    error: 'no',
    status: 422,
    code: 'invalid_fields',
    fields: { customerId: { code: 'unknown' }, 'items.1.unitPrice': { code: 'out_of_range' } },
  };
  await open(`?order=${order().id}&edit=1`, { [`PUT ${one}`]: refused });
  let dialog = await drawer('编辑草稿');
  rewrite(await field(dialog, '标题'), '官网改版二期');
  await press(dialog, '保存草稿');
  await waitFor(() =>
    expect(within(dialog).getByRole('combobox', { name: '客户' })).toHaveAccessibleDescription(expect.stringContaining('已不存在，请重新选择')),
  );
  expect(await field(dialog, '第 2 行 单价')).toHaveAccessibleDescription(expect.stringContaining('超出范围'));
  expect(await field(dialog, '标题')).toHaveValue('官网改版二期');
  app.end();
  await open(`?order=${order().id}&edit=1`);
  dialog = await drawer('编辑草稿');
  await waitFor(() => expect(within(dialog).getByLabelText('标题')).toHaveValue('官网改版二期'));
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

test('conflicting changes of a draft appear side by side, others merge', async () => {
  const theirs = order({ title: '官网改版（三期）', note: '本周交付', revision: 5 });
  let refusals = 1;
  await open(`?order=${order().id}&edit=1`, {
    [`PUT ${one}`]: () => (refusals-- > 0 ? { error: 'stale', status: 409, code: 'stale_revision', current: theirs } : { data: order({ revision: 6 }) }),
  });
  const dialog = await drawer('编辑草稿');
  rewrite(await field(dialog, '标题'), '官网改版二期');
  await press(dialog, '保存草稿');
  expect(await within(dialog).findByRole('row', { name: '标题 官网改版二期 官网改版（三期）' })).toBeVisible();
  await press(dialog, '用我填写的覆盖');
  await waitFor(() => expect(app.server.calls(`PUT ${one}`)).toHaveLength(2));
  expect(app.server.calls(`PUT ${one}`)[1]?.headers.get('if-match')).toBe('"5"');
  expect(app.server.calls(`PUT ${one}`)[1]?.body).toMatchObject({ title: '官网改版二期', note: '本周交付' });
});

test('axe finds nothing in the form', async () => {
  await open(`?order=${order().id}&edit=1`);
  const form = await drawer('编辑草稿');
  await field(form, '标题');
  expect(await violationsOf(form)).toEqual([]);
});
