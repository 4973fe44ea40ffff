import type { Page } from '@playwright/test';
import { expect, open, owner, rail, test, title } from './support/console';

/** The console as a whole logs no browser errors while it is used; walk.spec.ts looks at its screens. */

/** What the browser reports: errors, warnings and every policy violation, including Trusted Types. */
async function hearComplaints(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()} at ${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught at ${page.url()}: ${String(error)}`));
  await page.exposeFunction('complain', (complaint: string) => complaints.push(complaint));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      (globalThis as unknown as { complain: (complaint: string) => void }).complain(
        `policy at ${location.pathname}: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      ),
    ),
  );
  return complaints;
}

test('using menus and moving between screens logs no browser errors', async ({ desk, program }) => {
  const complaints = await hearComplaints(desk);
  await test.step('the events of one page', async () => {
    await open(desk, `/site/${program.demo.id}/als/latest`, '实时访问');
    await desk.getByRole('table', { name: '访问列表' }).locator('tbody').getByRole('rowheader').first().getByRole('button').click();
    await desk.getByRole('row', { name: '访问路径' }).getByRole('listitem').getByRole('link').first().click();
    await expect(desk).toHaveURL(/\/als\/latest\/events\/[0-9a-f]{16}/);
    await expect(title(desk, /./)).toBeVisible();
  });
  await test.step('menus', async () => {
    for (const [button, panel] of [
      [`我的账号：${owner.displayName}`, '我的账号'],
      ['通知', '通知'],
    ] as const) {
      await desk.getByRole('button', { name: button }).click();
      await expect(desk.getByRole(button === '通知' ? 'dialog' : 'menu', { name: panel })).toBeVisible();
      await desk.keyboard.press('Escape');
    }
    await desk.getByRole('button', { name: /^切换站点/ }).click();
    await expect(desk.getByRole('option', { name: program.demo.name })).toBeVisible();
    await desk.keyboard.press('Escape');
    await desk.keyboard.press('Control+k');
    await expect(desk.getByRole('dialog', { name: '搜索页面、站点和操作' })).toBeVisible();
    await desk.keyboard.press('Escape');
  });
  await test.step('from screen to screen without loading a document', async () => {
    await open(desk, `/site/${program.demo.id}/als/latest`, '实时访问');
    await rail(desk, '概况').click();
    await desk.getByRole('navigation', { name: '概况' }).getByRole('link', { name: '趋势' }).click();
    await expect(title(desk, '趋势')).toBeVisible();
    for (const name of ['概况', '仪表盘', '站点', '联系人', '成员与权限', '订单与发票', '个人中心']) {
      await rail(desk, name).click();
      await expect(title(desk, name)).toBeVisible();
    }
  });
  await test.step('the steps of adding a site', async () => {
    await open(desk, '/home/create/home_create_empty', '添加站点');
    await desk.getByRole('button', { name: '下一步' }).click();
    await desk.getByRole('button', { name: '下一步' }).click();
    await expect(desk.getByLabel('站点名称')).toHaveAttribute('aria-invalid', 'true');
    await expect(desk.getByText('必填').first()).toBeVisible();
  });
  expect(complaints).toEqual([]);
});

test('the demo site is removed in one click and restored in another', async ({ desk, program }) => {
  await open(desk, '/home', '站点');
  const card = desk.getByRole('listitem').filter({ has: desk.getByRole('link', { name: program.demo.name, exact: true }) });
  await expect(card.getByText('演示', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: '移除演示' }).click();
  await expect(card).toHaveCount(0);
  await desk.getByRole('button', { name: '撤销' }).click();
  await expect(card).toBeVisible();
});
