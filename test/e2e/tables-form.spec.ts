import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { ContentTable } from '../../contract/tables/schemas';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** A public form, from creating its link to the resulting record. */

const pictures = process.env['FORM_PICTURES'];
/** In both colour schemes and at both widths. */
async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  const size = page.viewportSize();
  for (const width of [1440, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size) await page.setViewportSize(size);
}

/** Another site that embeds the address of its query. */
async function embedding(): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer((request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<title>host</title><iframe width="400" height="600" src="${decodeURIComponent(request.url?.split('?')[1] ?? '')}"></iframe>`),
  ).listen(0, 'localhost');
  await once(server, 'listening');
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

test('a public form filled in on a phone creates one record', async ({ browser, desk, office }) => {
  const [shop, other] = await Promise.all([embedding(), embedding()]);
  const context = desk.context();
  const site = await office.addSite(context, '青岩茶行');
  const base = `/api/site/${site.id}/table`;
  const createdTable = await office.ask<ContentTable>(context, 'POST', `${base}/tables`, {
    title: '茶会来宾',
    fields: [
      { type: 'text', title: '姓名', key: 'name', required: true, help: '用于制作名牌' },
      { type: 'phone', title: '手机', key: 'phone' },
      { type: 'email', title: '邮箱', key: 'mail', unique: true },
      {
        type: 'select',
        title: '参加方式',
        key: 'way',
        required: true,
        options: {
          choices: [
            { id: 'on', title: '到现场', color: 'green' },
            { id: 'off', title: '线上', color: 'blue' },
          ],
        },
      },
      { type: 'date', title: '到店日期', key: 'day' },
      { type: 'rating', title: '对上次茶会的评价', key: 'stars' },
      {
        type: 'multiSelect',
        title: '想喝的茶',
        key: 'teas',
        options: {
          choices: [
            { id: 'g', title: '绿茶', color: 'green' },
            { id: 'b', title: '红茶', color: 'red' },
            { id: 'w', title: '白茶', color: 'grey' },
          ],
        },
      },
      { type: 'integer', title: '同行人数', key: 'seats', options: { min: 0, max: 5, unit: '人' } },
      { type: 'longText', title: '留言', key: 'note', options: { placeholder: '忌口、交通等' } },
      { type: 'switch', title: '同意接收活动通知', key: 'agree' },
      { type: 'text', title: '来源', key: 'from' },
      { type: 'user', title: '接待人', key: 'host' },
      { type: 'text', title: '内部备注', key: 'inner', sensitive: true },
    ],
  });
  const f = Object.fromEntries(createdTable.fields.map((field) => [field.key, field.id]));
  const table = await office.ask<ContentTable>(
    context,
    'PATCH',
    `${base}/tables/${createdTable.id}/fields/${f['day']}`,
    {
      conditions: [
        { filter: { field: f['way'], op: 'ne', value: 'on' }, then: 'hidden' },
        { filter: { field: f['way'], op: 'eq', value: 'on' }, then: 'required' },
      ],
    },
    { 'if-match': `"${createdTable.revision}"` },
  );
  const item = (key: string, width = 'full') => ({ field: f[key], width });
  await office.ask(
    context,
    'PATCH',
    `${base}/tables/${createdTable.id}`,
    {
      layout: {
        style: 'groups',
        sections: [
          { title: '联系方式', note: '', collapsed: false, fields: [item('name'), item('phone', 'half'), item('mail', 'half')] },
          {
            title: '参加',
            note: '名额有限，先到先得。',
            collapsed: false,
            fields: [item('way', 'half'), item('day', 'half'), item('teas'), item('seats', 'half'), item('stars', 'half'), item('note'), item('agree')],
          },
        ],
        hidden: [],
      },
    },
    { 'if-match': `"${table.revision}"` },
  );
  await office.ask(context, 'POST', `${base}/tables/${createdTable.id}/records`, { records: [{ name: '旧来宾', mail: 'old@example.com', way: 'off' }] });
  const view = await office.ask<{ id: string }>(context, 'POST', `${base}/tables/${createdTable.id}/views`, {
    title: '茶会报名',
    kind: 'form',
    query: { formTitle: '春茶品鉴会报名', formNote: '周六下午两点，青岩茶行二楼。\n每人填写一份。', formThanks: '报名成功，活动前一天会短信提醒你。' },
  });

  await desk.goto(`/site/${site.id}/table/records?table=${createdTable.id}&view=${view.id}`);
  await desk.getByRole('button', { name: '更多工具' }).click();
  await desk.getByRole('menuitem', { name: '分享' }).click();
  const dialog = desk.getByRole('dialog', { name: '公开表单“茶会报名”' });
  await expect(dialog.getByText(/接待人：这类字段/)).toBeVisible();
  await expect(dialog.getByText(/内部备注：敏感字段/)).toBeVisible();
  await dialog.getByLabel('名称').fill('官网报名');
  await dialog.getByLabel(/可以嵌入表单的网站/).fill('https://shop.example/path');
  await dialog.getByRole('button', { name: '新建链接' }).click();
  await expect(dialog.getByText(/每行填写一个网站/)).toBeVisible();
  await picture(desk, 'dialog-zh');
  await dialog.getByLabel(/可以嵌入表单的网站/).fill(shop.origin);
  await dialog.getByLabel(/收满多少份后关闭/).fill('3');
  await dialog.getByRole('button', { name: '新建链接' }).click();
  await expect(dialog.getByText('收到 0 / 3 份', { exact: false })).toBeVisible();
  await expect(dialog.getByRole('button', { name: '复制嵌入代码' })).toBeVisible();
  await picture(desk, 'dialog-list-zh');
  const url = (await dialog.getByRole('link', { name: '打开表单' }).getAttribute('href')) ?? '';

  const guest = await browser.newContext({ baseURL: office.origin, locale: 'zh-CN', viewport: { width: 390, height: 844 } });
  await guest.addInitScript({ path: axe });
  const page = await guest.newPage();
  const shell = await page.goto(`${url}?from=${encodeURIComponent('海报')}&hide_from=1&seats=2&inner=x`);
  expect([shell?.headers()['x-robots-tag'], shell?.headers()['referrer-policy']]).toEqual(['noindex, nofollow', 'no-referrer']);
  expect(shell?.headers()['content-security-policy']).toContain(`frame-ancestors ${shop.origin};`);
  await expect(page.getByRole('heading', { name: '春茶品鉴会报名', level: 1 })).toBeVisible();
  await expect(page.getByLabel('同行人数')).toHaveValue('2');
  await expect(page.getByLabel('来源')).toHaveCount(0);
  await expect(page.getByLabel('到店日期')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await picture(page, 'form-zh');

  // Missing values are reported beside each field and in a summary, and the first one has the focus.
  await page.getByLabel('邮箱').fill('old@example.com');
  await page.getByRole('radio', { name: '到现场' }).check();
  await page.getByRole('button', { name: '提交' }).click();
  await expect(page.getByLabel(/姓名/)).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('有 2 处需要修改');
  expect(await violations(page)).toEqual([]);
  await picture(page, 'form-faults-zh');
  await page.getByLabel(/姓名/).fill('王芳');
  await page.getByLabel(/到店日期/).fill('2026-11-28');
  await page.getByRole('checkbox', { name: '绿茶' }).check();
  await page.getByRole('radio', { name: '4 星，共 5 星' }).check();

  // Input survives a reload; server-side errors reveal nothing about other records.
  await page.reload();
  await expect(page.getByLabel(/姓名/)).toHaveValue('王芳');
  await expect(page.getByRole('checkbox', { name: '绿茶' })).toBeChecked();
  await page.getByRole('button', { name: '提交' }).click();
  await expect(page.getByRole('alert')).toContainText('已被使用');
  await expect(page.getByLabel('邮箱')).toBeFocused();
  await page.getByLabel('邮箱').fill('wang@example.com');

  // Without a connection, or with a lost response, it is sent again and creates one record.
  await page.route('**/api/view/form', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: '提交' }).click();
  await expect(page.getByText(/网络连接失败，还不确定是否提交成功/)).toBeVisible();
  await picture(page, 'form-offline-zh');
  await page.unroute('**/api/view/form');
  await page.getByRole('button', { name: '提交' }).dblclick();
  await expect(page.getByRole('heading', { name: '提交成功' })).toBeFocused();
  await expect(page.getByText('报名成功，活动前一天会短信提醒你。')).toBeVisible();
  await picture(page, 'form-done-zh');

  // It can be embedded by the permitted site only.
  const host = await guest.newPage();
  const embedded = host.frameLocator('iframe');
  const embed = (where: string) => host.goto(`${where}/?${encodeURIComponent(url)}`);
  const refused = host.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await embed(other.origin);
  await refused;
  await expect(embedded.getByText('春茶品鉴会报名')).toHaveCount(0);
  await embed(shop.origin);
  await embedded.getByLabel(/姓名/).fill('李雷');
  await embedded.getByRole('radio', { name: '线上' }).check();
  await embedded.getByRole('button', { name: '提交' }).click();
  await expect(embedded.getByRole('heading', { name: '提交成功' })).toBeVisible();
  await host.close();
  shop.close();
  other.close();

  // By keyboard, in English, by another visitor; afterwards the form is full.
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('button', { name: 'Fill it in again' }).click();
  await expect(page.getByLabel(/姓名/)).toHaveValue('');
  await page.getByLabel(/姓名/).fill('Ann');
  await page.getByRole('radio', { name: '线上' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Submit' }).focus();
  await picture(page, 'form-en');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible();
  await page.getByRole('button', { name: 'Fill it in again' }).click();
  await expect(page.getByRole('heading', { name: 'This form is closed' })).toBeVisible();
  await picture(page, 'form-full-en');
  await guest.close();

  const grid = await office.ask<{ rows: { values: Record<string, unknown> }[] }>(context, 'GET', `${base}/tables/${createdTable.id}/records?sort=$n`);
  expect(grid.rows.map(({ values }) => [values['name'], values['from'], values['seats'], values['day'], values['stars']])).toEqual([
    ['旧来宾', null, null, null, null],
    ['王芳', '海报', 2, '2026-11-28', 4],
    ['李雷', null, null, null, null],
    ['Ann', '海报', 2, null, null],
  ]);
  await desk.goto(`/site/${site.id}/table/records?table=${createdTable.id}`);
  await desk.getByText('王芳').first().click();
  await desk.keyboard.press('Space');
  await desk.getByRole('tab', { name: '历史' }).click();
  await expect(desk.getByText('公开表单 · 官网报名')).toBeVisible();
  if (pictures) await desk.screenshot({ path: `${pictures}/history.png` });
});

test('a form redirects, accepts one response per browser and keeps typed answers', async ({ browser, desk, office }) => {
  const thanks = await embedding();
  const context = desk.context();
  const site = await office.addSite(context, '青岩茶行');
  const base = `/api/site/${site.id}/table`;
  const table = await office.ask<ContentTable>(context, 'POST', `${base}/tables`, { title: '留言', fields: [{ type: 'text', title: '姓名', key: 'name' }] });
  const view = await office.ask<{ id: string }>(context, 'POST', `${base}/tables/${table.id}/views`, { title: '留言', kind: 'form', query: {} });
  const publicLink = (form: object) =>
    office.ask<{ id: string; url: string }>(context, 'POST', `${base}/tables/${table.id}/views/${view.id}/shares`, { name: '官网', form });
  const guest = await browser.newContext({ baseURL: office.origin, locale: 'zh-CN' });
  const page = await guest.newPage();

  const single = await publicLink({ once: true, redirect: `${thanks.origin}/thanks` });
  await page.goto(single.url);
  await page.getByLabel('姓名').fill('王芳');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${thanks.origin}/thanks`);
  await page.goto(single.url);
  await expect(page.getByRole('heading', { name: '你已经填写过了' })).toBeVisible();

  const ending = await publicLink({});
  await page.goto(ending.url);
  await page.getByLabel('姓名').fill('李雷');
  await office.ask(context, 'DELETE', `${base}/shares/${ending.id}`);
  await page.getByRole('button', { name: '提交' }).click();
  await expect(page.getByRole('heading', { name: '表单已关闭' })).toBeVisible();
  await expect(page.getByText('姓名：李雷')).toBeVisible();
  await page.reload();
  await expect(page.getByText('姓名：李雷')).toBeVisible();
  await guest.close();
  thanks.close();
});
