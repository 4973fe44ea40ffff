import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { RecordPage } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { expect, test } from './support/accounts';
import type { Office } from './support/accounts';
import { axe, violations } from './support/axe';
import { createFinger } from './support/finger';

/** Records of content tables, created, arranged and read in the browser. */

const path = (siteId: string, rest = ''): string => `/api/site/${siteId}/table/tables${rest}`;
/** Creates a table of articles with `n` records through the API. */
async function articles(office: Office, context: BrowserContext, siteId: string, count: number): Promise<ContentTable> {
  const table = await office.ask<ContentTable>(
    context,
    'POST',
    path(siteId),
    { title: '文章', template: 'articles', drafts: true },
    { 'accept-language': 'zh-CN' },
  );
  const categories = ['news', 'guide', 'story', 'notice'];
  const records = Array.from({ length: count }, (_, n) => ({
    title: `文章 ${String(n + 1)}`,
    category: categories[n % 4],
    published_on: `2026-11-${String((n % 28) + 1).padStart(2, '0')}`,
  }));
  if (count > 0) await office.ask(context, 'POST', path(siteId, `/${table.id}/records`), { records });
  return table;
}
const stored = (office: Office, page: Page, siteId: string, table: string, query = ''): Promise<RecordPage> =>
  office.ask<RecordPage>(page.context(), 'GET', path(siteId, `/${table}/records?limit=500&count=exact${query}`));
const open = async (page: Page, siteId: string, query = ''): Promise<void> => {
  await page.goto(`/site/${siteId}/table/records${query}`);
  await expect(page.getByRole('heading', { name: '文章', level: 1 })).toBeAttached();
};
const cell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true });

test('articles are created from a template, edited, pasted and the paste undone', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '云上茶舍');
  await desk.goto(`/site/${site.id}/table`);
  await expect(desk).toHaveURL(/table\/records/);
  await expect(desk.getByText('还没有内容表')).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  await desk.getByRole('button', { name: '新建内容表' }).click();
  const dialog = desk.getByRole('dialog', { name: '新建内容表' });
  await dialog.getByRole('radio', { name: '文章' }).check();
  await expect(dialog.getByLabel('名称')).toHaveValue('文章');
  await dialog.getByLabel('先存草稿，再发布').check();
  expect(await violations(desk)).toEqual([]);
  await dialog.getByRole('button', { name: '新建', exact: true }).click();
  await expect(desk.getByText('已新建内容表“文章”')).toBeVisible();
  await expect(desk.getByText('还没有记录')).toBeInViewport();
  const table = new URL(desk.url()).searchParams.get('table') ?? '';

  // One is added by hand.
  await desk.getByRole('button', { name: '新建记录' }).first().click();
  await expect(desk.getByText('1 条记录', { exact: true })).toBeVisible();
  // Further typing goes into it.
  await expect(desk.locator('.g-catcher')).toBeFocused();
  await desk.keyboard.type('春茶上市');
  await desk.keyboard.press('Enter');
  await expect(cell(desk, '春茶上市')).toBeVisible();

  // Three more are pasted from a spreadsheet, over and below it.
  await cell(desk, '春茶上市').click();
  await desk.keyboard.press('ArrowDown');
  await cell(desk, '春茶上市').click();
  await desk.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', '夏茶上市\n秋茶上市\n冬茶上市');
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  const paste = desk.getByRole('dialog', { name: '粘贴到表格' });
  await expect(paste.getByText('新建 2 条记录')).toBeVisible();
  await expect(paste.getByText('修改 1 条记录')).toBeVisible();
  await paste.getByRole('button', { name: '粘贴', exact: true }).click();
  await expect(cell(desk, '冬茶上市')).toBeVisible();
  await expect(desk.getByText('3 条记录', { exact: true })).toBeVisible();
  expect(await violations(desk)).toEqual([]);

  await desk.getByRole('button', { name: '撤销', exact: true }).click();
  await expect(cell(desk, '春茶上市')).toBeVisible();
  await expect(cell(desk, '冬茶上市')).toHaveCount(0);
  expect((await stored(office, desk, site.id, table)).total).toBe(1);
  await desk.getByRole('button', { name: '更多工具' }).click();
  await desk.getByRole('menuitem', { name: '重做' }).click();
  await expect(cell(desk, '冬茶上市')).toBeVisible();
});

