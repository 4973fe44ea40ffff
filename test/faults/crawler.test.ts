import { jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { enqueueRun } from '../../server/areas/crawler/engine';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addCrawler, ownLocalHost, readRunRow, startSite, untilState } from '../support/crawlSite';
import type { LocalSite } from '../support/crawlSite';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { thorough } from '../support/thorough';
import { until } from '../support/until';

/** The real program, or the process of its crawl, is killed (SIGKILL) while it crawls, and goes on. */
jest.setTimeout(thorough ? 600_000 : 180_000);
const kills = thorough ? 20 : 3;
/** So many that a crawl does not end between two looks at its counters. */
const size = thorough ? 4000 : 1000;
const folder = temporaryFolder();
let app: TestApp;
let local: LocalSite;
let program: RunningProgram | null = null;
let port: number;
const start = async (): Promise<RunningProgram> =>
  (program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, PORT: String(port), PRIVATE_SITES: '1' }));
beforeAll(async () => {
  mkdirSync(folder.dataDir);
  app = await makeTestApp({ config: { dataDir: folder.dataDir, privateSites: true } });
  local = await startSite(size);
  port = await freePort();
});
afterAll(async () => {
  program?.process.kill('SIGTERM');
  await program?.ended;
  await local.close();
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

async function killProgram(): Promise<void> {
  program?.process.kill('SIGKILL');
  await program?.ended;
  await expire();
  await start();
}
/** The process of the crawl alone; the job begins again. */
async function killCrawl(): Promise<void> {
  const found = execFileSync('pgrep', ['-P', String(program?.process.pid), '-f', 'crawl-process'], { encoding: 'utf8' });
  for (const pid of found.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
  await until(isQueued, 20_000);
  await expire();
}

test('a crawl that is killed reads every page, and only a batch twice', async () => {
  const site = await app.makeSite(await app.signUpOwner());
  await ownLocalHost(app.ctx, site.id);
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
