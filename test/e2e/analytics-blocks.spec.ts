import { axe, violations } from './support/axe';
import { expect, test } from './support/console';

/** The blocks of reports other than tables, over the demo site's ninety days. */

test('the province map and its table agree and lead to cities', async ({ desk, program }) => {
  const base = `/site/${program.demo.id}/als`;
  await desk.addInitScript({ path: axe });
  await desk.goto(`${base}/loc/provinces?range=last30`);
  const map = desk.getByRole('group', { name: /^省份分布：用方向键/ });
  await expect(map.locator('path[data-code]')).toHaveCount(34);
  await map.focus();
  await desk.keyboard.press('ArrowDown');
  const spoken = desk.getByRole('status').filter({ hasText: /^第 1 位/ });
  await expect(spoken).toHaveText(/访问次数/);
  const first = (await spoken.textContent())?.split('、')[1] ?? '';
  const table = desk.getByRole('table', { name: '省份明细' });
  await expect(table.getByRole('rowheader').nth(1)).toContainText(first);
  expect(await violations(desk)).toEqual([]);
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(new RegExp(`${base}/loc/cities\\?.*filter=province`));
  await expect(desk.getByRole('table', { name: '城市明细' }).getByRole('rowheader').nth(1)).toBeVisible();
});

test('the world map is drawn in dark mode and fits a phone', async ({ desk, program }) => {
  await desk.emulateMedia({ colorScheme: 'dark' });
  await desk.setViewportSize({ width: 390, height: 844 });
  await desk.goto(`/site/${program.demo.id}/als/loc/countries?range=last30`);
  await expect(desk.locator('path[data-code="CN"]')).toBeVisible();
  expect(await desk.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
});

test('the directory tree leads to page flows, and back retraces them', async ({ desk, program }) => {
  await desk.goto(`/site/${program.demo.id}/als/path?range=last30&view=tree`);
  const grid = desk.getByRole('treegrid');
  await grid.getByRole('row').nth(1).focus();
  await desk.keyboard.press('ArrowRight');
  await expect(grid.locator('tr[aria-level="2"]').first()).toBeVisible();
  await expect(desk).toHaveURL(/at=%2F/);
  await desk.reload();
  const page = grid.locator('tr[aria-level="2"]:not([aria-expanded])').first();
  const path = await page.getAttribute('data-path');
  await page.click();
  await expect(desk).toHaveURL(/view=flow/);
  const drawing = desk.getByRole('group', { name: `“${path}”的上下游流向图` });
  await expect(drawing).toBeVisible();
  await drawing.getByRole('button', { name: /^\// }).first().click();
  await expect(desk.getByRole('group', { name: /的上下游流向图$/ })).not.toHaveAccessibleName(`“${path}”的上下游流向图`);
  await desk.goBack();
  await expect(drawing).toBeVisible();
});

test('both sides of a flow add up to the page’s views', async ({ desk, program }) => {
  await desk.goto(`/site/${program.demo.id}/als/path?range=last30&view=flow&at=%2F`);
  await desk.getByRole('button', { name: '查看表格' }).click();
  const table = desk.getByRole('table', { name: '页面上下游' });
  await expect(table).toBeVisible();
  const sums: Record<string, number> = {};
  for (const row of await table.getByRole('row').all()) {
    const cells = await row.getByRole('cell').allTextContents();
    if (cells.length < 3) continue;
    sums[cells[0] ?? ''] = (sums[cells[0] ?? ''] ?? 0) + Number((cells[2] ?? '').replaceAll(',', ''));
  }
  expect(sums['上游']).toBeGreaterThan(0);
  expect(sums['上游']).toBe(sums['下游']);
});

test('every loyalty distribution has its buckets and both ways of counting', async ({ desk, program }) => {
  const base = `/site/${program.demo.id}/als/character`;
  for (const [screen, name, buckets] of [
    ['pv', '访问页数', 10],
    ['ssr', '访问时长', 11],
    ['ago', '距上次访问', 10],
  ] as const) {
    await test.step(screen, async () => {
      await desk.goto(`${base}/${screen}?range=last30`);
      // The total is shown above the buckets.
      await expect(desk.getByRole('table', { name, exact: true }).getByRole('rowheader')).toHaveCount(buckets + 1);
    });
  }
  await desk.goto(`${base}/fr?range=last30&compare=none`);
  // Of the numbers of visits, those up to the highest that occurs.
  await expect(desk.getByRole('table', { name: '时段内访问次数', exact: true }).getByRole('row').last().getByRole('cell').nth(1)).not.toHaveText('0');
  await desk.getByRole('button', { name: '第几次访问' }).click();
  await expect(desk).toHaveURL(/view=visitNumber/);
  await expect(desk.getByRole('table', { name: '第几次访问', exact: true })).toBeVisible();
});

test('a figure of the overview chooses the line of the chart', async ({ desk, program }) => {
  await desk.goto(`/site/${program.demo.id}/als/overview`);
  const figures = desk.getByRole('region', { name: '关键指标' });
  await figures.getByRole('button', { name: /^浏览量 \(PV\) [\d,]+$/ }).click();
  await expect(desk).toHaveURL(/show=views/);
  const chart = desk.getByRole('group', { name: /^趋势，/ });
  await chart.focus();
  await desk.keyboard.press('End');
  // Early in the day there is not enough traffic for a forecast.
  await expect(chart).toContainText('进行中');
  await expect(desk.locator('path[data-code="CN-TW"]')).toBeVisible();
});

test('the share of known search terms is shown with its reason', async ({ desk, program }) => {
  await desk.goto(`/site/${program.demo.id}/als/keyword?range=last30`);
  await expect(desk.getByRole('meter', { name: '搜索词覆盖率' })).toBeVisible();
  await desk.getByRole('button', { name: /为什么？$/ }).click();
  await expect(desk.getByRole('dialog', { name: '搜索词覆盖率' })).toContainText('百度');
});