test('filter, order, search and groups are restored from the address', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '青石书店');
  await articles(office, desk.context(), site.id, 40);
  await open(desk, site.id);
  await expect(desk.getByText('40 条记录')).toBeVisible();
  await desk.getByRole('button', { name: '筛选' }).click();
  const panel = desk.getByRole('dialog', { name: '筛选' });
  await panel.getByRole('button', { name: '添加条件' }).click();
  await panel.getByLabel('字段').selectOption({ label: '分类' });
  await panel.getByLabel('新闻').check();
  await expect(desk.getByText('10 条记录')).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  // Removing a line removes its button too; the focus stays in the panel, so that Escape still closes it.
  await panel.getByRole('button', { name: '添加条件', exact: true }).click();
  await panel.getByRole('button', { name: '删除条件' }).last().press('Enter');
  await desk.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(desk.getByRole('button', { name: '筛选' })).toBeFocused();
  await desk.getByRole('button', { name: '排序' }).click();
  const sorting = desk.getByRole('dialog', { name: '排序' });
  await sorting.getByRole('button', { name: '添加排序' }).click();
  await sorting.getByLabel('第 1 排序字段').selectOption({ label: '编号' });
  await sorting.getByLabel('方向').selectOption({ label: '从大到小' });
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('row').filter({ has: cell(desk, '文章 37') })).toHaveAttribute('aria-rowindex', '2');
  const address = desk.url();
  await desk.goto('/home');
  await desk.goto(address);
  await expect(desk.getByText('10 条记录')).toBeVisible();
  await expect(desk.getByRole('row').filter({ has: cell(desk, '文章 37') })).toHaveAttribute('aria-rowindex', '2');

  // Saved as a view for everybody.
  await desk.getByRole('button', { name: '另存为视图' }).click();
  const dialog = desk.getByRole('dialog', { name: '新建视图' });
  await dialog.getByLabel('视图名称').fill('新闻');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(desk).toHaveURL(/view=/);
  await expect(desk.getByRole('navigation', { name: '视图' }).getByText('新闻')).toBeVisible();
  await expect(desk.getByText('10 条记录')).toBeVisible();
  await expect(desk.getByText('视图有未保存的更改')).toHaveCount(0);

  await desk.getByRole('searchbox', { name: '搜索记录' }).fill('不存在的词');
  await expect(desk.getByText('没有符合条件的记录')).toBeInViewport();
  await desk.getByRole('button', { name: '清除搜索和筛选' }).click();
  await expect(desk.getByText('40 条记录')).toBeVisible();
});

test('a cell edit is undone by keyboard and others’ edits appear live', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '山脚咖啡');
  const table = await articles(office, desk.context(), site.id, 3);
  await open(desk, site.id);
  await cell(desk, '文章 2').dblclick();
  await desk.keyboard.press('Control+a');
  await desk.keyboard.type('泡茶入门');
  await desk.keyboard.press('Enter');
  await expect(cell(desk, '泡茶入门')).toBeVisible();
  await expect.poll(async () => (await stored(office, desk, site.id, table.id, '&q=' + encodeURIComponent('泡茶'))).rows.length).toBe(1);
  await desk.keyboard.press('Control+z');
  await expect(cell(desk, '文章 2')).toBeVisible();
  const [first] = (await stored(office, desk, site.id, table.id)).rows;
  await office.ask(desk.context(), 'PATCH', path(site.id, `/${table.id}/records`), { changes: [{ id: first?.id, values: { title: '同事改的' } }] });
  await expect(cell(desk, '同事改的')).toBeVisible();
});

