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
  await expect(drawer.getByText('已发布', { exact: true })).toBeVisible();
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
  await bell.getByRole('button', { name: '通知 (1)' }).click();
  await bell.getByRole('link', { name: /林小满 在“白毫银针”的评论中提到了你/ }).click();
  await expect(bell.locator('.rec-said')).toHaveText('请@苏木 定价');
  await bell.keyboard.press('Escape');
  await expect(bell.getByRole('button', { name: '通知', exact: true })).toBeVisible();
  await colleague.close();
});
