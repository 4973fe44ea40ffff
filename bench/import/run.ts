import os from 'node:os';
import { gzipSync } from 'node:zlib';
import { openBench } from '../../test/integration/importsSupport';
import { startTestStores } from '../../test/support/testStores';
import { writeSection } from '../sections';

/**
 * `npm run bench:import`: how fast an access log becomes hits and visits, with the program's own job and real stores: from the start of the
 * import to its report, that is reading a .gz, classifying, inserting into ClickHouse and making visits. Every page view must be in `visits`
 * afterwards.
 */
const lines = Number(process.argv[process.argv.indexOf('--lines') + 1] ?? '') || 200_000;
const visitors = Math.ceil(lines / 10);
const agents = ['Chrome/140.0.0.0 Safari/537.36', 'Chrome/139.0.0.0 Mobile Safari/537.36', 'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'].map(
  (end) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${end}`,
);
const referrers = ['-', 'https://www.baidu.com/s?wd=%E8%8C%B6', 'https://www.zhihu.com/question/19550225'];

/** Combined log of 30 days: a line in four is a static file, each visitor comes back now and then. */
function logOf(count: number): string {
  const start = Date.now() - 31 * 86_400_000;
  return Array.from({ length: count }, (_, n) => {
    const who = (n * 7919) % visitors;
    const [, date = '', month = '', year = '', time = ''] =
      /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(start + (n * 30 * 86_400_000) / count).toUTCString()) ?? [];
    const target = n % 4 === 3 ? `/img/${n % 90}.png` : `/docs/page-${(n * 31) % 500}?from=${n % 7}`;
    return `${36 + (who % 150)}.${(who >> 8) % 250}.${who % 250}.7 - - [${date}/${month}/${year}:${time} +0000] "GET ${target} HTTP/1.1" 200 5120 "${referrers[n % 3] ?? '-'}" "${agents[who % 3] ?? ''}"\n`;
  }).join('');
}

const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const bench = await openBench();
try {
  const text = logOf(lines);
  const content = gzipSync(text);
  const siteId = await bench.newSite();
  // What runs for the first time (tables of places and agents, compiled code) is part of nobody's figures.
  await bench.run(await bench.newSite(), [{ name: 'warm.log', content: Buffer.from(text.slice(0, 200_000).replace(/[^\n]*$/, '')) }]);
  const { clickhouse } = bench.t.ctx;
  const started = performance.now();
  const cpu = process.cpuUsage();
  const { report } = await bench.run(siteId, [{ name: 'access.log.gz', content }], { mode: 'count' }, 900_000);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const [built] = await clickhouse.query<{ visits: string; views: string }>(
    'SELECT toString(count()) AS visits, toString(sum(pv)) AS views FROM visits FINAL WHERE site_id = {siteId:String}',
    { params: { siteId } },
  );
  const accepted = report?.accepted ?? 0;
  if (accepted === 0 || Number(built?.views) !== accepted) throw new Error(`${accepted} page views were accepted, ${built?.views ?? 0} are in visits`);
  const figures = `| ${lines} | ${(text.length / 2 ** 20).toFixed(1)} | ${accepted} | ${built?.visits ?? 0} | ${seconds.toFixed(1)} | ${Math.round(lines / seconds)} | ${Math.round(accepted / seconds)} | ${Math.round((user + system) / lines)} |`;
  console.log(figures);
  await writeSection(
    'import',
    [
      '## Import (`npm run bench:import`)',
      '',
      `An access log (combined, .gz) from its upload to its report: reading, classifying, storing, making visits. Embedded stores on the same ${os.cpus().length} cores`,
      `(Node ${process.version.slice(1)}, ${new Date().toISOString().slice(0, 10)}, load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}). Each accepted page view was then found in \`visits\`. Processor time is the program's, not the stores'.`,
      '',
      '| lines | MB | page views | visits | seconds | lines/s | page views/s | µs of processor a line |',
      '|---|---|---|---|---|---|---|---|',
      figures,
    ].join('\n'),
  );
} finally {
  await bench.close();
  await stores.stop();
}
