import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { sites } from '../server/areas/sites/schema';
import type { ClickHouse } from '../server/stores/clickhouse/types';
import { freePort } from '../test/support/program';
import { openTestStores } from '../test/support/stores';
import type { TestStores } from '../test/support/stores';
import { startTestStores } from '../test/support/testStores';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const siteId = 'benchmarkabc';

const drawVisitors = (count: number): string[] => Array.from({ length: count }, () => randomBytes(8).toString('hex'));
let known = drawVisitors(5000);
/** Sets the number of returning visitors, who send half of the requests. */
export const setReturningVisitors = (count: number): void => void (known = drawVisitors(count));
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

/** Sends hits to `/collect`, one page view per request; half of the requests come from new visitors. */
export async function shoot(
  url: string,
  connections: number,
  bound: { amount: number } | { duration: number; overallRate?: number },
): Promise<autocannon.Result> {
  return autocannon({
    url: `${url}/collect`,
    connections,
    ...bound,
    timeout: 20,
    requests: [{ method: 'POST', headers: { 'content-type': 'text/plain;charset=UTF-8', 'accept-language': 'zh-CN' }, setupRequest: nextRequest }],
  });
}

/** Counts the page views stored in `hits` and in `visits`. */
export async function counts(ch: ClickHouse): Promise<{ stored: number; built: number }> {
  const [row] = await ch.query<{ stored: number; built: number }>(
    'SELECT (SELECT toFloat64(count()) FROM hits FINAL WHERE site_id = {siteId:String}) AS stored, (SELECT toFloat64(sum(pv)) FROM visits FINAL WHERE site_id = {siteId:String}) AS built',
    { params: { siteId } },
  );
  return row ?? { stored: 0, built: 0 };
}

/** Polls `counts` until both reach `expected`, for at most `forMs`. */
export async function waitForCounts(ch: ClickHouse, expected: number, forMs = 60_000): Promise<{ stored: number; built: number }> {
  const end = Date.now() + forMs;
  for (;;) {
    const currentCounts = await counts(ch);
    if ((currentCounts.stored >= expected && currentCounts.built >= expected) || Date.now() > end) return currentCounts;
    await delay(50);
  }
}

async function build(): Promise<{ main: string; remove: () => Promise<void> }> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const out = await mkdtemp(path.join(root, '.cache', 'bench-'));
  const builder = spawn(process.execPath, ['scripts/build-server.mjs', out], { cwd: root, stdio: 'inherit' });
  const code = await new Promise((resolve) => builder.once('close', resolve));
  if (code !== 0) throw new Error('the server does not build');
  return { main: path.join(out, 'main.js'), remove: () => rm(out, { recursive: true, force: true }) };
}

/** The flags that `npm start` gives Node (scripts/launcher/start.mjs). */
const flagsOfStart = ['--enable-source-maps', '--max-semi-space-size=32'];

export type Bench = { readonly url: string; readonly stores: TestStores; readonly pid: number; readonly dataDir: string };

/** Runs `work` with the real program, built and started on its own stores, and removes everything afterwards. `nodeArgs`: extra Node flags. */
export async function withProgram(work: (bench: Bench) => Promise<void>, { nodeArgs = [] }: { readonly nodeArgs?: readonly string[] } = {}): Promise<void> {
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
  const child = spawn(process.execPath, [...flagsOfStart, ...nodeArgs, program.main], {
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
    await work({ url: `http://127.0.0.1:${port}`, stores, pid: child.pid as number, dataDir });
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => (child.exitCode !== null || child.signalCode !== null ? resolve(null) : child.once('exit', resolve)));
    await stores.close();
    await stop();
    await program.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}
