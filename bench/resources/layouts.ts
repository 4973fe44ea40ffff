import os from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import type { Resource } from '../../contract/resources/schemas';
import { startConsole } from '../../test/e2e/support/console';
import { chromiumArgs, chromiumPath } from '../../test/support/chromium';
import { median, writeFigures, writeSection } from '../sections';

/**
 * `npm run build && npm run bench:layouts`: the layouts of the image library with 100 000 images in Chromium. The console receives the list in one response, and
 * the same small picture for every image, so that neither the network nor the store is measured. Every run opens each layout in a new tab; results are medians.
 */
const { values: options } = parseArgs({ options: { images: { type: 'string', default: '100000' } } });
const images = Number(options.images);
const times = 3;
const layouts = ['grid', 'masonry', 'list'] as const;
type Layout = (typeof layouts)[number];

/** Milliseconds and megabytes. */
type Figures = {
  /** From the arrival of the list until all visible pictures have loaded. */
  readonly first: number;
  /** Median, 95th percentile and longest of the frames while scrolling. */
  readonly frame: number;
  readonly late: number;
  readonly worst: number;
  /** From a jump to a distant place until it is painted. */
  readonly jump: number;
  readonly heap: number;
  /** In the document at the end. */
  readonly items: number;
};

/** Runs in the page: answers requests for the list with images of varied proportions. The response is built in the page because it is too large to send over the protocol. */
function replaceList([one, address, count]: readonly [Resource, string, number]): void {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href);
    if (pathname !== address) return original(input, init);
    const rows = Array.from({ length: count }, (_, n) => ({
      ...one,
      id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      name: `photo-${n}.jpg`,
      width: 400 + ((n * 37) % 1200),
      height: 300 + ((n * 53) % 1500),
    }));
    const body = JSON.stringify({ data: { rows, after: null, total: count } });
    Object.assign(globalThis, { delivered: performance.now() });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  };
}

/** Runs in the page: milliseconds from the arrival of the list until all visible pictures have loaded. */
async function untilPictures(items: string): Promise<number> {
  const isComplete = (): boolean => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>(`${items} img`)].filter((picture) => {
      const { top, bottom } = picture.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    return pictures.length > 3 && pictures.every(({ complete }) => complete);
  };
  while (!isComplete()) await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - (globalThis as unknown as { delivered: number }).delivered;
}

/** Runs in the page: durations of 200 frames, each with a step of 300 px, and of 30 jumps to distant places, until they are painted. */
async function scrollThrough(): Promise<{ steps: number[]; jumps: number[] }> {
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())));
  const [steps, jumps]: [number[], number[]] = [[], []];
  let last = await frame();
  for (let n = 0; n < 200; n += 1) {
    scrollBy(0, 300);
    const now = await frame();
    steps.push(now - last);
    last = now;
  }
  for (let n = 0; n < 30; n += 1) {
    const start = await frame();
    scrollTo(0, (((n * 37) % 97) / 97) * document.documentElement.scrollHeight);
    await frame();
    jumps.push((await frame()) - start);
  }
  return { steps, jumps };
}

async function measure(page: Page, address: string, layout: Layout): Promise<Figures> {
  // As `useRemembered` stores it.
  await page.addInitScript((view) => localStorage.setItem('console:resources.view', view), layout);
  await page.goto(address);
  const items =
    layout === 'list'
      ? '.resource-rows > .resource-row'
      : layout === 'masonry'
        ? '.resource-masonry-item > .resource-card'
        : '.resource-grid-row > .resource-card';
  await page.locator(items).first().waitFor({ timeout: 60_000 });
  const first = await page.evaluate(untilPictures, items);
  const { steps, jumps } = await page.evaluate(scrollThrough);
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('HeapProfiler.collectGarbage');
  const { usedSize } = await protocol.send('Runtime.getHeapUsage');
  const sorted = steps.toSorted((a, b) => a - b);
  const late = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  return {
    first,
    frame: median(steps),
    late,
    worst: Math.max(...steps),
    jump: median(jumps),
    heap: usedSize / 2 ** 20,
    items: await page.locator(items).count(),
  };
}

/** The library of the demo site with replaced list and pictures. */
async function openLibrary(context: BrowserContext, list: string, one: Resource): Promise<void> {
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==', 'base64');
  const isVariant = ({ pathname }: URL): boolean => pathname.startsWith(`${list}/`) && pathname.endsWith('/variant');
  await context.route(isVariant, (route) => route.fulfill({ contentType: 'image/png', body: picture }));
  // esbuild inserts calls of a `__name` helper, which does not exist in the page.
  await context.addInitScript('globalThis.__name = (named) => named');
  const plain: Resource = { ...one, title: {}, alt: {}, caption: {}, tags: [] };
  await context.addInitScript<readonly [Resource, string, number]>(replaceList, [plain, list, images]);
}

function section(results: ReadonlyMap<Layout, readonly Figures[]>, version: string, loadBefore: number): string {
  const of = (layout: Layout, figure: keyof Figures): number => median((results.get(layout) ?? []).map((one) => one[figure]));
  const timesGrid = (layout: Layout, figure: keyof Figures): string => (of(layout, figure) / of('grid', figure)).toFixed(2);
  return [
    `## Layouts of the image library, ${images} images (\`npm run build && npm run bench:layouts\`)`,
    '',
    `Chromium ${version} (1440 × 900) and the program on the same ${os.cpus().length} cores, ${new Date().toISOString().slice(0, 10)}, load average ${loadBefore.toFixed(1)} before and ${(os.loadavg()[0] ?? 0).toFixed(1)} after.`,
    `The images arrive in one response. First pictures: from then until all visible ones have loaded. Frames: 200 steps of 300 px; jumps: 30, through the whole list, until painted. Memory of scripts afterwards, with the list. A load above the number of cores is other work: then only the ratios count. Medians of ${times} runs.`,
    '',
    '| layout | first pictures ms | × grid | frame ms | 95 % ms | × grid | worst ms | jump ms | × grid | heap MB | × grid | items in the document |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...layouts.map((layout) => {
      const text = (figure: keyof Figures, digits = 0): string => of(layout, figure).toFixed(digits);
      const beside = (figure: keyof Figures): string[] => [text(figure), timesGrid(layout, figure)];
      const cells = [layout, ...beside('first'), text('frame', 1), ...beside('late'), text('worst'), ...beside('jump'), ...beside('heap'), text('items')];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

const loadBefore = os.loadavg()[0] ?? 0;
const program = await startConsole();
const executablePath = chromiumPath();
const browser = await chromium.launch({ args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) });
try {
  const context = await browser.newContext({ baseURL: program.origin, viewport: { width: 1440, height: 900 }, locale: 'zh-CN' });
  await program.signIn(context);
  const list = `/api/site/${program.demo.id}/resource/items`;
  const { rows } = await program.ask<{ rows: Resource[] }>(context, 'GET', `${list}?kind=image&size=1`);
  if (!rows[0]) throw new Error('The demo site has no image');
  await openLibrary(context, list, rows[0]);
  const results = new Map<Layout, Figures[]>(layouts.map((layout) => [layout, []]));
  for (let n = 0; n < times; n += 1) {
    for (const layout of layouts) {
      const page = await context.newPage();
      const measured = await measure(page, `/site/${program.demo.id}/resource/images`, layout);
      results.get(layout)?.push(measured);
      console.log(layout, measured);
      await page.close();
    }
  }
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await writeFigures('layouts', Object.fromEntries(results));
  const text = section(results, browser.version(), loadBefore);
  await writeSection('resource-layouts', text);
  console.log(text);
} finally {
  await browser.close();
  await program.stop();
}