/** Creates a table in which all columns but the last are in sight. */
async function narrowTable(office: Office, context: BrowserContext, siteId: string): Promise<ContentTable> {
  const choices = Object.entries({ news: '新闻', guide: '教程', story: '故事' }).map(([id, title]) => ({ id, title, color: 'blue' }));
  const table = await office.ask<ContentTable>(context, 'POST', path(siteId), {
    title: '文章',
    fields: [
      { key: 'title', type: 'text', title: '标题' },
      { key: 'category', type: 'select', title: '分类', options: { choices } },
      { key: 'note', type: 'text', title: '备注' },
      { key: 'source', type: 'text', title: '来源' },
    ],
  });
  const records = Array.from({ length: 9 }, (_, n) => ({ title: `文章 ${String(n + 1)}`, category: choices[n % 3]?.id }));
  await office.ask(context, 'POST', path(siteId, `/${table.id}/records`), { records });
  return table;
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: cell(page, name) });
const headOf = (page: Page, name: string) => page.getByRole('columnheader').filter({ hasText: name });
const center = async (target: Locator) => {
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
};

test('by mouse a value is filled down and a column is pinned', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '河岸书屋');
  await narrowTable(office, desk.context(), site.id);
  await open(desk, site.id);
  const drag = async (target: Locator, to: { readonly x: number; readonly y: number }) => {
    await target.hover();
    await desk.mouse.down();
    await desk.mouse.move(to.x, to.y, { steps: 4 });
  };
  await rowOf(desk, '文章 1').getByRole('gridcell', { name: '新闻' }).click();
  const third = await center(rowOf(desk, '文章 3').getByRole('gridcell', { name: '故事' }));
  await drag(desk.locator('[data-handle]'), third);
  await desk.keyboard.press('Escape');
  await desk.mouse.up();
  await drag(desk.locator('[data-handle]'), third);
  await desk.mouse.up();
  await expect(cell(desk, '新闻')).toHaveCount(5);
  await desk.getByRole('button', { name: '撤销', exact: true }).click();
  await expect(cell(desk, '新闻')).toHaveCount(3);

  const pinned = desk.locator('.g-head .g-pins').getByRole('columnheader').filter({ hasText: '分类' });
  const { x, y } = await center(headOf(desk, '标题'));
  await drag(headOf(desk, '分类'), { x: x - 60, y });
  await desk.mouse.up();
  await expect(pinned).toBeVisible();
  await desk.getByRole('status').getByRole('button', { name: '撤销' }).click();
  await expect(pinned).toHaveCount(0);
  await drag(headOf(desk, '分类'), { x: x - 60, y });
  await desk.mouse.up();
  await drag(pinned, { x: x + 500, y });
  await desk.mouse.up();
  await expect(pinned).toHaveCount(0);
});

