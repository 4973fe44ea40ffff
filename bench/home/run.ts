import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import { sites } from '../../server/areas/sites/schema';
import { chromiumArgs, chromiumPath } from '../../test/support/chromium';
import { siteId, withProgram } from '../harness';
import type { Bench } from '../harness';
import { generateVisits } from '../report/generate';
import { median, writeSection } from '../sections';
import { openCalls, owner } from '../tables/callers';
import { measureScroll } from './scroll';
import type { ScrollFrames } from './scroll';

/**
 * `npm run build && npm run bench:home`: the list of sites with five thousand of them, in the real program and in Chromium. The figures are compared with the
 * least that the stores have to do for them: one count of visitors by site and day in ClickHouse, one read of the rows of sites in PostgreSQL.
 */
const { values: options } = parseArgs({
  options: { sites: { type: 'string', default: '5000' }, views: { type: 'string', default: '1000000' }, pictures: { type: 'string' } },
});
const [count, views] = [Number(options.sites), Number(options.views)];
const times = 5;
/** Longer than the program shares figures of five thousand sites. */
const apartMs = 10_500;

const places = ['云栖', '龙井', '西湖', '重庆', '青岛', '长沙', '厦门', '乐山'];
const trades = ['书店', '茶舍', '科技', '旅行社', '火锅', '电商', '设计', '学校'];
const colors = ['red', 'blue', 'green', 'purple'] as const;
const tagNames = ['重点客户', '电商', '试用', '2026 新签'];
const idOf = (n: number): string => `many${Array.from(String(n).padStart(8, '0'), (digit) => 'abcdefghij'[Number(digit)]).join('')}`;

/** Sites with names in two languages; every third one has a tag. */
const siteRow = (n: number) => ({
  id: idOf(n),
  name: n % 5 === 4 ? `Harbour News ${String(n)}` : `${places[n % 8] ?? ''}${trades[Math.floor(n / 8) % 8] ?? ''} ${String(n)}`,
  slug: `many-${String(n)}`,
  purpose: 'external' as const,
  url: `https://site-${String(n)}.example/`,
  state: 'published' as const,
  openState: 'published' as const,
  tags: n % 3 === 0 ? [{ name: tagNames[n % 4] ?? '', color: colors[n % 4] ?? 'red' }] : [],
  defaultLang: 'zh-Hans',
  timeZone: n % 7 === 0 ? 'Europe/Berlin' : 'Asia/Shanghai',
  identity: 'first_party' as const,
  createdAt: new Date(Date.now() - n * 3_600_000),
});

