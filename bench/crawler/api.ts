import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CrawlerConfig } from '../../contract/crawler/config';
import { crawlLimits } from '../../contract/crawler/terms';
import { enqueueRun, stopRun } from '../../server/areas/crawler/engine';
import { makeTestAppWithFolder } from '../../test/support/app';
import { addCrawler, ownLocalHost, readRunRow, startTestWorker, untilState } from '../../test/support/crawlSite';
import { startTestStores } from '../../test/support/testStores';
import { until } from '../../test/support/until';
import { median, writeSection } from '../sections';
import { bundle, startBenchSite } from './entries';

/**
 * `npm run bench:crawler-api`: how long requests of the console take while a crawl runs, at the usual speed and at the highest that a crawler may have, compared with requests
 * without a crawl just before and just after it, because what there is to read grows with each crawl. Program, stores, crawl and reader share the machine. The site that is crawled would usually be on another one: here it runs at the lowest priority.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 15);
/** Seconds that a crawl runs before somebody uses the console. */
const alone = 3;
const speeds: readonly (readonly [name: string, CrawlerConfig['politeness']])[] = [
  ['usual', { connections: 4, requestsPerSecond: 10, obeyRobots: true }],
  ['highest', { ...crawlLimits.own, obeyRobots: true }],
];

const folder = mkdtempSync(path.join(path.resolve('.cache'), 'bench-crawler-'));
await bundle(folder, { site: 'bench/crawler/site.ts', reader: 'bench/crawler/reader.ts', 'crawl-process': 'server/areas/crawler/engine/crawlMain.ts' });
process.env['TEST_CRAWL_PROCESS'] = path.join(folder, 'crawl-process.mjs');
const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const local = await startBenchSite(folder, 100_000, { niceness: 19 });
const t = await makeTestAppWithFolder({ config: { privateSites: true } });
const worker = startTestWorker(t.ctx);
try {
  const owner = await t.signUpOwner();
  const site = await t.makeSite(owner);
  await ownLocalHost(t.ctx, site.id);
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const api = `http://127.0.0.1:${String((t.app.server.address() as AddressInfo).port)}`;
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const addresses = ['/api/dev/crawlers', `/api/dev/sites/${site.id}/crawled`, '/api/acc/token/session'].map((one) => api + one);

  /** The 95th percentile of its times, in ms, and the processor time of the program in ms per second. */
  async function read(): Promise<{ readonly p95: number; readonly busy: number }> {
    const before = process.cpuUsage();
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'reader.mjs'), String(seconds), cookie, ...addresses], {
      maxBuffer: 2 ** 24,
    });
    const { user, system } = process.cpuUsage(before);
    const times = (JSON.parse(stdout) as number[]).toSorted((a, b) => a - b);
    return { p95: times[Math.floor(times.length * 0.95)] ?? 0, busy: (user + system) / 1000 / seconds };
  }

  type Figures = { readonly p95: number; readonly busy: number; readonly alone: number; readonly rate: number; readonly change: number };
  async function crawling(politeness: CrawlerConfig['politeness']): Promise<Omit<Figures, 'change'>> {
    const crawlerId = await addCrawler(t.ctx, site.id, [`${local.origin}/`], (config) => ({
      politeness,
      limits: { ...config.limits, pages: 100_000, familyPercent: 100 },
    }));
    const { id } = await enqueueRun(t.ctx, crawlerId, { trigger: 'manual', who: null });
    const pages = async (): Promise<number> => (await readRunRow(t.ctx, id)).counters.pages;
    const rateOver = async <T>(work: () => Promise<T>): Promise<readonly [rate: number, result: T]> => {
      const [before, startedAt] = [await pages(), performance.now()];
      const result = await work();
      return [((await pages()) - before) / ((performance.now() - startedAt) / 1000), result];
    };
    await until(async () => (await pages()) > 5, 30_000);
    const [free] = await rateOver(() => new Promise((resolve) => setTimeout(resolve, alone * 1000)));
    const [rate, figures] = await rateOver(read);
    await stopRun(t.ctx, id, null);
    await untilState(t.ctx, id, ['stopped', 'completed', 'limited'], 60_000);
    return { ...figures, alone: free, rate };
  }

  await read();
  let quiet = await read();
  const without = [quiet];
  const measured = new Map<string, Figures[]>(speeds.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    // In alternating order, so that neither speed always comes after the other.
    for (const [name, politeness] of round % 2 === 0 ? speeds : speeds.toReversed()) {
      const before = quiet;
      const figures = await crawling(politeness);
      quiet = await read();
      without.push(quiet);
      measured.get(name)?.push({ ...figures, change: (2 * figures.p95) / (before.p95 + quiet.p95) - 1 });
    }
  }
  const of = <K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number => median(rows.map((row) => row[key]));
  const percent = (ratio: number): string => String(Math.round(ratio * 100));
  const lines = [...measured].map(([name, rows]) => {
    return `| ${name} | ${of(rows, 'alone').toFixed(0)} | ${of(rows, 'rate').toFixed(0)} | ${of(rows, 'p95').toFixed(1)} | ${percent(of(rows, 'change'))} % (${rows.map(({ change }) => percent(change)).join(', ')}) | ${of(rows, 'busy').toFixed(0)} |`;
  });
  const table = [
    '| crawl | pages/s, nobody uses the console | pages/s, somebody does | p95 ms | change | program, ms of processor time per s |',
    '|---|---:|---:|---:|---:|---:|',
    `| none | | | ${of(without, 'p95').toFixed(1)} | | ${of(without, 'busy').toFixed(0)} |`,
    ...lines,
  ].join('\n');
  console.log(table);
  await writeSection(
    'crawler-api',
    `## The console's API while a crawl runs (\`npm run bench:crawler-api\`)\n\nThree addresses in turn with pauses of 40 ms, ${rounds} rounds of ${seconds} s with a crawl of each speed, each after ${alone} s in which nobody uses the console, and ${seconds} s without a crawl before and after each; medians; change: against the mean of those two. Program, stores, crawl and reader share the machine; the site that is crawled, which would usually be on another one, runs at the lowest priority. Aim: below 20 %.\n\n${table}`,
  );
} finally {
  await worker.close();
  local.close();
  await t.close();
  await stores.stop();
  rmSync(folder, { recursive: true, force: true });
}
