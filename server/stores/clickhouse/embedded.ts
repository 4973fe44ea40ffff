import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Log } from '../../log';
import { StartFailure } from '../../terminalTexts';
import { brokenStore } from '../broken';
import { childLog, exited, exitsWithin, hasExited, lastLines, withChildLog } from '../process';
import { makeClient } from './client';
import { appDatabase, appUser, keyHeader, prepareFolder, storeFolder } from './folder';
import { stopOrphan } from './orphan';

export type EmbeddedClickHouse = {
  /** Null while the child is being restarted. */
  readonly client: () => ClickHouseClient | null;
  readonly pid: () => number | undefined;
  /** Its current URL, including user, password and key: for tests and tools. */
  readonly urlWithPassword: () => string;
  readonly stop: () => Promise<void>;
};

type Setting = { readonly dataDir: string; readonly memory: number; readonly log: Log; readonly durable?: boolean };
type Running = { readonly child: ChildProcess; readonly client: ClickHouseClient; readonly url: string };

const require = createRequire(import.meta.url);
const startLimitMs = 120_000;

/**
 * Starts the ClickHouse in libchdb as a child process on a random loopback port, with a password created for this start. It lives as long as this process holds
 * its standard input, so it cannot outlive a killed program; if it dies it is restarted with growing pauses (0.1 s to 10 s), and meanwhile `client()` is null.
 * A child left behind by a killed program is waited for. The caller holds the lock of the data folder.
 */
export async function startEmbeddedClickHouse(setting: Setting): Promise<EmbeddedClickHouse> {
  const log = setting.log.child({ store: 'clickhouse' });
  const library = findLibrary();
  await stopOrphan(storeFolder(setting.dataDir), log);
  let stopping = false;
  let running: Running | null = await launch(setting, library);
  let child = running.child;
  let url = running.url;

  const revive = async (): Promise<void> => {
    for (let wait = 100; !stopping; wait = Math.min(wait * 2, 10_000)) {
      await exited(child);
      const gone: Running | null = running;
      running = null;
      await gone?.client.close();
      if (stopping) return;
      log.error('ClickHouse left; starting it again', {
        code: child.exitCode,
        signal: child.signalCode,
        lastLines: lastLines(childLog(setting.dataDir, 'clickhouse'), 3),
      });
      await delay(wait);
      if (stopping) return;
      try {
        running = await launch(setting, library, (next) => {
          child = next;
        });
        url = running.url;
        wait = 50;
        log.info('ClickHouse is back');
      } catch (error) {
        log.error('ClickHouse does not start', { error });
      }
    }
  };
  const revival = revive();
  return {
    client: () => running?.client ?? null,
    pid: () => child.pid,
    urlWithPassword: () => url,
    stop: async () => {
      stopping = true;
      // Idle connections are closed first: the server waits for open ones before it exits.
      await running?.client.close();
      await stopChild(child);
      await revival;
    },
  };
}

function findLibrary(): string {
  try {
    require.resolve('ffi-rs');
    const fromChdb = createRequire(require.resolve('chdb'));
    const libc = process.platform === 'linux' ? '-gnu' : '';
    const library = path.join(path.dirname(fromChdb.resolve(`@chdb/lib-${process.platform}-${process.arch}${libc}/package.json`)), 'libchdb.so');
    if (existsSync(library)) return library;
    throw new Error(`${library} is missing`);
  } catch (cause) {
    throw new StartFailure(
      {
        en: `There is no embedded ClickHouse for ${process.platform}-${process.arch} (or it was not installed). Set CLICKHOUSE_URL to a ClickHouse 24.8 or newer.`,
        zh: `没有适用于 ${process.platform}-${process.arch} 的内置 ClickHouse（或未安装）。请将 CLICKHOUSE_URL 设为 ClickHouse 24.8 或更新版本的地址。`,
      },
      { cause },
    );
  }
}

/** `child.mjs` in the sources, `clickhouse-child.js` next to main.js in the build. */
function entryFile(): string {
  const built = fileURLToPath(new URL('./clickhouse-child.js', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('./child.mjs', import.meta.url));
}

async function launch(setting: Setting, library: string, started: (child: ChildProcess) => void = () => undefined): Promise<Running> {
  const password = randomBytes(24).toString('base64url');
  const key = randomBytes(24).toString('base64url');
  const prepared = prepareFolder({ dataDir: setting.dataDir, memory: setting.memory, durable: setting.durable ?? true, password, key });
  const port = await freePort();
  const args = [
    entryFile(),
    library,
    '--config-file',
    prepared.config,
    '--path',
    prepared.store,
    '--http_port',
    String(port),
    '--listen_host',
    '127.0.0.1',
    '--input-format',
    'LineAsString',
    '--query',
    prepared.script,
  ];
  const child = withChildLog(setting.dataDir, 'clickhouse', (log) =>
    spawn(process.execPath, args, { cwd: prepared.store, stdio: ['pipe', log, log], detached: true, env: { ...process.env, NODE_OPTIONS: '' } }),
  );
  // A child that cannot be run, or died and closed the pipe, is detected by its exit event.
  child.once('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  started(child);
  const url = `http://${appUser}:${password}@127.0.0.1:${port}/?http_header_${keyHeader}=${key}`;
  const first = makeClient({ url });
  try {
    await answers(first, child, setting.dataDir);
    await selfTest(first);
    return { child, url, client: makeClient({ url, database: appDatabase }) };
  } catch (error) {
    await stopChild(child);
    throw error;
  } finally {
    await first.close();
  }
}

async function answers(client: ClickHouseClient, child: ChildProcess, dataDir: string): Promise<void> {
  const end = Date.now() + startLimitMs;
  while (!(await client.ping({ select: true })).success) {
    if (hasExited(child) || Date.now() > end) {
      const said = lastLines(childLog(dataDir, 'clickhouse'), 40).filter((line) => /Exception|Error|error/.test(line));
      throw brokenStore(
        'clickhouse',
        path.join(dataDir, 'clickhouse'),
        said.map((line) => line.slice(0, 400)),
      );
    }
    await delay(20);
  }
}

/**
 * Serving HTTP from libchdb is not a documented use of it: every start first writes and reads a row on disk, with the password of this start, before it is used
 * for anything else.
 */
async function selfTest(client: ClickHouseClient): Promise<void> {
  const nonce = randomBytes(8).toString('hex');
  await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${appDatabase}` });
  await client.command({ query: `CREATE OR REPLACE TABLE ${appDatabase}.self_test (nonce String) ENGINE = MergeTree ORDER BY nonce` });
  await client.insert({ table: `${appDatabase}.self_test`, values: [{ nonce }], format: 'JSONEachRow' });
  const rows = await (await client.query({ query: `SELECT nonce FROM ${appDatabase}.self_test`, format: 'JSONEachRow' })).json<{ nonce: string }>();
  if (rows.length !== 1 || rows[0]?.nonce !== nonce) throw new Error('the embedded ClickHouse did not read back what it was given');
  await client.command({ query: `DROP TABLE ${appDatabase}.self_test SYNC` });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}

/** The end of standard input ends its only query; all acknowledged data is already on disk. */
async function stopChild(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return;
  child.stdin?.end();
  if (await exitsWithin(child, 4000)) return;
  child.kill('SIGTERM');
  if (await exitsWithin(child, 3000)) return;
  child.kill('SIGKILL');
  await exited(child);
}
