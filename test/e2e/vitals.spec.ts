import type { VitalsOfView } from '../../contract/vitals/schemas';
import type { Install, VisitRow } from '../../contract/analytics/schemas';
import type { z } from 'zod';
import { startFixtureSite } from '../fixtures/site/server';
import { expect, test } from './support/accounts';
import { comeAs } from './support/visitor';

const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

test('web vitals of a real visit reach the screen', async ({ context, desk, office }) => {
  const site = await office.addSite(context, '网页指标茶铺');
  const shop = await startFixtureSite();
  const api = `/api/site/${site.id}/als`;
  shop.tag = (await office.ask<z.infer<typeof Install>>(context, 'GET', `${api}/install`)).tag;
  const visitor = await comeAs({ agent, address: '114.114.114.114' }, office.origin);
  const script = visitor.page.waitForResponse((response) => response.url().includes(`/collect?${site.id}`) && response.request().method() === 'GET');
  await visitor.page.goto(shop.origin);
  expect((await script).headers()['content-type']).toContain('javascript');
  // An interaction, and its response, before the page is left.
  await visitor.page.getByRole('link', { name: '全部商品', exact: true }).first().click();
  await expect(visitor.page.getByRole('heading', { level: 1, name: '全部商品', exact: true })).toBeVisible();
  await visitor.leave();

  const views = async (): Promise<readonly VitalsOfView[]> => {
    const { rows } = await office.ask<{ rows: z.infer<typeof VisitRow>[] }>(context, 'GET', `${api}/latest?who=all`);
    const ids = rows.flatMap(({ pages }) => pages.map(({ pageId }) => pageId));
    return Promise.all(ids.map((id) => office.ask<VitalsOfView>(context, 'GET', `/api/dev/webcv/sites/${site.id}/views/${id}`)));
  };
  await expect
    .poll(async () => (await views()).filter((values) => values.some(({ metric }) => metric === 'lcp')).length, { timeout: 20_000 })
    .toBeGreaterThan(0);
  const found = (await views()).flat();
  expect(new Set(found.map(({ metric }) => metric))).toEqual(new Set([...new Set(found.map(({ metric }) => metric)), 'ttfb', 'fcp', 'lcp']));
  for (const { metric, value } of found) expect([metric, value >= 0 && value < 60_000]).toEqual([metric, true]);

  await desk.goto('/developer/webcv');
  await desk.getByRole('row', { name: /网页指标茶铺/ }).click();
  await expect(desk).toHaveURL(new RegExp(`site=${site.id}`));
  await expect(desk.getByRole('heading', { level: 1, name: /网页指标|Web vitals/ })).toBeVisible();
  await expect(desk.getByRole('table').first()).toBeVisible();
  // A row limits the page, and the condition can be removed again.
  await desk.getByRole('link', { name: /^(?:页面|Page)$/ }).click();
  await desk.getByRole('row', { name: /\// }).first().click();
  await expect(desk).toHaveURL(/[?&]path=/);
  await desk.getByRole('button', { name: /^(?:预算|Budgets)$/ }).click();
  await desk.getByRole('button', { name: /^(?:添加预算|Add budget)$/ }).click();
  await desk.getByRole('button', { name: /^(?:保存|Save)$/ }).click();
  await expect(desk.getByRole('dialog').getByText(/LCP p75/)).toBeVisible();
  await shop.close();
});
