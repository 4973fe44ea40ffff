import type { RecordPage } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { expect, test } from './support/accounts';

/** An editor's morning: from creating a table to two hundred articles, and undo. */

const names = ['林晓雨', '陈山', '苏禾', '周一鸣'];
const kinds = ['新闻', '教程', '故事', '公告'];
const rows = 200;
const tsv = Array.from({ length: rows }, (_, at) => [`明前茶札记 ${String(at + 1)}`, kinds[at % 4], names[at % 4]].join('\t')).join('\n');

test('bilingual articles with a relation are pasted, edited, filtered, published and restored', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '云上茶舍');
  const tables = `/api/site/${site.id}/table/tables`;
  const zh = { 'accept-language': 'zh-CN' };
  const team = await office.ask<ContentTable>(desk.context(), 'POST', tables, { title: '团队成员', template: 'team' }, zh);
  await office.ask(desk.context(), 'POST', `${tables}/${team.id}/records`, { records: names.map((name) => ({ name })) });

  // A table of articles, with drafts, in two languages.
  await desk.goto(`/site/${site.id}/table/schemas`);
  await desk.getByRole('button', { name: '新建内容表' }).click();
  const making = desk.getByRole('dialog', { name: '新建内容表' });
  await making.getByRole('radio', { name: '文章' }).check();
  await making.getByLabel('先存草稿，再发布').check();
  await making.getByRole('button', { name: '新建', exact: true }).click();
  await expect(desk.getByText('已新建内容表“文章”')).toBeVisible();
  const id =
    new URL(desk.url()).searchParams.get('table') ??
    (await office.ask<ContentTable[]>(desk.context(), 'GET', tables)).find(({ title }) => title === '文章')?.id ??
    '';
  await desk.goto(`/site/${site.id}/table/schemas`);
  await desk.getByRole('button', { name: '“文章”的操作' }).click();
  await desk.getByRole('menuitem', { name: '设置' }).click();
  const settings = desk.getByRole('dialog', { name: '“文章”的设置' });
  await expect(settings.getByLabel('语言')).toHaveValue('zh-Hans, en');

  // Its title in both languages, and its author.
  await desk.goto(`/site/${site.id}/table/table_fields?table=${id}&field=title`);
  await expect(desk.getByLabel('每种语言各有内容')).toBeChecked();
  await desk.getByRole('button', { name: '新建字段' }).first().click();
  await desk.getByRole('button', { name: /^关联一条/ }).click();
  await desk.getByLabel('名称', { exact: true }).fill('撰稿人');
  await desk.getByLabel('关联到', { exact: true }).selectOption({ label: '团队成员' });
  await desk.getByLabel('在对方表里显示为').fill('写的文章');
  await desk.getByRole('button', { name: '新建字段' }).last().click();
  await expect(desk.getByText('已新建字段“撰稿人”')).toBeVisible();

  // Two hundred from a spreadsheet whose columns have another order, so only three columns are shown.
  const table = await office.ask<ContentTable>(desk.context(), 'GET', `${tables}/${id}`);
  const fieldOf = (title: string): string => table.fields.find((field) => field.title === title)?.id ?? '';
  const stored = (query = ''): Promise<RecordPage> =>
    office.ask<RecordPage>(desk.context(), 'GET', `${tables}/${id}/records?limit=500&count=exact&names=id${query}`);
  const view = await office.ask<{ id: string }>(desk.context(), 'POST', `${tables}/${id}/views`, {
    title: '速记',
    kind: 'grid',
    scope: 'shared',
    query: { columns: ['标题', '分类', '撰稿人'].map((title) => ({ field: fieldOf(title) })) },
  });
  await desk.goto(`/site/${site.id}/table/records?table=${id}&view=${view.id}`);
  await desk.getByRole('button', { name: '新建记录' }).first().click();
  await expect(desk.locator('.g-catcher')).toBeFocused();
  await desk.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, tsv);
  const paste = desk.getByRole('dialog', { name: '粘贴到表格' });
  await expect(paste.getByText(`新建 ${String(rows - 1)} 条记录`)).toBeVisible();
  await paste.getByRole('button', { name: '粘贴', exact: true }).click();
  await expect(desk.getByText('200 条记录', { exact: true })).toBeVisible();
  const first = desk.getByRole('gridcell', { name: '明前茶札记 1', exact: true });
  await expect(first).toBeVisible();
  const pasted = await stored();
  expect(pasted.total).toBe(rows);
  expect(new Set(pasted.rows.map(({ values }) => pasted.labels.records[String(values[fieldOf('撰稿人')])]))).toEqual(new Set(names));

  // A range is edited at once: the first three get the kind of the first.
  await desk.getByRole('gridcell', { name: '新闻', exact: true }).first().click();
  await desk.keyboard.press('Shift+ArrowDown');
  await desk.keyboard.press('Shift+ArrowDown');
  await desk.keyboard.press('Control+d');
  const news = (query: string) => stored(`&filter=${encodeURIComponent(JSON.stringify({ field: fieldOf('分类'), op: 'in', value: [query] }))}`);
  const kindOf = pasted.rows.find(({ values }) => values[fieldOf('标题')] === '明前茶札记 1')?.values[fieldOf('分类')];
  await expect.poll(async () => (await news(String(kindOf))).total).toBe(52);

  // Only news.
  await desk.getByRole('button', { name: '筛选' }).click();
  const panel = desk.getByRole('dialog', { name: '筛选' });
  await panel.getByRole('button', { name: '添加条件' }).click();
  await panel.getByLabel('字段').selectOption({ label: '分类' });
  await panel.getByLabel('新闻').check();
  await expect(desk.getByText('52 条记录', { exact: true })).toBeVisible();
  await desk.keyboard.press('Escape');

  // One gets its English title and is published; a mistake is undone from its history.
  await first.click();
  await desk.keyboard.press('Space');
  const drawer = desk.locator('.rec-drawer');
  await drawer.getByRole('textbox', { name: '标题（英语）', exact: true }).fill('Notes on spring tea');
  await drawer.getByRole('button', { name: '保存并发布' }).click();
  await expect(drawer.getByRole('region', { name: '发布' }).getByText('已发布')).toBeVisible();
  await drawer.getByRole('textbox', { name: '标题（简体中文）', exact: true }).fill('写错了');
  await desk.keyboard.press('Control+s');
  await expect(drawer.getByText('有未发布的修改')).toBeVisible();
  await drawer.getByRole('tab', { name: '历史' }).click();
  await drawer.getByRole('button', { name: '恢复旧值：标题', exact: true }).first().click();
  await expect(drawer.getByRole('heading', { name: '明前茶札记 1', exact: true })).toBeVisible();
  await desk.keyboard.press('Escape');

  // The paste is undone as a whole, except for later changes.
  await desk.getByRole('button', { name: '更多工具' }).click();
  await desk.getByRole('menuitem', { name: '最近的修改' }).click();
  const history = desk.getByRole('dialog', { name: '最近的修改' });
  await history.getByRole('listitem').filter({ hasText: '粘贴' }).getByRole('button', { name: '撤销' }).click();
  await expect(desk.getByText('已撤销，但有 2 处之后又被改过，保持原样')).toBeVisible();
  const left = await stored();
  // The one made by hand has its empty title again, while the site still shows the published one.
  expect(left.rows.map(({ values, state }) => [values[fieldOf('标题')], state])).toEqual([
    [null, 'changed'],
    ['明前茶札记 2', 'draft'],
    ['明前茶札记 3', 'draft'],
  ]);
  // Two are news.
  await expect(desk.getByText('2 条记录', { exact: true })).toBeVisible();
});
