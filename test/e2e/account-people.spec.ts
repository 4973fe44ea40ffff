import type { BrowserContext, Page } from '@playwright/test';
import { codeFor, expect, owner, password, test, turnOnAuthenticator, typeNameAndPassword } from './support/accounts';
import type { Office } from './support/accounts';

/** People who are invited, granted sites, promoted and removed, and the effect on a console they have open. */

const users = '/account/users/account_users';
const rail = (page: Page, name: string) => page.getByRole('navigation', { name: '导航' }).getByRole('link', { name, exact: true });
const idOf = async (office: Office, context: BrowserContext): Promise<string> =>
  (await office.ask<{ userId: string }>(context, 'GET', '/api/acc/token/session')).userId;
/** Creates an account on an invitation page. */
const accept = async (page: Page, loginName: string, displayName: string): Promise<void> => {
  await page.getByLabel('显示名称').fill(displayName);
  await page.getByLabel('登录名').fill(loginName);
  await page.getByRole('textbox', { name: '密码' }).fill(password);
  await page.getByRole('button', { name: '创建账号并加入' }).click();
  await page.waitForURL('**/home');
};

test('an invited editor sees only the granted site until it is revoked', async ({ browser, context, desk, office }) => {
  const tea = await office.addSite(context, '竹里茶舍');
  const pots = await office.addSite(context, '南山陶坊');
  await desk.goto(users);
  await desk.getByRole('button', { name: '邀请成员' }).click();
  const dialog = desk.getByRole('dialog', { name: '邀请成员' });
  await dialog.getByLabel('邮箱').fill('bai@example.com');
  await dialog.getByRole('combobox', { name: '选择站点…' }).selectOption('竹里茶舍');
  await dialog.getByRole('combobox', { name: '在 竹里茶舍 的角色' }).selectOption('编辑');
  await dialog.getByLabel('留言').fill('茶舍的网站以后请你来写');
  await dialog.getByRole('button', { name: '生成邀请' }).click();
  const inviteDialog = desk.getByRole('dialog', { name: '邀请已生成' });
  await expect(inviteDialog).toContainText('邀请邮件已发送到 bai@example.com');
  await inviteDialog.getByRole('button', { name: '完成' }).click();

  const letter = await office.mail.waitFor('bai@example.com');
  expect(letter.text).toContain('茶舍的网站以后请你来写');
  const guest = await browser.newContext({ baseURL: office.origin });
  const page = await guest.newPage();
  await page.goto(letter.links.find((link) => link.includes('/sign/invite#t=')) ?? '');
  await expect(page.getByText(`${owner.displayName} 邀请你加入，角色是成员。`)).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: '竹里茶舍' })).toBeVisible();
  await accept(page, 'bai.editor', '白露');

  await expect(page.getByRole('main').getByRole('link', { name: '竹里茶舍' })).toBeVisible();
  await expect(page.getByRole('link', { name: '南山陶坊' })).toHaveCount(0);
  await expect(rail(page, '个人中心')).toBeVisible();
  for (const name of ['成员与权限', '联系人']) await expect(rail(page, name)).toHaveCount(0);
  await page.goto(`/site/${pots.id}/dashboard`);
  await expect(page.getByRole('heading', { name: '找不到站点' })).toBeVisible();
  await page.goto(users);
  await expect(page.getByText('404 Not Found')).toBeVisible();
  await page.goto(`/site/${tea.id}/dashboard`);
  await expect(page.getByRole('heading', { level: 1, name: '仪表盘' })).toBeVisible();

  await desk.goto(`${users}?person=${await idOf(office, guest)}`);
  const person = desk.getByRole('dialog', { name: '成员' });
  await expect(person.getByRole('combobox', { name: '在 竹里茶舍 的角色' })).toHaveValue('editor');
  await person.getByRole('button', { name: '取消 竹里茶舍 的权限' }).click();
  await person.getByRole('button', { name: '保存权限' }).click();
  await expect(desk.getByText('白露 的站点权限已保存')).toBeVisible();
  // An event before the first stream of a page is made up for 15 seconds after the page was loaded.
  await expect(page.getByRole('heading', { name: '找不到站点' })).toBeVisible({ timeout: 20_000 });
  await rail(page, '站点').click();
  await expect(page.getByRole('link', { name: '竹里茶舍' })).toHaveCount(0);
  await guest.close();
});

