import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log';
import { StartFailure } from '../../terminalTexts';
import { brokenStore } from '../broken';
import { childLog, commandLine, exited, exitsWithin, hasExited, isAlive, lastLines, stopWithUs, waitUntilGone, withChildLog } from '../process';
import { chooseAccount, runAs } from './account';
import type { Account } from './account';
import { findBinaries } from './binaries';
import type { Binaries } from './binaries';
import { clusterFolder, reachableBinaries, socketFolder } from './places';

export const embeddedUser = 'sitewright';

export type EmbeddedPostgres = {
  /** For `pg`: the folder of the Unix socket. */
  readonly socketFolder: string;
  readonly pid: () => number | undefined;
  readonly stop: () => Promise<void>;
};

type Setting = {
  readonly dataDir: string;
  readonly log: Log;
  readonly account?: Account;
  /** false: data need not survive a crash of the machine; for tests only. */
  readonly durable?: boolean;
};
type Cluster = {
  readonly dataDir: string;
  readonly folder: string;
  readonly socket: string;
  readonly account: Account;
  readonly binaries: Binaries;
  readonly log: Log;
  readonly durable: boolean;
};

/**
 * Starts the PostgreSQL supplied with the packages on `<dataDir>/postgres`, creating the cluster at the first start. It listens on a socket in a folder that
 * only this account can enter, and on no network address. A server left behind by a killed program is stopped first; one that dies is restarted. The caller
 * holds the lock of the data folder.
 */
export async function startEmbeddedPostgres(setting: Setting): Promise<EmbeddedPostgres> {
  const account = setting.account ?? chooseAccount();
  const log = setting.log.child({ store: 'postgres' });
  const cluster: Cluster = {
    dataDir: setting.dataDir,
    folder: clusterFolder(setting.dataDir, account),
    socket: socketFolder(path.resolve(setting.dataDir), account),
    account,
    durable: setting.durable ?? true,
    binaries: reachableBinaries(findBinaries(path.join(setting.dataDir, 'postgres-libraries')), account),
    log,
  };
  if (account.kind === 'namespace') log.info('PostgreSQL does not run as root: it runs in a user namespace of its own');
  if (account.kind === 'user') log.info('PostgreSQL does not run as root: it runs as a system account', { account: account.name, folder: cluster.folder });
  await stopOrphan(cluster);
  if (!existsSync(cluster.folder)) initialise(cluster);
  return supervise(cluster);
}

