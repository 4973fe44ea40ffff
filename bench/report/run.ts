import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ReportQuery } from '../../contract/analytics/schemas';
import { compileFilters, parseFilter } from '../../server/areas/analytics/filters';
import { rangeOf } from '../../server/areas/analytics/range';
import { makeReport } from '../../server/areas/analytics/report';
import { recomputeSite, settleMonths } from '../../server/areas/analytics/rollup';
import { createShare } from '../../server/areas/analytics/share';
import { latestVisits, onlineNow } from '../../server/areas/analytics/visitQueries';
import { addDays } from '../../server/zone';
import { createLog } from '../../server/log';
import { clickhouseMigrations } from '../../server/migrations';
import { migrateClickHouse } from '../../server/stores/clickhouse/migrate';
import { openClickHouse } from '../../server/stores/clickhouse/open';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { generateVisits } from './generate';
import type { Generated } from './generate';
import { section, writeReport } from './results';
import type { ScreenResult, ReportResult, Times } from './results';

/**
 * Response time of every screen over a site of many page views: `npm run bench:report -- --hits 5000000` (1, 5, 10 or 100 million); the result goes to its
 * section of bench/RESULTS.md. Each figure is the median of seven runs after two warm-ups, beside the plain one-pass query over the same range; screens that
 * take seconds run less often (`timed`). `--minutes <n>` limits the measurement; screens not reached by then are skipped. Rollups are computed and past months
 * settled beforehand, as the schedules do. `--data <folder>` keeps the generated data and reuses it the next time.
 */
const { values } = parseArgs({
  options: {
    hits: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '90' },
    clickhouse: { type: 'string' },
    data: { type: 'string' },
    runs: { type: 'string', default: '7' },
    minutes: { type: 'string', default: '240' },
  },
});
const hits = Number(values.hits);
const days = Number(values.days);
const runs = Number(values.runs);
const siteId = 'benchbenchaa';
const zone = 'Asia/Shanghai';
const end = Date.parse('2026-11-20T16:00:00Z');
const today = '2026-11-20';
const now = Date.parse('2026-11-20T15:59:00Z');
const filter = 'sourceType:is:search';

/** Processor time (ms) used by the ClickHouse of the data folder and by this process; null where the system does not report it. */
let processorMs: () => number | null = () => null;

/** The measured runs of one screen stop after `enough` ms in total. A screen whose first run takes `slow` ms or longer gets one warm-up instead of two. */
const enough = 10_000;
const slow = 3000;

/** Error code of ClickHouse for a query that exceeds the program's time limit. */
const gaveUp = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '159';

/**
 * Measures `runs` runs after two warm-ups; slow work gets fewer runs, but at least one after one warm-up. Returns null where the query exceeds the program's
 * time limit.
 */
async function timed(work: () => Promise<unknown>): Promise<Times | null> {
  const once = async (): Promise<number> => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  try {
    if ((await once()) < slow) await once();
    const before = processorMs();
    const times: number[] = [];
    do times.push(await once());
    while (times.length < runs && times.reduce((sum, one) => sum + one, 0) < enough);
    const after = processorMs();
    times.sort((a, b) => a - b);
    const processor = before === null || after === null ? null : (after - before) / times.length;
    return { median: times[Math.floor(times.length / 2)] ?? 0, best: times[0] ?? 0, processor, runs: times.length };
  } catch (error) {
    if (gaveUp(error)) return null;
    throw error;
  }
}

/** The minimum that any tool would have to read: visits, distinct visitors and page views of a range, in one pass. */
const rawSql = `SELECT count() AS visits, uniqExact(visitor_id) AS visitors, sum(length(view_at)) AS views FROM visits FINAL
  WHERE site_id = {site:String} AND start >= fromUnixTimestamp64Milli({start:Int64}, 'UTC') AND start < fromUnixTimestamp64Milli({end:Int64}, 'UTC') AND bot_score < 50`;

