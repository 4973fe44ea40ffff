import os from 'node:os';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { startConsole } from '../../test/e2e/support/console';
import { chromiumArgs, chromiumPath } from '../../test/support/chromium';
import { addWalkData, type WalkData } from '../../test/walk/data';
import { median, writeSection } from '../sections';

/**
 * `npm run build && npm run bench:interaction`: from a press or a key to the next frame, as the browser reports it (Event Timing, in steps of 8 ms), with the
 * processor of the page slowed down four times. Median and worst of several; exits with 1 if a median exceeds the budget. It is a benchmark and not a test,
 * because whatever else the machine does is part of the figures.
 */
const { values: options } = parseArgs({ options: { times: { type: 'string', default: '7' }, slower: { type: 'string', default: '4' } } });
const [times, slower] = [Number(options.times), Number(options.slower)];
/** Milliseconds. */
const budget = 200;

type Measured = { readonly what: string; readonly durations: readonly number[] };
type InPage = { longest: number };

/** Runs in the page: notes the longest interaction since it was last reset. */
function prepare(): void {
  const gauge: InPage = { longest: 0 };
  Object.assign(globalThis, { gauge });
  new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries()) {
      const { duration, interactionId } = entry as PerformanceEntry & { readonly interactionId?: number };
      if ((interactionId ?? 0) > 0) gauge.longest = Math.max(gauge.longest, duration);
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: false });
}

/** The longest interaction while `act` runs; 0 when all took less than 16 ms. */
async function longestInteraction(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => void ((globalThis as unknown as { gauge: InPage }).gauge.longest = 0));
  await act();
  // Entries arrive after the frame.
  await page.waitForTimeout(400);
  return page.evaluate(() => (globalThis as unknown as { gauge: InPage }).gauge.longest);
}

const settle = (page: Page): Promise<void> => page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null).then(() => undefined);

type Step = { readonly what: string; readonly address: (data: WalkData) => string; readonly act: (page: Page, n: number) => Promise<unknown> };

const steps: readonly Step[] = [
  {
    what: 'another range (overview)',
    address: ({ siteId }) => `/site/${siteId}/als/overview?range=last7`,
    act: async (page, n) => {
      await page
        .getByRole('button', { name: n % 2 === 0 ? /最近 7 天/ : /最近 30 天/ })
        .first()
        .click();
      await page
        .getByRole('button', { name: n % 2 === 0 ? '最近 30 天' : '最近 7 天', exact: true })
        .last()
        .click();
    },
  },
  {
    what: 'edit a cell (records)',
    address: ({ siteId, tableId }) => `/site/${siteId}/table/records?table=${tableId}`,
    act: async (page, n) => {
      await page.locator('[role=gridcell][data-col="0"]').nth(1).click();
      await page.keyboard.type(`碧螺春 ${n}`);
      await page.keyboard.press('Enter');
    },
  },
  {
    what: 'open and close a record (records)',
    address: ({ siteId, tableId }) => `/site/${siteId}/table/records?table=${tableId}`,
    act: async (page) => {
      await page.locator('[role=gridcell][data-col="0"]').first().click();
      await page.keyboard.press('Space');
      await page.locator('.rec-drawer').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.rec-drawer').waitFor({ state: 'hidden' });
    },
  },
  {
    what: 'another tab (account centre)',
    address: () => '/account/center/account_center',
    act: (page, n) =>
      page
        .getByRole('link', { name: n % 2 === 0 ? '登录与安全' : '资料' })
        .first()
        .click(),
  },
];

async function measure(browser: Browser, origin: string, signIn: (page: Page) => Promise<void>, step: Step, data: WalkData): Promise<Measured> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 }, locale: 'zh-CN' });
  // esbuild inserts calls of a `__name` helper, which does not exist in the page.
  await context.addInitScript('globalThis.__name = (named) => named');
  await context.addInitScript(prepare);
  const page = await context.newPage();
  await signIn(page);
  await page.goto(step.address(data));
  await page.locator('main h1').waitFor({ state: 'attached' });
  await settle(page);
  // The first ones load parts; what is measured is the program, not the network.
  for (const n of [0, 1]) {
    await step.act(page, n);
    await settle(page);
  }
  await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slower });
  const durations: number[] = [];
  for (let n = 0; n < times; n += 1) {
    durations.push(await longestInteraction(page, () => step.act(page, n)));
    await settle(page);
  }
  await context.close();
  return { what: step.what, durations };
}

const row = ({ what, durations }: Measured): string => `| ${what} | ${median(durations)} | ${Math.max(...durations)} |`;
const section = (results: readonly Measured[], version: string): string =>
  [
    '## Interactions (`npm run build && npm run bench:interaction`)',
    '',
    `Chromium ${version} (1440 × 900), the page's processor slowed ${slower} times, the program on the same ${os.cpus().length} cores, load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}, ${new Date().toISOString().slice(0, 10)}.`,
    `From the press or key to the next frame; median and worst of ${times}. Budget of the median: ${budget} ms.`,
    '',
    '| what | ms | worst ms |',
    '|---|---|---|',
    ...results.map(row),
  ].join('\n');

const program = await startConsole();
const executablePath = chromiumPath();
const browser = await chromium.launch({ args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) });
try {
  const setUp = await browser.newContext({ baseURL: program.origin });
  await program.signIn(setUp);
  const data = await addWalkData(program, browser, setUp);
  const results: Measured[] = [];
  for (const step of steps) {
    const result = await measure(browser, program.origin, (page) => program.signIn(page.context()), step, data);
    console.log(row(result));
    results.push(result);
  }
  await writeSection('interaction', section(results, browser.version()));
  process.exitCode = results.some(({ durations }) => median(durations) > budget) ? 1 : 0;
} finally {
  await browser.close();
  await program.stop();
}
