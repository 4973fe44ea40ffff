import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** Administration of tables: a field closed to a role is hidden everywhere. */

type Table = { readonly id: string };
type Rows = { readonly rows: readonly { readonly values: Readonly<Record<string, unknown>> }[] };

test('a field closed to editors is hidden in preview and API', async ({ browser, desk, office }) => {
  await desk.addInitScript({ path: axe });
  const mine = desk.context();
  const site = await office.addSite(mine, '云上茶舍');
  const tables = `/api/site/${site.id}/table/tables`;
  const table = await office.ask<Table>(mine, 'POST', tables, {
    title: '茶样',
    fields: [
      { key: 'name', type: 'text', title: '名称' },
      { key: 'cost', type: 'number', title: '进价' },
    ],
  });
  await office.ask(mine, 'POST', `${tables}/${table.id}/records`, { records: [{ name: '龙井', cost: '88' }] });
  const editor = await office.join(browser, { loginName: 'zhou.editor', displayName: '周编辑' });
  const { userId } = await office.ask<{ userId: string }>(editor, 'GET', '/api/acc/token/session');
  await office.ask(mine, 'PATCH', '/api/acc/grants', { changes: [{ userId, siteId: site.id, role: 'editor' }] });
  const theirs = () => office.ask<Rows>(editor, 'GET', `${tables}/${table.id}/records`);
  expect((await theirs()).rows[0]?.values).toMatchObject({ name: '龙井', cost: '88' });

  await desk.goto(`/site/${site.id}/table/admin?as=editor`);
  const previewRegion = desk.getByRole('region', { name: '编辑看到的记录' });
  await expect(previewRegion.getByRole('columnheader', { name: '进价' })).toBeVisible();
  await desk.getByRole('button', { name: /^编辑：查看/ }).click();
  const dialog = desk.getByRole('dialog', { name: '编辑：查看' });
  await dialog.getByRole('radio', { name: /^允许/ }).check();
  await dialog.getByRole('radio', { name: /^指定字段/ }).check();
  await dialog.getByRole('checkbox', { name: '进价' }).uncheck();
  expect(await violations(desk)).toEqual([]);
  await dialog.getByRole('button', { name: '确定' }).click();
  await desk.getByRole('button', { name: '保存权限' }).click();
  await expect(previewRegion.getByRole('columnheader', { name: '进价' })).toHaveCount(0);
  await expect(previewRegion.getByText('龙井')).toBeVisible();
  await expect(desk.getByText('看不到的字段：进价')).toBeVisible();
  expect(await violations(desk)).toEqual([]);

  expect(Object.keys((await theirs()).rows[0]?.values ?? {})).toEqual(['name']);
  const sortResponse = await editor.request.get(`${office.origin}${tables}/${table.id}/records?sort=cost`);
  expect(sortResponse.status()).toBe(422);

  await desk.getByRole('link', { name: '日志' }).click();
  await expect(desk.getByText('修改了内容表')).toBeVisible();
  for (const part of ['令牌', 'Webhook', '索引', '任务', '回收站与保留', '接口']) {
    const link = desk.getByRole('link', { name: part, exact: true });
    await link.click();
    // The previous part is shown until the new one has loaded.
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(desk.locator('.admin-part > *').first()).toBeVisible();
    await expect(desk.locator('.admin-part .bone')).toHaveCount(0);
    expect(await violations(desk), part).toEqual([]);
  }
  await editor.close();
});
