import type { BrowserContext, Page } from '@playwright/test';
import sharp from 'sharp';
import { hasNameServer } from '../support/nsd';
import { expect, speak } from './support/accounts';
import { test } from './support/hostnames';
import { comeAs, type Visitor } from './support/visitor';

/** A blog from its starter to a site on its own hostname: written, released, visited and measured, in another colour, and back. */

const host = 'www.shanjian.test';
const address = `http://${host}`;
const siteName = '山间手记';
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const colors = { initial: '#b3261e', chosen: '#0b6e4f' } as const;
/** Articles that the starter contains. */
const samples = 3;
const articles = [
  {
    title: '山路上的第一场雪',
    summary: '十一月，山口先白了。',
    body: '清早推开门，路已经看不见了。',
    picture: 'first-snow.jpg',
    alt: '积雪的山路',
    hue: '#9db4c0',
  },
  {
    title: '守林人的一天',
    summary: '从点炉子到锁门。',
    body: '他每天走同一条路，每天看到的都不一样。',
    picture: 'ranger.jpg',
    alt: '林间的木屋',
    hue: '#5c6b4a',
  },
  { title: '火塘边的茶', summary: '粗茶要煮，细茶要等。', body: '水开第二遍，茶就好了。', picture: 'hearth.jpg', alt: '火塘上的茶壶', hue: '#8c5a3c' },
] as const;
const [article] = articles;

const photo = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 1600, height: 1000, channels: 3, background } })
    .jpeg()
    .toBuffer();

