import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultConfig } from '../../contract/crawler/config';
import { startRenderSite } from '../support/renderSite';
import { axe, violations } from './support/axe';
import { expect, open, test, title } from './support/console';

// Later tests look at what the first has crawled.
test.describe.configure({ mode: 'serial' });

const pageCount = 9;
/** A site of a few pages, each of which links to the next. */
const shop = `<!doctype html><title>Shop</title><base href="/away/"><meta http-equiv="refresh" content="0;url=/stolen"><link rel="stylesheet" href="/stolen.css"><script>document.title = 'stolen'</script>
  <ul class="list">${['Green', 'Black', 'White'].map((name, at) => `<li class="product"><a href="javascript:document.title='stolen'"><img src="/stolen.png" onerror="document.title='stolen'"><h2>${name} tea</h2></a><span class="price" style="background:url(/stolen)">€ ${String(at + 5)}</span></li>`).join('')}</ul>`;
const site = createServer((request, response) => {
  if (request.url === '/shop') return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shop);
  const n = request.url === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(request.url ?? '')?.[1] ?? pageCount);
  const isPage = n < pageCount;
  const next = n + 1 < pageCount ? `<a href="/p/${String(n + 1)}">Next</a>` : '';
  response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    isPage ? `<!doctype html><html lang="en"><title>Page ${String(n)}</title><h1>Page ${String(n)}</h1><p>Text of page ${String(n)}.</p>${next}</html>` : '',
  );
});
test.beforeAll(async () => new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', () => resolve())));
test.afterAll(() => {
  site.close();
  site.closeAllConnections();
});

test('a crawler is created by the wizard, watched live, paused, resumed and finished', async ({ desk, context, program }) => {
  test.setTimeout(120_000);
  await desk.addInitScript({ path: axe });
  await program.prefer(context, { locale: 'zh-CN' });
  const origin = `http://127.0.0.1:${String((site.address() as AddressInfo).port)}`;
  await open(desk, '/developer/crawler', '爬虫');
  await desk
    .getByRole('link', { name: /检查我的网站|新建爬虫/ })
    .first()
    .click();
  await expect(title(desk, '新建爬虫')).toBeVisible();
  await desk.getByLabel('名称').fill('每周检查');
  await desk.getByLabel('起始网址').fill(origin);
  await expect(desk.getByText('未验证', { exact: true })).toBeVisible();
  await expect(desk.getByText('Page 0')).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  for (const step of ['范围', '上限', '采集内容', '计划']) {
    await desk.getByRole('button', { name: '下一步' }).click();
    await expect(desk.locator('[aria-current="step"]')).toContainText(step);
  }
  await desk.goBack();
  await expect(desk).toHaveURL(/step=collect/);
  await desk.goForward();
  await desk.getByRole('button', { name: '保存并运行' }).click();

  await expect(title(desk, '每周检查')).toBeVisible();
  const live = desk.getByRole('region', { name: '第 1 次运行' });
  await expect(live.getByRole('status')).toContainText('正在读取页面', { timeout: 30_000 });
  await expect(live.getByText(`${origin}/p/1`)).toBeVisible({ timeout: 15_000 });
  await desk.getByRole('button', { name: '暂停' }).click();
  await expect(live.getByRole('status')).toContainText('已暂停', { timeout: 15_000 });
  await desk.getByRole('button', { name: '继续' }).click();
  await expect(live.getByText('满分 100')).toBeVisible({ timeout: 45_000 });
  await expect(desk.getByRole('list', { name: '问题' }).getByRole('listitem').first()).toBeVisible({ timeout: 15_000 });
  expect(await violations(desk)).toEqual([]);
  await desk.getByRole('navigation', { name: '爬虫的各个部分' }).getByRole('link', { name: '运行记录' }).click();
  await expect(desk.getByRole('row', { name: /第 1 次/ })).toContainText('已完成');
});

test('an issue in the inventory of the site is ignored and undone, and a page opens by its address', async ({ desk, context, program }) => {
  await desk.addInitScript({ path: axe });
  await program.prefer(context, { locale: 'zh-CN' });
  const address = `/developer/crawler/site/${program.demo.id}`;
  await open(desk, address, '站点抓取结果');
  const first = desk.getByRole('list', { name: '问题' }).getByRole('listitem').first();
  const name = (await first.locator('.inventory-open').innerText()).trim();
  expect(await violations(desk)).toEqual([]);
  await first.getByRole('button', { name: `全部忽略：${name}` }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('原因').fill('由主题决定');
  await dialog.getByRole('button', { name: '忽略', exact: true }).click();
  await expect(dialog).toBeHidden();
  const ignored = desk.getByRole('button', { name: /^已忽略（/ });
  await expect(ignored).not.toHaveText('已忽略（0）');
  await expect(first.locator('.inventory-open')).not.toHaveText(name);
  await desk.getByRole('button', { name: '撤销' }).click();
  await expect(ignored).toHaveText('已忽略（0）');
  await expect(first.locator('.inventory-open')).toHaveText(name);

  const { runs } = await program.ask<{ runs: { id: string }[] }>(context, 'GET', `/api/dev/sites/${program.demo.id}/crawled`);
  const pages = await program.ask<{ rows: { urlId: number; url: string }[] }>(context, 'GET', `/api/dev/crawl-runs/${runs[0]?.id ?? ''}/pages?q=/p/3`);
  await desk.goto(`${address}?tab=pages&page=${String(pages.rows[0]?.urlId)}`);
  await expect(dialog.getByRole('link', { name: /\/p\/3$/ })).toBeVisible();
  await expect(dialog.getByText('Page 3').first()).toBeVisible();
  await expect(desk.locator('[aria-busy="true"]')).toHaveCount(0);
  expect(await violations(desk)).toEqual([]);
  await desk.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(desk).not.toHaveURL(/page=/);
});

test('scripts of pages are run where a crawler is set to, and a page says what it is without them', async ({ desk, context, program }) => {
  await desk.addInitScript({ path: axe });
  await program.prefer(context, { locale: 'zh-CN' });
  const scripted = await startRenderSite();
  const usual = defaultConfig([`${scripted.origin}/`]);
  const config = { ...usual, scope: { ...usual.scope, mode: 'list' }, fetch: { ...usual.fetch, sitemaps: false, resources: false, external: false } };
  const alerts = { completed: false, newErrors: false };
  const input = { name: '脚本', kind: 'audit', config, schedule: null, timeZone: 'Asia/Shanghai', enabled: true, retainedRuns: 5, alerts };
  const { id } = await program.ask<{ id: string }>(context, 'POST', `/api/dev/sites/${program.demo.id}/crawlers`, input);
  await open(desk, `/developer/crawler/${id}/create?step=collect`, '编辑 脚本');
  await desk.getByLabel('运行脚本').selectOption({ label: '仅限内容由脚本生成的页面' });
  await expect(desk.getByLabel('最多运行脚本的页面数')).toHaveValue('500');
  await desk.getByRole('button', { name: '下一步' }).click();
  await desk.getByRole('button', { name: '保存并运行' }).click();
  await expect(desk.getByText('运行了 1 个页面的脚本。')).toBeVisible({ timeout: 30_000 });
  await expect(desk.getByText('满分 100')).toBeVisible({ timeout: 30_000 });

  const { rows } = await program.ask<{ rows: { id: string }[] }>(context, 'GET', `/api/dev/crawlers/${id}/runs`);
  const run = rows[0]?.id ?? '';
  const pages = await program.ask<{ rows: { urlId: number }[] }>(context, 'GET', `/api/dev/crawl-runs/${run}/pages?kind=page`);
  await desk.goto(`/developer/crawler/site/${program.demo.id}?run=${run}&tab=pages&page=${String(pages.rows[0]?.urlId)}`);
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByText('已运行脚本')).toBeVisible();
  await expect(dialog.getByText('标题：Loading；字词数：0；链接：0')).toBeVisible();
  await expect(dialog.getByText('绿茶 Green tea').first()).toBeVisible();
  expect(await violations(desk)).toEqual([]);
  scripted.close();
});

test('columns are chosen on a page, whose scripts and files stay away', async ({ desk, context, program }) => {
  await desk.addInitScript({ path: axe });
  await program.prefer(context, { locale: 'zh-CN' });
  const requested: string[] = [];
  desk.on('request', (request) => requested.push(request.url()));
  const host = `127.0.0.1:${String((site.address() as AddressInfo).port)}`;
  await open(desk, '/developer/crawler/new/create?kind=extract', '新建爬虫');
  await desk.getByLabel('起始网址').fill(`http://${host}/shop`);
  for (let step = 0; step < 3; step += 1) await desk.getByRole('button', { name: '下一步' }).click();
  await desk.getByRole('button', { name: '添加提取规则' }).click();
  const opener = desk.getByRole('button', { name: '在网页上选取' });
  await opener.click();
  const dialog = desk.getByRole('dialog');
  const page = dialog.getByRole('application');
  await page.getByText('Green tea').click();
  await page.getByText('Black tea').click();
  await expect(dialog.getByText('已将重复的 3 个条目各作为一行')).toBeVisible();
  // Down from the name of the second product to its price.
  await page.press('ArrowDown');
  await page.press('Enter');
  await expect(dialog.getByLabel('列名')).toHaveCount(2);
  await expect(dialog.getByRole('table').getByRole('row')).toHaveText([/标题.*价格/, /Green tea.*5/, /Black tea.*6/, /White tea.*7/]);
  expect(await violations(desk)).toEqual([]);
  await dialog.getByRole('button', { name: '使用这些列' }).click();
  await expect(opener).toBeFocused();
  await expect(desk.getByLabel('每行对应的元素')).toHaveValue('li.product');
  expect([await desk.title(), requested.filter((url) => url.includes(host) || url.includes('stolen'))]).toEqual([expect.not.stringContaining('stolen'), []]);
});

test('the screens fit a phone in both languages', async ({ desk, context, program }) => {
  await desk.setViewportSize({ width: 390, height: 844 });
  const { rows } = await program.ask<{ rows: { id: string }[] }>(context, 'GET', '/api/dev/crawlers');
  const id = rows[0]?.id ?? '';
  expect(id).not.toBe('');
  for (const [locale, heading] of [
    ['en', 'Crawler'],
    ['zh-CN', '爬虫'],
  ] as const) {
    await program.prefer(context, { locale });
    await open(desk, '/developer/crawler', heading);
    for (const path of [
      '',
      `/${id}`,
      `/${id}?tab=runs`,
      `/${id}?tab=settings`,
      `/${id}/create?step=target`,
      `/${id}/create?step=collect`,
      '/new/create?step=schedule',
      `/site/${program.demo.id}`,
      `/site/${program.demo.id}?tab=pages`,
    ]) {
      await desk.goto(`/developer/crawler${path}`);
      await expect(desk.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(desk.locator('[aria-busy="true"]')).toHaveCount(0);
      expect([path, await desk.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)]).toEqual([path, true]);
    }
  }
});
