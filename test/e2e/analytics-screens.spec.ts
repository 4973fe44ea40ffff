import { readFile } from 'node:fs/promises';
import type { Report } from '../../contract/analytics/schemas';
import { expect, test } from './support/console';

/** Every analytics report in a browser, over the demo site's ninety days of traffic. */

// Twenty-one screens in one test.
test.slow();

const screens = {
  overview: '概况',
  trend: '趋势',
  latest: '实时访问',
  source: '全部来源',
  engine: '搜索引擎',
  keyword: '搜索词',
  'external/so': '来源网站',
  'external/sp': '来源页面',
  'external/url': '来源网址',
  entry: '入口页面',
  path: '受访页面',
  'loc/provinces': '省份',
  'loc/cities': '城市',
  'loc/countries': '国家/地区',
  device: '设备与系统',
  visitor: '新老访客',
  'character/pv': '访问页数',
  'character/upv': '不重复页数',
  'character/ssr': '访问时长',
  'character/ago': '上次访问时间',
  'character/fr': '访问频次',
};

test('every screen opens by its address with figures and no errors', async ({ desk: page, program }) => {
  const als = `/site/${program.demo.id}/als`;
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  for (const [path, title] of Object.entries(screens)) {
    await page.goto(`${als}/${path}?range=last30`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('table').first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  expect(pageErrors).toEqual([]);
});

test('drilling from a source type to entry pages filters the whole screen', async ({ desk: page, program }) => {
  const als = `/site/${program.demo.id}/als`;
  await page.goto(`${als}/source?range=last30&by=sourceType`);
  const types = page.getByRole('table', { name: '来源类型明细' });
  await types.getByRole('button', { name: '搜索引擎', exact: true }).click();
  const engines = page.getByRole('table', { name: '来源明细' });
  await engines.getByRole('button', { name: '百度', exact: true }).click();
  await expect(page.getByRole('table', { name: '入口页面明细' })).toBeVisible();
  await expect(page.getByRole('button', { name: '移除筛选：来源 是 百度' })).toBeVisible();
  const filters = new URL(page.url()).searchParams.getAll('filter');
  expect(filters).toEqual(['sourceType:is:search', expect.stringMatching(/^sourceName:is:./)]);
  // The navigation keeps the range and filters.
  await page.getByRole('navigation', { name: '导航' }).getByRole('link', { name: '页面', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: '入口页面' })).toBeVisible();
  expect(new URL(page.url()).searchParams.getAll('filter')).toEqual(filters);
  await page.goBack();
  await page.goBack();
  await expect(engines).toBeVisible();
  await page.goBack();
  await expect(types).toBeVisible();
  await page.goForward();
  await expect(engines).toBeVisible();
});

test('the file holds the rows, columns and order of the table', async ({ desk: page, program }) => {
  const als = `/site/${program.demo.id}/als`;
  await page.goto(`${als}/entry?range=last30&cols=visits,views,ips&sort=views.desc&compare=none`);
  const table = page.getByRole('table', { name: '入口页面明细' });
  await expect(table).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: '导出 CSV' }).last().click()]);
  const lines = (await readFile(await download.path(), 'utf8'))
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const displayedRows = await table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th [data-row], td .figure')].map((cell) => (cell.textContent ?? '').replaceAll(',', ''))),
    );
  const names = await table.locator('thead th').evaluateAll((cells) => cells.slice(1).map((cell) => cell.textContent ?? ''));
  const head = lines[0] ?? [];
  const rows = displayedRows.filter(([name]) => name?.startsWith('/') === true);
  expect(names).toHaveLength(3);
  expect(rows.length).toBeGreaterThan(5);
  const inFile = lines.filter(([name]) => name?.startsWith('/') === true);
  expect(inFile.map((line) => [line[0], ...names.map((name) => line[head.indexOf(name)])])).toEqual(rows);
});

test('the source with most conversions last month is four clicks from home', async ({ desk: page, program }) => {
  const goals = `/api/site/${program.demo.id}/als/goals`;
  const goal = await program.ask<{ id: string }>(page.context(), 'POST', goals, {
    name: '看过价格',
    condition: { kind: 'page', match: 'is', path: '/pricing' },
    worth: { kind: 'none' },
  });
  try {
    await page.addInitScript(() => {
      // Kept beside the page, so that a link that loads a new document cannot hide its click.
      addEventListener('click', (event) => event.isTrusted && sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1)), true);
    });
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: program.demo.name, exact: true }).click();
    await page.getByRole('link', { name: '查看全部 来源', exact: true }).click();
    await page.getByRole('button', { name: /^时段/ }).click();
    // The reports of a screen are one call.
    const isTable = (query: string): boolean => query.includes('by=sourceName') && query.includes('compare=calendar');
    const queriesOf = (url: string): string[] => new URL(url).searchParams.getAll('q');
    const answer = page.waitForResponse((one) => queriesOf(one.url()).some(isTable));
    await page.getByRole('button', { name: '上月', exact: true }).click();
    const response = await answer;
    const reports = ((await response.json()) as { data: { data: Report }[] }).data;
    const report = reports[queriesOf(response.url()).findIndex(isTable)]?.data as Report;
    expect(await page.evaluate(() => sessionStorage.getItem('clicks'))).toBe('4');

    const monthOf = (day: string | null) => day?.slice(0, 7);
    const dayAfter = (day: string | null) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    expect([report.from.slice(8), dayAfter(report.to).slice(8), report.compareFrom?.slice(8)]).toEqual(['01', '01', '01']);
    expect(monthOf(report.from)).toBe(monthOf(report.to));
    expect(dayAfter(report.compareTo)).toBe(report.from);
    const table = page.getByRole('table', { name: '来源明细' });
    const heads = await table.getByRole('columnheader').allInnerTexts();
    const at = heads.indexOf('转化次数');
    expect(heads.slice(at, at + 3)).toEqual(['转化次数', '对比期', '变化']);
    const baidu = report.rows?.find(({ key }) => key === 'Baidu');
    const cells = await table.getByRole('row', { name: /^百度/ }).getByRole('cell').allInnerTexts();
    const write = (value: number | null | undefined) => new Intl.NumberFormat('zh-CN').format(value ?? Number.NaN);
    expect(cells.slice(at - 1, at + 1)).toEqual([write(baidu?.values.conversions), write(baidu?.compare?.conversions)]);
    expect(baidu?.values.conversions).toBeGreaterThan(0);
  } finally {
    await program.ask(page.context(), 'DELETE', `${goals}/${goal.id}`);
  }
});
