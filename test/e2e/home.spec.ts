import { axe, violations } from './support/axe';
import { expect, open, test } from './support/console';

const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;

test('sites found by pinyin are tagged and archived together, and restored', async ({ context, desk, program }) => {
  await desk.addInitScript({ path: axe });
  for (const name of ['云岭茶行', '云岭书局']) await program.addSite(context, name);
  await open(desk, '/home', '站点');
  const list = desk.getByRole('list', { name: '站点列表' });
  const search = desk.getByRole('searchbox', { name: '搜索站点' });
  await search.fill('yunling');
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await search.press('ArrowDown');
  await desk.keyboard.press('x');
  const selected = desk.getByRole('toolbar', { name: '选中的站点' });
  await expect(selected).toContainText('已选 1 个站点');
  await desk.keyboard.press('Control+a');
  await expect(selected).toContainText('已选 2 个站点');
  expect(await violations(desk)).toEqual([]);

  await selected.getByRole('button', { name: '标签…' }).click();
  const dialog = desk.getByRole('dialog', { name: '2 个站点的标签' });
  await dialog.getByRole('textbox', { name: '新标签' }).fill('云岭');
  await dialog.getByRole('button', { name: '应用' }).click();
  await expect(desk.getByText('已修改 2 个站点的标签')).toBeVisible();
  await desk.getByRole('combobox', { name: '标签' }).selectOption('云岭（2）');
  await search.fill('');
  await expect(list.getByRole('listitem')).toHaveCount(2);

  await desk.reload();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await list.getByRole('link', { name: '云岭茶行' }).focus();
  await desk.keyboard.press('Control+a');
  await selected.getByRole('button', { name: '归档' }).click();
  await expect(list).toHaveCount(0);
  await desk.getByRole('button', { name: '撤销' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
});

test('on a phone the list of sites is made of cards that fit', async ({ desk, program }) => {
  await desk.addInitScript({ path: axe });
  await desk.setViewportSize({ width: 390, height: 844 });
  await open(desk, '/home?view=table', '站点');
  const card = desk.getByRole('list', { name: '站点列表' }).getByRole('listitem').filter({ hasText: program.demo.name });
  await expect(card).toContainText('今日访客');
  await expect(desk.getByRole('table')).toHaveCount(0);
  expect(await desk.evaluate(fits)).toBe(true);
  expect(await violations(desk)).toEqual([]);
});
