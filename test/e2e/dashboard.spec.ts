import { startFixtureSite } from '../fixtures/site/server';
import { axe, violations } from './support/axe';
import { expect, test } from './support/console';
import { comeAs } from './support/visitor';

const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;

test('a new site waits for its first visit and turns into the dashboard', async ({ desk, context, program }) => {
  const shop = await startFixtureSite();
  const site = await program.ask<{ id: string }>(context, 'POST', '/api/core/sites', { name: '山间茶铺', purpose: 'external', url: shop.origin });
  await desk.goto(`/site/${site.id}/dashboard`);
  await expect(desk.getByText('等待第一次访问')).toBeVisible();
  await expect(desk.getByRole('region', { name: '今天' })).toHaveCount(0);
  await expect(desk.getByRole('region', { name: '上线清单' })).toContainText('下一步：收到第一次访问');
  shop.tag = (await desk.getByRole('code').or(desk.locator('code')).first().textContent()) ?? '';
  const visitor = await comeAs({ agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', address: '114.114.114.114' }, program.origin);
  await visitor.page.goto(shop.origin);
  await expect(desk.getByText('已收到第一次访问')).toBeVisible();
  await expect(desk.getByRole('region', { name: '实时' })).toContainText('当前在线 1');
  await expect(desk.getByRole('region', { name: '今天' })).toContainText('访客比昨天此时多 1 人');
  await visitor.leave();
  await shop.close();
});

test('on a phone one tap on the dashboard leads to why today differs', async ({ desk, program }) => {
  await desk.addInitScript({ path: axe });
  await desk.setViewportSize({ width: 390, height: 844 });
  await desk.goto(`/site/${program.demo.id}/dashboard`);
  const today = desk.getByRole('region', { name: '今天' });
  const sentence = today.getByText(/访客(比昨天此时[多少]|和昨天此时一样多)/);
  await expect(sentence).toBeInViewport();
  await today.getByRole('button', { name: '为什么变了' }).click();
  const why = desk.getByRole('region', { name: '为什么变了' });
  await expect(why.getByRole('table')).toHaveCount(4);
  await expect(why).toContainText('每一栏相加都等于总变化');
  expect(await desk.evaluate(fits)).toBe(true);
  expect(await violations(desk)).toEqual([]);
  await expect(desk).toHaveURL(/why=yesterday/);
});
