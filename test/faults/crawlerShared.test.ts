import { jest } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { enqueueRun, pauseRun, resumeRun } from '../../server/areas/crawler/engine';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addCrawler, ownLocalHost, pageOf, readRunRow, startSite, startTestWorker, untilState } from '../support/crawlSite';
import type { LocalSite } from '../support/crawlSite';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { thorough } from '../support/thorough';
import { until } from '../support/until';

/** Three workers on one PostgreSQL: this one, and two programs that are killed (SIGKILL), the first while it leads the crawl, the second while it helps. */
jest.setTimeout(thorough ? 300_000 : 90_000);
const size = thorough ? 8000 : 1500;
const limits = { connections: 8, requestsPerSecond: 200 };
const folders = [temporaryFolder(), temporaryFolder()];
let app: TestApp;
let local: LocalSite;
let programs: readonly RunningProgram[] = [];
let worker: ReturnType<typeof startTestWorker> | null = null;
/** What the site sees: requests that it answers now, the most of them at once, and when each came. */
const seen = { active: 0, most: 0, times: [] as number[] };

beforeAll(async () => {
  app = await makeTestApp({ config: { privateSites: true } });
  // As a program that was started with this setting: its PostgreSQL may have other workers.
  Object.assign(app.ctx.config, { databaseUrl: app.stores.databaseUrl });
  local = await startSite(size);
  local.answer = (_request, response, path) => {
    if (!path.startsWith('/p/')) return false;
    seen.active += 1;
    seen.most = Math.max(seen.most, seen.active);
    seen.times.push(performance.now());
    let isActive = true;
    const end = (): void => {
      if (isActive) seen.active -= 1;
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
  for (const program of programs) program.process.kill('SIGKILL');
  await Promise.all([worker?.close(), ...programs.map(({ ended }) => ended)]);
  await local.close();
  await app.close();
  for (const folder of folders) folder.remove();
});

const start = async ({ dataDir }: { readonly dataDir: string }): Promise<RunningProgram> => {
  mkdirSync(dataDir);
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), PRIVATE_SITES: '1', ROLES: 'worker', SECRET_KEY: 'x'.repeat(32) };
  return runProgramOn(app.stores, env);
};
const count = async (sql: string): Promise<number> =>
  (await app.ctx.postgres.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]?.n ?? 0;
const lent = () => count(`crawl_leases WHERE state = 'lent'`);
const leaderOf = async (): Promise<number> =>
  Number(
    (await app.ctx.postgres.pool.query<{ by: string }>(`SELECT lease_by AS by FROM jobs WHERE state = 'running' AND kind = 'crawler.run'`)).rows[0]?.by.split(
      '-',
    )[0],
  );

/** Kills a program; what it held by lease is free at once. */
async function kill(program: RunningProgram | undefined, table: 'jobs' | 'crawl_leases'): Promise<void> {
  program?.process.kill('SIGKILL');
  await program?.ended;
  await app.ctx.postgres.pool.query(`UPDATE ${table} SET lease_until = now() - interval '1 minute' WHERE state IN ('running', 'lent')`);
}
/** The most requests within a second. */
function busiestSecond(): number {
  let first = 0;
  return seen.times.reduce((most, time, at) => {
    while (time - (seen.times[first] as number) > 1000) first += 1;
    return Math.max(most, at - first + 1);
  }, 0);
}

test('workers that are killed lose no page of a crawl that they share', async () => {
  const site = await app.makeSite(await app.signUpOwner());
  await ownLocalHost(app.ctx, site.id);
  const crawlerId = await addCrawler(app.ctx, site.id, [`${local.origin}/`], (config) => ({
    limits: { ...config.limits, familyPercent: 100 },
    politeness: { ...limits, obeyRobots: true },
  }));
  const { id } = await enqueueRun(app.ctx, crawlerId, { trigger: 'manual', who: null });
  programs = await Promise.all(folders.map(start));
  worker = startTestWorker(app.ctx);
  await until(async () => (await lent()) > 0, 20_000);
  const leader = await leaderOf();
  await kill(
    programs.find((program) => program.process.pid === leader),
    'jobs',
  );
  await until(async () => (await leaderOf()) === process.pid, 10_000);
  const helper = programs.find((program) => program.process.pid !== leader);

  await until(async () => (await readRunRow(app.ctx, id)).counters.helped > 0 && (await lent()) > 0, 20_000);
  await pauseRun(app.ctx, id, null);
  await untilState(app.ctx, id, ['paused']);
  expect({ lent: await lent(), active: seen.active }).toEqual({ lent: 0, active: 0 });
  await resumeRun(app.ctx, id, null);
  await until(async () => (await lent()) > 0, 20_000);
  await kill(helper, 'crawl_leases');

  const { state, counters } = await untilState(app.ctx, id, ['completed', 'failed', 'limited'], 60_000);
  const { pages, queued, helped } = counters;
  expect({ state, pages, queued, rows: await count('crawl_pages'), open: await count('crawl_frontier WHERE state <> 1') }).toEqual({
    state: 'completed',
    pages: size,
    queued: 0,
    rows: size,
    open: 0,
  });
  expect(await count('crawl_leases')).toBe(0);
  expect(helped).toBeGreaterThan(0);
  expect(helped).toBeLessThan(size);
  const again = [...local.requests].filter(([path]) => path.startsWith('/p/')).reduce((sum, [, times]) => sum + times - 1, 0);
  expect(again).toBeLessThan(3 * 200);
  expect(seen.most).toBeLessThanOrEqual(limits.connections);
  // Each worker makes up for 50 ms that it lost.
  expect(busiestSecond()).toBeLessThanOrEqual(limits.requestsPerSecond * 1.15);
  const links = await app.ctx.clickhouse.query<{ n: number }>('SELECT toUInt32(count()) AS n FROM crawl_links FINAL WHERE run_id = {run:String}', {
    params: { run: id },
  });
  expect(links).toEqual([{ n: size - 1 + (size - 1) + size }]);
});
