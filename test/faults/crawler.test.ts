import { jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { chromium } from '@playwright/test';
import type { Site } from '../../contract/sites/schemas';
import { usualRender } from '../../contract/crawler/terms';
import { recheckUrl } from '../../server/areas/crawler/rules';
import { enqueueRun } from '../../server/areas/crawler/engine';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addCrawler, byScript, ownLocalHost, readRunRow, startSite, untilState } from '../support/crawlSite';
import type { LocalSite } from '../support/crawlSite';
import { chromiumPath } from '../support/chromium';
import { processesWith } from '../support/processes';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { thorough } from '../support/thorough';
import { until } from '../support/until';

/** The real program, or the process of its crawl, is killed (SIGKILL) while it crawls, and goes on. */
jest.setTimeout(thorough ? 600_000 : 180_000);
const browser = chromiumPath() ?? chromium.executablePath();
const kills = thorough ? 20 : 3;
/** So many that a crawl does not end between two looks at its counters. */
const size = thorough ? 4000 : 1000;
const scriptedPages = thorough ? 60 : 6;
const folder = temporaryFolder();
let app: TestApp;
let local: LocalSite;
let scripted: LocalSite;
/** How many texts the scripted site sends before the others wait, so that no crawl of it ends. */
let textsLeft = Infinity;
let waiting: (() => void)[] = [];
let program: RunningProgram | null = null;
let port: number;
let owner: Person;
let site: Site;
/** The crawler of the scripted site. */
let scriptedCrawler = '';
const start = async (): Promise<RunningProgram> =>
  (program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, PORT: String(port), PRIVATE_SITES: '1', CHROMIUM_PATH: browser }));
beforeAll(async () => {
  mkdirSync(folder.dataDir);
  app = await makeTestApp({ config: { dataDir: folder.dataDir, privateSites: true, chromiumPath: browser } });
  owner = await app.signUpOwner();
  site = await app.makeSite(owner);
  await ownLocalHost(app.ctx, site.id);
  local = await startSite(size);
  scripted = await startSite(scriptedPages);
  const answer = byScript(scriptedPages);
  scripted.answer = (request, response, path) => {
    if (!path.startsWith('/text/')) return answer(request, response, path);
    // The process that asked was killed.
    if (response.destroyed) return true;
    if (textsLeft === 0) waiting.push(() => scripted.answer(request, response, path));
    else {
      textsLeft -= 1;
      answer(request, response, path);
    }
    return true;
  };
  port = await freePort();
});
afterAll(async () => {
  program?.process.kill('SIGTERM');
  await program?.ended;
  await Promise.all([local.close(), scripted.close()]);
  await app.close();
  folder.remove();
});

/** Leases and pauses before another attempt are over at once. */
const expire = () =>
  app.ctx.postgres.pool.query(
    `UPDATE jobs SET lease_until = now() - interval '1 minute', run_after = now() - interval '1 minute' WHERE state IN ('running', 'queued')`,
  );
const isQueued = async (): Promise<boolean> =>
  (await app.ctx.postgres.pool.query(`SELECT 1 FROM jobs WHERE state = 'queued' AND kind = 'crawler.run'`)).rowCount === 1;

function sendTexts(count: number): void {
  textsLeft = count;
  const requests = waiting;
  waiting = [];
  for (const answer of requests) answer();
}

async function killProgram(): Promise<void> {
  program?.process.kill('SIGKILL');
  await program?.ended;
  await expire();
  await start();
}
const crawlProcesses = (): string[] =>
  execFileSync('pgrep', ['-P', String(program?.process.pid), '-f', 'crawl-process'], { encoding: 'utf8' })
    .trim()
    .split('\n');
/** The process of the crawl alone; the job begins again. */
async function killCrawl(): Promise<void> {
  for (const pid of crawlProcesses()) process.kill(Number(pid), 'SIGKILL');
  await until(isQueued, 20_000);
  await expire();
}

