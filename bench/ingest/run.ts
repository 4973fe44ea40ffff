import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { insertHits } from '../../server/collect/queries';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { makeHit } from '../../test/oracle/traffic';
import { waitForCounts, shoot, withProgram } from '../harness';
import { cpuTime } from '../processes';
import { writeIngest } from './results';

/**
 * `npm run bench:ingest`: the real program, its real stores and the load generator share this machine. Each request carries one page view; half of the visitors
 * are new, half return. A request counts when its response is 202, i.e. when its hit is fsynced; afterwards every counted hit must be found in `hits` and in
 * `visits`.
 */
const levels = [10, 50, 200];
const secondsPerLevel = 6;
const warmUpSeconds = 2;
/** Umami 3 on the same kind of machine: one INSERT per request. */
const umamiPerSecond = 381;

export type Level = {
  connections: number;
  perSecond: number;
  p50: number;
  p99: number;
  acknowledged: number;
  refused: number;
  stored: number;
  built: number;
  storedAfterMs: number;
  cpuMicros: number | null;
};

async function measure(url: string, ch: ClickHouse, connections: number, pid: number): Promise<Level> {
  // Waits until the hits of the warm-up are stored and built, so that the measured figures do not include them.
  const { stored: earlier } = await waitForCounts(ch, 0);
  const warm = await shoot(url, connections, { duration: warmUpSeconds });
  await waitForCounts(ch, earlier + warm['2xx']);
  const amount = Math.max(connections, Math.round((warm['2xx'] / warm.duration) * secondsPerLevel));
  // Requests that were under way when the warm-up ended are stored, too.
  await delay(1000);
  const { stored: before } = await waitForCounts(ch, 0);
  await waitForCounts(ch, before);
  const cpuBefore = await cpuTime(pid);
  const result = await shoot(url, connections, { amount });
  const ended = Date.now();
  const after = await waitForCounts(ch, before + result['2xx']);
  const cpuAfter = await cpuTime(pid);
  return {
    connections,
    perSecond: Math.round(result['2xx'] / result.duration),
    p50: result.latency.p50,
    p99: result.latency.p99,
    acknowledged: result['2xx'],
    refused: result.non2xx + result.errors,
    stored: after.stored - before,
    built: after.built - before,
    storedAfterMs: Date.now() - ended,
    cpuMicros: cpuBefore === null || cpuAfter === null ? null : Math.round(((cpuAfter - cpuBefore) * 1000) / result['2xx']),
  };
}

/** Returns the rows per second that ClickHouse stores in fsynced batches of `batch` rows (the drain's batch size) without other load. */
async function bareInsert(ch: ClickHouse, batch: number): Promise<number> {
  const end = Date.now() + 3000;
  const started = Date.now();
  let rows = 0;
  for (let n = 0; Date.now() < end; n += 1) {
    const hits = Array.from({ length: batch }, () =>
      makeHit({
        site_id: 'benchmarkbcd',
        view_id: randomBytes(8).toString('hex'),
        visitor_id: randomBytes(8).toString('hex'),
        at: Date.now(),
        path: `/docs/page-${n}`,
      }),
    );
    await insertHits(ch, hits, randomBytes(8).toString('hex'));
    rows += batch;
  }
  return Math.round((rows / (Date.now() - started)) * 1000);
}

await withProgram(async ({ url, stores, pid }) => {
  const reached: Level[] = [];
  for (const connections of levels) {
    const level = await measure(url, stores.clickhouse, connections, pid);
    reached.push(level);
    console.log(
      `${connections} connections: ${level.perSecond}/s, p50 ${level.p50} ms, p99 ${level.p99} ms, stored ${level.stored} of ${level.acknowledged}, built ${level.built}, settled after ${level.storedAfterMs} ms, ${level.cpuMicros} µs of processor a hit, ${level.refused} refused`,
    );
  }
  const batch = 1000;
  const bare = await bareInsert(stores.clickhouse, batch);
  console.log(`bare ClickHouse insert: ${bare} rows/s in batches of ${batch}`);
  await writeIngest({
    at: new Date().toISOString(),
    cpus: os.cpus().length,
    load: os.loadavg()[0] ?? 0,
    node: process.version,
    levels: reached,
    bare,
    batch,
    umamiPerSecond,
  });
  if (reached.some((level) => level.stored !== level.acknowledged || level.built !== level.acknowledged)) {
    console.error('What was acknowledged and what is stored differ.');
    process.exitCode = 1;
  }
});
