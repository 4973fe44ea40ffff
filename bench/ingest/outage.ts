import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { waitForCounts, shoot, withProgram } from '../harness';
import { clickhousePids } from '../processes';

/**
 * `npm run bench:outage -- --seconds 300 --rate 100`: stops ClickHouse (SIGSTOP: it neither responds nor refuses) while page views continue to arrive, then
 * resumes it. Prints the acknowledged page views, the size of the journal on disk, and the page views found afterwards. Exits with 1 if an acknowledged page
 * view is missing or counted twice.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '300' }, rate: { type: 'string', default: '100' } } });
const [seconds, rate] = [Number(values.seconds), Number(values.rate)];

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => stat(path.join(entry.parentPath, entry.name)).then(({ size }) => size)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

await withProgram(async ({ url, stores, dataDir }) => {
  const pids = clickhousePids();
  if (pids.length === 0) throw new Error('no ClickHouse to stop');
  const journal = path.join(dataDir, 'data', 'journal');
  const load = shoot(url, 10, { duration: seconds + 20, overallRate: rate });
  await delay(10_000);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  console.log(`ClickHouse stopped for ${seconds} s under ${rate} page views a second`);
  await delay(seconds * 1000);
  console.log(`journal: ${((await bytesOf(journal)) / 1e6).toFixed(1)} MB on the disk`);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  const ended = Date.now();
  const result = await load;
  const found = await waitForCounts(stores.clickhouse, result['2xx'], 180_000);
  console.log(
    `acknowledged ${result['2xx']}, refused ${result.non2xx}, failed ${result.errors}, p99 ${result.latency.p99} ms; stored ${found.stored}, in visits ${found.built}, ${((Date.now() - ended) / 1000).toFixed(0)} s after it went on`,
  );
  if (found.stored !== result['2xx'] || found.built !== result['2xx']) process.exitCode = 1;
});
