import { gzipSync } from 'node:zlib';
import { zipOf } from '../integration/zip';
import { axe, violations } from './support/axe';
import { expect, test } from './support/accounts';

/** An import of traffic from the file to the figures and its removal. */

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const day = 24 * 3600 * 1000;
const stamp = (at: number): string => {
  const [, weekday = '', date = '', month = '', year = '', time = ''] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return weekday === '' ? '' : `${date}/${month}/${year}:${time} +0000`;
};
const line = (at: number, n: number, request = `GET /tea/${n % 5} HTTP/1.1`, status = 200): string =>
  `203.0.${n % 200}.7 - - [${stamp(at)}] "${request}" ${status} 512 "https://www.baidu.com/s?wd=%E8%8C%B6%E5%8F%B6" "${chrome}"`;
/** A log of `n` page views two days ago, with an image and a malformed line between them. */
const logOf = (views: number): string => {
  const from = Math.floor(Date.now() / day) * day - 2 * day;
  return `${line(from, 0, 'GET /logo.png HTTP/1.1')}\nnot a line\n${Array.from({ length: views }, (_, n) => line(from + n * 100, n)).join('\n')}\n`;
};

test('an interrupted log upload resumes, counts in the trend and is removed', async ({ desk, office, context }) => {
  test.slow();
  const site = await office.addSite(context, '导入一个日志');
  const base = `/site/${site.id}/als`;
  const file = { name: 'access.log.gz', mimeType: 'application/gzip', buffer: gzipSync(logOf(20_000)) };
  await desk.addInitScript({ path: axe });
  await desk.goto(`${base}/imports`);
  await expect(desk.getByText('还没有导入过数据')).toBeVisible();
  expect(await violations(desk)).toEqual([]);

  // The upload is blocked and the page is left.
  await desk.route('**/als/imports/*/files/*', (route) => route.abort());
  await desk.getByLabel('选择文件').last().setInputFiles(file);
  await expect(desk.getByText(/^已上传 0 B/)).toBeVisible();
  await desk.getByRole('button', { name: '暂停' }).click();
  await desk.unroute('**/als/imports/*/files/*');
  await desk.goto(`${base}/trend`);
  await desk.goto(`${base}/imports`);
  const item = desk.getByRole('listitem').filter({ hasText: 'access.log.gz' });
  await item.getByLabel('选择原来的文件，从断点继续上传').setInputFiles({ ...file, buffer: Buffer.from('other') });
  await expect(item.getByRole('alert')).toHaveText('所选文件与这次导入的文件名或大小不一致');
  await item.getByLabel('选择原来的文件，从断点继续上传').setInputFiles(file);

  await expect(item.getByText(/识别为：访问日志（combined）/)).toBeVisible();
  await expect(item.getByRole('table', { name: '预览' }).getByRole('row')).toHaveCount(21);
  expect(await violations(desk)).toEqual([]);
  await item.getByRole('button', { name: '开始导入' }).click();
  // Leaving earlier would cancel the request.
  await expect(item.getByRole('button', { name: '开始导入' })).toBeHidden();
  // The import continues without this page.
  await desk.goto(`${base}/overview`);
  await desk.goto(`${base}/imports`);
  await expect(item.getByText(/已完成/)).toBeVisible({ timeout: 60_000 });
  await item.getByRole('button', { name: /access\.log\.gz/ }).click();
  await expect(item.getByRole('row', { name: /静态资源或下载文件 1/ })).toBeVisible();
  await expect(item.getByRole('row', { name: /格式不符 1 not a line/ })).toBeVisible();
  await expect(item.locator('dl')).toContainText('20,000');
  expect(await violations(desk)).toEqual([]);

  await desk.goto(`${base}/trend?range=last7`);
  await expect(desk.getByRole('row', { name: /^合计/ })).toContainText('20,000');

  await desk.goto(`${base}/imports`);
  await item.getByRole('button', { name: '删除' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(desk.getByText('还没有导入过数据')).toBeVisible({ timeout: 60_000 });
  await desk.goto(`${base}/trend?range=last7`);
  await expect(desk.getByRole('heading', { level: 1, name: '趋势' })).toBeVisible();
  await expect(desk.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(desk.getByRole('row', { name: /^合计/ })).toHaveCount(0);
});

test('days known only from a Plausible export appear in the trend', async ({ desk, office, context }) => {
  const site = await office.addSite(context, '导入 Plausible');
  const base = `/site/${site.id}/als`;
  await desk.addInitScript({ path: axe });
  await desk.goto(`${base}/imports`);
  const buffer = zipOf({
    'imported_visitors_20260901_20260902.csv':
      '"date","visitors","pageviews","bounces","visits","visit_duration"\n"2026-09-01",5,50,2,7,8640\n"2026-09-02",3,4,2,3,43\n',
  });
  await desk.getByLabel('选择文件').last().setInputFiles({ name: 'plausible.zip', mimeType: 'application/zip', buffer });
  await desk.getByRole('button', { name: '开始导入' }).click();
  await expect(desk.getByText(/已完成/)).toBeVisible({ timeout: 30_000 });
  await desk.goto(`${base}/trend?from=2026-08-25&to=2026-09-10`);
  const block = desk.getByRole('region', { name: '来自 Plausible 的导入数据' });
  await expect(block).toContainText('访客数（逐日）8');
  await expect(block).toContainText('浏览量54');
  expect(await violations(desk)).toEqual([]);
  await desk.goto(`${base}/trend?from=2026-08-25&to=2026-09-10&filter=os%3Ais%3AiOS`);
  await expect(desk.getByRole('heading', { level: 1, name: '趋势' })).toBeVisible();
  await expect(desk.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(block).toHaveCount(0);
});

test('imported search terms replace an earlier import and can be removed', async ({ desk, office, context }) => {
  const site = await office.addSite(context, '导入搜索词');
  const base = `/site/${site.id}/als`;
  const today = new Date();
  const dayBefore = (days: number): string => new Date(today.getTime() - days * day).toISOString().slice(0, 10);
  const archive = (clicks: number): Buffer =>
    zipOf({
      '查询数.csv': `热门查询,点击次数,展示,点击率,排名\n绿茶 怎么泡,${clicks},2400,5%,3.5\n龙井茶,30,1000,3%,8.1\n白茶,不详,1,0%,1\n`,
      '日期.csv': `日期,点击次数,展示,点击率,排名\n${dayBefore(6)},1,2,50%,1\n${dayBefore(3)},1,2,50%,1\n`,
    });
  const item = desk.getByRole('listitem').filter({ hasText: 'tea.zip' });
  await desk.addInitScript({ path: axe });
  await desk.goto(`${base}/keyword`);
  const block = desk.getByRole('region', { name: '搜索引擎提供的搜索词' });
  await block.getByRole('link', { name: '导入报告' }).click();
  await desk
    .getByLabel('选择文件')
    .last()
    .setInputFiles({ name: 'tea.zip', mimeType: 'application/zip', buffer: archive(120) });
  await expect(item.getByText('开头 3 行中，2 行可以导入')).toBeVisible();
  await expect(item.getByText('未导入：数值无法识别：1 行')).toBeVisible();
  await expect(item.getByLabel('开始日期')).toHaveValue(dayBefore(6));
  await expect(item.getByLabel('结束日期')).toHaveValue(dayBefore(3));
  expect(await violations(desk)).toEqual([]);
  // A period that ends before it starts is refused.
  await item.getByLabel('结束日期').fill(dayBefore(7));
  await item.getByLabel('结束日期').press('Enter');
  await expect(item.getByRole('alert')).toHaveText(/结束日期不能早于开始日期/);
  await expect(item.getByRole('button', { name: '开始导入' })).toBeDisabled();
  await item.getByLabel('结束日期').fill(dayBefore(3));
  await item.getByLabel('结束日期').press('Enter');
  await item.getByRole('button', { name: '开始导入' }).click();
  await expect(item.getByText(/已完成/)).toBeVisible({ timeout: 30_000 });

  await item.getByRole('link', { name: '在“搜索词”报表中查看' }).click();
  await expect(block.getByRole('row', { name: /^合计 150 3,400/ })).toBeVisible();
  await block.getByRole('searchbox', { name: '查找搜索词' }).fill('龙井');
  await expect(block.getByRole('row')).toHaveCount(3);
  await expect(block.getByRole('row', { name: /^龙井茶 30 1,000 3\.0% 8\.1/ })).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  const file = await context.request.get((await block.getByRole('link', { name: '导出 CSV' }).getAttribute('href')) ?? '');
  expect(await file.text()).toContain('龙井茶,谷歌,30,1000,0.03,8.1');
  // No search terms were imported for these days.
  await desk.goto(`${base}/keyword?from=2026-01-01&to=2026-01-02`);
  await block.getByRole('button', { name: '查看已导入的区间' }).click();
  await expect(block.getByRole('row', { name: /^合计 150/ })).toBeVisible();

  await desk.goto(`${base}/imports`);
  await desk
    .getByLabel('选择文件')
    .last()
    .setInputFiles({ name: 'tea.zip', mimeType: 'application/zip', buffer: archive(200) });
  await expect(item.first().getByText(/“tea\.zip”.*将不再显示/)).toBeVisible();
  await item.first().getByRole('button', { name: '开始导入' }).click();
  await expect(item.last().getByText(/已被较晚的导入代替/)).toBeVisible({ timeout: 30_000 });
  await desk.goto(`${base}/keyword?from=${dayBefore(6)}&to=${dayBefore(3)}`);
  await expect(block.getByRole('row', { name: /^合计 230/ })).toBeVisible();
  await desk.goto(`${base}/imports`);
  await item.first().getByRole('button', { name: '删除' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(item).toHaveCount(1, { timeout: 30_000 });
  await desk.goto(`${base}/keyword?from=${dayBefore(6)}&to=${dayBefore(3)}`);
  await expect(block.getByRole('row', { name: /^合计 150/ })).toBeVisible();
});