test.describe('with a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('a value is filled down, a column pinned and a card moved', async ({ desk, office }) => {
    const site = await office.addSite(desk.context(), '竹林茶室');
    const table = await narrowTable(office, desk.context(), site.id);
    await open(desk, site.id);
    const finger = await createFinger(desk);
    const grid = desk.locator('.grid');

    await rowOf(desk, '文章 1').getByRole('gridcell', { name: '新闻' }).tap();
    await finger.press(desk.locator('[data-handle]'));
    await finger.move(await center(rowOf(desk, '文章 3').getByRole('gridcell', { name: '故事' })));
    await finger.lift();
    await expect(cell(desk, '新闻')).toHaveCount(5);
    await desk.getByRole('button', { name: '撤销', exact: true }).tap();
    await expect(cell(desk, '新闻')).toHaveCount(3);

    // Once its head is held, a column moves, unless a second finger comes.
    const category = headOf(desk, '分类');
    const left = async () => ({ x: 60, y: (await center(category)).y });
    const pinned = desk.locator('.g-head .g-pins').getByRole('columnheader').filter({ hasText: '分类' });
    for (const isCancelled of [true, false]) {
      await finger.press(category);
      await expect(grid).toHaveAttribute('data-dragging', 'column');
      await finger.move(await left());
      await expect(desk.locator('.g-coldrop')).toBeVisible();
      if (isCancelled) await finger.addSecond();
      if (isCancelled) await expect(grid).not.toHaveAttribute('data-dragging');
      await finger.lift();
      await expect(pinned).toHaveCount(isCancelled ? 0 : 1);
    }
    // A moving finger scrolls.
    await finger.press(headOf(desk, '标题'));
    await finger.move(await left());
    await finger.lift();
    await expect.poll(() => desk.locator('.g-scroll').evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    await expect(pinned).toHaveCount(1);

    const query = { filter: null, sort: [], group: [], columns: null };
    const view = await office.ask<{ id: string }>(desk.context(), 'POST', path(site.id, `/${table.id}/views`), { title: '看板', kind: 'kanban', query });
    await open(desk, site.id, `?view=${view.id}`);
    const card = desk.getByRole('region', { name: /^新闻/ }).getByRole('button', { name: /^文章 1 / });
    await finger.press(card);
    await expect(card).toHaveAttribute('data-held', '');
    // The board scrolls at its edge until the next column lies under the finger.
    await finger.move({ x: 384, y: 400 });
    const guides = desk.getByRole('region', { name: /^教程/ });
    await expect(guides).toHaveAttribute('data-over', '');
    await finger.lift();
    await expect(guides.getByRole('button', { name: /^文章 1 / })).toBeAttached();
    await desk.getByRole('status').getByRole('button', { name: '撤销' }).tap();
    await expect(card).toBeAttached();
  });
});

test('selected records are previewed, changed, published, deleted and restored', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '海边旅舍');
  const table = await articles(office, desk.context(), site.id, 5);
  await open(desk, site.id);
  await expect(cell(desk, '文章 1')).toBeVisible();
  const choose = async (name: string) => {
    await desk
      .getByRole('row')
      .filter({ has: cell(desk, name) })
      .hover();
    await desk
      .getByRole('row')
      .filter({ has: cell(desk, name) })
      .getByRole('checkbox')
      .first()
      .check();
  };
  await choose('文章 1');
  await choose('文章 2');
  const bar = desk.getByRole('toolbar', { name: '批量操作' });
  await expect(bar.getByText('已选 2 条')).toBeVisible();
  await bar.getByRole('button', { name: '批量修改' }).click();
  const dialog = desk.getByRole('dialog', { name: '批量修改' });
  await dialog.getByLabel('字段').selectOption({ label: '摘要' });
  await dialog.getByLabel('摘要').fill('同一句话');
  await dialog.getByRole('button', { name: '预览' }).click();
  await expect(dialog.getByText('会修改 2 条记录')).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  await dialog.getByRole('button', { name: '修改 2 条' }).click();
  await expect(desk.getByText('已修改 2 条')).toBeVisible();
  await bar.getByRole('button', { name: '发布', exact: true }).click();
  await desk.getByRole('dialog', { name: '发布 2 条记录？' }).getByRole('button', { name: '发布' }).click();
  await expect(desk.getByText('已发布 2 条')).toBeVisible();
  await expect(desk.getByRole('gridcell', { name: '已发布' })).toHaveCount(2);
  await choose('文章 3');
  await desk.getByRole('button', { name: '移入回收站' }).click();
  await expect(desk.getByText('4 条记录')).toBeVisible();
  await desk.getByRole('button', { name: '更多工具' }).click();
  await desk.getByRole('menuitem', { name: '回收站' }).click();
  await expect(desk.getByText('回收站里有 1 条')).toBeVisible();
  await choose('文章 3');
  await bar.getByRole('button', { name: '恢复' }).click();
  await expect(desk.getByText('回收站是空的')).toBeVisible();
  expect((await stored(office, desk, site.id, table.id)).total).toBe(5);
});

