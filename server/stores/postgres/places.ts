import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runAs } from './account';
import type { Account } from './account';
import type { Binaries } from './binaries';

/** A socket path is limited to 107 bytes on Linux and 103 on macOS; PostgreSQL appends `/.s.PGSQL.5432`. */
const longestSocketFolder = 103 - '/.s.PGSQL.5432'.length;
/** A folder that an unprivileged account can always access. */
const commonFolder = '/var/lib/sitewright';

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** A folder for the socket that no other account can enter, the same at every start with the same data folder. */
export function socketFolder(dataFolder: string, account: Account): string {
  const name = `sitewright-${process.getuid?.() ?? 0}-${shortHash(dataFolder)}`;
  const base = os.tmpdir().length + 1 + name.length <= longestSocketFolder ? os.tmpdir() : '/tmp';
  const folder = path.join(base, name);
  const owner = account.kind === 'user' ? account.uid : process.getuid?.();
  const usable = makeOwnFolder(folder, owner) ? folder : mkdtempSync(path.join(base, 'sitewright-'));
  if (account.kind === 'user') chownSync(usable, account.uid, account.gid);
  chmodSync(usable, 0o700);
  return usable;
}

/** False if another account owns the name. */
function makeOwnFolder(folder: string, owner: number | undefined): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    return found !== undefined && found.isDirectory() && (found.uid === owner || found.uid === process.getuid?.());
  }
}

/**
 * The folder of the cluster: `<dataDir>/postgres`, or, for an unprivileged account that cannot access it, a separate folder below /var/lib/sitewright, named
 * after the data folder.
 */
export function clusterFolder(dataDir: string, account: Account): string {
  const usual = path.join(dataDir, 'postgres');
  if (account.kind !== 'user') return usual;
  // The account must traverse the data folder to reach its own folder; all other files in it have their own restrictive modes.
  chmodSync(dataDir, 0o711);
  if (canEnter(account, dataDir)) return usual;
  const folder = path.join(commonFolder, shortHash(dataDir));
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  chownSync(folder, account.uid, account.gid);
  return path.join(folder, 'postgres');
}

/** The binaries, copied to an accessible folder if the account cannot access them in place. */
export function reachableBinaries(binaries: Binaries, account: Account): Binaries {
  if (account.kind !== 'user' || canEnter(account, binaries.root)) return binaries;
  const root = path.join(commonFolder, `binaries-${shortHash(binaries.root)}`);
  if (!existsSync(path.join(root, 'bin', 'postgres'))) {
    mkdirSync(commonFolder, { recursive: true, mode: 0o755 });
    cpSync(binaries.root, root, { recursive: true, verbatimSymlinks: true });
  }
  return { ...binaries, root, initdb: path.join(root, 'bin', 'initdb'), postgres: path.join(root, 'bin', 'postgres') };
}

function canEnter(account: Account, folder: string): boolean {
  const probe = runAs(account, 'test', ['-x', folder]);
  return spawnSync(probe.command, probe.args, { ...probe.ids, cwd: '/' }).status === 0;
}
