import type { ContentTable } from '../../contract/tables/schemas';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

test('a text field becomes a number after a trial and is restored', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '山间茶铺');
  const tables = `/api/site/${site.id}/table/tables`;
  const table = await office.ask<ContentTable>(desk.context(), 'POST', tables, {
    title: '茶叶',
    fields: [
      { type: 'text', title: '品名', key: 'name' },
      { type: 'text', title: '单价', key: 'price' },
    ],
  });
  const prices = ['12', '1,280.50', '面议'];
  await office.ask(desk.context(), 'POST', `${tables}/${table.id}/records`, { records: prices.map((price, at) => ({ name: `茶 ${String(at)}`, price })) });
  const stored = async (): Promise<unknown[]> =>
    (await office.ask<{ rows: { values: { price: unknown } }[] }>(desk.context(), 'GET', `${tables}/${table.id}/records?sort=$n`)).rows.map(
      (row) => row.values.price,
    );
  const pageErrors: string[] = [];
  desk.on('pageerror', (error) => pageErrors.push(error.message));

  await desk.goto(`/site/${site.id}/table/table_fields?table=${table.id}&field=price`);
  await desk.getByRole('button', { name: '更换类型…' }).click();
  const wizard = desk.getByRole('dialog', { name: '更换“单价”的类型' });
  await wizard.getByRole('button', { name: /^小数/ }).click();
  await wizard.getByRole('button', { name: '试转换' }).click();
  await expect(wizard.getByText('已检查全部 3 条记录（含回收站），还没有改动任何内容。')).toBeVisible();
  await expect(wizard.getByText('面议')).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  await wizard.getByLabel('清空无法转换的值').check();
  await wizard.getByRole('button', { name: '开始转换' }).click();
  await expect(wizard.getByText('已转换为“小数”')).toBeVisible();
  expect(await stored()).toEqual(['12', '1280.50', null]);

  await wizard.getByRole('button', { name: '撤销转换' }).click();
  await desk.getByRole('dialog', { name: '撤销转换，恢复为“单行文本”？' }).getByRole('button', { name: '撤销转换' }).click();
  await expect(wizard.getByText('已恢复为“单行文本”')).toBeVisible();
  expect(await stored()).toEqual(prices);
  expect(pageErrors).toEqual([]);
});
