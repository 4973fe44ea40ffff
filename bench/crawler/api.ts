import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { crawlLimits } from '../../contract/crawler/terms';
import { enqueueRun, stopRun } from '../../server/areas/crawler/engine';
import { makeTestAppWithFolder } from '../../test/support/app';
import { addCrawler, ownLocalHost, readRunRow, startTestWorker, untilState } from '../../test/support/crawlSite';
import { startTestStores } from '../../test/support/testStores';
import { until } from '../../test/support/until';
import { median, writeSection } from '../sections';
import { bundle, startBenchSite } from './entries';

/**
 * `npm run bench:crawler-api`: how long the console's API takes while a crawl runs, at the usual speed and at the highest that a crawler may have, compared with the same moments
 * without one. Program, stores, the site that is crawled and the reader share the machine.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = 6;
const speeds = [
  ['usual', { connections: 4, requestsPerSecond: 10, obeyRobots: true }],
  ['highest', { ...crawlLimits.own, obeyRobots: true }],
] as const;

const folder = mkdtempSync(path.join(path.resolve('.cache'), 'bench-crawler-'));
await bundle(folder, { site: 'bench/crawler/site.ts', reader: 'bench/crawler/reader.ts', 'crawl-process': 'server/areas/crawler/engine/crawlMain.ts' });
process.env['TEST_CRAWL_PROCESS'] = path.join(folder, 'crawl-process.mjs');
const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const local = await startBenchSite(folder, 100_000);
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
  const percentile95 = async (): Promise<number> => {
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'reader.mjs'), String(seconds), cookie, ...addresses], {
      maxBuffer: 2 ** 24,
    });
    const times = (JSON.parse(stdout) as number[]).toSorted((a, b) => a - b);
    return times[Math.floor(times.length * 0.95)] ?? 0;
  };
  await percentile95();
  const lines: string[] = [];
  for (const [name, politeness] of speeds) {
    const crawlerId = await addCrawler(t.ctx, site.id, [`${local.origin}/`], (config) => ({
      politeness,
      limits: { ...config.limits, pages: 100_000, familyPercent: 100 },
    }));
    const measured: { readonly without: number; readonly crawling: number; readonly rate: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const without = await percentile95();
      const { id } = await enqueueRun(t.ctx, crawlerId, { trigger: 'manual', who: null });
      const pages = async (): Promise<number> => (await readRunRow(t.ctx, id)).counters.pages;
      await until(async () => (await pages()) > 5, 30_000);
      const before = await pages();
      const crawling = await percentile95();
      measured.push({ without, crawling, rate: ((await pages()) - before) / seconds });
      await stopRun(t.ctx, id, null);
      await untilState(t.ctx, id, ['stopped', 'completed', 'limited'], 60_000);
    }
    const of = (key: 'without' | 'crawling' | 'rate'): number => median(measured.map((one) => one[key]));
    const change = median(measured.map(({ without, crawling }) => crawling / without - 1));
    lines.push(`| ${name} | ${of('rate').toFixed(0)} | ${of('without').toFixed(1)} | ${of('crawling').toFixed(1)} | ${(change * 100).toFixed(0)} % |`);
  }
  const table = ['| speed | pages/s | p95 ms without | p95 ms crawling | change |', '|---|---:|---:|---:|---:|', ...lines].join('\n');
  console.log(table);
  await writeSection(
    'crawler-api',
    `## The console's API while a crawl runs (\`npm run bench:crawler-api\`)\n\nThree addresses in turn with pauses of 40 ms, ${String(rounds)} alternating rounds of ${String(seconds)} s, medians; change: the median of their ratios. The site that is crawled runs on the same machine. Aim: below 20 %.\n\n${table}`,
  );
} finally {
  await worker.close();
  local.close();
  await t.close();
  await stores.stop();
  rmSync(folder, { recursive: true, force: true });
}