test('a kanban, calendar, gallery and form show the same records', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '江南茶乡');
  const table = await articles(office, desk.context(), site.id, 8);
  await open(desk, site.id);
  /** A new view has a name by itself, and asks for nothing where only one field fits. */
  const addView = async (kind: string) => {
    await desk.getByRole('button', { name: '新建视图' }).click();
    await desk.getByRole('menuitem', { name: kind }).click();
    await expect(desk.getByRole('navigation', { name: '视图' }).getByRole('button', { name: kind, exact: true })).toHaveAttribute('aria-current', 'page');
  };
  await addView('看板');
  const news = desk.getByRole('region', { name: /^新闻/ });
  await expect(news.getByRole('button', { name: /^文章 1 / })).toBeVisible();
  await news.getByRole('button', { name: /^文章 1 / }).focus();
  await desk.keyboard.press('Alt+ArrowRight');
  const guides = desk.getByRole('region', { name: '教程，3 条' });
  const card = guides.getByRole('button', { name: /^文章 1 / });
  await expect(card).toBeVisible();
  expect(await violations(desk)).toEqual([]);

  // The same by mouse: Escape leaves the card where it was, and the move can be undone.
  const carry = async () => {
    const box = await news.boundingBox();
    await card.hover();
    await desk.mouse.down();
    await desk.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 60, { steps: 4 });
    await expect(news).toHaveAttribute('data-over', '');
  };
  await carry();
  await desk.keyboard.press('Escape');
  await expect(news).not.toHaveAttribute('data-over');
  await desk.mouse.up();
  await carry();
  await desk.mouse.up();
  await expect(desk.getByRole('region', { name: '新闻，2 条' }).getByRole('button', { name: /^文章 1 / })).toBeVisible();
  await desk.getByRole('status').getByRole('button', { name: '撤销' }).click();
  await expect(card).toBeVisible();

  await addView('日历');
  await desk.goto(`${desk.url()}&day=2026-11-20`);
  const dayOf = (day: string) => desk.getByRole('listitem').filter({ has: desk.locator(`time[datetime="${day}"]`) });
  const eventOn = (day: string) => dayOf(day).getByRole('button', { name: '文章 5' });
  await expect(eventOn('2026-11-05')).toBeVisible();
  await eventOn('2026-11-05').focus();
  await desk.keyboard.press('Alt+ArrowDown');
  await eventOn('2026-11-12').hover();
  await desk.mouse.down();
  const { x, y } = await center(dayOf('2026-11-17'));
  await desk.mouse.move(x, y, { steps: 4 });
  await desk.mouse.up();
  await expect(eventOn('2026-11-17')).toBeVisible();
  expect(await violations(desk)).toEqual([]);

  await addView('画廊');
  await expect(desk.getByRole('button', { name: /^文章 8 / })).toBeVisible();
  expect(await violations(desk)).toEqual([]);

  await addView('表单');
  await desk.getByRole('textbox', { name: '标题', exact: true }).fill('投来的稿子');
  expect(await violations(desk)).toEqual([]);
  await desk.getByRole('button', { name: '提交' }).click();
  await expect(desk.getByText('已提交，谢谢。')).toBeVisible();
  expect((await stored(office, desk, site.id, table.id)).total).toBe(9);
});

test('on a phone the grid is editable and tools are sheets', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '小巷面馆');
  const table = await articles(office, desk.context(), site.id, 12);
  await desk.setViewportSize({ width: 390, height: 844 });
  await open(desk, site.id);
  await expect(cell(desk, '文章 1')).toBeVisible();
  expect(await desk.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await desk.getByRole('button', { name: '筛选和设置' }).click();
  const sheet = desk.getByRole('dialog', { name: '筛选和设置' });
  await sheet.getByRole('button', { name: '分组' }).click();
  await desk.getByRole('dialog', { name: '分组' }).getByRole('button', { name: '添加分组' }).click();
  await expect(desk).toHaveURL(/group=/);
  expect(await violations(desk)).toEqual([]);

  // The tab of the active view is in sight among many.
  const query = { filter: null, sort: [], group: [], columns: null };
  const views: { id: string }[] = [];
  for (const title of ['最近发布的文章', '等待发布的文章', '全部教程和指南', '已经下线的文章'])
    views.push(await office.ask(desk.context(), 'POST', path(site.id, `/${table.id}/views`), { title, kind: 'grid', query }));
  await open(desk, site.id, `?view=${views[1]?.id ?? ''}`);
  const tabs = desk.getByRole('navigation', { name: '视图' });
  await expect(tabs.getByRole('button', { name: '等待发布的文章', exact: true })).toBeInViewport({ ratio: 1 });
});