test('a copied invitation link works once without mail', async ({ browser, context, desk, office }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk.goto(`${users}?tab=invites&invite=1`);
  await desk.getByRole('dialog', { name: '邀请成员' }).getByRole('button', { name: '生成邀请' }).click();
  const inviteDialog = desk.getByRole('dialog', { name: '邀请已生成' });
  await expect(inviteDialog).toContainText('把链接交给对方');
  await inviteDialog.getByRole('button', { name: '复制链接' }).click();
  await expect(inviteDialog.getByRole('button', { name: '已复制' })).toBeVisible();
  const link = await desk.evaluate(() => navigator.clipboard.readText());
  await inviteDialog.getByRole('button', { name: '完成' }).click();
  await expect(desk.getByText('等待接受').first()).toBeVisible();

  const guest = await browser.newContext({ baseURL: office.origin });
  const page = await guest.newPage();
  await page.goto(link);
  await accept(page, 'xu.copied', '许可');
  // The list on the owner's screen updates.
  await expect(desk.getByText('已接受').first()).toBeVisible();
  const late = await guest.newPage();
  await late.goto(link);
  await expect(late.getByRole('heading', { name: '链接已失效' })).toBeVisible();
  await guest.close();
});

test('role changes and disabled accounts take effect at once and are logged', async ({ browser, desk, office }) => {
  const theirs = await office.join(browser, { loginName: 'wei.ran', displayName: '魏然' });
  const page = await theirs.newPage();
  await page.goto('/home');
  await expect(rail(page, '个人中心')).toBeVisible();
  await expect(rail(page, '成员与权限')).toHaveCount(0);
  await desk.goto(`${users}?person=${await idOf(office, theirs)}`);
  const person = desk.getByRole('dialog', { name: '成员' });
  await person.getByRole('combobox', { name: '角色', exact: true }).selectOption('管理员');
  await person.getByRole('button', { name: '修改角色' }).click();
  await expect(desk.getByText('魏然 的角色已改为管理员')).toBeVisible();
  await expect(rail(page, '成员与权限')).toBeVisible();

  await person.getByRole('listitem').filter({ hasText: '停用账号' }).getByRole('button', { name: '停用' }).click();
  await desk.getByRole('dialog', { name: '停用 魏然 的账号？' }).getByRole('button', { name: '停用' }).click();
  await expect(desk.getByText('魏然 的账号已停用')).toBeVisible();
  await page.waitForURL('**/sign/**', { timeout: 5000 });
  await typeNameAndPassword(page, 'wei.ran');
  await expect(page.getByRole('alert')).toContainText('登录名或密码不正确');

  await desk.goto(`${users}?tab=audit&q=wei.ran`);
  const log = desk.getByRole('list', { name: '审计日志' });
  await expect(log.getByText('林小满 把 魏然 的角色从 成员 改为 管理员')).toBeVisible();
  await expect(log.getByText('林小满 停用了 魏然 的账号')).toBeVisible();
  await expect(log.getByText('魏然 接受邀请，加入了')).toBeVisible();
  await theirs.close();
});

test('the last owner can neither step down nor leave', async ({ context, desk, office }) => {
  await desk.goto(`${users}?person=${await idOf(office, context)}`);
  const person = desk.getByRole('dialog', { name: '成员' });
  await person.getByRole('combobox', { name: '角色', exact: true }).selectOption('成员');
  await person.getByRole('button', { name: '修改角色' }).click();
  await desk.getByRole('dialog', { name: '把自己的角色改为成员？' }).getByRole('button', { name: '修改' }).click();
  await expect(person.getByRole('alert')).toContainText('这是唯一的所有者');

  await desk.goto('/account/center/account_center?tab=data');
  await desk.getByRole('button', { name: '注销账号' }).click();
  const leaving = desk.getByRole('dialog', { name: '注销这个账号？' });
  await leaving.getByRole('textbox').fill(owner.loginName);
  await leaving.getByRole('button', { name: '注销账号' }).click();
  await expect(leaving.getByRole('alert')).toContainText('你是唯一的所有者');
});

