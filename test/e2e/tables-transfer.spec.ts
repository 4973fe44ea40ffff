import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { RecordPage } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** Records of content tables, imported from files and exported. */

const path = (siteId: string, rest = ''): string => `/api/site/${siteId}/table/tables${rest}`;

test('a CSV is mapped, tried, imported without its invalid row and undone', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '云上茶舍');
  const table = await office.ask<ContentTable>(desk.context(), 'POST', path(site.id), { title: '文章', template: 'articles' }, { 'accept-language': 'zh-CN' });
  const total = async (): Promise<number | null> =>
    (await office.ask<RecordPage>(desk.context(), 'GET', path(site.id, `/${table.id}/records?limit=1&count=exact`))).total;
  const fields = async (): Promise<string[]> => {
    const tables = await office.ask<ContentTable[]>(desk.context(), 'GET', path(site.id));
    return tables.flatMap((one) => one.fields.map(({ title }) => title));
  };
  const lines = Array.from(
    { length: 300 },
    (_, n) =>
      `"茶山笔记 ${String(n + 1)}",${n % 2 === 0 ? '新闻' : '活动'},${n === 149 ? '下周二' : `2026-03-${String((n % 28) + 1).padStart(2, '0')}`},${String(n)}`,
  );
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}`);
  await desk.getByRole('button', { name: '从文件导入' }).click();
  const wizard = desk.getByRole('dialog', { name: '导入到“文章”' });
  await expect(wizard.getByText('把文件拖到这里')).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  await wizard
    .locator('input[type=file]')
    .setInputFiles({ name: '春季文章.csv', mimeType: 'text/csv', buffer: Buffer.from(`标题,分类,发布日期,阅读数\n${lines.join('\n')}\n`) });
  await expect(wizard.getByRole('cell', { name: '茶山笔记 1', exact: true })).toBeVisible();
  await wizard.getByRole('button', { name: '下一步' }).click();

  // Columns named like fields are mapped automatically; the other becomes a field.
  await expect(wizard.getByLabel('“标题”导入到').locator('option:checked')).toHaveText('标题');
  await expect(wizard.getByLabel('“阅读数”导入到').locator('option:checked')).toHaveText('不导入');
  await wizard.getByRole('button', { name: '其余 1 列都新建字段' }).click();
  await expect(wizard.getByLabel('“阅读数”的新字段类型').locator('option:checked')).toHaveText('整数');
  expect(await violations(desk)).toEqual([]);
  await wizard.getByRole('button', { name: '试运行' }).click();

  // Nothing is written yet; the invalid row is first, with its error message.
  const rows = wizard.getByRole('region', { name: '逐行结果' });
  await expect(rows.getByRole('row').filter({ hasText: '茶山笔记 150' })).toContainText('发布日期：');
  await expect(wizard.getByRole('button', { name: '有问题 1' })).toHaveAttribute('aria-pressed', 'true');
  await expect(wizard.getByText('分类：活动')).toBeVisible();
  expect(await total()).toBe(0);
  await expect(wizard.getByRole('button', { name: '导入 299 行' })).toBeDisabled();
  expect(await violations(desk)).toEqual([]);
  // The dry run survives a reload.
  await desk.reload();
  await wizard.getByLabel('跳过有问题的 1 行，导入其余的').check();
  await wizard.getByRole('button', { name: '导入 299 行' }).click();
  await expect(wizard.getByText('导入完成')).toBeVisible();
  await wizard.getByRole('button', { name: '查看记录' }).click();
  await expect(desk.getByText('299 条记录', { exact: true })).toBeVisible();
  expect(await fields()).toContain('阅读数');

  // The import is undone from the list of imports.
  await desk.getByRole('button', { name: '更多工具' }).click();
  await desk.getByRole('menuitem', { name: '导入' }).click();
  await wizard.getByRole('button', { name: '打开“春季文章.csv”的导入' }).click();
  await wizard.getByRole('button', { name: '全部撤销' }).click();
  await expect(wizard.getByText('已全部撤销')).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  expect(await total()).toBe(0);
  expect(await fields()).not.toContain('阅读数');
  await wizard.getByRole('button', { name: '查看记录' }).click();
  await expect(desk.getByText('还没有记录')).toBeVisible();
});

async function exported(page: Page, format: string): Promise<{ readonly name: string; readonly data: Buffer }> {
  await page.getByRole('button', { name: '更多工具' }).click();
  await page.getByRole('menuitem', { name: '导出' }).click();
  const dialog = page.getByRole('dialog', { name: /^导出/ });
  await dialog.getByRole('button', { name: format, exact: true }).click();
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: '导出', exact: true }).click();
  const download = await coming;
  await expect(dialog).toBeHidden();
  return { name: download.suggestedFilename(), data: await readFile(await download.path()) };
}

test('an export matches the grid, and its workbook creates a table', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '青石书店');
  const table = await office.ask<ContentTable>(desk.context(), 'POST', path(site.id), {
    title: '书目',
    fields: [
      { type: 'text', title: '书名', key: 'name' },
      { type: 'number', title: '定价', key: 'price' },
      { type: 'date', title: '出版日期', key: 'published_on' },
    ],
  });
  const records = [
    { name: '茶经', price: '38.50', published_on: '2010-06-01' },
    { name: '=1+1', price: '12', published_on: null },
    { name: '随园食单', price: '29', published_on: '2016-01-15' },
  ];
  await office.ask(desk.context(), 'POST', path(site.id, `/${table.id}/records`), { records });
  const price = table.fields.find(({ key }) => key === 'price')?.id ?? '';
  const filter = encodeURIComponent(JSON.stringify({ field: price, op: 'lt', value: '35' }));
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}&filter=${filter}&sort=-${price}`);
  await expect(desk.getByText('2 条记录', { exact: true })).toBeVisible();
  const csv = await exported(desk, 'CSV');
  // Filtered and sorted as on the screen, with formulas neutralised.
  expect(csv.data.toString('utf8').replace('\uFEFF', '').trim().split('\r\n')).toEqual(['书名,定价,出版日期', '随园食单,29,2016-01-15', "'=1+1,12,"]);

  await desk.goto(`/site/${site.id}/table/records?table=${table.id}`);
  await expect(desk.getByText('3 条记录', { exact: true })).toBeVisible();
  const book = await exported(desk, 'Excel');
  expect(book.name).toMatch(/\.xlsx$/);
  await desk.goto(`/site/${site.id}/table/schemas`);
  await desk.getByRole('button', { name: '从文件新建' }).click();
  const wizard = desk.getByRole('dialog', { name: '从文件新建内容表' });
  await wizard.locator('input[type=file]').setInputFiles({ name: '旧书目.xlsx', mimeType: 'application/octet-stream', buffer: book.data });
  await expect(wizard.getByRole('cell', { name: '随园食单' })).toBeVisible();
  await wizard.getByRole('button', { name: '下一步' }).click();
  await expect(wizard.getByLabel('内容表名称')).toHaveValue('旧书目');
  await expect(wizard.getByLabel('“定价”的新字段类型').locator('option:checked')).toHaveText('小数');
  await expect(wizard.getByLabel('“出版日期”的新字段类型').locator('option:checked')).toHaveText('日期');
  expect(await violations(desk)).toEqual([]);
  await wizard.getByRole('button', { name: '试运行' }).click();
  await wizard.getByRole('button', { name: '导入 3 行' }).click();
  await expect(desk.getByText('导入完成')).toBeVisible();
  await desk.getByRole('button', { name: '查看记录' }).click();
  await expect(desk.getByRole('heading', { name: '旧书目', level: 1 })).toBeAttached();
  await expect(desk.getByRole('gridcell', { name: '2016-01-15' })).toBeVisible();
  await expect(desk.getByRole('gridcell', { name: '38.5', exact: false }).first()).toBeVisible();
});
