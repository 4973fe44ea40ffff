import type { Page } from '@playwright/test';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** One record in its drawer: written in two languages, published, changed and restored. */

type Answer<T> = { readonly data: T };
type Table = { readonly id: string; readonly fields: readonly { readonly id: string; readonly key: string }[] };
const post = async <T>(desk: Page, path: string, data: object): Promise<T> => {
  const origin = new URL(desk.url()).origin;
  const answer = await desk.request.post(origin + path, { data, headers: { origin, 'x-requested-with': 'console' } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as Answer<T>).data;
};

test('a record is translated, published, changed and one field restored from history', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '云上茶舍');
  await desk.goto(`/site/${site.id}/table/records`);
  const tables = `/api/site/${site.id}/table/tables`;
  const table = await post<Table>(desk, tables, {
    title: '文章',
    drafts: true,
    locales: ['zh-Hans', 'en'],
    fields: [
      { key: 'title', type: 'text', title: '标题', localized: true, required: true },
      { key: 'body', type: 'richText', title: '正文' },
      { key: 'kind', type: 'select', title: '栏目', options: { choices: [{ id: 'guide', title: '指南', color: 'green' }] } },
    ],
  });
  const created = await post<{ records: { id: string }[] }>(desk, `${tables}/${table.id}/records`, { records: [{ body: '<p>水温</p>' }] });
  const id = created.records[0]?.id ?? '';
  const pageErrors: string[] = [];
  desk.on('console', (line) => {
    if (/Trusted|Content Security/i.test(line.text())) pageErrors.push(line.text());
  });
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}&record=${id}`);
  const drawer = desk.locator('.rec-drawer');
  await expect(drawer.getByText('草稿')).toBeVisible();

  // A required value is missing, which its field reports.
  await drawer.getByRole('button', { name: '发布', exact: true }).click();
  await expect(drawer.locator('[data-key$="@en"]')).toBeVisible();
  await expect(drawer.getByRole('alert').first()).toBeVisible();

  await drawer.getByRole('textbox', { name: '标题（简体中文）' }).fill('怎么泡龙井');
  await drawer.getByRole('textbox', { name: '标题（英语）' }).fill('How to brew Longjing');
  await drawer.getByRole('button', { name: '编辑“栏目”' }).click();
  await drawer.getByRole('option', { name: '指南' }).click();
  const body = drawer.getByRole('textbox', { name: '正文' });
  await body.click();
  await desk.keyboard.press('Control+End');
  await desk.keyboard.type('八十度');
  await desk.keyboard.press('Control+a');
  await drawer.getByRole('button', { name: '加粗' }).click();
  expect(await violations(desk)).toEqual([]);
  await drawer.getByRole('button', { name: '保存并发布' }).click();
  await expect(drawer.getByRole('region', { name: '发布' }).getByText('已发布')).toBeVisible();
  await expect(drawer.getByRole('heading', { name: '怎么泡龙井' })).toBeVisible();

  await drawer.getByRole('textbox', { name: '标题（简体中文）' }).fill('写错了');
  await desk.keyboard.press('Control+s');
  await expect(drawer.getByText('有未发布的修改')).toBeVisible();
  await drawer.getByRole('tab', { name: '历史' }).click();
  await drawer.getByRole('button', { name: '恢复旧值：标题', exact: true }).first().click();
  await expect(drawer.getByRole('heading', { name: '怎么泡龙井' })).toBeVisible();
  expect(await violations(desk)).toEqual([]);

  await desk.reload();
  await expect(desk).toHaveURL(/part=history/);
  await drawer.getByRole('tab', { name: '内容' }).click();
  await expect(drawer.getByRole('textbox', { name: '标题（英语）' })).toHaveValue('How to brew Longjing');
  await expect(body.locator('b, strong')).toHaveText('水温八十度');
  await expect(drawer.getByRole('button', { name: '编辑“栏目”' })).toContainText('指南');
  expect(pageErrors).toEqual([]);
});

test('a mentioned person is notified and led to the comment', async ({ browser, desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '竹里茶舍');
  const tables = `/api/site/${site.id}/table/tables`;
  await desk.goto(`/site/${site.id}/table/records`);
  const table = await post<Table>(desk, tables, { title: '茶单', fields: [{ key: 'name', type: 'text', title: '名称' }] });
  const { records } = await post<{ records: { id: string }[] }>(desk, `${tables}/${table.id}/records`, { records: [{ name: '白毫银针' }] });
  const colleague = await office.join(browser, { loginName: 'su.mu', displayName: '苏木', role: 'manager' });
  const bell = await colleague.newPage();
  await bell.goto('/');
  await expect(bell.getByRole('button', { name: '通知', exact: true })).toBeVisible();

  await desk.goto(`/site/${site.id}/table/records?table=${table.id}&record=${records[0]?.id}&part=comments`);
  const box = desk.locator('.rec-drawer').getByRole('textbox', { name: '写评论' });
  await box.click();
  await desk.keyboard.type('请@sm');
  await expect(desk.getByRole('listbox', { name: '提到成员' }).getByRole('option', { name: '苏木', selected: true })).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  await desk.keyboard.press('Enter');
  await desk.keyboard.type('定价');
  await desk.keyboard.press('Control+Enter');
  await expect(desk.locator('.rec-said')).toHaveText('请@苏木 定价');
  expect(await violations(desk)).toEqual([]);

  // The other person’s console learns of it without a reload.
  await bell.getByRole('button', { name: '通知 1' }).click();
  await bell.getByRole('link', { name: /林小满 在“白毫银针”的评论中提到了你/ }).click();
  await expect(bell.locator('.rec-said')).toHaveText('请@苏木 定价');
  await bell.keyboard.press('Escape');
  await expect(bell.getByRole('button', { name: '通知', exact: true })).toBeVisible();
  await colleague.close();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('a record is a page that can be edited and left by back', async ({ desk, office }) => {
    await desk.addInitScript({ path: axe });
    const site = await office.addSite(desk.context(), '云上茶舍');
    await desk.goto(`/site/${site.id}/table/records`);
    const tables = `/api/site/${site.id}/table/tables`;
    const table = await post<Table>(desk, tables, {
      title: '茶叶',
      fields: [
        { key: 'name', type: 'text', title: '名称' },
        { key: 'price', type: 'number', title: '价格' },
        { key: 'day', type: 'date', title: '采摘日' },
        { key: 'mail', type: 'email', title: '联系邮箱' },
        { key: 'sold', type: 'switch', title: '在售' },
        { key: 'kind', type: 'select', title: '种类', options: { choices: [{ id: 'green', title: '绿茶', color: 'green' }] } },
        { key: 'body', type: 'richText', title: '介绍' },
      ],
    });
    const names = Array.from({ length: 60 }, (_, at) => `第 ${String(at + 1)} 号`);
    const { records } = await post<{ records: { id: string }[] }>(desk, `${tables}/${table.id}/records`, {
      records: names.map((name) => ({ name, kind: 'green' })),
    });
    await desk.goto(`/site/${site.id}/table/records?table=${table.id}`);
    const page = desk.getByRole('dialog', { name: /^第 \d+ 号$/ });
    const grid = desk.locator('.g-scroll');
    await expect(desk.getByRole('gridcell', { name: '第 1 号' })).toBeVisible();
    await grid.evaluate((element) => element.scrollTo(0, 1000));
    await desk
      .getByRole('row')
      .filter({ has: desk.getByRole('gridcell', { name: '第 40 号' }) })
      .getByRole('button')
      .tap();
    const heading = page.getByRole('heading', { level: 2 });
    await expect(heading).toHaveText('第 40 号');
    await expect.poll(() => page.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    await expect(page.getByRole('toolbar', { name: '文字格式' })).toBeVisible();
    const small = await page.locator('button, input, [role="tab"], [role="textbox"]').evaluateAll((all) =>
      all.flatMap((element) => {
        const { width, height } = element.getBoundingClientRect();
        const least = element.getAttribute('type') === 'checkbox' ? 28 : 44;
        const isSmall = width > 0 && (Math.min(width, height) < least || (element.tagName === 'INPUT' && parseFloat(getComputedStyle(element).fontSize) < 16));
        return isSmall ? [element.outerHTML] : [];
      }),
    );
    expect(small).toEqual([]);
    expect(await violations(desk)).toEqual([]);

    await page.getByRole('textbox', { name: '价格' }).fill('68');
    await page.getByRole('button', { name: '“价格”的正负号' }).tap();
    await page.getByLabel('采摘日').fill('2026-03-28');
    await expect(page.getByRole('textbox', { name: '联系邮箱' })).toHaveAttribute('inputmode', 'email');
    await expect(page.getByRole('status').filter({ hasText: '未保存' })).toBeVisible();
    await page.getByRole('button', { name: '保存', exact: true }).tap();
    await expect(page.getByRole('banner').getByText('已保存')).toBeVisible();
    const response = await desk.request.get(`${tables}/${table.id}/records/${records[39]?.id ?? ''}`);
    expect(Object.values(((await response.json()) as Answer<{ values: object }>).data.values)).toEqual(expect.arrayContaining(['-68', '2026-03-28']));

    await desk.goBack();
    await expect(page).toHaveCount(0);
    expect(await grid.evaluate((element) => element.scrollTop)).toBe(1000);
    await desk.goForward();
    await page.getByRole('button', { name: '下一条' }).tap();
    await expect(heading).toHaveText('第 41 号');
    await page.getByRole('textbox', { name: '名称' }).fill('没有保存');
    await desk.goBack();
    await expect(desk.getByText('修改还没有保存，重新打开这条记录可以继续')).toBeVisible();

    // Opened by its address, it leads to the list too.
    await desk.goto(`/site/${site.id}/table/records?table=${table.id}&record=${records[2]?.id ?? ''}`);
    await page.getByRole('button', { name: '返回' }).tap();
    await expect(desk.getByRole('gridcell', { name: '第 3 号' })).toBeVisible();
    await expect(desk).not.toHaveURL(/record=/);
  });
});
