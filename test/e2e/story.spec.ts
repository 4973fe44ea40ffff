import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { startFixtureSite, type FixtureSite } from '../fixtures/site/server';
import { startSitewright, type Sitewright } from './support/sitewright';
import { comeAs } from './support/visitor';

/**
 * The main job on real input: a person sets up the program, adds a site and installs its tag; visitors read the site in real
 * browsers; the console shows exactly those visits, live. Every count is compared with the actual actions.
 */
const agents = {
  chrome: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.68',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  wechat:
    'Mozilla/5.0 (Linux; Android 13; V2183A Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160065 MMWEBSDK/20231202 MicroMessenger/8.0.47.2560(0x28002F35) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64',
  googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
};

/** One visit as it happens, and what the console shows of it. */
type Visit = {
  readonly who: string;
  readonly agent: string;
  readonly address: string;
  readonly read: (page: Page, shop: string) => Promise<void>;
  readonly place: string;
  readonly source: string;
  readonly keyword: string;
  readonly device: RegExp;
  readonly paths: readonly string[];
};
const nav = (page: Page, name: string): Locator => page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name });
const expectHeading = (page: Page, name: string): Promise<void> => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();

const visits: readonly Visit[] = [
  {
    who: 'somebody who looks around and goes back',
    agent: agents.chrome,
    address: '114.114.114.114',
    async read(page, shop) {
      await page.goto(shop);
      await nav(page, '全部商品').click();
      await page.getByRole('link', { name: '白瓷盖碗' }).click();
      await expectHeading(page, '白瓷盖碗');
      await page.goBack();
      await expectHeading(page, '全部商品');
      await nav(page, '联系').click();
      await expectHeading(page, '联系');
    },
    place: '江苏 南京',
    source: '直接访问',
    keyword: '',
    device: /Windows.*Chrome/,
    paths: ['/', '/list', '/products/gaiwan', '/list', '/contact'],
  },
  {
    who: 'a reader from a post in WeChat who buys',
    agent: agents.wechat,
    address: '202.96.128.86',
    async read(page, shop) {
      await page.goto(`${shop}/articles/spring-tea?utm_source=weixin&utm_medium=social`);
      await page.getByRole('link', { name: '看看明前龙井' }).click();
      await page.getByRole('button', { name: '加入购物车' }).click();
      await expect(page.getByText('已加入购物车')).toBeVisible();
      await page.getByRole('link', { name: '泡绿茶用什么水' }).click();
      await expectHeading(page, '泡绿茶用什么水');
    },
    place: '广东 广州',
    source: '微信',
    keyword: '',
    device: /Android.*微信/,
    paths: ['/articles/spring-tea', '/products/longjing', '/articles/water'],
  },
  {
    who: 'somebody who searched and left again',
    agent: agents.iphone,
    address: '8.8.8.8',
    async read(page, shop) {
      await page.goto(`${shop}/list`, { referer: 'https://www.baidu.com/s?ie=utf-8&wd=%E6%98%8E%E5%89%8D%E9%BE%99%E4%BA%95' });
      await expectHeading(page, '全部商品');
    },
    place: '美国',
    source: '百度',
    keyword: '明前龙井',
    device: /iOS.*Safari/,
    paths: ['/list'],
  },
  {
    who: 'somebody in the application, there and back',
    agent: agents.edge,
    address: '240e:3b7:3272:d8d0:35d1:dc92:b3b:b80',
    async read(page, shop) {
      await page.goto(`${shop}/app`);
      await page.getByRole('link', { name: '按口味' }).click();
      await expectHeading(page, '按口味选');
      await page.getByRole('link', { name: '按价格' }).click();
      await expectHeading(page, '按价格选');
      await page.goBack();
      await expectHeading(page, '按口味选');
      await nav(page, '山间茶铺').click();
      await expectHeading(page, '山间茶铺');
    },
    place: '广东 深圳',
    source: '直接访问',
    keyword: '',
    device: /Windows.*Edge/,
    paths: ['/app', '/app/taste', '/app/price', '/app/taste', '/'],
  },
  {
    who: 'another person at the first one’s address',
    agent: agents.firefox,
    address: '114.114.114.114',
    async read(page, shop) {
      await page.goto(`${shop}/contact`);
      await expectHeading(page, '联系');
    },
    place: '江苏 南京',
    source: '直接访问',
    keyword: '',
    device: /Linux.*Firefox/,
    paths: ['/contact'],
  },
];

