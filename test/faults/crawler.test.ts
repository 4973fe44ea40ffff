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
import { until } from '../support/until';

/** The real program, or the process of its crawl, is killed (SIGKILL) while it crawls, and goes on. */
jest.setTimeout(180_000);
/** So many that a crawl does not end between two looks at its counters. */
const size = 1000;
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

const expire = () =>
  app.ctx.postgres.pool.query(
    `UPDATE jobs SET lease_until = now() - interval '1 minute', run_after = now() - interval '1 minute' WHERE state IN ('running', 'queued')`,
  );

test('a crawl that is killed reads every page, and only a batch twice', async () => {
  const site = await app.makeSite(await app.signUpOwner());
  await ownLocalHost(app.ctx, site.id);
  const { id } = await enqueueRun(app.ctx, await addCrawler(app.ctx, site.id, [`${local.origin}/`]), { trigger: 'manual', who: null });
  const pages = async (): Promise<number> => (await readRunRow(app.ctx, id)).counters.pages;
  for (const reached of [60, 250]) {
    const { process, ended } = await start();
    await until(async () => (await pages()) >= reached, 60_000);
    process.kill('SIGKILL');
    await ended;
    expect((await readRunRow(app.ctx, id)).state).toBe('running');
    await expire();
  }
  const { process } = await start();
  await until(async () => (await pages()) >= 450, 60_000);
  // The process of the crawl alone; the job begins again.
  for (const pid of execFileSync('pgrep', ['-P', String(process.pid), '-f', 'crawl-process'], { encoding: 'utf8' })
    .trim()
    .split('\n'))
    globalThis.process.kill(Number(pid), 'SIGKILL');
  await until(async () => (await app.ctx.postgres.pool.query(`SELECT 1 FROM jobs WHERE state = 'queued' AND kind = 'crawler.run'`)).rowCount === 1, 20_000);
  await expire();
  const run = await untilState(app.ctx, id, ['completed', 'failed', 'limited'], 60_000);
  expect({ state: run.state, pages: run.counters.pages, queued: run.counters.queued }).toEqual({ state: 'completed', pages: size, queued: 0 });
  const { rows } = await app.ctx.postgres.pool.query<{ pages: number; open: number }>(
    `SELECT (SELECT count(*)::int FROM crawl_pages WHERE run_id = $1) AS pages, (SELECT count(*)::int FROM crawl_frontier WHERE run_id = $1 AND state <> 1) AS open`,
    [id],
  );
  expect(rows).toEqual([{ pages: size, open: 0 }]);
  const own = [...local.requests].filter(([path]) => path === '/' || path.startsWith('/p/'));
  expect(own.filter(([, count]) => count > 2)).toEqual([]);
  expect(own.reduce((sum, [, count]) => sum + count - 1, 0)).toBeLessThan(3 * 200);
  const links = await app.ctx.clickhouse.query<{ n: number }>('SELECT toUInt32(count()) AS n FROM crawl_links FINAL WHERE run_id = {run:String}', {
    params: { run: id },
  });
  // In the tree every page but the first is a child; all but the last link to the next one, page 0 to page 1 twice; all link to the start.
  expect(links).toEqual([{ n: size - 1 + (size - 1) + size }]);
});
