import type { BrowserContext, Page } from '@playwright/test';
import type { Install, Report } from '../../contract/analytics/schemas';
import type { EventDetail, EventsReport } from '../../contract/insights/reports';
import type { Completeness, MeasuringInput, MeasuringSettings } from '../../contract/measuring/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { z } from 'zod';
import { startFixtureSite, type FixtureSite } from '../fixtures/site/server';
import { expect, test as base } from './support/accounts';
import { startPlainChromium } from './support/plainChromium';
import { comeAs } from './support/visitor';

/** Real sites in real browsers through the real collector: the console's API reports exactly what the browser did. */
type Measured = {
  readonly site: Site;
  readonly shop: FixtureSite;
  readonly ask: <T>(rest: string) => Promise<T>;
  /** Page views by path, of people; or of everybody where the browser cannot hide its automation. */
  readonly paths: (who?: 'humans' | 'all', by?: 'path' | 'entryPath') => Promise<Record<string, number>>;
  readonly totals: (who?: 'humans' | 'all') => Promise<Partial<z.infer<typeof Report>['totals']>>;
  readonly events: () => Promise<EventsReport>;
  /** Puts the site's tag, as shown on the dashboard, on every page. */
  readonly install: (context: BrowserContext, more?: Partial<MeasuringInput>) => Promise<void>;
};
const test = base.extend<{ measured: Measured }>({
  measured: async ({ context, desk, office }, use) => {
    void desk;
    const site = await office.addSite(context, '山间茶铺');
    const shop = await startFixtureSite();
    const ask = <T>(rest: string): Promise<T> => office.ask<T>(context, 'GET', `/api/site/${site.id}/als/${rest}`);
    // Includes yesterday, as a test may span midnight.
    const day = (at: number): string => new Intl.DateTimeFormat('sv-SE', { timeZone: site.timeZone }).format(at);
    const range = (): string => `from=${day(Date.now() - 86_400_000)}&to=${day(Date.now())}`;
    const report = (who: string, rest = ''): Promise<z.infer<typeof Report>> => ask(`report?${range()}&who=${who}&with=pages&with=goals${rest}`);
    await use({
      site,
      shop,
      ask: (rest) => ask(rest.replace('RANGE', range())),
      paths: async (who = 'humans', by = 'path') =>
        Object.fromEntries((await report(who, `&by=${by}&sort=views`)).rows?.map(({ key, values }) => [key, values.views ?? 0]) ?? []),
      totals: async (who = 'humans') => (await report(who)).totals,
      events: () => ask(`event?${range()}`),
      async install(by, more) {
        if (more) {
          const { revision, tag: _tag, updatedAt: _at, ...rest } = await ask<MeasuringSettings>('settings');
          await office.ask(by, 'PUT', `/api/site/${site.id}/als/settings`, { ...rest, ...more }, { 'if-match': `"${revision}"` });
        }
        shop.tag = (await ask<z.infer<typeof Install>>('install')).tag;
      },
    });
    await shop.close();
  },
});

const agents = {
  chrome: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.68',
};
const lin = { agent: agents.chrome, address: '114.114.114.114' };
const tally = (list: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(list)].map((one) => [one, list.filter((other) => other === one).length]));
/** The page's addresses as reported by the browser itself; `fragments`: including the part after the #. */
function follow(page: Page, fragments = false): string[] {
  const been: string[] = [];
  let last = '';
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith('http')) return;
    const url = new URL(frame.url());
    const at = url.pathname + (fragments ? url.hash : '');
    // Within a document only a changed address counts; another document always counts.
    if (at !== last) been.push(at);
    last = at;
  });
  return been;
}
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first();
const on = (page: Page, name: string): Promise<void> => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();