const count = <T>(list: readonly T[]): Map<T, number> => list.reduce((counts, one) => counts.set(one, (counts.get(one) ?? 0) + 1), new Map<T, number>());
const views = visits.flatMap((visit) => visit.paths);
const totals = {
  visitors: visits.length,
  views: views.length,
  visits: visits.length,
  ips: count(visits.map((visit) => visit.address)).size,
  bounces: visits.filter((visit) => visit.paths.length === 1).length,
};
const bounceRate = `${((totals.bounces / totals.visits) * 100).toFixed(1)}%`;
const pagesPerVisit = (totals.views / totals.visits).toFixed(2);

test.describe.serial('from the set-up link to the first visits on screen', () => {
  let sitewright: Sitewright;
  let shop: FixtureSite;
  let context: BrowserContext;
  let console_: Page;
  const errors: string[] = [];

  test.beforeAll(async ({ browser }) => {
    [sitewright, shop] = await Promise.all([startSitewright(), startFixtureSite()]);
    context = await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai', permissions: ['clipboard-read', 'clipboard-write'] });
    console_ = await context.newPage();
    console_.on('pageerror', (error) => errors.push(String(error)));
  });
  // oxlint-disable-next-line no-empty-pattern
  test.afterEach(async ({}, info) => {
    if (info.status !== info.expectedStatus) await info.attach('what the program said', { body: sitewright.said() });
  });
  test.afterAll(async () => {
    await context.close();
    await shop.close();
    await sitewright.stop();
    expect(errors).toEqual([]);
  });

  const rail = (name: string): Locator => console_.getByRole('navigation', { name: '导航' }).getByRole('link', { name, exact: true });
  const table = (name: string): Locator => console_.getByRole('table', { name });
  const cellsOf = (row: Locator): Promise<string[]> => row.getByRole('cell').allTextContents();
  /** A table row by column names. */
  const rowByColumn = async (name: string, row: Locator): Promise<Record<string, string>> => {
    const [, ...names] = await table(name).getByRole('columnheader').allTextContents();
    const cells = await cellsOf(row);
    return Object.fromEntries(names.map((column, at) => [column.replace('选择列', '').trim(), (cells[at] ?? '').trim()]));
  };
  const choosePopulation = async (name: string): Promise<void> => {
    await console_.getByRole('combobox', { name: '访客类型' }).click();
    await console_.getByRole('option', { name, exact: true }).click();
  };
  /** The last steps of adding a site, with the proposed values. */
  const confirmSettings = async (): Promise<void> => {
    await console_.getByRole('button', { name: '下一步' }).click();
    await expect(console_.getByRole('combobox', { name: '时区' })).toHaveValue('Asia/Shanghai');
    await console_.getByRole('button', { name: '下一步' }).click();
    await expect(console_.getByRole('heading', { name: '将会发生什么' })).toBeVisible();
    await console_.getByRole('button', { name: '添加站点' }).click();
    await console_.waitForURL('**/dashboard');
  };
  /** Each row's name and first figure in a report list. */
  const list = async (name: string): Promise<Record<string, string>> => {
    const rows = await table(name)
      .locator('tbody')
      .getByRole('row')
      .filter({ has: console_.getByRole('rowheader').getByRole('button') })
      .all();
    return Object.fromEntries(await Promise.all(rows.map(async (row) => [await nameOf(row), (await cellsOf(row))[0] ?? ''] as const)));
  };
  /** The name of a row, without its letter mark. */
  const nameOf = (row: Locator): Promise<string> =>
    row
      .getByRole('rowheader')
      .getByRole('button')
      .first()
      .evaluate((button) => {
        const copy = button.cloneNode(true) as Element;
        copy.querySelectorAll('[aria-hidden]').forEach((mark) => mark.remove());
        return copy.textContent.trim();
      });

  test('the first owner signs up by the printed link', async () => {
    await console_.goto(sitewright.setUpLink);
    await console_.getByLabel('显示名称').fill('林小满');
    await console_.getByLabel('登录名').fill('lin.xiaoman');
    await console_.getByLabel('密码', { exact: true }).fill('correct horse battery staple');
    await console_.getByRole('button', { name: '创建账号并进入' }).click();
    await expect(console_.getByRole('heading', { level: 1, name: '站点' })).toBeVisible();
    await expect(console_.getByText('还没有站点')).toBeVisible();
  });

  test('an external site is added and its tag copied', async () => {
    await console_.getByRole('link', { name: '添加站点' }).click();
    await console_.getByRole('radio', { name: '外部网站' }).check();
    await console_.getByRole('button', { name: '下一步' }).click();
    await console_.getByLabel('站点名称').fill('山间茶铺');
    await console_.getByLabel('网址').fill(shop.origin);
    await confirmSettings();
    await expect(console_.getByText('等待第一次访问')).toBeVisible();

    await console_.getByRole('button', { name: '复制代码' }).click();
    await expect
      .poll(() => console_.evaluate('navigator.clipboard.readText()'))
      .toMatch(/^<script defer src="http:\/\/localhost:\d+\/t\.js" data-site="[a-z2-7]{12}"><\/script>$/);
    shop.tag = await console_.evaluate<string>('navigator.clipboard.readText()');
  });

  test('the first screen announces the first visit live', async () => {
    const robot = await comeAs({ agent: agents.googlebot, address: '66.249.66.1' }, sitewright.origin);
    await robot.page.goto(shop.origin);
    await expect(console_.getByText('已收到第一次访问')).toBeVisible();
    await robot.leave();
  });

  test('every visit appears in the list as it happens', async () => {
    await rail('分析').click();
    await rail('实时').click();
    // Only the bot has visited so far: it is not counted, and the empty list says so.
    await expect(console_.getByText('收到的访问都被判定为机器人或疑似机器人，已排除。')).toBeVisible();
    const rows = table('访问列表').locator('tbody').getByRole('row');
    for (const [index, visit] of visits.entries()) {
      await test.step(visit.who, async () => {
        const visitor = await comeAs(visit, sitewright.origin);
        await visit.read(visitor.page, shop.origin);
        await visitor.leave();
        await expect(rows).toHaveCount(index + 1);
        // The newest activity is first.
        await expect.poll(async () => (await rowByColumn('访问列表', rows.first()))['页数']).toBe(String(visit.paths.length));
      });
    }
  });

  test('each visit shows its source, search terms, place, device and pages', async () => {
    for (const [index, visit] of [...visits].reverse().entries()) {
      await test.step(visit.who, async () => {
        const row = table('访问列表').locator('tbody').getByRole('row').nth(index);
        const cells = await rowByColumn('访问列表', row);
        expect(cells).toMatchObject({ 入口页面: visit.paths[0], 页数: String(visit.paths.length) });
        expect(cells.地域).toContain(visit.place);
        expect(cells.来源).toContain(visit.source);
        expect(cells.设备).toMatch(visit.device);
        if (visit.keyword !== '') await expect(row).toContainText(visit.keyword);
        await row.getByRole('rowheader').getByRole('button').click();
        const pagesRead = console_.getByRole('row', { name: '访问路径' }).getByRole('listitem').getByRole('link');
        await expect(pagesRead).toHaveCount(visit.paths.length);
        for (const [at, path] of visit.paths.entries()) await expect(pagesRead.nth(at)).toHaveAccessibleName(new RegExp(`^${path} `));
        await row.getByRole('rowheader').getByRole('button').click();
        await expect(pagesRead).toHaveCount(0);
      });
    }
  });

  test('events of one page are listed one by one', async () => {
    await table('访问列表').locator('tbody').getByRole('row').filter({ hasText: '广州' }).getByRole('rowheader').getByRole('button').click();
    await console_
      .getByRole('row', { name: '访问路径' })
      .getByRole('link', { name: /^\/products\/longjing / })
      .click();
    await console_.waitForURL('**/als/latest/events/*');
    const content = console_.getByRole('main');
    await expect(content.getByText('view product')).toBeVisible();
    await expect(content.getByText('add to cart')).toBeVisible();
    await expect(content.getByText('268')).toBeVisible();
  });

  test('the overview counts exactly those visits', async () => {
    await rail('概况').click();
    for (const name of [
      `访客数 (UV) ${totals.visitors}，查看说明`,
      `浏览量 (PV) ${totals.views}，查看说明`,
      `访问次数 ${totals.visits}，查看说明`,
      `跳出率 ${bounceRate}，查看说明`,
      `平均访问页数 ${pagesPerVisit}，查看说明`,
    ]) {
      await expect(console_.getByRole('button', { name, exact: true })).toBeVisible();
    }
    const asText = (counts: ReadonlyMap<string, number>): Record<string, string> => Object.fromEntries([...counts].map(([key, n]) => [key, String(n)]));
    // A card lists the nine most frequent values.
    const expectCard = async (name: string, counts: ReadonlyMap<string, number>): Promise<void> => {
      await expect.poll(async () => Object.keys(await list(name)).length).toBe(Math.min(9, counts.size));
      await expect.poll(async () => Object.entries(await list(name)).filter(([key, value]) => asText(counts)[key] !== value)).toEqual([]);
    };
    await expectCard('来源', count(visits.map((visit) => visit.source)));
    await expectCard('页面', count(views));
    await console_.getByRole('region', { name: '页面' }).getByRole('button', { name: '入口页面', exact: true }).click();
    await expectCard('页面', count(visits.map((visit) => visit.paths[0] ?? '')));
  });

  test('search terms and provinces have reports of their own', async () => {
    await rail('来源').click();
    await console_.getByRole('navigation', { name: '来源' }).getByRole('link', { name: '搜索词' }).click();
    await expect.poll(() => list('搜索词明细')).toMatchObject({ 明前龙井: '1' });
    await rail('受众').click();
    await expect.poll(() => list('省份明细')).toMatchObject({ 江苏: '2', 广东: '2' });
    await rail('概况').click();
  });

  test('the trend shows the same totals and recognises the program', async () => {
    await console_.getByRole('navigation', { name: '概况' }).getByRole('link', { name: '趋势' }).click();
    const total = table('趋势明细')
      .getByRole('row')
      .filter({ has: console_.getByRole('rowheader', { name: '合计' }) });
    await expect(total).toBeVisible();
    expect(await rowByColumn('趋势明细', total)).toMatchObject({
      '浏览量 (PV)': String(totals.views),
      '访客数 (UV)': String(totals.visitors),
      访问次数: String(totals.visits),
      新访客数: String(totals.visitors),
      'IP 数': String(totals.ips),
      '跳出率 (%)': bounceRate.replace('%', ''),
      平均访问页数: pagesPerVisit,
    });

    await choosePopulation('机器人');
    await expect(console_.getByRole('button', { name: '浏览量 (PV) 1，查看说明', exact: true })).toBeVisible();
    await choosePopulation('全部');
    await expect(console_.getByRole('button', { name: `浏览量 (PV) ${totals.views + 1}，查看说明`, exact: true })).toBeVisible();
  });

  test('a site built here is served and measured without any installation', async () => {
    await rail('站点').click();
    await console_.getByRole('link', { name: '添加站点' }).first().click();
    await console_.getByRole('radio', { name: '在这里建站' }).check();
    await console_.getByRole('button', { name: '下一步' }).click();
    await console_.getByLabel('站点名称').fill('茶会');
    await console_.getByLabel('站点标识').fill('tea-party');
    await expect(console_.getByText('可以使用')).toBeVisible();
    await confirmSettings();
    await expect(console_.getByText('等待第一次访问')).toBeVisible();
    const address = `http://tea-party.localhost:${sitewright.deliveryPort}`;
    await expect(console_.getByRole('link', { name: '打开网站' })).toHaveAttribute('href', new RegExp(`^${address}/?$`));
    const visitor = await comeAs({ agent: agents.chrome, address: '114.114.114.114' }, address);
    await visitor.page.goto(address);
    await expectHeading(visitor.page, '茶会');
    await expect(console_.getByText('已收到第一次访问')).toBeVisible();
    await visitor.leave();
  });
});
