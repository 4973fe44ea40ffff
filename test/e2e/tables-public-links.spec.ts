import type { ContentTable } from '../../contract/tables/schemas';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** Reading content tables without an account. */

const pictures = process.env['SHARE_PICTURES'];

test('a public view is readable in both languages until it ends', async ({ browser, desk, office }) => {
  const context = desk.context();
  const site = await office.addSite(context, '青岩茶行');
  const table = await office.ask<ContentTable>(context, 'POST', `/api/site/${site.id}/table/tables`, {
    title: '茶单',
    fields: [
      { type: 'text', title: '品名', key: 'name' },
      {
        type: 'select',
        title: '种类',
        key: 'kind',
        options: {
          choices: [
            { id: 'g', title: '绿茶', color: 'green' },
            { id: 'b', title: '红茶', color: 'red' },
          ],
        },
      },
      { type: 'number', title: '售价', key: 'price' },
      { type: 'number', title: '进价', key: 'cost', sensitive: true },
      { type: 'url', title: '介绍', key: 'about' },
    ],
  });
  await office.ask(context, 'POST', `/api/site/${site.id}/table/tables/${table.id}/records`, {
    records: [
      { name: '明前龙井', kind: 'g', price: '680', cost: '311', about: 'https://example.com/longjing' },
      { name: '洞庭碧螺春', kind: 'g', price: '520', cost: '222' },
      { name: '祁门红茶', kind: 'b', price: '260', cost: '133' },
    ],
  });
  const view = await office.ask<{ id: string }>(context, 'POST', `/api/site/${site.id}/table/tables/${table.id}/views`, {
    title: '在售茶品',
    kind: 'grid',
    query: { group: ['kind'], sort: [{ field: 'price', descending: true }] },
  });
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}&view=${view.id}`);
  await desk.getByRole('button', { name: '更多工具' }).click();
  await desk.getByRole('menuitem', { name: '分享' }).click();
  const dialog = desk.getByRole('dialog', { name: '分享视图“在售茶品”' });
  await expect(dialog.getByLabel('名称')).toHaveValue('在售茶品');
  await dialog.getByLabel('访问密码').fill('tea-2026');
  await dialog.getByRole('checkbox', { name: '允许下载 CSV' }).check();
  if (pictures) await desk.screenshot({ path: `${pictures}/dialog.png` });
  await dialog.getByRole('button', { name: '新建链接' }).click();
  const url = await dialog.getByRole('link', { name: '打开' }).getAttribute('href');
  if (pictures) await desk.screenshot({ path: `${pictures}/dialog-list.png` });

  const guest = await browser.newContext({ baseURL: office.origin, locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  await guest.addInitScript({ path: axe });
  const page = await guest.newPage();
  const shell = await page.goto(url ?? '');
  expect([shell?.headers()['x-robots-tag'], shell?.headers()['referrer-policy']]).toEqual(['noindex, nofollow', 'no-referrer']);
  await page.getByLabel('密码').fill('not it');
  await page.keyboard.press('Enter');
  await expect(page.getByText('密码不对。')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('密码').fill('tea-2026');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: '在售茶品', level: 1 })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: '进价' })).toHaveCount(0);
  await expect(page.locator('tbody tr')).toHaveText([/绿茶/, /明前龙井/, /洞庭碧螺春/, /红茶/, /祁门红茶/]);
  expect(await violations(page)).toEqual([]);
  if (pictures) await page.screenshot({ path: `${pictures}/zh-1440.png` });

  // By keyboard: another order, then a search, which survives a reload as the password does.
  await page.getByRole('button', { name: '售价' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('tbody tr')).toHaveText([/绿茶/, /洞庭碧螺春/, /明前龙井/, /红茶/, /祁门红茶/]);
  await page.getByRole('searchbox', { name: '搜索' }).fill('龙井');
  await expect(page.getByRole('status')).toHaveText('共 1 条');
  await page.reload();
  await expect(page.locator('tbody tr')).toHaveText([/绿茶/, /明前龙井/]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '下载 CSV' }).click();
  expect((await download).suggestedFilename()).toBe('在售茶品.csv');

  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page.getByRole('status')).toHaveText('3 records');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  if (pictures) await page.screenshot({ path: `${pictures}/en-390-dark.png` });

  await desk.goto(`/site/${site.id}/table/admin?part=shares`);
  await expect(desk.getByText('茶单 · 在售茶品')).toBeVisible();
  if (pictures) await desk.screenshot({ path: `${pictures}/admin.png` });
  await desk.getByRole('button', { name: '停用分享链接 在售茶品' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: '停用' }).click();
  await expect(desk.getByText('没有公开的视图')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await desk.getByRole('button', { name: '撤销' }).click();
  await expect(desk.getByText('茶单 · 在售茶品')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('3 records');
  await guest.close();
});
