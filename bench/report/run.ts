import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ReportQuery } from '../../contract/analytics';
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
import { section, writeSection } from './results';
import type { Line, ReportResult, Times } from './results';

/**
 * How long every screen takes over a site of many page views: `npm run bench:report -- --hits 5000000` (1, 5, 10 or 100 million), which
 * writes its part of bench/RESULTS.md. Each figure is the median of seven runs after two that do not count, beside the plain one-pass query over
 * the same range. Roll-ups are computed before and months that are over settled, as the schedules do. `--data <folder>` keeps what was made there
 * and uses it again the next time.
 */
const { values } = parseArgs({
  options: {
    hits: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '90' },
    clickhouse: { type: 'string' },
    data: { type: 'string' },
    runs: { type: 'string', default: '7' },
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

/** Processor time (ms) that the ClickHouse of the data folder and this process have used; null where the system does not tell. */
let processorMs: () => number | null = () => null;

async function timed(work: () => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  let before = processorMs();
  for (let run = -2; run < runs; run += 1) {
    if (run === 0) before = processorMs();
    const began = performance.now();
    await work();
    if (run >= 0) times.push(performance.now() - began);
  }
  const after = processorMs();
  times.sort((a, b) => a - b);
  const processor = before === null || after === null ? null : (after - before) / runs;
  return { median: times[Math.floor(times.length / 2)] ?? 0, best: times[0] ?? 0, processor };
}

/** What any tool would have to read at the least: count, distinct visitors and page views of a range, in one pass. */
const rawSql = `SELECT count() AS visits, uniqExact(visitor_id) AS visitors, sum(length(view_at)) AS views FROM visits FINAL
  WHERE site_id = {site:String} AND start >= fromUnixTimestamp64Milli({start:Int64}, 'UTC') AND start < fromUnixTimestamp64Milli({end:Int64}, 'UTC') AND bot_score < 50`;

/** What the console asks for each of its screens. */
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

async function measure(ch: ClickHouse): Promise<Line[]> {
  const lines: Line[] = [];
  const site = { id: siteId, timeZone: zone };
  const to = { clickhouse: ch, share: createShare() };
  for (const length of [30, 90].filter((n) => n <= days)) {
    const range = { from: addDays(today, 1 - length), to: today };
    const { start, end: until } = rangeOf(range.from, range.to, zone);
    const raw = await timed(() =>
      ch.query(rawSql, { params: { site: siteId, start, end: until }, settings: { do_not_merge_across_partitions_select_final: 1 } }),
    );
    for (const filtered of [false, true]) {
      for (const [screen, calls] of Object.entries(screens)) {
        const queries = calls.map((call) => ReportQuery.parse({ ...range, ...call, ...(filtered ? { filter } : {}) }));
        const times = await timed(() => Promise.all(queries.map((query) => makeReport(to, site, query, { now: () => now, rollup: { settleMs: 0 } }))));
        lines.push({ screen, days: length, filtered, ...times, raw });
      }
    }
  }
  for (const filtered of [false, true]) {
    const filters = compileFilters(filtered ? [parseFilter(filter)] : []);
    lines.push({
      screen: 'latest',
      days: 0,
      filtered,
      raw: null,
      ...(await timed(() => latestVisits(to, { siteId, who: 'humans', filters, zone: site.timeZone, cursor: null, size: 30, now }))),
    });
  }
  lines.push({
    screen: 'online',
    days: 0,
    filtered: false,
    raw: null,
    ...(await timed(() => onlineNow(to, { siteId, who: 'humans', filters: compileFilters([]), zone: site.timeZone, now }))),
  });
  return lines;
}

/** The process id of the ClickHouse of a data folder; null where the system does not tell. */
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

/** Most memory (bytes) that a process has had. */
function memoryOf(pid: string): number | null {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return peak === undefined ? null : Number(peak) * 1024;
}

/** What /proc counts in hundredths of a second: the 14th and 15th field, behind a name that may hold anything. */
function processorOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const own = process.cpuUsage();
  return (Number(fields[11]) + Number(fields[12])) * 10 + (own.user + own.system) / 1000;
}

type Made = Generated & { readonly generateMs: number; readonly rollupMs: number };

/** Visits and roll-ups of the site; those that `file` tells of are used again. */
async function prepare(ch: ClickHouse, file: string): Promise<Made> {
  const key = `${hits} ${days}`;
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Made & { key: string }) : null;
  if (kept && kept.key !== key) throw new Error(`${file} is of another size`);
  const began = performance.now();
  const made = kept ?? (await generateVisits(ch, siteId, hits, days, end));
  const generateMs = kept?.generateMs ?? Math.round(performance.now() - began);
  if (!kept) await settleMonths({ clickhouse: ch }, { whole: true });
  const beganRollups = performance.now();
  const computed = await recomputeSite(ch, { id: siteId, zone }, { now, settleMs: 0 });
  await settleMonths({ clickhouse: ch }, { whole: true });
  const rollupMs = kept && computed === 0 ? kept.rollupMs : Math.round(performance.now() - beganRollups);
  const all = { siteId: made.siteId, visits: made.visits, views: made.views, generateMs, rollupMs };
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
    const made = await prepare(ch, path.join(dataDir, 'made.json'));
    const sizes = await ch.query<{ table: string; bytes: string }>(
      'SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND active GROUP BY table',
    );
    const bytesOf = (of: (table: string) => boolean): number => sizes.reduce((sum, row) => sum + (of(row.table) ? Number(row.bytes) : 0), 0) / made.views;
    const lines = await measure(ch);
    const result: ReportResult = {
      at: new Date().toISOString(),
      node: process.version,
      cpus: os.cpus().length,
      cpu: os.cpus()[0]?.model ?? '',
      loadBefore,
      loadAfter: os.loadavg()[0] ?? 0,
      hits,
      ...made,
      days,
      runs,
      visitBytes: bytesOf((table) => table === 'visits'),
      rollupBytes: bytesOf((table) => table.startsWith('rollup_')),
      memory: child === null ? null : memoryOf(child),
      lines,
    };
    await writeSection(path.resolve('.'), result);
    process.stdout.write(`${section(result)}\n`);
  } finally {
    await ch.close();
    if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
