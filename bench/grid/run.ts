import os from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { ContentTable } from '../../contract/tables/schemas';
import { chromiumArgs, chromiumPath } from '../../test/support/chromium';
import { siteId, withProgram } from '../harness';
import { median, writeSection } from '../sections';
import { openCalls, owner } from '../tables/callers';
import { fieldsOf, filteredBy, recordsOf, sortedBy } from '../tables/data';
import { send } from '../tables/shots';
import type { Shot } from '../tables/shots';

/**
 * `npm run build && npm run bench:grid -- --rows 1000000`: the records grid in Chromium against the real program and its stores. Chromium's processor is not
 * throttled; the three share the machine. Measured: the time until every visible row has its values, and how long the page was unresponsive meanwhile (the
 * longest task of its main thread, and frames that came more than 50 ms after the previous one).
 */
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '1000000' }, fields: { type: 'string', default: '10' } } });
const [rows, fields] = [Number(options.rows), Number(options.fields)];
const times = 7;

/** Milliseconds. */
type Measurement = { readonly waited: number; readonly longest: number; readonly late: number; readonly frames: number };
type ActResult = { readonly what: string; readonly measurements: readonly Measurement[] };

/** Runs in the page: counts frames and long tasks, and provides `whole()`, which resolves when every visible row has its values. */
function prepare(): void {
  const gauge = { frames: 0, late: 0, longest: 0, last: 0 };
  const tick = (now: number): void => {
    gauge.frames += 1;
    if (gauge.last > 0 && now - gauge.last > 50) gauge.late += 1;
    gauge.last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gauge.longest = Math.max(gauge.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  /** True when more than three rows are visible and none of them still waits for its values. */
  const isWhole = (): boolean => {
    const frame = document.querySelector('.g-scroll')?.getBoundingClientRect();
    if (!frame) return false;
    const visibleRows = [...document.querySelectorAll('[role=row][data-line]')].filter((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return bottom > frame.top + 40 && top < frame.bottom - 40;
    });
    return visibleRows.length > 3 && visibleRows.every((line) => line.getAttribute('aria-busy') === null);
  };
  Object.assign(globalThis, {
    gauge,
    whole: (): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => (isWhole() ? resolve() : void requestAnimationFrame(look));
        requestAnimationFrame(look);
      }),
  });
}
type InPage = { gauge: { frames: number; late: number; longest: number }; whole: () => Promise<void> };

const executablePath = chromiumPath();
await withProgram(async (bench) => {
  const target = await openCalls(bench);
  const base = `/api/site/${siteId}/table`;
  const call = async <T>(path: string, body: object): Promise<T> => {
    const shot: Shot = { method: 'POST', path: base + path, body: JSON.stringify(body) };
    return (JSON.parse((await send(target, shot)).toString()) as { data: T }).data;
  };
  const table = await call<ContentTable>('/tables', { title: '性能', fields: fieldsOf(fields) });
  for (let n = 0; n < rows; n += 1000) await call(`/tables/${table.id}/records`, { records: recordsOf(fields, n, Math.min(1000, rows - n)) });
  await bench.stores.postgres.pool.query('VACUUM ANALYZE');
  console.log(`${rows} × ${fields} written`);

  const browser = await chromium.launch({ args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) });
  try {
    const origin = bench.url.replace('127.0.0.1', 'localhost');
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' });
    const answer = await context.request.post(`${origin}/api/acc/sign/in`, { data: owner, headers: { origin, 'x-requested-with': 'console' } });
    if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`);
    // esbuild transforms this file and inserts calls of a `__name` helper, which does not exist in the page.
    await context.addInitScript('globalThis.__name = (named) => named');
    await context.addInitScript(prepare);
    const page = await context.newPage();
    await page.goto(`${origin}/site/${siteId}/table/records?table=${table.id}`);
    const lines: ActResult[] = [];
    const measure = async (what: string, act: (n: number) => Promise<unknown>): Promise<void> => {
      const measurements: Measurement[] = [];
      for (let n = 0; n < times; n += 1) measurements.push(await watched(page, () => act(n)));
      lines.push({ what, measurements });
      console.log(resultRow({ what, measurements }));
    };
    const address = page.url();
    await measure('open', () => page.goto(address));
    const grid = page.locator('.g-scroll');
    await grid.hover();
    await measure('wheel down 40 screens in 4 s', async () => {
      for (let n = 0; n < 40; n += 1) {
        await page.mouse.wheel(0, 800);
        await page.waitForTimeout(100);
      }
    });
    await measure('drag the scroll bar to somewhere', (n) =>
      grid.evaluate((element, to) => void (element.scrollTop = to * element.scrollHeight), ((n * 37) % 97) / 97),
    );
    await measure('to the last record (Ctrl+End) and back', async (n) => {
      if (n === 0) await page.locator('[role=gridcell][data-col="0"]').first().click();
      await page.keyboard.press(n % 2 === 0 ? 'Control+End' : 'Control+Home');
    });
    const openWith = (more: string): Promise<unknown> => page.goto(`${address}${address.includes('?') ? '&' : '?'}${more}`);
    await measure('open, sorted by a field with an index', () => openWith(`sort=-c${sortedBy}`));
    await measure('open, filtered by a choice with an index', (n) =>
      openWith(`filter=${encodeURIComponent(JSON.stringify({ field: `c${filteredBy}`, op: 'eq', value: `w${n % 8}` }))}`),
    );
    await writeSection(`grid-${rows}`, section(lines, browser.version()));
  } finally {
    await browser.close();
  }
});

/** Measures from the start of `act` until every visible row has its values. */
async function watched(page: Page, act: () => Promise<unknown>): Promise<Measurement> {
  const reset = (): void => void Object.assign((globalThis as unknown as InPage).gauge, { frames: 0, late: 0, longest: 0 });
  await page.evaluate(reset);
  const begun = performance.now();
  await act();
  await page.evaluate(() => (globalThis as unknown as InPage).whole());
  const waited = performance.now() - begun;
  // The observer reports the last task with a delay.
  await page.waitForTimeout(100);
  const { longest, late, frames } = await page.evaluate(() => (globalThis as unknown as InPage).gauge);
  return { waited, longest, late, frames };
}

function resultRow({ what, measurements }: ActResult): string {
  const of = (pick: (one: Measurement) => number): string => median(measurements.map(pick)).toFixed(0);
  const worst = Math.max(...measurements.map(({ longest }) => longest)).toFixed(0);
  return `| ${what} | ${of((one) => one.waited)} | ${Math.max(...measurements.map(({ waited }) => waited)).toFixed(0)} | ${of((one) => one.longest)} | ${worst} | ${of((one) => one.late)} of ${of((one) => one.frames)} |`;
}

function section(lines: readonly ActResult[], version: string): string {
  return [
    `## The records grid, ${rows} × ${fields} (\`npm run build && npm run bench:grid -- --rows ${rows}\`)`,
    '',
    `Chromium ${version} (1440 × 900), the program and PostgreSQL on the same ${os.cpus().length} cores, load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}, ${new Date().toISOString().slice(0, 10)}.`,
    `Time until all visible rows have their values, longest task of the main thread until then (0: none over 50 ms), and frames over 50 ms. Medians and worst of ${times} runs.`,
    '',
    '| what | ms | worst ms | longest task ms | worst | late frames |',
    '|---|---|---|---|---|---|',
    ...lines.map(resultRow),
  ].join('\n');
}
