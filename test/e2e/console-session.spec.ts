import type { BrowserContext, Page, Request } from '@playwright/test';
import { createGate, expect, open, owner, signInByHand, test, title } from './support/console';

/** The session: the gate in front of the console, a session that ends while editing, and several tabs. */

const sessionCall = '**/api/acc/token/session';

test.describe('the gate', () => {
  test('sends visitors without a session to sign in and back again', async ({ page, program }) => {
    const targetAddress = `/site/${program.demo.id}/als/trend?range=last7#main`;
    await page.goto(targetAddress);
    await page.waitForURL('**/sign/?redirect=*');
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(targetAddress);
    await signInByHand(page);
    await expect(title(page, '趋势')).toBeVisible();
    expect(page.url()).toBe(program.origin + targetAddress);
  });

  test('shows a loading state until the response arrives', async ({ desk }) => {
    const answer = createGate();
    await desk.route(sessionCall, async (route) => {
      await answer.opened;
      await route.continue();
    });
    await desk.goto('/home');
    await expect(desk.getByRole('status')).toHaveText('Loading...');
    answer.open();
    await expect(title(desk, '站点')).toBeVisible();
  });

  test('shows a foreign error page inertly, as it is', async ({ desk }) => {
    const html =
      '<!doctype html><h1 style="color: rgb(200, 0, 0)">502 网关错误</h1><p id="ran"></p><script>document.getElementById("ran").textContent = "ran"; parent.parent.document.title = "taken";</script>';
    await desk.route(sessionCall, (route) => route.fulfill({ status: 502, contentType: 'text/html; charset=utf-8', body: html }));
    await desk.goto('/home');
    const responseFrame = desk.frameLocator('iframe[title="服务器返回的页面"]').frameLocator('iframe');
    await expect(responseFrame.getByRole('heading', { name: '502 网关错误' })).toHaveCSS('color', 'rgb(200, 0, 0)');
    await expect(responseFrame.locator('#ran')).toBeEmpty();
    expect(await desk.title()).not.toBe('taken');

    await desk.unroute(sessionCall);
    await desk.getByRole('button', { name: '重试' }).click();
    await expect(title(desk, '站点')).toBeVisible();
  });

  test('shows other errors and retries on request', async ({ desk }) => {
    await desk.route(sessionCall, (route) => route.fulfill({ status: 503, json: { error: '数据库正在维护', code: 'unavailable', requestId: 'req-7' } }));
    await desk.goto('/home');
    const alert = desk.getByRole('alert');
    await expect(alert).toContainText('无法确认登录状态');
    await expect(alert).toContainText('数据库正在维护');
    await expect(alert).toContainText('req-7');

    await desk.unroute(sessionCall);
    await desk.route(sessionCall, (route) => route.abort());
    await alert.getByRole('button', { name: '重试' }).click();
    await expect(alert).toContainText('无法连接服务器');

    await desk.unroute(sessionCall);
    await alert.getByRole('button', { name: '重试' }).click();
    await expect(title(desk, '站点')).toBeVisible();
  });
});

