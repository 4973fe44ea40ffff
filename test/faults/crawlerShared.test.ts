import { jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { createBatch } from '../../server/areas/crawler/engine/batch';
import { emptyCounters } from '../../server/areas/crawler/counters';
import { returnLease } from '../../server/areas/crawler/engine/leases';
import { enqueueRun, pauseRun, resumeRun } from '../../server/areas/crawler/engine';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addCrawler, ownLocalHost, pageOf, readRunRow, startSite, startTestWorker, testAudit, untilState } from '../support/crawlSite';
import type { LocalSite } from '../support/crawlSite';
import { clickDepths } from '../support/clickDepths';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { thorough } from '../support/thorough';
import { until } from '../support/until';

/** Two workers on one PostgreSQL: this one, and a program. The process that leads the crawl is killed (SIGKILL), then the program, whether it leads or helps. */
jest.setTimeout(thorough ? 300_000 : 90_000);
const size = thorough ? 8000 : 2400;
const limits = { connections: 8, requestsPerSecond: 200 };
const folder = temporaryFolder();
let app: TestApp;
let local: LocalSite;
let program: RunningProgram;
let worker: ReturnType<typeof startTestWorker>;
/** What the site sees: requests that it answers now, the most of them at once, and when each came. */
const arrivals = { active: 0, most: 0, times: [] as number[] };

beforeAll(async () => {
  app = await makeTestApp({ config: { privateSites: true } });
  // As a program that was started with this setting: its PostgreSQL may have other workers.
  Object.assign(app.ctx.config, { databaseUrl: app.stores.databaseUrl });
  mkdirSync(folder.dataDir);
  const env = { DATA_DIR: folder.dataDir, PORT: String(await freePort()), PRIVATE_SITES: '1', ROLES: 'worker', SECRET_KEY: 'x'.repeat(32) };
  program = await runProgramOn(app.stores, env);
  worker = startTestWorker(app.ctx);
  local = await startSite(size);
  local.answer = (_request, response, path) => {
    if (!path.startsWith('/p/')) return false;
    arrivals.active += 1;
    arrivals.most = Math.max(arrivals.most, arrivals.active);
    arrivals.times.push(performance.now());
    let isActive = true;
    const end = (): void => {
      if (isActive) arrivals.active -= 1;
      isActive = false;
    };
    response.once('close', end);
    // The crawler may begin the next request before this response counts as closed here.
    setTimeout(() => {
      end();
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(Number(path.slice(3)), size));
    }, 30);
    return true;
  };
});
afterAll(async () => {
  program.process.kill('SIGKILL');
  await Promise.all([worker.close(), program.ended]);
  await local.close();
  await app.close();
  folder.remove();
});