/** The queries of the console for each of its screens. */
const top = (by: ReportQuery['by'], more: Partial<ReportQuery> = {}): Partial<ReportQuery> => ({ by, ...more });
const screens: Readonly<Record<string, readonly Partial<ReportQuery>[]>> = {
  overview: [
    { series: '1', compare: 'previous' },
    ...(['sourceName', 'province'] as const).map((by) => top(by, { size: 10, sort: 'visitors', measure: ['visitors', 'visits'] })),
    ...(['keyword', 'entryPath'] as const).map((by) => top(by, { size: 10, sort: 'visits', measure: ['visits'] })),
    top('path', { size: 10, sort: 'views', measure: ['views', 'visits'] }),
    top('newReturning', { size: 10, sort: 'visits', measure: ['visits', 'avgPages', 'avgDuration'] }),
  ],
  trend: [{ series: '1', gran: 'day', compare: 'previous' }],
  source: [top('sourceType'), top('sourceName')],
  engine: [top('sourceName')],
  keyword: [top('keyword')],
  'external so': [top('referrerHost')],
  'external sp': [top('referrerPath')],
  'external url': [top('referrerUrl')],
  entry: [top('entryPath')],
  path: [top('path')],
  'path, measures of pages': [top('path', { with: ['pages'], sort: 'exits' })],
  directory: [top('directory')],
  'site search': [top('siteSearch')],
  provinces: [top('province')],
  cities: [top('city')],
  countries: [top('country')],
  'device type': [top('deviceType')],
  os: [top('os')],
  browser: [top('browser')],
  screen: [top('screen')],
  language: [top('language')],
  network: [top('isp')],
  visitor: [top('newReturning')],
  'character pv': [top('pages', { byKey: '1' })],
  'character upv': [top('distinctPages', { byKey: '1' })],
  'character ssr': [top('duration', { byKey: '1' })],
  'character ago': [top('ago', { byKey: '1' })],
  'character fr': [top('visitNumber', { byKey: '1' })],
  events: [top('event', { with: ['goals'], sort: 'events' })],
};

/** Returns the lines of the table, and the number of screens skipped because of the time limit. */
async function measure(ch: ClickHouse): Promise<{ readonly lines: ScreenResult[]; readonly left: number }> {
  const lines: ScreenResult[] = [];
  let left = 0;
  const site = { id: siteId, timeZone: zone };
  const to = { clickhouse: ch, share: createShare() };
  const deadline = performance.now() + Number(values.minutes) * 60_000;
  const line = async (of: Pick<ScreenResult, 'screen' | 'days' | 'filtered' | 'raw'>, work: () => Promise<unknown>): Promise<void> => {
    if (performance.now() > deadline) return void (left += 1);
    const times = await timed(work);
    lines.push({ ...of, times });
    process.stderr.write(`${of.screen} ${of.days} ${of.filtered ? filter : ''} ${times === null ? 'given up' : times.median.toFixed(0)}\n`);
  };
  const range = (length: number) => ({ from: addDays(today, 1 - length), to: today });
  const lengths = [30, 90].filter((n) => n <= days);
  const raws = new Map<number, Times | null>();
  for (const length of lengths) {
    const { start, end: until } = rangeOf(range(length).from, today, zone);
    const params = { site: siteId, start, end: until };
    raws.set(length, await timed(() => ch.query(rawSql, { params, settings: { do_not_merge_across_partitions_select_final: 1 } })));
  }
  for (const filtered of [false, true])
    for (const length of lengths)
      for (const [screen, calls] of Object.entries(screens)) {
        const queries = calls.map((call) => ReportQuery.parse({ ...range(length), ...call, ...(filtered ? { filter } : {}) }));
        await line({ screen, days: length, filtered, raw: raws.get(length) ?? null }, () =>
          Promise.all(queries.map((query) => makeReport(to, site, query, { now: () => now, rollup: { settleMs: 0 } }))),
        );
      }
  for (const filtered of [false, true]) {
    const filters = compileFilters(filtered ? [parseFilter(filter)] : []);
    await line({ screen: 'latest', days: 0, filtered, raw: null }, () =>
      latestVisits(to, { siteId, who: 'humans', filters, zone: site.timeZone, cursor: null, size: 30, now }),
    );
  }
  await line({ screen: 'online', days: 0, filtered: false, raw: null }, () =>
    onlineNow(to, { siteId, who: 'humans', filters: compileFilters([]), zone: site.timeZone, now }),
  );
  return { lines, left };
}

