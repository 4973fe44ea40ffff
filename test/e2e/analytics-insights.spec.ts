import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** Goals, funnels, segments and annotations, created and read in the browser. */

test('a goal form marks invalid fields and keeps the input', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '云上茶舍');
  await desk.goto(`/site/${site.id}/als/goal`);
  await expect(desk.getByRole('heading', { name: '目标转化', level: 1 })).toBeVisible();
  await expect(desk.getByText("sitewright('signup', {plan: 'pro'})")).toBeVisible();
  await desk.getByRole('button', { name: '新建目标' }).first().click();
  const dialog = desk.getByRole('dialog', { name: '新建目标' });
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByLabel('名称')).toBeFocused();
  await dialog.getByLabel('名称').fill('注册成功');
  await dialog.getByLabel('类型').selectOption('event');
  await dialog.getByLabel('事件名称').fill('signup');
  // The form is closed by keyboard and reopened with its input intact.
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: '新建目标' }).first().click();
  await expect(dialog.getByLabel('事件名称')).toHaveValue('signup');
  await dialog.getByLabel('价值', { exact: true }).selectOption('fixed');
  await dialog.getByLabel('金额').fill('很多');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByText('填一个数字，最多 6 位小数')).toBeVisible();
  await dialog.getByLabel('金额').fill('20');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByText('已新建目标“注册成功”')).toBeVisible();
  await expect(desk.getByRole('row', { name: /注册成功/ })).toBeVisible();
  expect(await violations(desk)).toEqual([]);
});

test('a funnel is created, opened by its address and deleted after confirmation', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '青石书店');
  await desk.goto(`/site/${site.id}/als/funnel`);
  await desk.getByRole('button', { name: '新建漏斗' }).first().click();
  const dialog = desk.getByRole('dialog', { name: '新建漏斗' });
  await dialog.getByLabel('名称').fill('买书');
  await dialog.getByLabel('页面路径').first().fill('/');
  await dialog.getByLabel('页面路径').nth(1).fill('/pay');
  await dialog.getByRole('button', { name: '加一步' }).click();
  await dialog.getByRole('button', { name: '删除第 3 步' }).click();
  await dialog.getByLabel('完成时限').fill('0');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByText('填 1 分钟到 90 天之间的整数')).toBeVisible();
  await dialog.getByLabel('完成时限').fill('7');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByRole('list', { name: '买书' }).getByRole('listitem')).toHaveCount(2);
  await expect(desk).toHaveURL(/at=/);
  await expect(desk.getByText('7 天内完成')).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  await desk.getByRole('button', { name: '删除' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(desk.getByText('还没有漏斗')).toBeVisible();
});

test('a saved segment is part of the address and reports its deletion', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '山脚咖啡');
  await desk.goto(`/site/${site.id}/als/retention?filter=sourceType:is:search`);
  await desk.getByRole('button', { name: '分群' }).click();
  await desk.getByRole('button', { name: '把当前筛选存为分群' }).click();
  const dialog = desk.getByRole('dialog', { name: '把当前筛选存为分群' });
  await dialog.getByLabel('名称').fill('搜索来的');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(desk).toHaveURL(/segment=/);
  await expect(desk.getByRole('button', { name: /修改筛选：分群：搜索来的/ })).toBeVisible();
  const address = desk.url();
  await desk.getByRole('button', { name: '分群', exact: true }).click();
  await desk.getByRole('button', { name: '删除 搜索来的' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(desk).not.toHaveURL(/segment=/);
  await desk.goto(address);
  await expect(desk.getByRole('button', { name: /分群已删除/ }).first()).toBeVisible();
});