const count = async (from: string): Promise<number> =>
  (await app.ctx.postgres.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`)).rows[0]?.n ?? 0;
const lent = () => count(`crawl_leases WHERE state = 'lent'`);
const jobOf = async () =>
  (
    await app.ctx.postgres.pool.query<{ state: string; by: string | null }>(
      `SELECT state, lease_by AS by FROM jobs WHERE kind = 'crawler.run' ORDER BY created_at DESC`,
    )
  ).rows[0];
/** What was held by lease is free at once, and nothing waits before it is tried again. */
async function expire(): Promise<void> {
  const past = `now() - interval '1 minute'`;
  await app.ctx.postgres.pool.query(`UPDATE jobs SET lease_until = ${past}, run_after = ${past} WHERE state IN ('running', 'queued')`);
  await app.ctx.postgres.pool.query(`UPDATE crawl_leases SET lease_until = ${past} WHERE state = 'lent'`);
}

/** Kills the process of the crawl, while its worker lives on. */
async function killLeader(): Promise<void> {
  const parent = (await jobOf())?.by?.split('-')[0] ?? '';
  const found = execFileSync('pgrep', ['-P', parent, '-f', 'crawl-process|processFromSource'], { encoding: 'utf8' });
  for (const pid of found.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
  await until(async () => (await jobOf())?.state === 'queued', 10_000);
  await app.ctx.postgres.pool.query('UPDATE jobs SET run_after = now()');
}
async function killProgram(): Promise<void> {
  program.process.kill('SIGKILL');
  await program.ended;
  await expire();
}
/** The most requests within a second. */
function busiestSecond(): number {
  let first = 0;
  return arrivals.times.reduce((most, time, at) => {
    while (time - (arrivals.times[first] as number) > 1000) first += 1;
    return Math.max(most, at - first + 1);
  }, 0);
}

const addLease = (runId: string, state: string, result: object | null) =>
  app.ctx.postgres.db.execute(
    sql`INSERT INTO crawl_leases (id, run_id, state, lease_until, result) VALUES (${randomUUID()}, ${runId}, ${state}, now() + interval '1 hour', ${JSON.stringify(result)}::jsonb)`,
  );
const returnedLate = () => ({
  pages: [{ id: 1, url: `${local.origin}/gone`, simhash: null, found: [{ url: `${local.origin}/late`, depth: 1, hops: 0, source: 'link', fromId: null }] }],
  retries: [],
  outcomes: [],
  counters: { pages: 0, skipped: 0, errors: 0, bytes: 0, statuses: {}, needScripts: 0, issues: { error: 0, warning: 0, notice: 0 } },
});

test('workers that are killed lose no page of a crawl that they share', async () => {
  const site = await app.makeSite(await app.signUpOwner());
  await ownLocalHost(app.ctx, site.id);
  const crawlerId = await addCrawler(app.ctx, site.id, [`${local.origin}/`], (config) => ({
    limits: { ...config.limits, familyPercent: 100 },
    politeness: { ...limits, obeyRobots: true },
  }));
  const { id } = await enqueueRun(app.ctx, crawlerId, { trigger: 'manual', who: null });
  // An earlier leader died before it read what was returned to it: the page that it would have learnt of is still requested.
  await addLease(id, 'returned', returnedLate());
  await until(async () => (await lent()) > 0 && (await readRunRow(app.ctx, id)).counters.helped > 0, 30_000);
  await killLeader();
  await until(async () => (await lent()) > 0, 20_000);
  await pauseRun(app.ctx, id, null);
  await untilState(app.ctx, id, ['paused']);
  expect({ lent: await lent(), active: arrivals.active }).toEqual({ lent: 0, active: 0 });
  await resumeRun(app.ctx, id, null);
  await until(async () => (await lent()) > 0, 20_000);
  await killProgram();

  const { state, counters } = await untilState(app.ctx, id, ['completed', 'failed', 'limited'], 60_000);
  const { pages, queued, helped } = counters;
  expect({ state, pages, queued, rows: await count('crawl_pages'), open: await count('crawl_frontier WHERE state <> 1') }).toEqual({
    state: 'completed',
    pages: size + 1,
    queued: 0,
    rows: size + 1,
    open: 0,
  });
  expect(await count('crawl_leases')).toBe(0);
  expect(helped).toBeGreaterThan(0);
  expect(helped).toBeLessThan(size);
  const again = [...local.requests].filter(([path]) => path.startsWith('/p/')).reduce((sum, [, times]) => sum + times - 1, 0);
  expect(again).toBeLessThan(3 * 200);
  expect(arrivals.most).toBeLessThanOrEqual(limits.connections);
  // Each worker makes up for 50 ms that it lost.
  expect(busiestSecond()).toBeLessThanOrEqual(limits.requestsPerSecond * 1.15);
  const depths = await clickDepths(app.ctx, id);
  expect(depths.stored).toEqual(depths.true);
  const links = await app.ctx.clickhouse.query<{ n: number }>('SELECT toUInt32(count()) AS n FROM crawl_links FINAL WHERE run_id = {run:String}', {
    params: { run: id },
  });
  expect(links).toEqual([{ n: size - 1 + (size - 1) + size }]);
});

test('a worker that lost its lease writes nothing', async () => {
  const { rows } = await app.ctx.postgres.pool.query<{ id: string; siteId: string; crawlerId: string }>(
    'SELECT id, site_id AS "siteId", crawler_id AS "crawlerId" FROM crawl_runs',
  );
  const [run] = rows;
  if (run === undefined) throw new Error('there is no run');
  const batch = createBatch(run.siteId, run.id);
  batch.url(7, `${local.origin}/never`);
  const read = { type: 'read' as const, batch: batch.take(1, [], emptyCounters, 0), result: JSON.stringify(returnedLate()) };
  const returning = returnLease(app.ctx, { ...run, number: 1, jobId: '', session: '' }, randomUUID(), read, testAudit.applyFindings);
  await expect(returning).rejects.toThrow('the lease was lost');
  expect(await count('crawl_urls WHERE id = 7')).toBe(0);
});
