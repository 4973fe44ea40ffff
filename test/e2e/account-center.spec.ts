import { deflateSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, owner, password, test, typeNameAndPassword } from './support/accounts';

/** The own account: name, picture, tokens, history, data and sessions elsewhere. */

const center = (tab: string): string => `/account/center/account_center?tab=${tab}`;
const me = (page: Page, name: string) => page.getByRole('banner').getByRole('button', { name: `我的账号：${name}` });

/** A one-colour uncompressed 24-bit BMP, `edge` pixels wide and high. */
function picture(edge: number): Buffer {
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + edge * edge * 3, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(edge, 18);
  head.writeInt32LE(edge, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(edge * edge * 3, 0x50)]);
}

test('a new name and picture appear wherever the person is shown', async ({ browser, desk, office }) => {
  const theirs = await office.join(browser, { loginName: 'tang.li', displayName: '唐离' });
  const page = await theirs.newPage();
  await page.goto(center('profile'));
  await page.getByLabel('显示名称').fill('唐棣');
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('资料已保存')).toBeVisible();
  await expect(me(page, '唐棣')).toBeVisible();

  await page.getByLabel('选择图片').setInputFiles({ name: 'me.bmp', mimeType: 'image/bmp', buffer: picture(120) });
  const dialog = page.getByRole('dialog', { name: '裁剪头像' });
  await dialog.getByRole('application').press('+');
  await dialog.getByRole('button', { name: '使用' }).click();
  await expect(page.getByText('头像已更新')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(me(page, '唐棣').locator('img')).toBeVisible();
  await page.getByLabel('选择图片').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: deflateSync('not a picture') });
  await expect(page.getByText('无法打开这个文件，选择 JPG、PNG 或 WebP 图片')).toBeVisible();

  await desk.goto('/account/users/account_users?q=tang.li');
  const row = desk.getByRole('table', { name: '成员列表' }).getByRole('row').filter({ hasText: 'tang.li' });
  await expect(row).toContainText('唐棣');
  await expect(row.locator('img')).toBeVisible();
  await expect.poll(() => row.locator('img').evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0))).toBeGreaterThan(0);
  await theirs.close();
});

test('a token works within its scope until it is disabled', async ({ context, desk, office, playwright }) => {
  const site = await office.addSite(context, '长河报馆');
  await desk.goto(center('tokens'));
  await desk.getByRole('button', { name: '新建令牌' }).click();
  const dialog = desk.getByRole('dialog', { name: '新建令牌' });
  await dialog.getByRole('button', { name: '新建令牌' }).click();
  await expect(dialog.getByLabel('名称')).toBeFocused();
  await dialog.getByLabel('名称').fill('每周报表');
  for (const scope of ['查看站点', '查看统计']) await dialog.getByRole('checkbox', { name: scope }).check();
  await dialog.getByRole('radio', { name: '指定站点' }).check();
  await dialog.getByRole('checkbox', { name: '长河报馆' }).check();
  await dialog.getByRole('button', { name: '新建令牌' }).click();
  const tokenDialog = desk.getByRole('dialog', { name: '令牌“每周报表”已创建' });
  const value = (await tokenDialog.getByLabel('令牌', { exact: true }).innerText()).trim();
  await tokenDialog.getByRole('button', { name: '我已保存' }).click();

  const script = await playwright.request.newContext({ baseURL: office.origin, extraHTTPHeaders: { authorization: `Bearer ${value}` } });
  const load = await script.get('/api/core/load/rpm');
  expect(((await load.json()) as { data: { sites: { id: string }[] } }).data.sites.map((one) => one.id)).toEqual([site.id]);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' }).format(new Date());
  expect((await script.get(`/api/site/${site.id}/als/report?from=${today}&to=${today}`)).status()).toBe(200);
  for (const [method, path] of [
    ['GET', '/api/acc/users'],
    ['POST', '/api/core/sites'],
    ['GET', '/api/acc/tokens'],
  ] as const) {
    const answer = await script.fetch(path, {
      method,
      ...(method === 'POST' && { data: { name: '不该有的站点', purpose: 'external', url: 'https://shop.example/' } }),
    });
    expect([answer.status(), ((await answer.json()) as { code: string }).code], path).toEqual([403, 'token_scope']);
  }

  await desk.reload();
  const row = desk.getByRole('list', { name: '令牌列表' }).getByRole('listitem').filter({ hasText: '每周报表' });
  await expect(row).toContainText('最近使用');
  await expect(desk.getByText(value)).toHaveCount(0);
  await row.getByRole('button', { name: '停用“每周报表”' }).click();
  await desk.getByRole('dialog', { name: '停用令牌“每周报表”？' }).getByRole('button', { name: '停用' }).click();
  await expect(desk.getByText('令牌“每周报表”已停用')).toBeVisible();
  expect((await script.get('/api/core/load/rpm')).status()).toBe(401);
  await script.dispose();
});

test('the history shows a failed sign-in and personal data can be downloaded', async ({ browser, office }) => {
  const theirs = await office.join(browser, { loginName: 'gu.past', displayName: '顾往' });
  const guest = await browser.newContext({ baseURL: office.origin });
  const stranger = await guest.newPage();
  await stranger.goto('/sign/');
  await typeNameAndPassword(stranger, 'gu.past', 'a guess that is wrong');
  await expect(stranger.getByRole('alert')).toContainText('登录名或密码不正确');
  await guest.close();

  const page = await theirs.newPage();
  await page.goto(center('history'));
  const rows = page.getByRole('table', { name: '登录历史' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('密码不正确');
  await expect(rows.nth(2)).toContainText('接受邀请');

  await page.goto(center('data'));
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: '下载我的数据' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  const data = JSON.parse(text) as { profile: { loginName: string }; signIns: { action: string; result: string }[] };
  expect(data.profile.loginName).toBe('gu.past');
  expect(data.signIns).toEqual([expect.objectContaining({ action: 'sign.in', result: 'failed' })]);
  expect(text).not.toContain(password);
  expect(text).not.toMatch(/argon2/);
  await theirs.close();
});

test('signing out all other devices keeps this session', async ({ browser, desk, office }) => {
  const others = [];
  for (const path of ['/home', '/account/contacts/account_contacts']) {
    const context = await browser.newContext({ baseURL: office.origin });
    await office.signIn(context);
    const page = await context.newPage();
    await page.goto(path);
    await expect(me(page, owner.displayName)).toBeVisible();
    others.push({ context, page, path });
  }
  await desk.goto(center('sessions'));
  const list = desk.getByRole('list', { name: '登录的设备' });
  await expect(list).toContainText('这台设备');
  await desk.getByRole('button', { name: '退出其他设备' }).click();
  await expect(desk.getByText(/^已退出 \d+ 台其他设备/)).toBeVisible();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  for (const { context, page, path } of others) {
    await page.waitForURL('**/sign/?redirect=*', { timeout: 5000 });
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(path);
    await context.close();
  }
  await desk.goto('/home');
  await expect(me(desk, owner.displayName)).toBeVisible();
});
