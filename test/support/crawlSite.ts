import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { hostnames } from '../../server/areas/hostnames/schema';
import { crawlers } from '../../server/areas/crawler/schema';
import { applyFindings, auditRun } from '../../server/areas/crawler/rules';
import type { Finding } from '../../server/areas/crawler/rules';
import { crawlerWorker, enqueueRun } from '../../server/areas/crawler/engine';
import type { CrawlAudit, RunRow } from '../../server/areas/crawler/engine';
import type { CrawlerConfig } from '../../contract/crawler/config';
import { defaultConfig } from '../../contract/crawler/config';
import type { Context } from '../../server/context';
import { until } from './until';

export type Answer = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
export type LocalSite = {
  readonly origin: string;
  /** Requests for each path with its query. */
  readonly requests: Map<string, number>;
  /** What is sent before the usual pages; returns whether it was. */
  answer: Answer;
  readonly close: () => Promise<void>;
};

const terms = 'river stone garden window paper summer bridge silver market engine letter forest museum harbor violin planet candle ladder mirror carpet'.split(
  ' ',
);
/** A text of its own for each page. */
export const textOf = (page: number, length = 120): string =>
  Array.from({ length }, (_, at) => terms[(page * 7 + at * (1 + (page % 5)) + ((page * at) % 11)) % terms.length]).join(' ');

/** Page `n` of a site of `size`: links to the start page, its neighbours and its children in a tree. */
export function pageOf(n: number, size: number): string {
  const links = [n * 3 + 1, n * 3 + 2, n * 3 + 3, n + 1].filter((to) => to < size);
  const body = links.map((to) => `<a href="/p/${to}">Page ${to}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${n} of the site</title><meta name="description" content="About ${n}"></head><body><nav><a href="/">Start</a></nav><main><h1>Page ${n}</h1><p>${textOf(n)}</p>${body}</main></body></html>`;
}

const script = `const path = location.pathname === '/' ? '/p/0' : location.pathname;
fetch('/text' + path).then((response) => response.text()).then((text) => {
  const page = new DOMParser().parseFromString(text, 'text/html');
  document.title = page.title;
  document.body.append(...page.body.childNodes);
});`;
/** Answers for the pages of a site of `size` whose content is written by a script. */
export const byScript =
  (size: number): Answer =>
  (_request, response, path) => {
    const text = /^\/text\/p\/(\d+)$/.exec(path)?.[1];
    const isPage = path === '/' || path.startsWith('/p/');
    if (path === '/app.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else if (text !== undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(Number(text), size));
    else if (isPage)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>…</title><div id="root"></div><script src="/app.js"></script>');
    else return false;
    return true;
  };

/** A site on this machine: `/` and `/p/<n>`, all reachable by links. */
export async function startSite(size: number): Promise<LocalSite> {
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.set(path, (requests.get(path) ?? 0) + 1);
    if (site.answer(request, response, path)) return;
    const n = path === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (!(n < size)) return void response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not found</title>');
    const etag = `"${n}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip', etag }).end(gzipSync(pageOf(n, size)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: LocalSite = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: () => false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return site;
}

export const testAudit: CrawlAudit = {
  applyFindings: (tx, run, findings, now) => applyFindings(tx, run, findings as readonly Finding[], now),
  auditRun,
  openHeaders: () => ({}),
};
export const startTestWorker = (ctx: Context) => crawlerWorker(testAudit, { pollEvery: 30 })(ctx);

/** The host of local sites is the site's own. */
export async function ownLocalHost(ctx: Context, siteId: string): Promise<void> {
  await ctx.postgres.db.insert(hostnames).values({
    siteId,
    host: '127.0.0.1',
    apex: '127.0.0.1',
    role: 'serve',
    token: '0'.repeat(32),
    contested: false,
    ownership: 'verified',
    createdAt: new Date(ctx.now()),
  });
}

export async function addCrawler(
  ctx: Context,
  siteId: string,
  seeds: string[],
  change: (config: CrawlerConfig) => Partial<CrawlerConfig> = () => ({}),
): Promise<string> {
  const usual = defaultConfig(seeds);
  const fast = { ...usual, politeness: { connections: 16, requestsPerSecond: 200, obeyRobots: true } };
  const now = new Date(ctx.now());
  const [row] = await ctx.postgres.db
    .insert(crawlers)
    .values({ siteId, name: 'Test', kind: 'audit', config: { ...fast, ...change(fast) }, timeZone: 'UTC', createdAt: now, updatedAt: now })
    .returning({ id: crawlers.id });
  return row?.id ?? '';
}

export const readRunRow = async (ctx: Context, runId: string): Promise<RunRow> =>
  (await ctx.postgres.pool.query<RunRow>('SELECT *, base_run_id AS "baseRunId" FROM crawl_runs WHERE id = $1', [runId])).rows[0] as RunRow;
export async function untilState(ctx: Context, runId: string, states: readonly string[], ms = 30_000): Promise<RunRow> {
  await until(async () => states.includes((await readRunRow(ctx, runId)).state), ms);
  return readRunRow(ctx, runId);
}
export async function crawl(ctx: Context, crawlerId: string): Promise<RunRow> {
  const run = await enqueueRun(ctx, crawlerId, { trigger: 'manual', who: null });
  return untilState(ctx, run.id, ['completed', 'limited', 'failed', 'stopped']);
}
