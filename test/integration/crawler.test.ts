import { jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import iconv from 'iconv-lite';
import { enqueueRun, pauseRun, resumeRun, stopRun } from '../../server/areas/crawler/engine';
import type { PageSample } from '../../contract/crawler/schemas';
import type { Site } from '../../contract/sites/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addCrawler, crawl, ownLocalHost, pageOf, readRunRow, startSite, startTestWorker, untilState } from '../support/crawlSite';
import type { LocalSite } from '../support/crawlSite';
import { runSchedule } from '../support/schedules';
import { jobHandlers } from '../../server/areas';
import { startWorker } from '../../server/worker';
import { until } from '../support/until';

let t: TestApp;
let owner: Person;
let site: Site;
let local: LocalSite;
let worker: ReturnType<typeof startTestWorker>;
const size = 200;
beforeAll(async () => {
  t = await makeTestApp({ config: { privateSites: true } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner);
  await ownLocalHost(t.ctx, site.id);
  local = await startSite(size);
  worker = startTestWorker(t.ctx);
});
beforeEach(() => {
  local.requests.clear();
  local.answer = () => false;
});
afterAll(async () => {
  await worker.close();
  await local.close();
  await t.close();
});

const rows = async <T extends object>(text: string, ...values: unknown[]): Promise<T[]> => (await t.ctx.postgres.pool.query<T>(text, values)).rows;
const pagesOf = (runId: string) =>
  rows<{
    url: string;
    status: number;
    depth: number;
    title: string | null;
    links_in: number;
    page_rank: number;
    reused: boolean;
    in_sitemap: boolean;
    simhash: string;
    error: string | null;
  }>('SELECT u.url, p.* FROM crawl_pages p JOIN crawl_urls u ON u.id = p.url_id AND u.site_id = $2 WHERE p.run_id = $1 ORDER BY u.url', runId, site.id);

/** Pages of a run that have links. */
const sourcesOf = async (runId: string): Promise<number> =>
  (
    await t.ctx.clickhouse.query<{ n: number }>('SELECT toUInt32(uniqExact(src)) AS n FROM crawl_links FINAL WHERE run_id = {run:String}', {
      params: { run: runId },
    })
  )[0]?.n ?? 0;
/** Lets the site answer so many pages; requests of others wait. Returns a function that allows more. */
function answerOnly(most: number): (more: number) => void {
  let left = 0;
  let waiting: (() => boolean)[] = [];
  const allow = (more: number): void => {
    left += more;
    while (left > 0 && waiting.length > 0) left -= Number(waiting.shift()?.() ?? false);
  };
  local.answer = (_request, response, path) => {
    if (!path.startsWith('/p/')) return false;
    waiting.push(() => {
      // The process that asked was killed.
      if (response.destroyed) return false;
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(Number(path.slice(3)), size));
      return true;
    });
    allow(0);
    return true;
  };
  allow(most);
  return allow;
}
/** Answers the pages of a run that is about to end, one after the other: it cannot read all of them before it hears of it. */
const untilEnded = async (id: string, state: 'paused' | 'stopped', allow: (more: number) => void) => {
  await until(async () => {
    allow(1);
    return (await readRunRow(t.ctx, id)).state === state;
  }, 30_000);
  return readRunRow(t.ctx, id);
};

test('a second crawl reuses the pages that did not change', async () => {
  const crawlerId = await addCrawler(t.ctx, site.id, [`${local.origin}/`]);
  const run = await crawl(t.ctx, crawlerId);
  expect({ state: run.state, reason: run.reason, pages: run.counters.pages, queued: run.counters.queued }).toEqual({
    state: 'completed',
    reason: null,
    pages: size,
    queued: 0,
  });
  const pages = await pagesOf(run.id);
  expect(pages).toHaveLength(size);
  expect([...local.requests].filter(([path, count]) => (path === '/' || path.startsWith('/p/')) && count !== 1)).toEqual([]);
  expect(pages.find(({ url }) => url.endsWith('/p/7'))).toMatchObject({ status: 200, depth: 2, title: 'Page 7 of the site', links_in: 2 });
  expect(pages.reduce((sum, page) => sum + page.page_rank, 0)).toBeCloseTo(1, 3);
  expect(Math.max(...pages.map(({ page_rank }) => page_rank))).toBe(pages.find(({ url }) => url === `${local.origin}/`)?.page_rank);
  const links = await t.ctx.clickhouse.query<{ n: number }>('SELECT toUInt32(count()) AS n FROM crawl_links FINAL WHERE run_id = {run:String}', {
    params: { run: run.id },
  });
  expect(links).toEqual([{ n: 2 * (size - 1) - 1 + size + 1 }]);

  const again = await crawl(t.ctx, crawlerId);
  const same = await pagesOf(again.id);
  expect(same.filter(({ reused }) => !reused)).toEqual([]);
  expect(same.map(({ url, simhash, links_in }) => ({ url, simhash, links_in }))).toEqual(
    pages.map(({ url, simhash, links_in }) => ({ url, simhash, links_in })),
  );
}, 60_000);

test('robots.txt, sitemaps, redirects, charsets, errors and checked links are followed as stated', async () => {
  const other = await startSite(1);
  other.answer = (_request, response, path) => {
    response.writeHead(path === '/gone' ? 410 : path === '/closed' ? 403 : 200, { 'content-type': 'text/html' }).end();
    return true;
  };
  const elsewhere = other.origin.replace('127.0.0.1', 'localhost');
  const pages: Record<string, string> = {
    '/robots.txt': `User-agent: *\nDisallow: /secret\nSitemap: ${local.origin}/map.xml`,
    '/map.xml': `<urlset><url><loc>${local.origin}/alone</loc><lastmod>2026-01-01</lastmod></url></urlset>`,
    '/': `<title>S</title><a href="/secret/x">x</a><a href="/r/0">r</a><a href="/gb">gb</a><a href="${elsewhere}/gone">gone</a><a href="${elsewhere}/fine">fine</a><img src="/a.png"><a href="/flaky">f</a><a href="mailto:a@b.c">m</a>`,
    '/alone': '<title>Alone</title>',
  };
  let flaky = 0;
  local.answer = (_request, response, path) => {
    if (path.startsWith('/r/')) response.writeHead(302, { location: `/r/${Number(path.slice(3)) + 1}` }).end();
    else if (path === '/flaky' && flaky++ === 0) response.writeHead(500).end();
    else if (path === '/flaky') response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Flaky</title>');
    else if (path === '/gb')
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(iconv.encode('<meta charset=gb2312><title>中文标题</title><a href="/s?q=搜索">a</a>', 'gbk'));
    else if (pages[path] !== undefined) response.writeHead(200, { 'content-type': path === '/robots.txt' ? 'text/plain' : 'text/html' }).end(pages[path]);
    else response.writeHead(404).end();
    return true;
  };
  const run = await crawl(t.ctx, await addCrawler(t.ctx, site.id, [`${local.origin}/`]));
  const found = new Map((await pagesOf(run.id)).map((page) => [page.url.replace(local.origin, '').replace(elsewhere, 'other:'), page]));
  await other.close();
  expect(run.state).toBe('completed');
  expect(local.requests.has('/secret/x')).toBe(false);
  expect(await rows('SELECT skip_reason FROM crawl_frontier WHERE run_id = $1 AND state = 2', run.id)).toEqual([{ skip_reason: 'robots' }]);
  expect(found.get('/alone')).toMatchObject({ in_sitemap: true, title: 'Alone' });
  // Eleven redirects: the address and ten hops.
  expect([...found.keys()].filter((path) => path.startsWith('/r/'))).toHaveLength(11);
  expect(found.get('/gb')).toMatchObject({ title: '中文标题' });
  expect(local.requests.get('/s?q=%CB%D1%CB%F7')).toBe(1);
  expect(found.get('/flaky')).toMatchObject({ status: 200, title: 'Flaky' });
  expect([found.get('other:/gone')?.status, found.get('other:/fine')?.status, found.get('/a.png')?.status]).toEqual([410, 200, 404]);
}, 60_000);

test('robots.txt of an earlier run holds while it cannot be read', async () => {
  const robots =
    (status: number): LocalSite['answer'] =>
    (_request, response, path) => {
      if (path === '/robots.txt') response.writeHead(status, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /p/1');
      return path === '/robots.txt';
    };
  const crawlerId = await addCrawler(t.ctx, site.id, [`${local.origin}/`], ({ limits }) => ({ limits: { ...limits, pages: 20 } }));
  local.answer = robots(200);
  await crawl(t.ctx, crawlerId);
  local.answer = robots(503);
  const { id } = await enqueueRun(t.ctx, crawlerId, { trigger: 'manual', who: null });
  await untilState(t.ctx, id, ['waiting']);
  // As after the last attempt, 21 minutes later.
  await rows('UPDATE crawl_robots SET failures = 4 WHERE run_id = $1', id);
  await resumeRun(t.ctx, id, null);
  await untilState(t.ctx, id, ['limited', 'completed', 'failed']);
  const pages = (await pagesOf(id)).map(({ url }) => new URL(url).pathname);
  // Which pages are within the limit depends on how fast each responds.
  expect([pages.length, pages.filter((path) => path.startsWith('/p/1'))]).toEqual([20, []]);
}, 60_000);

test('a paused run continues where it was, a stopped one ends', async () => {
  const allow = answerOnly(40);
  const crawlerId = await addCrawler(t.ctx, site.id, [`${local.origin}/`]);
  const { id } = await enqueueRun(t.ctx, crawlerId, { trigger: 'manual', who: null });
  await expect(enqueueRun(t.ctx, crawlerId, { trigger: 'manual', who: null })).rejects.toMatchObject({ code: 'bad_transition' });
  await until(async () => (await readRunRow(t.ctx, id)).counters.pages > 20, 20_000);
  await pauseRun(t.ctx, id, null);
  const paused = await untilEnded(id, 'paused', allow);
  expect(paused.counters.queued).toBeGreaterThan(0);
  const before = new Map(local.requests);
  expect([...(await pagesOf(id))].length).toBe([...before.keys()].filter((path) => path === '/' || path.startsWith('/p/')).length);
  local.answer = () => false;
  await resumeRun(t.ctx, id, null);
  const run = await untilState(t.ctx, id, ['completed']);
  expect(run.counters.pages).toBe((await pagesOf(id)).length);
  expect([...local.requests].filter(([path, count]) => path.startsWith('/p/') && count !== 1)).toEqual([]);

  const allowNext = answerOnly(40);
  const next = await enqueueRun(t.ctx, crawlerId, { trigger: 'manual', who: null });
  await until(async () => (await readRunRow(t.ctx, next.id)).counters.pages > 5, 20_000);
  await stopRun(t.ctx, next.id, null);
  const stopped = await untilEnded(next.id, 'stopped', allowNext);
  expect((await pagesOf(next.id)).length).toBe(stopped.counters.pages);
}, 60_000);

test('a run that is resumed while it is pausing goes on', async () => {
  const allow = answerOnly(0);
  const { id } = await enqueueRun(t.ctx, await addCrawler(t.ctx, site.id, [`${local.origin}/`]), { trigger: 'manual', who: null });
  for (const pages of [10, 40]) {
    allow(40);
    await until(async () => (await readRunRow(t.ctx, id)).counters.pages > pages, 20_000);
    await pauseRun(t.ctx, id, null);
    expect((await resumeRun(t.ctx, id, null)).state).not.toBe('paused');
  }
  allow(Infinity);
  const run = await untilState(t.ctx, id, ['completed', 'stopped', 'failed', 'paused']);
  expect([run.state, run.counters.pages, (await pagesOf(id)).length]).toEqual(['completed', size, size]);
}, 60_000);

test('the limit of clicks counts the shortest path, even after a kill', async () => {
  const links: Record<string, string[]> = { '/': ['slow', 'x1'], '/x1': ['x2'], '/x2': ['a', 'x3'], '/a': ['b'], '/b': ['c'], '/x3': ['d'], '/d': ['e'] };
  Object.assign(links, { '/slow': ['a', 'd'], '/e': ['f'], '/c': [], '/f': [] });
  const send = (response: ServerResponse, path: string) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end((links[path] ?? []).map((to) => `<a href="/${to}">${to}</a>`).join());
  let slow: ServerResponse | null = null;
  local.answer = (_request, response, path) => {
    if (links[path] === undefined) return false;
    // It waits only once the first process has ended.
    if (path === '/d' && local.requests.get(path) === 1) execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-f', 'crawl-process|processFromSource']);
    else if (path === '/slow') slow = response;
    else send(response, path);
    return true;
  };
  const crawlerId = await addCrawler(t.ctx, site.id, [`${local.origin}/`], ({ scope }) => ({ scope: { ...scope, maxDepth: 3 } }));
  const { id } = await enqueueRun(t.ctx, crawlerId, { trigger: 'manual', who: null });
  await until(async () => (await pagesOf(id)).length === 5, 20_000);
  expect(local.requests.has('/d')).toBe(false);
  if (slow !== null) send(slow, '/slow');
  await until(async () => {
    // No pause before the next attempt.
    await rows(`UPDATE jobs SET run_after = now() WHERE state = 'queued'`);
    return ['completed', 'failed'].includes((await readRunRow(t.ctx, id)).state);
  }, 40_000);
  const run = await readRunRow(t.ctx, id);
  expect([run.state, run.counters.skipped, local.requests.get('/d')]).toEqual(['completed', 2, 2]);
  const depths = { '/': 0, '/a': 2, '/b': 3, '/d': 2, '/e': 3, '/slow': 1, '/x1': 1, '/x2': 2, '/x3': 3 };
  expect(Object.fromEntries((await pagesOf(id)).map(({ url, depth }) => [url.slice(local.origin.length), depth]))).toEqual(depths);
}, 60_000);

test('an attempt that lost its job writes nothing more', async () => {
  const allow = answerOnly(40);
  const { id } = await enqueueRun(t.ctx, await addCrawler(t.ctx, site.id, [`${local.origin}/`]), { trigger: 'manual', who: null });
  const pages = async (): Promise<number> => (await pagesOf(id)).length;
  const unwritten = async (): Promise<number> => (await sourcesOf(id)) - (await pages());
  await until(async () => (await pages()) > 10, 20_000);
  const [jobId, before] = await new Promise<[string | undefined, number]>((resolve, reject) => {
    const insert = t.ctx.clickhouse.insertBytes;
    // Once the next batch begins, with its links: it is refused.
    jest.spyOn(t.ctx.clickhouse, 'insertBytes').mockImplementationOnce(async (...links) => {
      const lost = await rows<{ id: string }>(`UPDATE jobs SET lease_by = 'another', attempts = 4 WHERE state = 'running' RETURNING id`);
      pages().then((count) => resolve([lost[0]?.id, count]), reject);
      return insert(...links);
    });
    allow(40);
  });
  await until(async () => (await unwritten()) > 0, 20_000);
  expect(await pages()).toBe(before);
  allow(Infinity);
  await rows(`UPDATE jobs SET lease_until = now() - interval '1 minute', attempts = 3 WHERE id = $1`, jobId);
  await until(async () => (await pages()) > before, 20_000);
  // Only attempts since the last page count.
  expect(await rows('SELECT attempts FROM jobs WHERE id = $1', jobId)).toEqual([{ attempts: 1 }]);
  const run = await untilState(t.ctx, id, ['completed', 'failed']);
  expect([run.state, run.counters.pages, await pages(), await unwritten()]).toEqual(['completed', size, size, 0]);
}, 60_000);

test('an endless calendar does not keep a crawl from the real pages', async () => {
  const days = Array.from({ length: 400 }, (_, day) => `<a href="/calendar/${day}">${day}</a>`).join('');
  local.answer = (_request, response, path) => {
    const day = /^\/calendar\/(\d+)$/.exec(path)?.[1];
    const isStart = path === '/';
    if (day === undefined && !isStart) return false;
    const page = isStart
      ? pageOf(0, size).replace('<main>', `${days}<main>`)
      : `<title>Events of a day</title><main><h1>Events</h1><p>No events on this day.</p></main>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(isStart ? page : `${page}<a href="/calendar/${Number(day) + 400}">Next</a>`);
    return true;
  };
  const crawlerId = await addCrawler(t.ctx, site.id, [`${local.origin}/`], ({ limits }) => ({ limits: { ...limits, pages: size * 1.5 } }));
  const run = await crawl(t.ctx, crawlerId);
  const pages = await pagesOf(run.id);
  expect(run.counters.pages).toBeLessThanOrEqual(size * 1.5);
  expect(pages.filter(({ url }) => !url.includes('/calendar/')).length).toBeGreaterThanOrEqual(size * 0.95);
  expect(await rows('SELECT family, state, reason FROM crawl_families WHERE run_id = $1 AND state <> $2', run.id, 'open')).toEqual([
    { family: '/calendar/{number}', state: 'paused', reason: 'novelty' },
  ]);
}, 60_000);

test('a run ends although the host changes every page at each fetch', async () => {
  let fetches = 0;
  local.answer = (_request, response, path) => {
    if (path !== '/' && !path.startsWith('/p/')) return false;
    fetches += 1;
    const content = pageOf(fetches * 3, 10_000).replaceAll(/\/p\/(\d+)/g, `/p/$1?visit=${fetches}`);
    response.writeHead(200, { 'content-type': 'text/html', etag: `"${fetches}"` }).end(content);
    return true;
  };
  const crawlerId = await addCrawler(t.ctx, site.id, [`${local.origin}/`], ({ limits }) => ({ limits: { ...limits, pages: 60 } }));
  const first = await crawl(t.ctx, crawlerId);
  const second = await crawl(t.ctx, crawlerId);
  expect([first, second].map(({ state, reason, counters }) => ({ state, reason, pages: counters.pages }))).toEqual(
    Array.from({ length: 2 }, () => ({ state: 'limited', reason: 'pages', pages: 60 })),
  );
  expect((await pagesOf(second.id)).filter(({ reused }) => reused)).toEqual([]);
}, 60_000);

test('a sample has nothing that runs, and serves all its previews', async () => {
  const other = await t.makeSite(owner, { name: 'Other' });
  const column = { name: 'name', type: 'text', from: 'css', expression: 'a', attribute: '', many: false, required: false };
  const extraction = { name: 'Items', pattern: '*', rows: '', columns: [column], tableId: null };
  const send = async <T extends object>(siteId: string, call: string, body: object): Promise<T> =>
    (await owner.send('POST', `/api/dev/sites/${siteId}/crawlers/${call}`, body)).json<{ data: T }>().data;
  const hostile = `<script>fetch('/stolen')</script><base href="//evil.test"><meta http-equiv="refresh" content="0;url=/away"><img src=x onerror="alert(1)" alt="Tea">
    <a href="javascript:alert(2)" onclick="alert(3)">Green &lt;b&gt;tea</a><svg onload="alert(4)"><style>@import '/s.css'</style><text>drawn</text></svg><form action="/send"><input type="password" style="background:url(/x)"></form>`;
  let requests = 0;
  const answer: Record<string, readonly [number, string, string]> = {
    '/p/hostile': [200, 'text/html', hostile],
    '/p/long': [200, 'text/html', `<h1>Long</h1>${'<p>x</p>'.repeat(50_000)}`],
    '/p/large': [200, 'text/html', 'x'.repeat(5_000_000)],
    '/p/closed': [401, 'text/html', 'no'],
    '/p/data': [200, 'application/json', '{}'],
  };
  local.answer = (_request, response, path) => {
    requests += 1;
    const [status, type, text] = answer[path] ?? [404, 'text/html', ''];
    response.writeHead(status, { 'content-type': type }).end(text);
    return true;
  };
  const read = (url: string, siteId = site.id) => send<PageSample>(siteId, 'sample-page', { url });
  const { nodes, complete, hasPasswordField } = await read(`${local.origin}/p/hostile`);
  expect([complete, hasPasswordField]).toEqual([true, true]);
  expect(JSON.stringify(nodes)).not.toMatch(/fetch|onerror|onclick|onload|style":|action|@import|drawn/);
  expect(nodes).toContainEqual({ parent: -1, name: 'img', attributes: { src: 'x', alt: 'Tea' } });
  expect(nodes.some((node) => 'text' in node && node.text === 'Green <b>tea')).toBe(true);

  const preview = (sampled: boolean, siteId = site.id) => send(siteId, 'test-extraction', { url: `${local.origin}/p/hostile`, extraction, sampled });
  expect(await preview(true)).toMatchObject({ rows: [{ name: 'Green <b>tea' }] });
  expect(requests).toBe(1);
  // The page is the site's, and nobody else's.
  await preview(true, other.id);
  await preview(false);
  expect(requests).toBe(3);

  const long = await read(`${local.origin}/p/long`);
  expect([long.complete, long.nodes.length]).toEqual([false, 20_000]);
  const errors = [];
  for (const url of ['/p/large', '/p/closed', '/p/data']) errors.push((await read(local.origin + url)).error);
  Object.assign(t.ctx.config, { privateSites: false });
  errors.push((await read(`${local.origin}/p/hostile`, other.id)).error);
  Object.assign(t.ctx.config, { privateSites: true });
  expect(errors).toEqual(['too_large', 'sign_in', 'not_html', 'address_refused']);
});

test('a deleted site leaves neither links nor bodies', async () => {
  const linksOf = async () =>
    (
      await t.ctx.clickhouse.query<{ n: number }>('SELECT toUInt32(count()) AS n FROM crawl_links WHERE site_id = {site:String}', { params: { site: site.id } })
    )[0]?.n;
  const bodies = async () => (await t.ctx.files.folders(`crawls/${site.id}`)).length;
  const run = await crawl(t.ctx, await addCrawler(t.ctx, site.id, [`${local.origin}/`], ({ limits }) => ({ limits: { ...limits, pages: 5 } })));
  expect([run.counters.pages, Number(await linksOf()) > 0, (await bodies()) > 0]).toEqual([5, true, true]);
  await rows(`UPDATE sites SET state = 'deleted', deleted_at = now() - interval '31 days' WHERE id = $1`, site.id);
  await runSchedule(t.ctx, 'sites.purge');
  const purging = startWorker(t.ctx, jobHandlers, [], { pollEvery: 30 });
  await until(async () => (await rows('SELECT 1 FROM sites WHERE id = $1', site.id)).length === 0);
  await purging.close();
  await runSchedule(t.ctx, 'crawler.sweep');
  expect([await linksOf(), await bodies(), (await rows('SELECT 1 FROM crawl_urls')).length]).toEqual([0, 0, 0]);
}, 60_000);