/** Returns the process id of the ClickHouse of a data folder; null where the system does not report it. */
function childOf(dataDir: string): string | null {
  try {
    const isChild = (pid: string): boolean => {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes(dataDir) && command.includes('child.mjs');
    };
    return readdirSync('/proc').find((name) => /^\d+$/.test(name) && isChild(name)) ?? null;
  } catch {
    return null;
  }
}

/** Returns the peak memory of a process in bytes. */
function memoryOf(pid: string): number | null {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return peak === undefined ? null : Number(peak) * 1024;
}

/**
 * Returns the processor time (ms) of a process and of this one. /proc counts hundredths of a second in the 14th and 15th field of `stat`, behind a program name
 * that may contain any characters.
 */
function processorOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const own = process.cpuUsage();
  return (Number(fields[11]) + Number(fields[12])) * 10 + (own.user + own.system) / 1000;
}

type Dataset = Generated & { readonly generateMs: number; readonly rollupMs: number };

/** Generates the visits and rollups of the site, or reuses those that `file` describes. */
async function prepare(ch: ClickHouse, file: string): Promise<Dataset> {
  const key = `${hits} ${days}`;
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Dataset & { key: string }) : null;
  if (stored && stored.key !== key) throw new Error(`${file} is of another size`);
  const began = performance.now();
  const dataset = stored ?? (await generateVisits(ch, siteId, hits, days, end));
  const generateMs = stored?.generateMs ?? Math.round(performance.now() - began);
  if (!stored) await settleMonths({ clickhouse: ch }, { whole: true });
  const beganRollups = performance.now();
  const computed = await recomputeSite(ch, { id: siteId, zone }, { now, settleMs: 0 });
  await settleMonths({ clickhouse: ch }, { whole: true });
  const rollupMs = stored && computed === 0 ? stored.rollupMs : Math.round(performance.now() - beganRollups);
  const all = { siteId: dataset.siteId, visits: dataset.visits, views: dataset.views, generateMs, rollupMs };
  if (values.data !== undefined) writeFileSync(file, JSON.stringify({ ...all, key }));
  return all;
}

async function main(): Promise<void> {
  const dataDir = values.data === undefined ? mkdtempSync(path.join(os.tmpdir(), 'sitewright-bench-')) : path.resolve(values.data);
  const ch = await openClickHouse({ clickhouseUrl: values.clickhouse ?? null, clickhouseMemory: 4 * 2 ** 30, dataDir }, createLog('error'));
  try {
    await migrateClickHouse(ch, clickhouseMigrations, (_name, work) => work());
    const child = values.clickhouse === undefined ? childOf(dataDir) : null;
    processorMs = () => (child === null ? null : processorOf(child));
    const loadBefore = os.loadavg()[0] ?? 0;
    const dataset = await prepare(ch, path.join(dataDir, 'made.json'));
    const sizes = await ch.query<{ table: string; bytes: string }>(
      'SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND active GROUP BY table',
    );
    const bytesOf = (of: (table: string) => boolean): number => sizes.reduce((sum, row) => sum + (of(row.table) ? Number(row.bytes) : 0), 0) / dataset.views;
    const { lines, left } = await measure(ch);
    const result: ReportResult = {
      at: new Date().toISOString(),
      node: process.version,
      cpus: os.cpus().length,
      cpu: os.cpus()[0]?.model ?? '',
      loadBefore,
      loadAfter: os.loadavg()[0] ?? 0,
      hits,
      ...dataset,
      days,
      runs,
      visitBytes: bytesOf((table) => table === 'visits'),
      rollupBytes: bytesOf((table) => table.startsWith('rollup_')),
      memory: child === null ? null : memoryOf(child),
      lines,
      left,
    };
    await writeReport(result);
    process.stdout.write(`${section(result)}\n`);
  } finally {
    await ch.close();
    if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
