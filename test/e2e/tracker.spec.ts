import { chromium, expect, test as base, type Page } from '@playwright/test';
import { startFixtureSite, type FixtureSite } from '../fixtures/site/server';
import { chromiumArgs, chromiumPath } from '../support/chromium';
import { startPlainChromium } from './support/plainChromium';
import { siteId, startRecorder, type Recorder } from './support/recorder';

/** The built script on a real site in a real browser, with a recording collector. */
const test = base.extend<{ recorder: Recorder; shop: FixtureSite; errors: string[] }>({
  // oxlint-disable-next-line no-empty-pattern
  recorder: async ({}, use) => {
    const recorder = await startRecorder();
    await use(recorder);
    await recorder.close();
  },
  shop: async ({ recorder }, use) => {
    const shop = await startFixtureSite();
    shop.tag = recorder.tag();
    await use(shop);
    await shop.close();
  },
  // No error of the tracker may reach the page.
  errors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await use(errors);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});

const expectViews = (recorder: Recorder, views: string[]): Promise<void> => expect.poll(() => recorder.views()).toEqual(views);
const events = (recorder: Recorder): (string | undefined)[] =>
  recorder
    .hits()
    .filter((hit) => hit.k === 'e')
    .map((hit) => hit.e);
const call = (page: Page, script: string): Promise<unknown> => page.evaluate(`sitewright${script}`);

test('every page opened by clicks is sent with title and referrer', async ({ page, shop, recorder }) => {
  await page.goto(shop.origin);
  await page.getByRole('link', { name: '全部商品' }).click();
  await page.getByRole('link', { name: '白瓷盖碗' }).click();
  await expectViews(recorder, ['/', '/list', '/products/gaiwan']);
  const views = recorder.hits().filter((hit) => hit.k === 'v');
  expect(views.map((hit) => hit.r)).toEqual(['', `${shop.origin}/`, `${shop.origin}/list`]);
  expect(views.map((hit) => hit.n)).toEqual(['山间茶铺', '全部商品 · 山间茶铺', '白瓷盖碗 · 山间茶铺']);
  expect(views[0]).toMatchObject({ w: 1920, h: 1080, g: 'zh-CN', b: true });
  expect(new Set(recorder.bodies.map((body) => body.u)).size).toBe(1);
  expect(recorder.bodies.every((body) => body.s === siteId)).toBe(true);
});

test('an application: pushState and the way back, titles as they are in the end', async ({ page, shop, recorder }) => {
  await page.goto(`${shop.origin}/app`);
  await page.getByRole('link', { name: '按口味' }).click();
  await expect(page.getByRole('heading', { name: '按口味选' })).toBeVisible();
  await page.getByRole('link', { name: '按价格' }).click();
  await expectViews(recorder, ['/app', '/app/taste', '/app/price']);
  await page.goBack();
  await expectViews(recorder, ['/app', '/app/taste', '/app/price', '/app/taste']);
  await page.getByRole('link', { name: '送礼' }).click();
  await call(page, `('after hash')`);
  await expect.poll(() => events(recorder)).toEqual(['after hash']);
  expect(recorder.views()).toHaveLength(4);
  expect(
    recorder
      .hits()
      .filter((hit) => hit.k === 'v')
      .map((hit) => hit.n?.split(' ')[0]),
  ).toEqual(['选茶', '按口味选', '按价格选', '按口味选']);
});

test('fragments are views if the site enables them', async ({ page, shop, recorder }) => {
  shop.tag = recorder.tag('data-hash');
  await page.goto(`${shop.origin}/app`);
  await expectViews(recorder, ['/app']);
  await page.getByRole('link', { name: '送礼' }).click();
  await expectViews(recorder, ['/app', '/app#gift']);
  await page.goBack();
  await expectViews(recorder, ['/app', '/app#gift', '/app']);
});

test('only sites that route by fragments mark them in hits', async ({ page, shop, recorder }) => {
  shop.tag = recorder.tag('data-hash');
  await page.goto(`${shop.origin}/app`);
  await expectViews(recorder, ['/app']);
  expect(recorder.bodies.every((body) => body.f === '')).toBe(true);
  await page.goto('about:blank');
  shop.tag = recorder.tag();
  await page.goto(`${shop.origin}/app#gift`);
  await expectViews(recorder, ['/app', '/app#gift']);
  await page.evaluate(`location.hash = 'price'`);
  await call(page, `('after')`);
  await expect.poll(() => events(recorder)).toEqual(['after']);
  expect(recorder.views()).toEqual(['/app', '/app#gift']);
  expect(recorder.bodies.at(-1)).not.toHaveProperty('f');
});

