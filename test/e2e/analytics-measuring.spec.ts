import type { MeasuringSettings } from '../../contract/measuring/schemas';
import { expect, open, test } from './support/console';

/** The measuring settings of a site with traffic; the walk checks how they look. */

test('a rule is previewed, saved, reclassifies the visits and is removed', async ({ desk, context, program }) => {
  const settings = `/api/site/${program.demo.id}/als/settings`;
  await open(desk, `/site/${program.demo.id}/setting/measuring?part=bots`, '统计设置');
  await desk.getByRole('button', { name: '添加规则' }).click();
  const rule = desk.getByRole('group', { name: '规则 1' });
  await rule.getByRole('textbox', { name: /^值/ }).fill('/');
  await desk.getByRole('button', { name: '预览影响' }).click();
  const tried = desk.getByRole('status').filter({ hasText: '最近 30 天的访问' });
  // Every entry page contains a slash, so all visitors become bots.
  await expect(tried.getByRole('row', { name: /^真人/ }).getByRole('cell').last()).toHaveText('0');
  expect((await program.ask<MeasuringSettings>(context, 'GET', settings)).bots.rules).toEqual([]);
  await desk.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByText('统计设置已保存')).toBeVisible();
  await desk.goto(`/site/${program.demo.id}/als/overview?range=last7`);
  await expect(desk.getByText('没有真人访问')).toBeVisible();
  await desk.goto(`/site/${program.demo.id}/setting/measuring?part=bots`);
  await desk.getByRole('button', { name: '删除规则' }).click();
  await desk.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByText('统计设置已保存')).toBeVisible();
  await desk.goto(`/site/${program.demo.id}/als/overview?range=last7`);
  await expect(desk.getByRole('button', { name: /^浏览量 \(PV\) [1-9]/ }).first()).toBeVisible();
});
