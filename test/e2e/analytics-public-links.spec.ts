import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** Access to a site's figures without an account: links, cards and mailed reports. */

test('a public link opens only its screens, until it ends', async ({ browser, desk, office }) => {
  const site = await office.addSite(desk.context(), '云上茶舍');
  await desk.goto(`/site/${site.id}/setting/share`);
  await desk.getByRole('button', { name: '新建链接' }).first().click();
  const dialog = desk.getByRole('dialog', { name: '新建分享链接' });
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByLabel('名称')).toBeFocused();
  await dialog.getByLabel('名称').fill('给老板看');
  await dialog.getByRole('checkbox', { name: '受访页面' }).check();
  await dialog.getByLabel('访问密码').fill('tea-2026');
  await expect(dialog.getByRole('checkbox', { name: '允许嵌入卡片' })).toBeDisabled();
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByText('已保存“给老板看”')).toBeVisible();
  const link = await desk.getByRole('link', { name: '打开' }).getAttribute('href');

  const guest = await browser.newContext({ baseURL: office.origin, locale: 'zh-CN' });
  await guest.addInitScript({ path: axe });
  const page = await guest.newPage();
  await page.goto(link ?? '');
  await page.getByLabel('密码').fill('not it');
  await page.keyboard.press('Enter');
  await expect(page.getByText('密码不对。')).toBeVisible();
  await page.getByLabel('密码').fill('tea-2026');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: '概况', level: 1 })).toBeVisible();
  await page.getByRole('navigation', { name: '报表' }).getByRole('link', { name: '受访页面' }).click();
  await expect(page.getByRole('heading', { name: '受访页面', level: 1 })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // A reload keeps the access; a screen outside the link is refused.
  await page.reload();
  await expect(page.getByRole('heading', { name: '受访页面', level: 1 })).toBeVisible();
  await page.goto(`${link}/site/${site.id}/als/keyword`);
  await expect(page.getByText('这张报表没有分享给你')).toBeVisible();

  await desk.getByRole('button', { name: '停用分享链接 给老板看' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: '停用' }).click();
  await expect(desk.getByText('已停用“给老板看”')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: '链接已失效' })).toBeVisible();
  await guest.close();
});

test('a report is shared as it is in two clicks', async ({ browser, desk, office }) => {
  const site = await office.addSite(desk.context(), '竹溪酒店');
  await desk.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk.goto(`/site/${site.id}/als/engine?range=lastMonth&compare=year&filter=deviceType%3Ais%3Amobile`);
  const copied = () => desk.evaluate(() => navigator.clipboard.readText());

  await desk.getByRole('button', { name: '分享', exact: true }).click();
  await desk.getByRole('button', { name: '新建分享链接' }).click();
  const dialog = desk.getByRole('dialog', { name: '分享这张报表' });
  await expect(dialog.getByText('已新建并复制链接')).toBeVisible();
  const link = await copied();
  expect(link).toBe(await dialog.getByRole('textbox', { name: '分享链接' }).inputValue());
  await desk.keyboard.press('Escape');

  await desk.getByRole('button', { name: '分享', exact: true }).click();
  await desk.getByRole('button', { name: '复制成员链接' }).click();
  await expect.poll(copied).toBe(desk.url());

  const guest = await browser.newContext({ baseURL: office.origin, locale: 'zh-CN' });
  const page = await guest.newPage();
  const request = page.waitForRequest((one) => one.url().includes('/als/reports?'));
  await page.goto(link);
  await expect(page.getByRole('heading', { name: '搜索引擎', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /时段.*上月/ })).toBeVisible();
  const reports = new URL((await request).url()).searchParams.getAll('q');
  expect(reports.map((query) => new URLSearchParams(query).get('compare'))).toContain('year');
  await expect(page.getByRole('button', { name: '分享', exact: true })).toHaveCount(0);
  await guest.close();
  const [publicLink] = await office.ask<{ filters: string[] }[]>(desk.context(), 'GET', `/api/site/${site.id}/als/shares`);
  expect(publicLink?.filters).toEqual(['deviceType:is:mobile']);
});

test('a card is embedded in a page of another site', async ({ browser, desk, office }) => {
  const site = await office.addSite(desk.context(), '青石书店');
  const publicLink = await office.ask<{ card: string }>(desk.context(), 'POST', `/api/site/${site.id}/als/shares`, {
    name: '卡片',
    screens: ['overview'],
    card: true,
  });
  const host = createServer((_request, response) => void response.end(`<!doctype html><iframe src="${publicLink.card}" title="card"></iframe>`));
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  await expect(page.frameLocator('iframe').getByText('青石书店')).toBeVisible();
  await context.close();
  await new Promise((done) => host.close(done));
});

test('a contact receives a report, and an invalid rule marks its field', async ({ desk, office }) => {
  const context = desk.context();
  const site = await office.addSite(context, '海风民宿');
  await desk.goto(`/site/${site.id}/setting/share?tab=reports`);
  await expect(desk.getByText('还没有联系人订阅“流量报告”')).toBeVisible();
  const contact = { name: '周明远', title: 'owner', webhook: null, email: 'boss@example.com', subscriptions: { report: ['mail'] } };
  const { id } = await office.ask<{ id: string }>(context, 'POST', '/api/acc/contacts', contact);
  await office.ask(context, 'POST', `/api/acc/contacts/${id}/verify`, {});
  const letter = await office.mail.waitFor('boss@example.com', ({ text }) => text.includes('/sign/contact#t='));
  const guest = await desk.context().browser()?.newContext({ baseURL: office.origin, locale: 'zh-CN' });
  const page = await guest?.newPage();
  await page?.goto(letter.links.find((one) => one.includes('/sign/contact')) ?? '');
  await page?.getByRole('button', { name: '确认邮箱' }).click();
  await expect(page?.getByRole('heading', { name: '邮箱已确认' }) ?? desk.locator('none')).toBeVisible();
  await guest?.close();

  await desk.reload();
  await expect(desk.getByText('目前有 1 位联系人会收到。')).toBeVisible();
  await desk.getByRole('checkbox', { name: /周报/ }).check();
  await desk.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByText('已保存')).toBeVisible();
  await desk.getByRole('button', { name: '立即发送 周报' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: '立即发送' }).click();
  const report = await office.mail.waitFor('boss@example.com', ({ text }) => text.includes('没有收到访问数据'));
  expect(report.text).toContain('海风民宿');

  await desk.getByRole('link', { name: '流量预警' }).click();
  await desk.getByRole('button', { name: '添加规则' }).click();
  await desk.getByLabel('变化幅度（%）').fill('五成');
  await desk.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByLabel('变化幅度（%）')).toBeFocused();
  await desk.getByLabel('变化幅度（%）').fill('60');
  await desk.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByRole('button', { name: '保存' })).toHaveCount(0);
  await desk.reload();
  await expect(desk.getByLabel('变化幅度（%）')).toHaveValue('60');
});