test('pages, entries, exits, events, outbound links and downloads are reported', async ({ context, office, measured }) => {
  const { shop } = measured;
  await measured.install(context);
  const first = await comeAs(lin, office.origin);
  const been = follow(first.page);
  await first.page.goto(shop.origin);
  await link(first.page, '全部商品').click();
  await link(first.page, '白瓷盖碗').click();
  await on(first.page, '白瓷盖碗');
  await first.page.goBack();
  await on(first.page, '全部商品');
  await link(first.page, '联系').click();
  await on(first.page, '联系');
  await first.leave();
  expect(been).toEqual(['/', '/list', '/products/gaiwan', '/list', '/contact']);

  const second = await comeAs({ agent: agents.edge, address: '202.96.128.86' }, office.origin);
  const { page } = second;
  const also = follow(page);
  await page.goto(`${shop.origin}/products/longjing`);
  await page.getByRole('button', { name: '加入购物车' }).click();
  await page.getByRole('button', { name: '加入购物车' }).click();
  const partner = `http://partner.localhost:${new URL(shop.origin).port}/signal/left`;
  await page.route('**/price-2026.pdf', (route) =>
    route.fulfill({ body: '%PDF-1.4', headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment' } }),
  );
  await page.evaluate(
    (to) => document.body.insertAdjacentHTML('afterbegin', `<a href="/price-2026.pdf">价目表</a> <a href="${to}">合作伙伴</a> <a href="tel:057188">电话</a>`),
    partner,
  );
  const file = page.waitForEvent('download');
  await link(page, '价目表').click();
  await file;
  await link(page, '合作伙伴').click();
  await page.waitForURL(partner);
  expect(shop.signals).toEqual(['left']);
  await second.leave();
  expect(also).toEqual(['/products/longjing', '/signal/left']);

  const visitedPaths = [...been, '/products/longjing'];
  await expect.poll(() => measured.paths()).toEqual(tally(visitedPaths));
  await expect.poll(() => measured.totals()).toMatchObject({ views: 6, visits: 2, visitors: 2, ips: 2, newVisitors: 2, entries: 2, exits: 2 });
  // The second visitor read one page and triggered an event.
  expect(await measured.totals()).toMatchObject({ bounceRate: 0 });
  expect(await measured.paths('humans', 'entryPath')).toEqual({ '/': 5, '/products/longjing': 1 });
  await expect
    .poll(() => measured.events())
    .toMatchObject({
      // Both product pages send an event.
      totals: { count: 4, visits: 2, visitors: 2 },
      rows: [
        { name: 'add to cart', count: 2, visits: 1, visitors: 1 },
        { name: 'view product', count: 2, visits: 2, visitors: 2 },
      ],
      rowCount: 2,
      outbound: 1,
      downloads: 1,
    });
  const detail = (name: string): Promise<EventDetail> => measured.ask(`event/detail?RANGE&name=${encodeURIComponent(name)}`);
  const values = async (name: string) =>
    Object.fromEntries((await detail(name)).properties.map((property) => [property.name, property.values.map(({ value, count }) => [value, count])]));
  expect(await values('add to cart')).toEqual({ price: [['268', 2]], sku: [['LJ-2026', 2]] });
  expect(await values('$outbound')).toEqual({ url: [[partner, 1]] });
  expect(await values('$download')).toEqual({ file: [['price-2026.pdf', 1]], url: [[`${shop.origin}/price-2026.pdf`, 1]] });
});

test('an application’s pushState and back navigation count once each', async ({ context, office, measured }) => {
  await measured.install(context);
  const { page, leave } = await comeAs(lin, office.origin);
  const been = follow(page);
  await page.goto(`${measured.shop.origin}/app`);
  await link(page, '按口味').click();
  await on(page, '按口味选');
  await link(page, '按价格').click();
  await on(page, '按价格选');
  await page.goBack();
  await on(page, '按口味选');
  await page.goForward();
  await on(page, '按价格选');
  // Changes that are no new page: the same address, its parameters, its fragment.
  await page.evaluate(() => history.replaceState({ scrolled: 1 }, '', '?sort=price'));
  await link(page, '送礼').click();
  await leave();
  expect(been).toEqual(['/app', '/app/taste', '/app/price', '/app/taste', '/app/price']);
  await expect.poll(() => measured.paths()).toEqual(tally(been));
  expect(await measured.totals()).toMatchObject({ views: 5, visits: 1, visitors: 1, downstream: 4 });
});

test('an application whose pages are fragments', async ({ context, office, measured }) => {
  await measured.install(context);
  measured.shop.tag = measured.shop.tag.replace('data-site', 'data-hash data-site');
  const { page, leave } = await comeAs(lin, office.origin);
  const been = follow(page, true);
  await page.goto(`${measured.shop.origin}/app`);
  await link(page, '送礼').click();
  await expect(page).toHaveURL(/#gift$/);
  await page.evaluate(() => void (location.hash = '#/cart'));
  await expect(page).toHaveURL(/#\/cart$/);
  await page.goBack();
  await expect(page).toHaveURL(/#gift$/);
  await leave();
  expect(been).toEqual(['/app', '/app#gift', '/app#/cart', '/app#gift']);
  // Paths have no fragments, but each fragment is a view.
  await expect.poll(() => measured.totals()).toMatchObject({ views: been.length, visits: 1 });
});

test('a page restored from the back-forward cache counts as another view', async ({ context, office, measured }) => {
  await measured.install(context);
  const { page, leave } = await comeAs({ ...lin, keepsPages: true }, office.origin);
  await page.goto(measured.shop.origin);
  await page.evaluate(() =>
    addEventListener('pageshow', (event) =>
      (globalThis as unknown as { sitewright: (name: string, props: object) => void }).sitewright('shown', { again: event.persisted }),
    ),
  );
  await link(page, '全部商品').click();
  await on(page, '全部商品');
  await expect.poll(() => measured.paths()).toEqual({ '/': 1, '/list': 1 });
  // Not page.goBack(): it waits for a load event, which a restored page does not have.
  await page.evaluate('void setTimeout(() => history.back())');
  await expect.poll(() => measured.paths()).toEqual({ '/': 2, '/list': 1 });
  await expect.poll(async () => (await measured.events()).rows.map(({ name, count }) => [name, count])).toEqual([['shown', 1]]);
  expect(await measured.totals()).toMatchObject({ visits: 1, visitors: 1, downstream: 2 });
  await leave();
});

test('a prerendered page counts when it is shown', async ({ context, measured }) => {
  const { shop } = measured;
  await measured.install(context);
  // Automated browsers never prerender, so this one runs without automation and navigates by script.
  shop.tag += `<script type="speculationrules">{"prerender":[{"urls":["/list"],"eagerness":"immediate"}]}</script>
    <script>
      addEventListener('load', async () => {
        if (document.prerendering) return fetch('/signal/prerendered');
        if (location.pathname !== '/') return;
        while (!(await (await fetch('/go')).json())) await new Promise((resolve) => setTimeout(resolve, 50));
        location.href = '/list';
      });
    </script>`;
  const browser = await startPlainChromium(shop.origin);
  await expect.poll(() => shop.signals).toEqual(['prerendered']);
  await expect.poll(() => measured.paths('all')).toEqual({ '/': 1 });
  shop.go = true;
  await expect.poll(() => measured.paths('all')).toEqual({ '/': 1, '/list': 1 });
  expect(await measured.totals('all')).toMatchObject({ views: 2, visits: 1, visitors: 1 });
  await browser.stop();
});

test('Global Privacy Control follows the site’s setting, and uncounted hits are reported', async ({ context, office, measured }) => {
  const { shop } = measured;
  const read = async (): Promise<{ storageKeys: string[] }> => {
    const { page, leave } = await comeAs({ ...lin, gpc: true }, office.origin);
    // Each view is sent before the page is left: this browser's beacons carry no header of the test.
    const nextSent = () => page.waitForResponse(`${office.origin}/collect`);
    const first = nextSent();
    await page.goto(shop.origin);
    await first;
    const second = nextSent();
    await link(page, '联系').click();
    await on(page, '联系');
    await second;
    const storageKeys = await page.evaluate(() => Object.keys(localStorage));
    await leave();
    return { storageKeys };
  };
  await measured.install(context);
  // By default: counted as one visitor, with nothing stored in the browser.
  expect(await read()).toEqual({ storageKeys: [] });
  await expect.poll(() => measured.totals()).toMatchObject({ views: 2, visits: 1, visitors: 1 });

  await measured.install(context, { globalPrivacyControl: 'refuse' });
  // The setting reaches the collector a moment later. A ping of no page is counted nowhere.
  const ping = JSON.stringify({ s: /data-site="(\w+)"/.exec(shop.tag)?.[1], h: [{ k: 'g', p: '0'.repeat(16), q: 0, a: 0, l: shop.origin }] });
  const headers = { 'content-type': 'text/plain', 'sec-gpc': '1' };
  await expect.poll(async () => (await context.request.post(`${office.origin}/collect`, { headers, data: ping })).text()).toContain('opted_out');
  const refused = async () => (await measured.ask<Completeness>('loss?days=2')).days.reduce((sum, day) => sum + (day.refused.opted_out ?? 0), 0);
  const before = await refused();
  expect(await read()).toEqual({ storageKeys: [] });
  await expect.poll(refused).toBeGreaterThanOrEqual(before + 2);
  expect(await measured.totals()).toMatchObject({ views: 2, visits: 1, visitors: 1 });

  await measured.install(context, { globalPrivacyControl: 'ignore' });
  expect(shop.tag).toContain('data-no-gpc');
  expect(await read()).toEqual({ storageKeys: ['_sw'] });
  await expect.poll(async () => (await measured.totals()).views ?? 0).toBeGreaterThan(2);
});

test('opting out stops counting until the reader opts in again', async ({ context, office, measured }) => {
  await measured.install(context);
  const { page, leave } = await comeAs(lin, office.origin);
  const call = (script: string): Promise<unknown> => page.evaluate(`sitewright${script}`);
  await page.goto(measured.shop.origin);
  await expect.poll(() => measured.paths()).toEqual({ '/': 1 });
  await call('.optOut()');
  await page.goto(`${measured.shop.origin}/list`);
  await call(`('while out')`);
  await page.goto(`${measured.shop.origin}/articles/water`);
  await call('.optOut(false)');
  await page.goto(`${measured.shop.origin}/contact`);
  await call(`('back')`);
  await leave();
  await expect.poll(() => measured.paths()).toEqual({ '/': 1, '/contact': 1 });
  await expect.poll(async () => (await measured.events()).rows.map(({ name }) => name)).toEqual(['back']);
});
