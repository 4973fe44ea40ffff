import type { Browser, Page } from '@playwright/test';
import { expect, test, type ConsoleProgram } from './support/console';

/** What a browser with an empty cache really fetches, as sent with gzip. kB = 1000 bytes. */
const kB = 1000;

/** `start` in ms since 1970; `bytes` includes the headers, `body` does not. */
type Sent = { readonly address: string; readonly start: number; readonly bytes: number; readonly body: number };
type Opened = {
  /** What shifted, largest first. */
  readonly shifted: readonly string[];
  /** Requests that began before the page was usable. */
  readonly first: readonly Sent[];
  /** Requests that began later. */
  readonly ahead: readonly Sent[];
  /** Sum of the layout shifts. */
  readonly shift: number;
};

const isScript = ({ address }: Sent): boolean => address.endsWith('.js');
const bytesOf = (requests: readonly Sent[]): number => requests.reduce((total, { bytes }) => total + bytes, 0);
const scriptsOf = (requests: readonly Sent[]): number => requests.filter(isScript).reduce((total, { body }) => total + body, 0);
const describe = (requests: readonly Sent[]): string => requests.map(({ address, body }) => `${(body / kB).toFixed(1)} ${address}`).join('\n');

/** `usable`: in ms since 1970, 0 before. */
type Gauge = { usable: number; shift: number; shifted: string[] };
type LayoutShift = PerformanceEntry & { readonly value: number; readonly hadRecentInput: boolean; readonly sources: readonly { readonly node: Node | null }[] };

/** Runs in the page: notes when it is usable (`ready` matches, and nothing in it is loading), and adds up layout shifts. */
function observe(ready: string): void {
  const gauge: Gauge = { usable: 0, shift: 0, shifted: [] };
  Object.assign(globalThis, { gauge });
  new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries()) {
      const { value, hadRecentInput, sources } = entry as LayoutShift;
      if (hadRecentInput) continue;
      gauge.shift += value;
      gauge.shifted.push(
        `${value.toFixed(4)} at ${entry.startTime.toFixed(0)} ms: ${sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 100) : '?')).join(' · ')}`,
      );
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const look = (): void => {
    if (document.querySelector(ready)?.checkVisibility() === true && document.querySelector('[aria-busy="true"]') === null) gauge.usable = Date.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** The responses as sent, by id of the request. */
async function recordSizes(page: Page): Promise<Map<string, Sent>> {
  const protocol = await page.context().newCDPSession(page);
  const [begun, headers, sizes] = [new Map<string, Pick<Sent, 'address' | 'start'>>(), new Map<string, number>(), new Map<string, Sent>()];
  protocol.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) =>
    begun.set(requestId, { address: new URL(request.url).pathname, start: wallTime * 1000 }),
  );
  protocol.on('Network.responseReceived', ({ requestId, response }) => headers.set(requestId, response.encodedDataLength));
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
    const request = begun.get(requestId);
    if (request) sizes.set(requestId, { ...request, bytes, body: Math.max(0, bytes - (headers.get(requestId) ?? 0)) });
  });
  await protocol.send('Network.enable');
  // Brotli, which browsers accept on secure origins, is smaller.
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
  return sizes;
}

/** Opens a page in a browser that has nothing of it, and waits until it is usable and has fetched what it fetches ahead. */
async function openFirst(browser: Browser, program: ConsoleProgram, address: string, { ready = 'main h1', guest = false } = {}): Promise<Opened> {
  const context = await browser.newContext({ baseURL: program.origin, locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  if (!guest) await program.signIn(context);
  const page = await context.newPage();
  const sizes = await recordSizes(page);
  await page.addInitScript(observe, ready);
  await page.goto(address);
  await page.waitForFunction(() => (globalThis as unknown as { gauge: Gauge }).gauge.usable > 0, undefined, { timeout: 30_000 });
  let before = -1;
  await expect
    .poll(
      () => {
        const isQuiet = before === sizes.size;
        before = sizes.size;
        return isQuiet;
      },
      { intervals: [2000] },
    )
    .toBe(true);
  const { usable, shift, shifted } = await page.evaluate(() => (globalThis as unknown as { gauge: Gauge }).gauge);
  const sent = [...sizes.values()];
  await context.close();
  return { first: sent.filter(({ start }) => start <= usable), ahead: sent.filter(({ start }) => start > usable), shift, shifted };
}

/** Prints what was measured, so that a change of a kilobyte is visible before it is one too many. */
function print(name: string, { first, ahead, shift }: Opened): void {
  const scripts = (requests: readonly Sent[]): string => `${requests.filter(isScript).length} scripts of ${(scriptsOf(requests) / kB).toFixed(1)} kB`;
  const requests = `${first.length} requests of ${(bytesOf(first) / kB).toFixed(1)} kB`;
  console.log(`${name}: ${scripts(first)}, ${requests} before it is usable; ${scripts(ahead)} later; layout shift ${shift.toFixed(4)}`);
}

/** The most requests before a page is usable. */
const mostRequests = 40;
/** `scripts`: kB before the page is usable, 175 of them of the frame (`scripts/check-size.mjs`). These numbers only fall. */
const screens: readonly { readonly name: string; readonly scripts: number; readonly path: (siteId: string) => string }[] = [
  { name: 'home', scripts: 197.5, path: () => '/home' },
  { name: 'overview', scripts: 404, path: (siteId) => `/site/${siteId}/als/overview` },
  { name: 'records', scripts: 300.5, path: (siteId) => `/site/${siteId}/table/records` },
  { name: 'account centre', scripts: 200.5, path: () => '/account/center/account_center' },
];

for (const { name, scripts, path } of screens) {
  test(`the ${name} loads within its budget and does not shift`, async ({ browser, program }) => {
    const opened = await openFirst(browser, program, path(program.demo.id));
    print(name, opened);
    expect.soft(scriptsOf(opened.first), describe(opened.first)).toBeLessThanOrEqual(scripts * kB);
    expect.soft(scriptsOf(opened.ahead), describe(opened.ahead)).toBeLessThanOrEqual(150 * kB);
    expect.soft(opened.first.length, describe(opened.first)).toBeLessThanOrEqual(mostRequests);
    if (name === 'overview') expect.soft(bytesOf(opened.first), describe(opened.first)).toBeLessThanOrEqual(500 * kB);
    expect.soft(opened.shift, opened.shifted.join('\n')).toBeLessThan(0.02);
  });
}

test('the sign page loads within its budget', async ({ browser, program }) => {
  const opened = await openFirst(browser, program, '/sign/', { ready: 'input[name="username"]', guest: true });
  print('sign page', opened);
  expect.soft(scriptsOf(opened.first), describe(opened.first)).toBeLessThanOrEqual(90 * kB);
  expect.soft(scriptsOf(opened.ahead), describe(opened.ahead)).toBeLessThanOrEqual(5 * kB);
});