test('a crawl that is killed reads every page, and only a batch twice', async () => {
  const crawlerId = await addCrawler(app.ctx, site.id, [`${local.origin}/`], ({ limits }) => ({ limits: { ...limits, familyPercent: 100 } }));
  const { id } = await enqueueRun(app.ctx, crawlerId, { trigger: 'manual', who: null });
  await start();
  for (let kill = 1; kill <= kills; kill += 1) {
    const reached = ((kill - 0.5) * size) / (kills + 1);
    await until(async () => (await readRunRow(app.ctx, id)).counters.pages >= reached, 60_000);
    await (kill % 3 === 0 ? killCrawl() : killProgram());
    expect((await readRunRow(app.ctx, id)).state).toBe('running');
  }
  const run = await untilState(app.ctx, id, ['completed', 'failed', 'limited'], 60_000);
  expect({ state: run.state, pages: run.counters.pages, queued: run.counters.queued }).toEqual({ state: 'completed', pages: size, queued: 0 });
  const { rows } = await app.ctx.postgres.pool.query<{ pages: number; open: number }>(
    `SELECT (SELECT count(*)::int FROM crawl_pages WHERE run_id = $1) AS pages, (SELECT count(*)::int FROM crawl_frontier WHERE run_id = $1 AND state <> 1) AS open`,
    [id],
  );
  expect(rows).toEqual([{ pages: size, open: 0 }]);
  const own = [...local.requests].filter(([path]) => path === '/' || path.startsWith('/p/'));
  expect(own.reduce((sum, [, count]) => sum + count - 1, 0)).toBeLessThan(kills * 200);
  const links = await app.ctx.clickhouse.query<{ n: number }>('SELECT toUInt32(count()) AS n FROM crawl_links FINAL WHERE run_id = {run:String}', {
    params: { run: id },
  });
  // In the tree every page but the first is a child; all but the last link to the next one, page 0 to page 1 twice; all link to the start.
  expect(links).toEqual([{ n: size - 1 + (size - 1) + size }]);
});

/** Addresses of pages that are stored, with the requests for each. */
async function storedRequests(runId: string, { requests }: LocalSite): Promise<Record<string, number>> {
  const { rows } = await app.ctx.postgres.pool.query<{ path: string }>(
    `SELECT substring(u.url from '://[^/]*(/.*)$') AS path FROM crawl_pages p JOIN crawl_urls u ON u.id = p.url_id WHERE p.run_id = $1 AND p.html`,
    [runId],
  );
  return Object.fromEntries(rows.map(({ path }) => [path, requests.get(path) ?? 0]));
}

test('a killed crawl that runs scripts loses no page and leaves no browser', async () => {
  if (program === null) await start();
  scriptedCrawler = await addCrawler(app.ctx, site.id, [`${scripted.origin}/`], ({ limits }) => ({
    limits: { ...limits, familyPercent: 100 },
    render: { ...usualRender, mode: 'auto' },
  }));
  sendTexts(0);
  const { id } = await enqueueRun(app.ctx, scriptedCrawler, { trigger: 'manual', who: null });
  for (const [reached, kill] of [
    [1, killCrawl],
    [3, killProgram],
  ] as const) {
    sendTexts(reached);
    await until(async () => (await readRunRow(app.ctx, id)).counters.rendered >= reached, 60_000);
    const profiles = crawlProcesses().map((pid) => `sitewright-chromium-${pid}-`);
    expect(profiles.flatMap(processesWith).length).toBeGreaterThan(2);
    await kill();
    await until(() => profiles.flatMap(processesWith).length === 0, 10_000);
  }
  sendTexts(Infinity);
  const before = await storedRequests(id, scripted);
  const { state, counters } = await untilState(app.ctx, id, ['completed', 'failed', 'limited'], 60_000);
  const { pages, rendered, renderFailures } = counters;
  expect({ state, pages, rendered, renderFailures }).toEqual({ state: 'completed', pages: scriptedPages, rendered: scriptedPages, renderFailures: 0 });
  const after = await storedRequests(id, scripted);
  expect(Object.keys(after)).toHaveLength(scriptedPages);
  // What was stored is not requested again.
  expect(after).toMatchObject(before);
});

test('a check of one address and a preview run scripts as the crawl did', async () => {
  const url = `${scripted.origin}/p/3`;
  const column = { name: 'Title', type: 'text', from: 'css', expression: 'h1', attribute: '', many: false, required: false };
  const extraction = { name: 'Pages', pattern: '*', rows: '', tableId: null, columns: [column] };
  const preview = async (render: string) => {
    const response = await owner.send('POST', `/api/dev/sites/${site.id}/crawlers/test-extraction`, { url, extraction, render });
    const { rows, reading } = response.json<{ data: { rows: object[]; reading: string } }>().data;
    return { rows, reading };
  };
  const { open, ...checked } = await recheckUrl(app.ctx, scriptedCrawler, url);
  expect(checked).toEqual({ status: 200, error: null, fixed: 0, reading: 'rendered' });
  expect(await preview('auto')).toEqual({ rows: [{ Title: 'Page 3' }], reading: 'rendered' });
  expect(await preview('off')).toEqual({ rows: [{ Title: null }], reading: 'received' });
  Object.assign(app.ctx.config, { chromiumPath: 'off' });
  expect(await recheckUrl(app.ctx, scriptedCrawler, url)).toEqual({ status: 200, error: null, fixed: 0, open, reading: 'no_browser' });
  expect((await preview('all')).reading).toBe('no_browser');
});