test('the matrix of grants can be filled in by keyboard', async ({ browser, context, desk, office }) => {
  const [books, fish] = [await office.addSite(context, '临江书店'), await office.addSite(context, '云下鱼塘')];
  const theirs = await office.join(browser, { loginName: 'ye.keys', displayName: '叶知秋' });
  await desk.goto(`${users}?tab=grants&who=ye.keys`);
  const grid = desk.getByRole('grid', { name: '站点权限表' });
  await expect(grid.getByRole('rowheader')).toHaveCount(1);
  const names = (await grid.getByRole('columnheader').allInnerTexts()).slice(1);
  await grid.getByRole('gridcell').first().focus();
  const keys = desk.keyboard;
  // Moves with arrow keys from the first column, checking the focus at each step.
  const goTo = async (name: string): Promise<void> => {
    await keys.press('Home');
    await expect(grid.locator('[data-cell="0:0"]')).toBeFocused();
    for (let at = 1; at <= names.indexOf(name); at += 1) {
      await keys.press('ArrowRight');
      await expect(grid.locator(`[data-cell="0:${at}"]`)).toBeFocused();
    }
  };
  await goTo(books.name);
  await keys.press('e');
  await expect(desk.locator(':focus')).toContainText('编辑');
  await goTo(fish.name);
  await keys.press('Enter');
  await desk.getByRole('menu', { name: '选择角色' }).getByRole('menuitem', { name: '分析' }).press('Enter');
  await expect(desk.locator(':focus')).toContainText('分析');
  await desk.getByRole('button', { name: '保存 2 处修改' }).press('Enter');
  await expect(desk.getByText('已保存 2 处权限修改')).toBeVisible();
  const visibleLoad = await office.ask<{ sites: { id: string; name: string }[] }>(theirs, 'GET', '/api/core/load/rpm');
  expect(visibleLoad.sites.map((site) => site.id).toSorted()).toEqual([books.id, fish.id].toSorted());
  await expect(grid.locator('[tabindex="0"]')).toBeFocused();

  await goTo(books.name);
  await keys.press('Delete');
  await desk.getByRole('button', { name: '保存 1 处修改' }).press('Enter');
  await expect
    .poll(async () => (await office.ask<{ sites: { id: string }[] }>(theirs, 'GET', '/api/core/load/rpm')).sites.map((site) => site.id))
    .toEqual([fish.id]);
  await theirs.close();
});

test('a required second factor blocks the console until it is set up', async ({ browser, office }) => {
  // The owner needs a second factor too: the policy applies to whoever sets it.
  const chiefs = await office.join(browser, { loginName: 'he.chief', displayName: '何为', role: 'owner' });
  const { secret } = await office.ask<{ secret: string }>(chiefs, 'POST', '/api/acc/totp/begin');
  await office.ask(chiefs, 'POST', '/api/acc/totp/confirm', { code: codeFor(secret) });
  const theirs = await office.join(browser, { loginName: 'jin.member', displayName: '金波' });
  const page = await theirs.newPage();
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1, name: '站点' })).toBeVisible();

  const chief = await chiefs.newPage();
  await chief.goto(`${users}?tab=policy`);
  await chief.getByRole('radio', { name: '所有人' }).check();
  await chief.getByLabel('宽限期').selectOption('没有宽限，立即要求');
  await expect(chief.getByRole('status').filter({ hasText: '还没有开启两步验证' })).toContainText('金波');
  await chief.getByRole('button', { name: '保存' }).click();
  await expect(chief.getByText('安全策略已保存')).toBeVisible();

  await page.goto('/account/center/account_center');
  await expect(page.getByRole('heading', { level: 1, name: '开启两步验证' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: '导航' })).toHaveCount(0);
  const refused = await theirs.request.get(`${office.origin}/api/core/sites/figures`);
  expect([refused.status(), ((await refused.json()) as { code: string }).code]).toEqual([403, 'enrolment_required']);
  await turnOnAuthenticator(page);
  await expect(page.getByRole('heading', { level: 1, name: '个人中心' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/account/center/account_center');

  await chief.getByRole('radio', { name: '不要求' }).check();
  await chief.getByRole('button', { name: '保存' }).click();
  await expect.poll(async () => (await office.ask<{ secondFactor: string }>(chiefs, 'GET', '/api/acc/policy')).secondFactor).toBe('off');
  await theirs.close();
  await chiefs.close();
});
