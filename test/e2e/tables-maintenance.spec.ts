import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** Maintenance of tables: a check leads to the records it found, and a table is restored from its backup. */

type Table = { readonly id: string };

test('a check leads to incomplete records, and a backup is restored', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const mine = desk.context();
  const site = await office.addSite(mine, '松间茶舍');
  const tables = `/api/site/${site.id}/table/tables`;
  const table = await office.ask<Table>(mine, 'POST', tables, {
    title: '茶样',
    fields: [
      { key: 'name', type: 'text', title: '名称' },
      { key: 'cost', type: 'number', title: '进价' },
    ],
  });
  await office.ask(mine, 'POST', `${tables}/${table.id}/records`, { records: [{ name: '龙井', cost: '88' }, { name: '普洱' }] });
  const tableSchema = await office.ask<{ revision: number; fields: { id: string; key: string }[] }>(mine, 'GET', `${tables}/${table.id}`);
  const cost = tableSchema.fields.find(({ key }) => key === 'cost')?.id ?? '';
  const required = await mine.request.patch(`${office.origin}${tables}/${table.id}/fields/${cost}`, {
    data: { required: true },
    headers: { 'if-match': `"${tableSchema.revision}"`, 'x-requested-with': 'console', origin: office.origin },
  });
  expect(required.status()).toBe(200);

  await desk.goto(`/site/${site.id}/table/admin?part=maintenance`);
  await desk.getByRole('button', { name: '立即检查' }).click();
  const found = desk.getByRole('link', { name: /查看：1 条记录缺少必填的“进价”/ });
  await expect(found).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  const downloading = desk.waitForEvent('download');
  await desk.getByRole('button', { name: '下载备份' }).click();
  const file = await (await downloading).path();
  await desk.getByLabel('选择备份文件').setInputFiles(file);
  const list = desk.getByRole('list', { name: '从备份还原' });
  await expect(list.getByText(/2 条记录/)).toBeVisible();
  await list.getByRole('button', { name: '还原', exact: true }).click();
  const restoreDialog = desk.getByRole('dialog', { name: '还原成新表' });
  await restoreDialog.getByLabel('新表的名称').fill('还原的茶');
  expect(await violations(desk)).toEqual([]);
  await restoreDialog.getByRole('button', { name: '还原', exact: true }).click();
  await expect(desk.getByText('已还原“还原的茶”')).toBeVisible();
  await list.getByRole('link', { name: '打开' }).click();
  await expect(desk.getByText('龙井').first()).toBeVisible();
  await desk.goto(`/site/${site.id}/table/admin?part=maintenance&table=${table.id}`);
  await found.click();
  await expect(desk.getByText('普洱').first()).toBeVisible();
  await expect(desk.getByText('龙井')).toHaveCount(0);
});
