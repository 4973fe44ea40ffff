import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chooseAccount, runAs } from '../../server/stores/postgres/account';
import { embeddedUser } from '../../server/stores/postgres/embedded';
import pg from 'pg';
import { exited, hasExited } from '../../server/stores/process';
import { until } from './until';

/**
 * An installed PostgreSQL (`bin`: the folder of its initdb and postgres) on a fresh cluster below `dataDir`, to show that it behaves like the
 * embedded server. Listens on a socket only.
 */
export async function startInstalledPostgres(bin: string, dataDir: string): Promise<{ socketFolder: string; stop: () => Promise<void> }> {
  const account = chooseAccount();
  const socketFolder = mkdtempSync(path.join(os.tmpdir(), 'sitewright-pg-'));
  const cluster = path.join(dataDir, 'given-postgres');
  mkdirSync(cluster, { mode: 0o700 });
  if (account.kind === 'user') for (const folder of [cluster, socketFolder]) chownSync(folder, account.uid, account.gid);
  const initCommand = runAs(account, path.join(bin, 'initdb'), ['-D', cluster, '-U', embeddedUser, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']);
  const initdb = spawnSync(initCommand.command, initCommand.args, { ...initCommand.ids, cwd: '/', encoding: 'utf8' });
  if (initdb.status !== 0) throw new Error(`initdb of ${bin} failed: ${initdb.stderr}`);
  const settings = ['listen_addresses=', `unix_socket_directories=${socketFolder}`, 'fsync=off', 'timezone=UTC', 'jit=off'];
  const run = runAs(account, path.join(bin, 'postgres'), ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]);
  const child = spawn(run.command, run.args, { ...run.ids, cwd: '/', stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await exited(child);
    rmSync(socketFolder, { recursive: true, force: true });
  };
  await until(() => {
    if (hasExited(child)) throw new Error(`${bin}/postgres does not run`);
    return answers(socketFolder);
  });
  return { socketFolder, stop };
}

async function answers(host: string): Promise<boolean> {
  const client = new pg.Client({ host, user: embeddedUser, database: 'postgres' });
  // A failed attempt is reported by connect(); the client emits it again here.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
