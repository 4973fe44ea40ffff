import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ReportQuery } from '../../contract/analytics';
import { compileFilters, parseFilter } from '../../server/areas/analytics/filters';
import { rangeOf } from '../../server/areas/analytics/range';
import { makeReport } from '../../server/areas/analytics/report';
import { createShare } from '../../server/areas/analytics/share';
import { latestVisits, onlineNow } from '../../server/areas/analytics/visitQueries';
import { addDays } from '../../server/zone';
import { createLog } from '../../server/log';
import { clickhouseMigrations } from '../../server/migrations';
import { migrateClickHouse } from '../../server/stores/clickhouse/migrate';
import { openClickHouse } from '../../server/stores/clickhouse/open';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { generateVisits } from './generate';

/**
 * How long the reports take over a site of many page views, without roll-ups: `npm run bench:report -- --hits 5000000`.
 * Each figure is the median of seven runs after two that do not count, beside the plain one-pass query over the same range.
 */
const { values } = parseArgs({
  options: {
    hits: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '90' },
    clickhouse: { type: 'string' },
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

/** Milliseconds; the best run tells more than the median where the machine has other work. */
type Times = { readonly median: number; readonly best: number };
type Line = Times & { readonly screen: string; readonly days: number; readonly filtered: boolean; readonly raw: Times | null };

async function timed(work: () => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  for (let run = -2; run < runs; run += 1) {
    const began = performance.now();
    await work();
    if (run >= 0) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, best: times[0] ?? 0 };
}

/** What any tool would have to read at the least: count, distinct visitors and page views of a range, in one pass. */
const rawSql = `SELECT count() AS visits, uniqExact(visitor_id) AS visitors, sum(length(view_at)) AS views FROM visits FINAL
  WHERE site_id = {site:String} AND start >= fromUnixTimestamp64Milli({start:Int64}, 'UTC') AND start < fromUnixTimestamp64Milli({end:Int64}, 'UTC') AND bot_score < 50`;

/** One call of the console each; `overview` is all that its first screen asks for. */
const screens: Readonly<Record<string, readonly Partial<ReportQuery>[]>> = {
  totals: [{}],
  'by day': [{ series: '1', gran: 'day' }],
  trend: [{ series: '1', gran: 'day', compare: 'previous' }],
  paths: [{ by: 'path' }],
  countries: [{ by: 'country' }],
  sources: [{ by: 'sourceName' }],
  overview: [
    { series: '1', compare: 'previous' },
    { by: 'sourceName', size: 10 },
    { by: 'keyword', size: 10 },
    { by: 'entryPath', size: 10 },
    { by: 'path', size: 10 },
    { by: 'province', size: 10 },
    { by: 'newReturning' },
  ],
};

async function measure(ch: ClickHouse): Promise<Line[]> {
  const lines: Line[] = [];
  const site = { id: siteId, timeZone: zone };
  const to = { clickhouse: ch, share: createShare() };
  for (const length of [1, 30, 90].filter((n) => n <= days)) {
    const range = { from: addDays(today, 1 - length), to: today };
    const { start, end: until } = rangeOf(range.from, range.to, zone);
    const raw = await timed(() =>
      ch.query(rawSql, { params: { site: siteId, start, end: until }, settings: { do_not_merge_across_partitions_select_final: 1 } }),
    );
    for (const filtered of [false, true]) {
      for (const [screen, calls] of Object.entries(screens)) {
        const queries = calls.map((call) => ReportQuery.parse({ ...range, ...call, ...(filtered ? { filter } : {}) }));
        const times = await timed(() => Promise.all(queries.map((query) => makeReport(to, site, query, { now: () => now }))));
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

async function main(): Promise<void> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sitewright-bench-'));
  const ch = await openClickHouse({ clickhouseUrl: values.clickhouse ?? null, clickhouseMemory: 4 * 2 ** 30, dataDir }, createLog('error'));
  try {
    await migrateClickHouse(ch, clickhouseMigrations, (_name, work) => work());
    const began = performance.now();
    const made = await generateVisits(ch, siteId, hits, days, end);
    const generateMs = Math.round(performance.now() - began);
    const [disk] = await ch.query<{ bytes: string; parts: string }>(
      "SELECT sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts WHERE table = 'visits' AND database = currentDatabase() AND active",
    );
    const bytesPerView = Number(disk?.bytes ?? 0) / made.views;
    const lines = await measure(ch);
    const result = {
      at: new Date().toISOString(),
      node: process.version,
      cpus: os.cpus().length,
      cpu: os.cpus()[0]?.model,
      load: os.loadavg(),
      ...made,
      days,
      generateMs,
      parts: Number(disk?.parts ?? 0),
      bytesPerView,
      lines,
    };
    const out = path.resolve('bench/out');
    mkdirSync(out, { recursive: true });
    writeFileSync(path.join(out, `report-${hits}.json`), JSON.stringify(result, null, 2));
    process.stdout.write(
      `${made.views} page views in ${made.visits} visits over ${days} days, ${bytesPerView.toFixed(1)} bytes a view on disk, ${result.parts} parts\n\n`,
    );
    process.stdout.write('| screen | days | filter | median ms | best ms | raw pass, best ms | ratio of the best |\n|---|---|---|---|---|---|---|\n');
    for (const { screen, days: length, filtered, median, best, raw } of lines) {
      const ratio = raw ? `${raw.best.toFixed(0)} | ${(best / raw.best).toFixed(1)}` : ' | ';
      process.stdout.write(`| ${screen} | ${length || ''} | ${filtered ? filter : ''} | ${median.toFixed(0)} | ${best.toFixed(0)} | ${ratio} |\n`);
    }
  } finally {
    await ch.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
