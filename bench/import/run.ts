import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { openBench } from '../../test/integration/importsSupport';
import { startTestStores } from '../../test/support/testStores';
import { writeSection } from '../sections';

/**
 * `npm run bench:import`: how fast an access log becomes hits and visits, with the program's own import job and real stores. The time runs from the start of
 * the import to its report: reading a .gz, classifying, inserting into ClickHouse and building visits. Every accepted page view must be in `visits` afterwards.
 * GoAccess (a package of most systems) reads the same lines for comparison, where it is installed.
 */
const lines = Number(process.argv[process.argv.indexOf('--lines') + 1] ?? '') || 200_000;
const visitors = Math.ceil(lines / 10);
const agents = ['Chrome/140.0.0.0 Safari/537.36', 'Chrome/139.0.0.0 Mobile Safari/537.36', 'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'].map(
  (end) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${end}`,
);
const referrers = ['-', 'https://www.baidu.com/s?wd=%E8%8C%B6', 'https://www.zhihu.com/question/19550225'];

type Shape = { readonly name: string; readonly page: (n: number) => boolean; readonly who: (n: number) => number };
/** The first shape has one visit per page view, the worst case; the second resembles real reading: several pages per visit, each with its files. */
const shapes: readonly Shape[] = [
  { name: 'one page a visit', page: (n) => n % 4 !== 3, who: (n) => (n * 7919) % visitors },
  { name: 'five pages a visit, three files a page', page: (n) => n % 4 === 0, who: (n) => (Math.floor(n / 40) * 2 + (Math.floor(n / 4) % 2)) % visitors },
];

/** Returns a combined log of 30 days in chronological order. */
function logOf(count: number, { page, who: whoOf }: Shape): string {
  const start = Date.now() - 31 * 86_400_000;
  return Array.from({ length: count }, (_, n) => {
    const who = whoOf(n);
    const [, date = '', month = '', year = '', time = ''] =
      /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(start + (n * 30 * 86_400_000) / count).toUTCString()) ?? [];
    const target = page(n) ? `/docs/page-${(n * 31) % 500}?from=${n % 7}` : `/img/${n % 90}.png`;
    return `${36 + (who % 150)}.${(who >> 8) % 250}.${who % 250}.7 - - [${date}/${month}/${year}:${time} +0000] "GET ${target} HTTP/1.1" 200 5120 "${referrers[n % 3] ?? '-'}" "${agents[who % 3] ?? ''}"\n`;
  }).join('');
}

/** Returns the lines per second that GoAccess processes from an unpacked file to a report; null where it is not installed. */
async function goaccess(text: string): Promise<number | null> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'goaccess-'));
  const file = path.join(folder, 'access.log');
  await writeFile(file, text);
  const started = performance.now();
  const { error, status } = spawnSync('goaccess', [file, '--no-global-config', '--log-format=COMBINED', '-o', path.join(folder, 'report.json')], {
    stdio: 'ignore',
  });
  const seconds = (performance.now() - started) / 1000;
  await rm(folder, { recursive: true });
  return error !== undefined || status !== 0 ? null : Math.round(lines / seconds);
}

const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const bench = await openBench();
try {
  // The warm-up loads the tables of places and agents and compiles the code, so that the measured runs do not include it.
  const warm = logOf(1000, shapes[0] as Shape);
  await bench.run(await bench.newSite(), [{ name: 'warm.log', content: Buffer.from(warm) }]);
  const { clickhouse } = bench.t.ctx;
  const rows: string[] = [];
  for (const shape of shapes) {
    const text = logOf(lines, shape);
    const content = gzipSync(text);
    const siteId = await bench.newSite();
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
    const other = await goaccess(text);
    const row = `| ${shape.name} | ${lines} | ${(text.length / 2 ** 20).toFixed(1)} | ${accepted} | ${built?.visits ?? 0} | ${seconds.toFixed(1)} | ${Math.round(lines / seconds)} | ${Math.round((user + system) / lines)} | ${other ?? 'not installed'} |`;
    console.log(row);
    rows.push(row);
  }
  await writeSection(
    'import',
    [
      '## Import (`npm run bench:import`)',
      '',
      `An access log (combined, .gz) from the start of the import to its report: reading, classifying, storing, building visits. Embedded stores on the same ${os.cpus().length} cores`,
      `(Node ${process.version.slice(1)}, ${new Date().toISOString().slice(0, 10)}, load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}). Afterwards every accepted page view was found in \`visits\`. Processor time is that of the program, not of the stores.`,
      'GoAccess reads the same lines, uncompressed, in the same run and only totals them; it stores neither page views nor visits.',
      '',
      '| log | lines | MB | page views | visits | seconds | lines/s | processor µs per line | GoAccess lines/s |',
      '|---|---|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
} finally {
  await bench.close();
  await stores.stop();
}