test.describe('a session that ends while editing', () => {
  test('loses nothing of a contact that is being edited', async ({ context, desk, program }) => {
    await open(desk, '/account/contacts/account_contacts', '联系人');
    await desk.getByRole('link', { name: '添加联系人' }).first().click();
    await desk.getByLabel('姓名').fill('周明远');
    await desk.getByLabel('备注').fill('只在工作日联系');
    await desk.getByRole('checkbox', { name: '证书：邮件' }).check();
    const address = desk.url();
    await context.clearCookies();
    await desk.getByRole('button', { name: '保存' }).click();
    await desk.waitForURL('**/sign/?redirect=*');
    await signInByHand(desk);

    await expect(desk.getByLabel('姓名')).toHaveValue('周明远');
    await expect(desk.getByLabel('备注')).toHaveValue('只在工作日联系');
    await expect(desk.getByRole('checkbox', { name: '证书：邮件' })).toBeChecked();
    expect(desk.url()).toBe(address);
    await desk.getByRole('button', { name: '保存' }).click();
    await expect(desk.getByText('已添加“周明远”')).toBeVisible();
    const contacts = await program.ask<{ name: string; note: string }[]>(context, 'GET', '/api/acc/contacts');
    expect(contacts.filter((one) => one.name === '周明远')).toHaveLength(1);
  });

  test('loses nothing of a new site when ended on another device', async ({ browser, desk, program }) => {
    await open(desk, '/home/create/home_create_empty', '添加站点');
    await desk.getByRole('button', { name: '下一步' }).click();
    await desk.getByLabel('站点名称').fill('临江书店');
    await desk.getByLabel('网址').fill('https://books.example/');
    const address = desk.url();

    const elsewhere = await browser.newContext();
    await program.signIn(elsewhere);
    await program.ask(elsewhere, 'POST', '/api/acc/token/sign-out-everywhere', { keepCurrent: true });
    await elsewhere.close();
    await desk.waitForURL('**/sign/?redirect=*');
    await signInByHand(desk);

    await expect(desk.getByLabel('站点名称')).toHaveValue('临江书店');
    await expect(desk.getByLabel('网址')).toHaveValue('https://books.example/');
    expect(desk.url()).toBe(address);
    await expect(desk.getByText('已恢复上次没填完的内容。')).toBeVisible();
  });
});

test.describe('tabs of one session', () => {
  /** Returns a function that lists the addresses of open live streams in all tabs. Closing a tab emits no event for its stream, so closed tabs are left out. */
  const watchStreams = (context: BrowserContext): (() => string[]) => {
    const tabs = new Map<Request, Page>();
    context.on('request', (request) => request.url().includes('/api/core/stream') && tabs.set(request, request.frame().page()));
    context.on('requestfinished', (request) => tabs.delete(request));
    context.on('requestfailed', (request) => tabs.delete(request));
    return () => [...tabs].flatMap(([request, tab]) => (tab.isClosed() ? [] : [request.url()]));
  };

  test('share one stream, and a new site appears in all of them', async ({ context, desk, program }) => {
    const streams = watchStreams(context);
    const others = [await context.newPage(), await context.newPage()];
    for (const tab of [desk, ...others]) await open(tab, '/home', '站点');
    await expect.poll(streams).toHaveLength(1);

    await desk.getByRole('link', { name: '添加站点' }).first().click();
    await desk.getByRole('button', { name: '下一步' }).click();
    await desk.getByLabel('站点名称').fill('云上花房');
    await desk.getByLabel('网址').fill('https://flowers.example/');
    await desk.getByRole('button', { name: '下一步' }).click();
    await expect(desk.getByRole('combobox', { name: '时区' })).toBeVisible();
    await desk.getByRole('button', { name: '下一步' }).click();
    await expect(desk.getByRole('heading', { name: '将会发生什么' })).toBeVisible();
    await desk.getByRole('button', { name: '添加站点' }).click();
    await desk.waitForURL('**/dashboard');
    for (const tab of others) await expect(tab.getByRole('link', { name: '云上花房' })).toBeVisible();
    // The dashboard subscribes to another topic, for which the stream is reopened.
    await expect.poll(streams).toEqual([expect.stringContaining('topic=als')]);

    // The tab that held the stream is closed; another takes over.
    await desk.close();
    await expect.poll(streams).toHaveLength(1);
    const { id } = await program.addSite(context, '云下鱼塘');
    for (const tab of others) await expect(tab.getByRole('link', { name: '云下鱼塘' })).toHaveAttribute('href', `/site/${id}`);
  });

  test('all sign out together', async ({ context, desk }) => {
    const other = await context.newPage();
    await open(desk, '/home', '站点');
    await open(other, '/account/contacts/account_contacts', '联系人');
    await desk.getByRole('button', { name: `我的账号：${owner.displayName}` }).click();
    await desk.getByRole('menuitem', { name: '退出登录' }).click();
    await desk.waitForURL('**/sign/**');
    await other.waitForURL('**/sign/**');
    expect(new URL(other.url()).searchParams.get('redirect')).toBe('/account/contacts/account_contacts');
    await expect(other.getByLabel('登录名或邮箱')).toBeVisible();
  });
});