/** Gives the visits of one generated site to all of them, some sites having many more than others. */
async function fill({ stores }: Bench): Promise<number> {
  for (let n = 0; n < count; n += 1000)
    await stores.postgres.db.insert(sites).values(Array.from({ length: Math.min(1000, count - n) }, (_, at) => siteRow(n + at)));
  await stores.postgres.pool.query('VACUUM ANALYZE sites');
  const { visits } = await generateVisits(stores.clickhouse, siteId, views, 3, Date.now() + 86_400_000);
  await stores.clickhouse.command(
    `INSERT INTO visits SELECT {ids:Array(String)}[1 + toUInt32(floor(exp((cityHash64(visit_id, 'site') / 18446744073709551616.) * log(length({ids:Array(String)}))))) % length({ids:Array(String)})] AS site_id, * EXCEPT (site_id)
     FROM (SELECT * FROM visits WHERE site_id = {site:String} AND start < now64(3))`,
    { params: { site: siteId, ids: Array.from({ length: count }, (_, n) => idOf(n)) }, settings: { max_execution_time: 600 } },
  );
  return visits;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
async function medianOf(work: () => Promise<unknown>, { pause = 0, runs = times } = {}): Promise<number> {
  const measured: number[] = [];
  for (let n = 0; n < runs; n += 1) {
    if (n > 0 && pause > 0) await delay(pause);
    measured.push(await timed(work));
  }
  return median(measured);
}

/** Server times in ms: of the whole answers, and of the least that the stores have to do. */
async function measureServer({ stores }: Bench, request: APIRequestContext, origin: string) {
  const answer = async (address: string): Promise<Buffer> => {
    const response = await request.get(`${origin}${address}`);
    if (!response.ok()) throw new Error(`${address} answered ${response.status()}`);
    return response.body();
  };
  const ids = Array.from({ length: count }, (_, n) => idOf(n));
  const [load, figures] = ['/api/core/load/rpm', '/api/core/sites/figures'];
  return {
    load: await medianOf(() => answer(load)),
    loadLeast: await medianOf(() => stores.postgres.pool.query('SELECT * FROM sites')),
    loadBytes: (await answer(load)).length,
    figures: await medianOf(() => answer(figures), { pause: apartMs }),
    figuresShared: await medianOf(() => answer(figures)),
    figuresLeast: await medianOf(() =>
      stores.clickhouse.query(
        'SELECT site_id, toDate(start) AS day, uniqExact(visitor_id), sum(length(view_at)), max(last) FROM visits FINAL WHERE site_id IN {ids:Array(String)} AND start >= now64(3) - INTERVAL 3 DAY AND bot_score < 50 GROUP BY site_id, day',
        { params: { ids } },
      ),
    ),
    figuresBytes: (await answer(figures)).length,
  };
}

/** Times in ms from the start of the page until the first site is visible, until figures are, and of one search and of jumps through the list. */
async function measurePage(page: Page, address: string) {
  const [first, usable, search, jump]: number[][] = [[], [], [], []];
  for (let n = 0; n < times; n += 1) {
    const start = performance.now();
    await page.goto(address);
    await page.locator('[data-site-link]').first().waitFor();
    first?.push(performance.now() - start);
    await page.locator('.site-card .count svg, .site-card .figures svg, .site-card .foot').first().waitFor();
    await page.waitForFunction(() => /\d/.test(document.querySelector('.site-card .count')?.textContent ?? ''));
    usable?.push(performance.now() - start);
    const box = page.getByRole('searchbox');
    await box.fill('');
    search?.push(
      await timed(async () => {
        await box.fill(`longjing`);
        await page.waitForFunction(() => document.querySelector('[data-site-link]')?.textContent?.startsWith('龙井') === true);
      }),
    );
    await box.fill('');
    jump?.push(
      await page.evaluate(async () => {
        const frame = (): Promise<number> => new Promise((resolve) => void requestAnimationFrame(resolve));
        const begun = performance.now();
        for (let at = 1; at <= 20; at += 1) {
          window.scrollTo(0, (document.documentElement.scrollHeight * at) / 21);
          await frame();
          await frame();
        }
        return (performance.now() - begun) / 20;
      }),
    );
  }
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  return { first: median(first ?? []), usable: median(usable ?? []), search: median(search ?? []), jump: median(jump ?? []), elements };
}

/** The list as cards and as a table, each with its figures. */
async function measureScrolls(page: Page, address: string): Promise<{ readonly cards: ScrollFrames; readonly table: ScrollFrames }> {
  const inView = async (view: 'cards' | 'table'): Promise<ScrollFrames> => {
    await page.goto(`${address}?view=${view}`);
    await page.waitForFunction(() => /\d/.test(document.querySelector('.site-card .count, tbody td:nth-child(3)')?.textContent ?? ''));
    // The first run loads and compiles what scrolling needs.
    await measureScroll(page);
    return measureScroll(page);
  };
  return { cards: await inView('cards'), table: await inView('table') };
}

const executablePath = chromiumPath();
await withProgram(async (bench) => {
  await openCalls(bench);
  const origin = bench.url.replace('127.0.0.1', 'localhost');
  const browser = await chromium.launch({ args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' });
    const signedIn = await context.request.post(`${origin}/api/acc/sign/in`, { data: owner, headers: { origin, 'x-requested-with': 'console' } });
    if (!signedIn.ok()) throw new Error(`signing in answered ${signedIn.status()}: ${await signedIn.text()}`);
    // esbuild transforms this file and inserts calls of a `__name` helper, which does not exist in the page.
    await context.addInitScript('globalThis.__name = (named) => named');
    const page = await context.newPage();
    await bench.stores.postgres.db.insert(sites).values(Array.from({ length: 5 }, (_, n) => ({ ...siteRow(count + n), name: `龙井 ${String(n)}` })));
    const few = await measurePage(page, `${origin}/home`);
    const visits = await fill(bench);
    const server = await measureServer(bench, context.request, origin);
    console.log(server);
    const many = await measurePage(page, `${origin}/home`);
    const scroll = await measureScrolls(page, `${origin}/home`);
    console.log(few, many, scroll);
    const { pictures } = options;
    if (pictures !== undefined) await takePictures(page, origin, pictures);
    await writeSection('home', section({ visits, server, few, many, scroll, version: browser.version() }));
  } finally {
    await browser.close();
  }
});

/** Pictures of the list at three widths, with a search and as a table. */
async function takePictures(page: Page, origin: string, folder: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1440, 1024, 390])
      for (const [name, query] of [
        ['cards', ''],
        ['table', '?view=table'],
        ['search', '?q=longjing'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${origin}/home${query}`);
        await page.waitForFunction(() => /\d/.test(document.querySelector('.site-card .count, tbody td:nth-child(3)')?.textContent ?? ''));
        await page.screenshot({ path: path.join(folder, `many-${name}-${scheme}-${String(width)}.png`) });
      }
  }
}

type Server = Awaited<ReturnType<typeof measureServer>>;
type InPage = Awaited<ReturnType<typeof measurePage>>;
type Scrolls = Awaited<ReturnType<typeof measureScrolls>>;
type Measured = { visits: number; server: Server; few: InPage; many: InPage; scroll: Scrolls; version: string };
function section({ visits, server, few, many, scroll, version }: Measured): string {
  const ms = (value: number): string => value.toFixed(0);
  const ratio = (a: number, b: number): string => (a / b).toFixed(1);
  const kB = (bytes: number): string => (bytes / 1000).toFixed(0);
  const row = (what: string, pick: (one: InPage) => number): string => `| ${what} | ${ms(pick(few))} | ${ms(pick(many))} | ${ratio(pick(many), pick(few))} |`;
  return [
    `## The list of sites, ${count} sites (\`npm run build && npm run bench:home\`)`,
    '',
    `The program, its stores and Chromium ${version} (1440 × 900) on the same ${os.cpus().length} cores, shared with other work: load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}; only the ratios count.`,
    `${new Date().toISOString().slice(0, 10)}, ${visits} visits of three days. Least: one read of all rows of sites in PostgreSQL; one count of visitors and page views by site and day in ClickHouse. Medians of ${times} runs.`,
    '',
    '| server | ms | least ms | ratio | kB of JSON |',
    '|---|---|---|---|---|',
    `| start-up load | ${ms(server.load)} | ${ms(server.loadLeast)} | ${ratio(server.load, server.loadLeast)} | ${kB(server.loadBytes)} |`,
    `| figures | ${ms(server.figures)} | ${ms(server.figuresLeast)} | ${ratio(server.figures, server.figuresLeast)} | ${kB(server.figuresBytes)} |`,
    `| figures, shared with the reader before (10 s) | ${ms(server.figuresShared)} | | | |`,
    '',
    `| browser, ms | 5 sites | ${count} sites | ratio |`,
    '|---|---|---|---|',
    row('until the first site is visible', (one) => one.first),
    row('until its figures are', (one) => one.usable),
    row('search by pinyin, until found', (one) => one.search),
    row('jump in the list, two frames', (one) => one.jump),
    row('elements in the document', (one) => one.elements),
    '',
    `Scrolling through ${count} sites at 3 000 px/s, down and up, on a processor four times as slow. A frame of 60 a second is 16.7 ms.`,
    '',
    '| frames, ms | p50 | p95 | longest | work of the main thread for 1 000 px |',
    '|---|---|---|---|---|',
    ...(['cards', 'table'] as const).map((view) => {
      const { p50, p95, worst, work } = scroll[view];
      return `| ${view} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${ms(worst)} | ${ms(work)} |`;
    }),
  ].join('\n');
}
