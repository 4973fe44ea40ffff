import type { Site } from '../../contract/sites/schemas';
import { axe, violations } from './support/axe';
import { expect, open, test } from './support/console';

test('a monitored site shows its state on the dashboard and site list', async ({ desk, context, program }) => {
  await desk.addInitScript({ path: axe });
  const site = await program.ask<Site>(context, 'POST', '/api/core/sites', { name: '云上茶舍', purpose: 'built' });
  await open(desk, `/site/${site.id}/setting/share?tab=uptime`, '共享与订阅');
  const form = desk.getByRole('form', { name: '监测设置' });
  await form.getByRole('checkbox', { name: '监测这个站点' }).check();
  await form.getByLabel('检查间隔').selectOption({ label: '1 分钟' });
  expect(await violations(desk)).toEqual([]);
  await desk.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByText('监测设置已保存')).toBeVisible();

  await desk.goto(`/site/${site.id}/dashboard`);
  const region = desk.getByRole('region', { name: '可用性' });
  await expect(region.getByRole('status')).toContainText('正常');
  await expect(region.getByText('最近 90 天没有中断。')).toBeVisible();
  await desk.setViewportSize({ width: 390, height: 844 });
  expect(await desk.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
  expect(await violations(desk)).toEqual([]);
  await open(desk, '/home', '站点');
  await expect(desk.getByRole('listitem').filter({ hasText: '云上茶舍' }).getByRole('img', { name: '站点正常' })).toBeVisible();
});