/** Runs initdb in a separate folder and renames it, so that an interrupted start leaves nothing that looks like a cluster. */
function initialise(cluster: Cluster): void {
  const unfinished = `${cluster.folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  if (cluster.account.kind === 'user') chownSync(unfinished, cluster.account.uid, cluster.account.gid);
  // The builtin C.UTF-8 locale is the same on every machine and never changes its sort order under an index, unlike those of libc and ICU.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const run = runAs(cluster.account, cluster.binaries.initdb, ['-D', unfinished, '-U', embeddedUser, '--auth=trust', ...locale]);
  const result = spawnSync(run.command, run.args, { ...run.ids, cwd: '/', env: cluster.binaries.environment, encoding: 'utf8' });
  if (result.status !== 0) {
    const reason =
      (result.stderr ?? '')
        .trim()
        .split('\n')
        .find((line) => /error|fatal/i.test(line)) ??
      result.error?.message ??
      `exit code ${result.status}`;
    throw new StartFailure({
      en: `PostgreSQL could not make its folder ${cluster.folder}: ${reason}`,
      zh: `PostgreSQL 无法建立文件夹 ${cluster.folder}：${reason}`,
    });
  }
  renameSync(unfinished, cluster.folder);
}

/** Reads postmaster.pid: the server of a killed program is asked to stop; a pid that was reused by another process is ignored and the file removed. */
async function stopOrphan(cluster: Cluster): Promise<void> {
  const pidFile = path.join(cluster.folder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return;
  if (!/postgres/.test(commandLine(pid))) {
    rmSync(pidFile, { force: true });
    return;
  }
  cluster.log.warn('stopping a PostgreSQL left over from a program that was killed', { pid });
  for (const [signal, ms] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (isAlive(pid)) process.kill(pid, signal);
    if (await waitUntilGone(pid, ms)) return;
  }
}

function spawnServer(cluster: Cluster): ChildProcess {
  const options = {
    listen_addresses: '',
    unix_socket_directories: cluster.socket,
    unix_socket_permissions: '0700',
    max_connections: '100',
    log_min_messages: 'warning',
    log_timezone: 'UTC',
    timezone: 'UTC',
    jit: 'off',
    fsync: cluster.durable ? 'on' : 'off',
    synchronous_commit: cluster.durable ? 'on' : 'off',
  };
  const args = ['-D', cluster.folder, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const run = runAs(cluster.account, cluster.binaries.postgres, args);
  // A separate process group, so that Ctrl+C at the terminal only reaches this process, which stops its children in order.
  const child = withChildLog(cluster.dataDir, 'postgres', (log) =>
    spawn(run.command, run.args, { ...run.ids, cwd: '/', env: cluster.binaries.environment, stdio: ['ignore', log, log], detached: true }),
  );
  // A program that cannot be run also reports an exit code; without a listener the error would end this process.
  child.once('error', (error) => cluster.log.error('PostgreSQL cannot be run', { error }));
  // It does not notice the end of its parent; this asks for a fast shutdown.
  stopWithUs(child, 'INT');
  return child;
}

async function supervise(cluster: Cluster): Promise<EmbeddedPostgres> {
  let stopping = false;
  let child = spawnServer(cluster);
  try {
    await ready(cluster, child);
  } catch (error) {
    await stopChild(child);
    throw error;
  }
  const revive = async (): Promise<void> => {
    for (let wait = 100; !stopping; wait = Math.min(wait * 2, 10_000)) {
      await exited(child);
      if (stopping) return;
      cluster.log.error('PostgreSQL left; starting it again', {
        code: child.exitCode,
        signal: child.signalCode,
        lastLines: lastLines(childLog(cluster.dataDir, 'postgres'), 3),
      });
      await delay(wait);
      if (stopping) return;
      child = spawnServer(cluster);
      const started = await ready(cluster, child).then(
        () => true,
        () => false,
      );
      if (started) wait = 50;
    }
  };
  const revival = revive();
  // If this process is forced to exit, the server exits with it; this immediate shutdown requires recovery at the next start.
  const leave = () => void child.kill('SIGQUIT');
  process.once('exit', leave);
  return {
    socketFolder: cluster.socket,
    pid: () => child.pid,
    stop: async () => {
      stopping = true;
      await stopChild(child);
      await revival;
      process.off('exit', leave);
      rmSync(cluster.socket, { recursive: true, force: true });
    },
  };
}

/** Fast shutdown: open transactions are rolled back, a checkpoint is written. */
async function stopChild(child: ChildProcess): Promise<void> {
  for (const [signal, ms] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (hasExited(child)) return;
    child.kill(signal);
    if (await exitsWithin(child, ms)) return;
  }
}

/** Waits for the first connection; recovery after a crash may take long and is waited for as long as the server is running. */
async function ready(cluster: Cluster, child: ChildProcess): Promise<void> {
  for (;;) {
    if (hasExited(child))
      throw brokenStore(
        'postgres',
        cluster.folder,
        lastLines(childLog(cluster.dataDir, 'postgres'), 40).filter((line) => /FATAL|PANIC|ERROR|could not|error/.test(line)),
      );
    const client = new pg.Client({ host: cluster.socket, user: embeddedUser, database: 'postgres' });
    // A failed attempt is reported by connect(); the client emits the same error again.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await client.end().catch(() => undefined);
      await delay(20);
    }
  }
}
