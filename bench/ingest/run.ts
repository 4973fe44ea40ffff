import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { sites } from '../../server/areas/sites/schema';
import { insertHits } from '../../server/collect/queries';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { makeHit } from '../../test/oracle/traffic';
import { freePort } from '../../test/support/program';
import { openTestStores } from '../../test/support/stores';
import { startTestStores } from '../../test/support/testStores';
import { writeSection } from './results';

/**
 * `npm run bench:ingest`: the real program, its real stores and the load generator share this machine. Each request
 * carries one page view; half of the visitors are new, half come back. A request counts when it was answered 202, that is
 * when its hit was fsynced; afterwards every one of them must be found in `hits` and in `visits`.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const levels = [10, 50, 200];
const secondsPerLevel = 6;
const warmUpSeconds = 2;
/** Umami 3 on the same kind of machine: one INSERT a request. */
const umamiPerSecond = 381;
const siteId = 'benchmarkabc';

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

const known = Array.from({ length: 5000 }, () => randomBytes(8).toString('hex'));
const agents = ['Chrome/140.0.0.0 Safari/537.36', 'Chrome/139.0.0.0 Mobile Safari/537.36', 'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'].map(
  (end) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${end}`,
);
let drawn = 0;

function nextRequest(request: autocannon.Request): autocannon.Request {
  drawn += 1;
  const id = randomBytes(16).toString('hex');
  const u = drawn % 2 === 0 ? id.slice(0, 16) : known[drawn % known.length];
  const body = `{"s":"${siteId}","u":"${u}","h":[{"k":"v","p":"${id.slice(16)}","q":0,"a":12,"l":"https://example.com/docs/page-${drawn % 500}?from=${drawn % 7}","n":"Documentation ${drawn % 500}","r":"https://www.baidu.com/","w":1440,"h":900,"g":"zh-CN"}]}`;
  return {
    ...request,
    body,
    headers: {
      ...request.headers,
      'x-forwarded-for': `10.${drawn % 200}.${(drawn >> 8) % 250}.${drawn % 250}`,
      'user-agent': agents[drawn % agents.length] as string,
    },
  };
}

async function shoot(url: string, connections: number, bound: { amount: number } | { duration: number }): Promise<autocannon.Result> {
  return autocannon({
    url: `${url}/collect`,
    connections,
    ...bound,
    timeout: 20,
    requests: [{ method: 'POST', headers: { 'content-type': 'text/plain;charset=UTF-8', 'accept-language': 'zh-CN' }, setupRequest: nextRequest }],
  });
}

async function counts(ch: ClickHouse): Promise<{ stored: number; built: number }> {
  const [row] = await ch.query<{ stored: number; built: number }>(
    'SELECT (SELECT toFloat64(count()) FROM hits FINAL WHERE site_id = {siteId:String}) AS stored, (SELECT toFloat64(sum(pv)) FROM visits FINAL WHERE site_id = {siteId:String}) AS built',
    { params: { siteId } },
  );
  return row ?? { stored: 0, built: 0 };
}

async function settled(ch: ClickHouse, expected: number): Promise<{ stored: number; built: number }> {
  const end = Date.now() + 60_000;
  for (;;) {
    const seen = await counts(ch);
    if ((seen.stored >= expected && seen.built >= expected) || Date.now() > end) return seen;
    await delay(50);
  }
}

/** Processor time that the program has used so far (ms), its threads included; null where the system does not tell. */
async function cpuTime(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  const [user, system] =
    text
      ?.slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) ?? [];
  return user === undefined || system === undefined ? null : (user + system) * 10;
}

async function measure(url: string, ch: ClickHouse, connections: number, pid: number): Promise<Level> {
  // What the warm-up did after its last answer was counted is part of nobody's figures.
  const warm = await shoot(url, connections, { duration: warmUpSeconds });
  const amount = Math.max(connections, Math.round((warm['2xx'] / warm.duration) * secondsPerLevel));
  await delay(1000);
  const { stored: before } = await settled(ch, 0);
  await settled(ch, before);
  const cpuBefore = await cpuTime(pid);
  const result = await shoot(url, connections, { amount });
  const ended = Date.now();
  const after = await settled(ch, before + result['2xx']);
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

/** Rows a second that ClickHouse takes in fsynced batches of the size the drain makes, with nothing else going on. */
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

async function build(): Promise<{ main: string; remove: () => Promise<void> }> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const out = await mkdtemp(path.join(root, '.cache', 'bench-'));
  const builder = spawn(process.execPath, ['scripts/build-server.mjs', out], { cwd: root, stdio: 'inherit' });
  const code = await new Promise((resolve) => builder.once('close', resolve));
  if (code !== 0) throw new Error('the server does not build');
  return { main: path.join(out, 'main.js'), remove: () => rm(out, { recursive: true, force: true }) };
}

async function run(): Promise<void> {
  const { addresses, stop } = await startTestStores();
  process.env.TEST_STORES = JSON.stringify(addresses);
  const stores = await openTestStores();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sitewright-bench-'));
  const program = await build();
  await stores.postgres.db.insert(sites).values({
    id: siteId,
    name: 'Bench',
    slug: 'bench',
    purpose: 'external',
    url: 'https://example.com/',
    defaultLang: 'en',
    timeZone: 'UTC',
    identity: 'first_party',
    createdAt: new Date(),
  });
  const port = await freePort();
  const child = spawn(process.execPath, [program.main], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'production',
      DATA_DIR: path.join(dataDir, 'data'),
      PORT: String(port),
      DELIVERY_PORT: '0',
      DATABASE_URL: stores.databaseUrl,
      CLICKHOUSE_URL: stores.clickhouseUrl,
      TRUSTED_PROXIES: 'loopback',
      LOG_LEVEL: 'warn',
    },
  });
  try {
    const ready = new Promise<void>((resolve) => child.stdout.on('data', (chunk: Buffer) => void (/http:/.test(chunk.toString()) && resolve())));
    await Promise.race([ready, new Promise((_, reject) => child.once('exit', () => reject(new Error('the program left'))))]);
    const reached: Level[] = [];
    for (const connections of levels) {
      const level = await measure(`http://127.0.0.1:${port}`, stores.clickhouse, connections, child.pid as number);
      reached.push(level);
      console.log(
        `${connections} connections: ${level.perSecond}/s, p50 ${level.p50} ms, p99 ${level.p99} ms, stored ${level.stored} of ${level.acknowledged}, built ${level.built}, settled after ${level.storedAfterMs} ms, ${level.cpuMicros} µs of processor a hit, ${level.refused} refused`,
      );
    }
    const batch = 1000;
    const bare = await bareInsert(stores.clickhouse, batch);
    console.log(`bare ClickHouse insert: ${bare} rows/s in batches of ${batch}`);
    await writeSection(root, {
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
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => (child.exitCode !== null || child.signalCode !== null ? resolve(null) : child.once('exit', resolve)));
    await stores.close();
    await stop();
    await program.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await run();