test.describe.serial('a blog of its own', () => {
  test.skip(!hasNameServer('a blog of its own'), 'NSD is not installed');
  let context: BrowserContext;
  let desk: Page;
  let visitor: Visitor;
  let site = '';

  test.beforeAll(async ({ browser, office }) => {
    context = await browser.newContext({ baseURL: office.origin, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
    await office.signIn(context);
    // The owner of the program is the same in all files of a worker.
    await speak(office, context, 'zh-CN');
    desk = await context.newPage();
    visitor = await comeAs({ agent, address: '114.114.114.114' }, address, office.deliveryPort);
  });
  test.afterEach(async ({ office }, info) => {
    if (info.status !== info.expectedStatus) await info.attach('what the program said', { body: office.said() });
  });
  test.afterAll(async () => {
    await visitor.leave();
    await context.close();
  });

  async function publish(number: number): Promise<void> {
    await desk.getByRole('form', { name: '待发布的修改' }).getByRole('button', { name: '发布', exact: true }).click();
    await expect(desk.getByText(`已发布第 ${number} 版`)).toBeVisible();
  }
  /** Opens the home page as a visitor, and reads the colour of its style sheet. */
  async function visibleColor(): Promise<string> {
    await visitor.page.goto(address);
    return visitor.page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--fill').trim());
  }
  const read = (path: string): Promise<string> => visitor.page.evaluate(async (url) => (await fetch(url)).text(), path);

  test('the starter fills a new site', async () => {
    await desk.goto('/home/create');
    await desk.getByRole('radio', { name: '在这里建站' }).check();
    await desk.getByRole('radio', { name: '博客', exact: true }).check();
    await desk.getByRole('button', { name: '下一步' }).click();
    await desk.getByLabel('站点名称').fill(siteName);
    await desk.getByLabel('站点标识').fill('mountain-notes');
    await expect(desk.getByText('可以使用')).toBeVisible();
    await desk.getByRole('button', { name: '直接添加' }).click();
    await desk.waitForURL('**/dashboard');
    site = /^\/site\/[^/]+/.exec(new URL(desk.url()).pathname)?.[0] ?? '';
    // Tables appear on the open screen as they are created.
    await desk.goto(`${site}/table/records`);
    const tables = desk.getByRole('navigation', { name: '内容表列表' });
    await expect(tables.getByRole('button')).toHaveText(['主题', '作者', '文章', '页面']);
    await tables.getByRole('button', { name: '文章', exact: true }).click();
    await expect(desk.getByText(`${samples} 条记录`, { exact: true })).toBeVisible();
  });

  test('three articles are written with their pictures', async () => {
    const drawer = desk.locator('.rec-drawer');
    const box = (name: string) => drawer.getByRole('textbox', { name, exact: true });
    for (const [at, { title, summary, body, picture, alt, hue }] of articles.entries()) {
      await desk.getByRole('button', { name: '新建记录' }).first().click();
      await expect(desk.getByText(`${samples + at + 1} 条记录`, { exact: true })).toBeVisible();
      // The first row is that of the column names.
      const row = desk
        .getByRole('grid')
        .getByRole('row')
        .nth(samples + at + 1);
      await row.hover();
      await row.getByRole('button', { name: '打开记录' }).click();
      await expect(box('标题')).toHaveValue('');
      await box('标题').fill(title);
      await box('摘要').fill(summary);
      const chooser = desk.waitForEvent('filechooser');
      await drawer.getByRole('button', { name: '上传到“封面”' }).click();
      await (await chooser).setFiles({ name: picture, mimeType: 'image/jpeg', buffer: await photo(hue) });
      await box(`“${picture}”的替代文本`).fill(alt);
      await box('正文').click();
      await desk.keyboard.insertText(body);
      await desk.keyboard.press('Control+s');
      await expect(drawer.getByRole('region', { name: '有未保存的修改' })).toBeHidden();
      await expect(drawer.getByRole('heading', { name: title, exact: true })).toBeVisible();
      await drawer.getByRole('button', { name: '关闭', exact: true }).click();
      await expect(drawer).toBeHidden();
    }
  });

  test('the first release takes the whole site and the articles', async () => {
    await desk.goto(`${site}/setting/base/releases`);
    const changes = desk.getByRole('form', { name: '待发布的修改' }).getByRole('listitem');
    for (const part of ['基本设置', '外观', '菜单', '网址']) await expect(changes.filter({ hasText: part })).toBeVisible();
    await expect(changes.filter({ hasText: '文章' })).toContainText(`${articles.length} 条记录`);
    await publish(1);
    await expect(desk.getByText('没有待发布的修改')).toBeVisible();
  });

  test('the hostname is served once its records lead here', async ({ dns }) => {
    await desk.goto(`${site}/setting/hostname`);
    await desk.getByRole('button', { name: '添加域名' }).click();
    const dialog = desk.getByRole('dialog', { name: '添加域名' });
    await dialog.getByRole('textbox', { name: '域名' }).fill(`${address}/`);
    await dialog.getByLabel('同时添加带或不带 www 的域名').uncheck();
    await dialog.getByRole('button', { name: '添加', exact: true }).click();
    const records = desk.getByRole('table', { name: 'DNS 记录' }).getByRole('row');
    const proof = /site-verify=\w+/.exec(await records.filter({ hasText: 'TXT' }).innerText())?.[0];
    expect(proof).toBeDefined();
    await dns.serve(['www.shanjian IN A 127.0.0.1', `_sitecheck.www.shanjian IN TXT "${proof}"`]);
    await desk.getByRole('button', { name: '立即检查' }).click();
    await expect(desk.getByText('已生效', { exact: true })).toBeVisible();
    await expect(desk.getByText('主域名', { exact: true })).toBeVisible();
  });

  test('a visitor reads an article there', async () => {
    const { page } = visitor;
    const canonical = page.locator('link[rel="canonical"]');
    await expect.poll(async () => (await page.goto(address))?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1, name: siteName })).toBeVisible();
    await expect(canonical).toHaveAttribute('href', `${address}/`);
    for (const { title } of articles) await expect(page.getByRole('link', { name: title })).toBeVisible();
    await page.getByRole('link', { name: article.title }).click();
    await expect(page.getByRole('heading', { level: 1, name: article.title })).toBeVisible();
    await expect(page.getByText(article.body)).toBeVisible();
    await expect(canonical).toHaveAttribute('href', page.url());

    const picture = page.getByRole('img', { name: article.alt });
    await expect(picture).toHaveAttribute('srcset', /^\S+ \d+w(?:, \S+ \d+w)+$/);
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(new RegExp(`^${address}/_r/`));
  });

  test('feed and sitemap name the article by its main address', async () => {
    const { page } = visitor;
    const own = page.url();
    const feed = await read((await page.locator('link[type="application/atom+xml"]').getAttribute('href')) ?? '');
    expect(feed).toContain(`<id>${own}</id>`);
    for (const { title } of articles) expect(feed).toContain(`<title>${title}</title>`);
    expect(await read('/robots.txt')).toContain(`Sitemap: ${address}/sitemap.xml`);
    const locations = (map: string): string[] => [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, location = '']) => location);
    const maps = await Promise.all(locations(await read('/sitemap.xml')).map((map) => read(map)));
    expect(maps.flatMap(locations)).toContain(own);
  });

  test('the visit is in the reports', async () => {
    await desk.goto(`${site}/als/latest`);
    const row = desk.getByRole('table', { name: '访问列表' }).locator('tbody').getByRole('row');
    await expect(row).toHaveCount(1);
    await expect(row).toContainText('南京');
    await row.getByRole('rowheader').getByRole('button').click();
    const pages = desk.getByRole('row', { name: '访问路径' }).getByRole('listitem').getByRole('link');
    await expect(pages).toHaveCount(2);
    await expect(pages.first()).toHaveAccessibleName(/^\/ /);
    await expect(pages.last()).toHaveAccessibleName(new RegExp(`^${new URL(visitor.page.url()).pathname} `));
    await desk.goto(`${site}/als/overview`);
    await expect(desk.getByRole('button', { name: '浏览量 (PV) 2，查看说明', exact: true })).toBeVisible();
  });

  test('another colour reaches visitors with the next release', async () => {
    await desk.goto(`${site}/setting/base/theme`);
    const saved = desk.waitForResponse((response) => response.request().method() === 'PUT' && response.url().endsWith('/setting/parts/settings'));
    await desk.getByRole('textbox', { name: '主色', exact: true }).fill(colors.chosen);
    expect((await saved).ok()).toBe(true);
    await expect(desk.getByText('修改会自动保存到草稿，访客在下次发布后看到。')).toBeVisible();
    expect(await visibleColor()).toBe(colors.initial);
    await desk.goto(`${site}/setting/base/releases`);
    await publish(2);
    await expect.poll(visibleColor).toBe(colors.chosen);
  });

  test('rolling back brings the first release back', async () => {
    await desk.getByRole('button', { name: '回退：第 1 版' }).click();
    await desk.getByRole('dialog', { name: '回退到第 1 版？' }).getByRole('button', { name: '回退', exact: true }).click();
    await expect(desk.getByText('已回退到第 1 版，新版号为 3')).toBeVisible();
    await expect.poll(visibleColor).toBe(colors.initial);
    for (const { title } of articles) await expect(visitor.page.getByRole('link', { name: title })).toBeVisible();
  });
});