test('SVG and outbound links are sent unless the page prevents them', async ({ page, shop, recorder }) => {
  await page.goto(shop.origin);
  await expectViews(recorder, ['/']);
  const other = shop.origin.replace('shop.', 'other.');
  await page.evaluate(`document.body.insertAdjacentHTML('afterbegin', \`
    <a id="prevented" href="${other}/signal/prevented">x</a>
    <svg width="40" height="40"><a id="drawn" href="${other}/signal/drawn" target="_blank"><rect width="40" height="40" /></a></svg>
    <a id="leaves" href="${other}/signal/leaves">y</a>\`);
    document.getElementById('prevented').addEventListener('click', (event) => event.preventDefault())`);
  await page.click('#prevented');
  await page.click('#drawn');
  await page.bringToFront();
  await page.click('#leaves');
  const outboundUrls = () =>
    recorder
      .hits()
      .filter((hit) => hit.e === '$outbound')
      .map((hit) => hit.o?.['url']);
  await expect.poll(outboundUrls).toEqual([`${other}/signal/drawn`, `${other}/signal/leaves`]);
  expect(shop.signals).toEqual(['drawn', 'leaves']);
});

test('the extended script reports submitted forms and missing pages', async ({ page, shop, recorder }) => {
  shop.tag = recorder.tag('', 't.more.js');
  await page.goto(`${shop.origin}/contact`);
  await page.evaluate(`document.querySelector('form').addEventListener('submit', (event) => event.preventDefault())`);
  await page.getByLabel('留言').fill('你好');
  await page.getByLabel('留言').press('Enter');
  await expect.poll(() => events(recorder)).toEqual(['$form']);
  expect(recorder.hits().find((hit) => hit.e === '$form')?.o).toEqual({ form: '/contact' });
  await page.goto(`${shop.origin}/gone`);
  await expect.poll(() => events(recorder)).toEqual(['$form', '$404']);
  expect(recorder.hits().find((hit) => hit.e === '$404')?.o).toEqual({ url: `${shop.origin}/gone` });
});

test('the same tag twice counts once', async ({ page, shop, recorder }) => {
  shop.tag = recorder.tag() + recorder.tag();
  await page.goto(shop.origin);
  await call(page, `('marker')`);
  await expect.poll(() => events(recorder)).toEqual(['marker']);
  expect(recorder.views()).toEqual(['/']);
});

test('engaged time grows while reading, and depth while scrolling', async ({ page, shop, recorder }) => {
  await page.clock.install();
  await page.goto(`${shop.origin}/articles/spring-tea`);
  await page.clock.runFor(6 * 60_000);
  await page.mouse.wheel(0, 1200);
  await page.waitForFunction('scrollY > 1000');
  await page.clock.runFor(30_000);
  const pings = () => recorder.hits().filter((hit) => hit.k === 'g');
  await expect.poll(() => Math.max(0, ...pings().map((hit) => hit.m ?? 0))).toBeGreaterThan(380_000);
  expect(pings().length).toBeGreaterThanOrEqual(13);
  const depths = pings().map((hit) => hit.d ?? 0);
  expect(Math.min(...depths)).toBeLessThan(35);
  expect(Math.max(...depths)).toBeGreaterThan(55);
  expect(Math.max(...depths)).toBeLessThan(100);
});

test('the last action arrives although the page closes at once', async ({ page, shop, recorder }) => {
  await page.goto(`${shop.origin}/products/longjing`);
  await page.getByRole('button', { name: '加入购物车' }).click();
  await page.goto(`${shop.origin}/contact`);
  await expect.poll(() => events(recorder)).toEqual(['view product', 'add to cart']);
  expect(recorder.hits().find((hit) => hit.e === 'add to cart')?.o).toEqual({ sku: 'LJ-2026', price: 268 });
  await expectViews(recorder, ['/products/longjing', '/contact']);
});

test('no hits are lost while the collector is unavailable', async ({ page, shop, recorder }) => {
  recorder.answers = [503, 0, 429];
  await page.goto(shop.origin);
  await call(page, `('meanwhile')`);
  await expect.poll(() => events(recorder), { timeout: 30_000 }).toEqual(['meanwhile']);
  expect(recorder.views()).toEqual(['/']);
});

test('hits made offline are sent when the network is back', async ({ page, context, shop, recorder }) => {
  await page.goto(shop.origin);
  await expectViews(recorder, ['/']);
  await context.setOffline(true);
  await call(page, `('offline')`);
  await page.waitForRequest(`${recorder.origin}/collect`);
  expect(events(recorder)).toEqual([]);
  await context.setOffline(false);
  await expect.poll(() => events(recorder)).toEqual(['offline']);
});

test('the next page sends what the last could not', async ({ page, shop, recorder }) => {
  recorder.down = true;
  await page.goto(shop.origin);
  await page.waitForRequest(`${recorder.origin}/collect`);
  // The failure must be known before the page is left.
  await expect
    .poll(() => call(page, `('again')`).then(() => page.evaluate(`performance.getEntriesByType('resource').filter((r) => r.name.endsWith('/collect')).length`)))
    .toBeGreaterThan(0);
  await page.getByRole('link', { name: '全部商品' }).click();
  await page.waitForURL('**/list');
  recorder.down = false;
  await expect.poll(() => recorder.views(), { timeout: 30_000 }).toEqual(['/', '/list']);
  expect(recorder.hits().find((hit) => hit.k === 'v')?.a).toBeGreaterThan(100);
  expect(await page.evaluate(`Object.keys(localStorage)`)).toEqual(['_sw']);
});