test('a conflicting cell edit shows both values to choose from', async ({ browser, desk, office }) => {
  const site = await office.addSite(desk.context(), '两人茶舍');
  const table = await articles(office, desk.context(), site.id, 3);
  const other = await browser.newContext({ baseURL: office.origin, locale: 'zh-CN' });
  await office.signIn(other);
  const second = await other.newPage();
  for (const page of [desk, second]) await open(page, site.id, `?table=${table.id}`);

  await cell(desk, '文章 2').click();
  await desk.keyboard.press('F2');
  await desk.keyboard.type('：我的');
  await cell(second, '文章 2').click();
  await second.keyboard.press('F2');
  await second.keyboard.type('：对方的');
  await second.keyboard.press('Enter');
  // The list is redrawn behind the open editor.
  await expect(cell(desk, '文章 2：对方的')).toBeAttached();
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('1 处与别人的修改冲突')).toBeVisible();
  const titles = async () => (await stored(office, desk, site.id, table.id)).rows.map(({ values }) => values['title']);
  expect(await titles()).toEqual(['文章 1', '文章 2：对方的', '文章 3']);

  await desk.getByRole('button', { name: '查看' }).click();
  const dialog = desk.getByRole('dialog', { name: '没有保存的修改' });
  for (const text of ['文章 2', '文章 2：我的', '文章 2：对方的']) await expect(dialog.getByText(text, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: '用我的' }).click();
  await expect.poll(titles).toEqual(['文章 1', '文章 2：我的', '文章 3']);
  await expect(cell(second, '文章 2：我的')).toBeVisible();
  await other.close();
});

test('fields are added, renamed and deleted in the grid', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '湖畔书店');
  const table = await articles(office, desk.context(), site.id, 3);
  await open(desk, site.id);
  await expect(cell(desk, '文章 1')).toBeVisible();
  const titles = async (): Promise<readonly string[]> => {
    const tables = await office.ask<ContentTable[]>(desk.context(), 'GET', path(site.id));
    return tables.find(({ id }) => id === table.id)?.fields.map(({ title }) => title) ?? [];
  };
  const head = (name: string) => desk.getByRole('columnheader', { name, exact: false }).filter({ hasText: name });

  await desk.getByRole('button', { name: '新建字段' }).click();
  const panel = desk.getByRole('dialog', { name: '新建字段' });
  await panel.getByLabel('名称').fill('优先级');
  await panel.getByRole('searchbox', { name: '搜索字段类型' }).fill('单选');
  await desk.keyboard.press('Enter');
  expect(await violations(desk)).toEqual([]);
  await panel.getByRole('button', { name: '新建字段' }).click();
  await expect(head('优先级')).toBeVisible();

  // A choice is created where it is needed.
  const column = await head('优先级').getAttribute('aria-colindex');
  await desk
    .getByRole('row')
    .filter({ has: cell(desk, '文章 1') })
    .locator(`[aria-colindex="${column ?? ''}"]`)
    .dblclick();
  await desk.getByRole('combobox', { name: '优先级' }).fill('高');
  await desk.keyboard.press('Enter');
  await expect(cell(desk, '高')).toBeVisible();

  await head('优先级').dblclick();
  await desk.getByRole('textbox', { name: '重命名“优先级”' }).fill('紧急程度');
  await desk.keyboard.press('Enter');
  await expect.poll(titles).toContain('紧急程度');

  await head('紧急程度').click({ button: 'right' });
  await desk.getByRole('menuitem', { name: '删除字段' }).click();
  await expect.poll(titles).not.toContain('紧急程度');
  await desk.getByRole('button', { name: '撤销' }).last().click();
  await expect(cell(desk, '高')).toBeVisible();
});
