import { spawn } from 'node:child_process';
import { chromium, expect, test } from '@playwright/test';
import { defaultConfig } from '../../contract/crawler/config';
import type { PageFacts } from '../../contract/crawler/facts';
import { createCrawl } from '../../server/areas/crawler/engine/crawl';
import { freshRun } from '../../server/areas/crawler/engine/protocol';
import type { Batch, CrawlStart } from '../../server/areas/crawler/engine/protocol';
import { chromiumPath } from '../support/chromium';
import { processesWith } from '../support/processes';
import { startRenderSite } from '../support/renderSite';
import type { RenderSite } from '../support/renderSite';

/** Rendering in the real Chromium, which these tests have for certain. */
const executable = chromiumPath() ?? chromium.executablePath();
let site: RenderSite;
test.beforeAll(async () => {
  site = await startRenderSite();
});
test.afterAll(() => site.close());

type Row = { readonly url: string; readonly title: string | null; readonly facts: PageFacts };

/** A crawl in this process, whose batches are stored nowhere. */
async function crawl(change: Partial<CrawlStart>) {
  const usual = defaultConfig([`${site.origin}/`]);
  const config = { ...usual, render: { mode: 'auto' as const, pages: 10 }, politeness: { connections: 8, requestsPerSecond: 200, obeyRobots: true } };
  const rows: (Omit<Row, 'url'> & { readonly url_id: number })[] = [];
  const urls = new Map<number, string>();
  const start: CrawlStart = {
    siteId: 'tea',
    runId: '00000000-0000-4000-8000-000000000000',
    config,
    verified: true,
    allowNear: false,
    ownOrigins: [site.origin],
    folder: null,
    chromium: executable,
    headers: {},
    ...freshRun,
    ...change,
  };
  const write = (batch: Batch): Promise<void> => {
    for (const { id, url } of JSON.parse(batch.urls) as { id: number; url: string }[]) urls.set(id, url);
    rows.push(...(JSON.parse(batch.pages) as typeof rows));
    return Promise.resolve();
  };
  // Verified hosts are those of the seeds; robots.txt is obeyed.
  const running = createCrawl(start, () => [], { write, body: () => Promise.resolve(null), now: Date.now, random: Math.random });
  const end = await running.run();
  const pages = new Map(rows.map(({ url_id, title, facts }) => [(urls.get(url_id) ?? '').replace(site.origin, ''), { title, facts }]));
  return { end, pages, counters: running.state.counters };
}

test('links of rendered pages are followed, and nothing private is reached', async () => {
  const { end, pages, counters } = await crawl({});
  expect(end.kind).toBe('done');
  const { title, facts } = pages.get('/') ?? {};
  expect(title).toBe('绿茶 Green tea');
  expect(facts?.needsScripts).toBe(true);
  expect(facts?.rendering).toEqual({ problem: null, refused: ['robots'], raw: { title: 'Loading', units: 0, links: 0 } });
  expect(facts?.counts.words).toBeGreaterThan(90);
  // Time of timers is not waited for, and shadow trees are read.
  expect(facts?.excerpt).toContain('Green tea from the hills.');
  expect(pages.get('/only-by-script')?.facts.rendering).toBeNull();
  expect(pages.get('/traps')?.facts.excerpt).toBe('17 attempts');
  expect(pages.get('/traps')?.facts.rendering?.refused).toEqual(['events', 'private', 'socket', 'write']);
  expect(site.reached).toEqual([]);
  expect(site.requests).toContain('GET /api/tea?n=1 7');
  expect(site.requests.filter((one) => one.startsWith('POST') || one.includes('/closed/'))).toEqual([]);
  // The document that the crawl has read is not requested again.
  expect(site.requests.filter((one) => one === 'GET /')).toHaveLength(1);
  expect({ rendered: counters.rendered, failed: counters.renderFailures, stop: counters.renderStop }).toEqual({ rendered: 2, failed: 0, stop: null });
});

test('a browser that does not start leaves pages as they are', async () => {
  const { end, pages, counters } = await crawl({ chromium: '/bin/false' });
  expect(end.kind).toBe('done');
  expect(pages.get('/')?.facts.rendering).toEqual({ problem: 'failed', raw: null });
  expect(counters.renderFailures).toBe(1);
});

test('Chromium ends when the process of the crawl is killed', async () => {
  const code = `import { startBrowser } from './server/areas/crawler/engine/render/browser'; await startBrowser(${JSON.stringify(executable)}, 'Test'); console.log('started'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const profile = `sitewright-chromium-${String(child.pid)}-`;
  expect(processesWith(profile).length).toBeGreaterThan(2);
  child.kill('SIGKILL');
  await expect.poll(() => processesWith(profile)).toEqual([]);
});