test('Global Privacy Control: counted without an id', async ({ page, shop, recorder }) => {
  await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`);
  await page.goto(shop.origin);
  await expectViews(recorder, ['/']);
  expect(recorder.bodies[0]).not.toHaveProperty('u');
  expect(await page.evaluate('localStorage.length')).toBe(0);
});

test('consent: an id only while consent is given', async ({ page, shop, recorder }) => {
  shop.tag = recorder.tag('data-consent="required"');
  await page.goto(shop.origin);
  await expectViews(recorder, ['/']);
  expect(await page.evaluate('localStorage.length')).toBe(0);
  await call(page, '.consent(true)');
  await page.goto(`${shop.origin}/list`);
  await expectViews(recorder, ['/', '/list']);
  const ids = () => recorder.bodies.filter((body) => body.h.some((hit) => hit.k === 'v')).map((body) => body.u ?? null);
  expect(ids()).toEqual([null, expect.stringMatching(/^[0-9a-f]{16}$/)]);
  await call(page, '.consent(false)');
  await page.goto(`${shop.origin}/contact`);
  await expectViews(recorder, ['/', '/list', '/contact']);
  expect(ids()[2]).toBeNull();
});

test('a reader who opts out is no longer counted', async ({ page, shop, recorder }) => {
  await page.goto(shop.origin);
  await expectViews(recorder, ['/']);
  await call(page, '.optOut()');
  await page.goto(`${shop.origin}/list`);
  await call(page, '.optOut(false)');
  await page.goto(`${shop.origin}/contact`);
  await expectViews(recorder, ['/', '/contact']);
});

test('a policy that blocks the collector causes no page errors', async ({ page, shop, recorder }) => {
  shop.headers = { 'content-security-policy': `connect-src 'self'; script-src ${recorder.origin}` };
  await page.goto(shop.origin);
  await expect.poll(() => call(page, `('x')`).then(() => true)).toBe(true);
  await page.getByRole('link', { name: '全部商品' }).click();
  await expect(page.getByRole('heading', { name: '全部商品' })).toBeVisible();
  expect(recorder.views()).toEqual([]);
});

test('a page with Trusted Types is measured like any other', async ({ page, shop, recorder }) => {
  shop.headers = { 'content-security-policy': `require-trusted-types-for 'script'; trusted-types 'none'` };
  await page.goto(shop.origin);
  await expectViews(recorder, ['/']);
});

test('a sandboxed frame without storage is counted without an id', async ({ page, shop, recorder }) => {
  const { tag } = shop;
  shop.tag = '';
  await page.goto(shop.origin);
  shop.tag = tag;
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<iframe sandbox="allow-scripts" src="/contact"></iframe>')`);
  await expectViews(recorder, ['/contact']);
  expect(recorder.bodies[0]).not.toHaveProperty('u');
});

test('a prerendered page counts when it is shown, not before', async ({ shop, recorder }) => {
  // Automated browsers never prerender, so this one runs without automation and navigates by script.
  shop.tag = `${recorder.tag()}
    <script type="speculationrules">{"prerender":[{"urls":["/list"],"eagerness":"immediate"}]}</script>
    <script>
      addEventListener('load', async () => {
        if (document.prerendering) {
          document.addEventListener('prerenderingchange', () => sitewright('activated'));
          return fetch('/signal/prerendered');
        }
        if (location.pathname !== '/') return;
        while (!(await (await fetch('/go')).json())) await new Promise((resolve) => setTimeout(resolve, 50));
        location.href = '/list';
      });
    </script>`;
  const browser = await startPlainChromium(shop.origin);
  await expect.poll(() => shop.signals).toEqual(['prerendered']);
  await expectViews(recorder, ['/']);
  shop.go = true;
  await expectViews(recorder, ['/', '/list']);
  await expect.poll(() => events(recorder)).toEqual(['activated']);
  await browser.stop();
});

test('a page that comes back from the back-forward cache is a view again', async ({ shop, recorder }) => {
  // Playwright disables the cache, so this browser starts without that switch.
  const executablePath = chromiumPath();
  const browser = await chromium.launch({
    args: [...chromiumArgs],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  const page = await browser.newPage();
  await page.goto(shop.origin);
  await page.evaluate(`addEventListener('pageshow', (event) => sitewright('shown', { again: event.persisted }))`);
  await page.getByRole('link', { name: '全部商品' }).click();
  await expectViews(recorder, ['/', '/list']);
  // Not page.goBack(): it waits for a load event, which a restored page does not have.
  await page.evaluate('void setTimeout(() => history.back())');
  await expectViews(recorder, ['/', '/list', '/']);
  await expect.poll(() => recorder.hits().find((hit) => hit.e === 'shown')?.o).toEqual({ again: true });
  await browser.close();
});
