import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './log';
import { isAlive, processStat } from './stores/process';
import { StartFailure } from './terminalTexts';

type Holder = {
  readonly pid: number;
  readonly nonce: string;
  /** Start time of the process, if the system provides it; it distinguishes processes with a reused pid. */ readonly started: string;
};

/** Creates the data folder if it does not exist. Throws `StartFailure` if it is not writable. */
export function openDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    // Root passes every access check, even on a read-only file system.
    const probe = path.join(dataDir, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    throw new StartFailure(
      {
        en: `The data folder ${dataDir} cannot be written (${code}). Change its permissions, or choose another with DATA_DIR.`,
        zh: `数据文件夹 ${dataDir} 不可写（${code}）。请修改其权限，或用 DATA_DIR 指定其他文件夹。`,
      },
      { cause },
    );
  }
}

/** Creates parents first, without mkdir's `recursive` option, which loops endlessly below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** How long a start waits for another program that holds the data folder: a process that was killed or is stopping takes a moment to exit. */
const waitLimitMs = 10_000;

/**
 * Locks the data folder for this process: two programs on one folder lose data. The lock is a separate file outside the stores, created with a hard link
 * (atomic, and never visible half-written). It is taken over only from a process that no longer exists, never after a timeout; a running process is waited for.
 * Returns the function that releases the lock. Throws `StartFailure` with the process that holds it.
 */
export async function lockDataFolder(dataDir: string, log: Log, waitMs = waitLimitMs): Promise<() => void> {
  const file = path.join(dataDir, 'lock');
  const self: Holder = { pid: process.pid, nonce: randomBytes(16).toString('hex'), started: startOf(process.pid) };
  const release = () => releaseLock(file, self);
  const end = performance.now() + waitMs;
  let holder = tryLock(file, self);
  if (holder !== null && waitMs > 0) log.info('the data folder is in use; waiting for that program to end', { pid: holder.pid, seconds: waitMs / 1000 });
  while (holder !== null && performance.now() < end) {
    await delay(100);
    holder = tryLock(file, self);
  }
  if (holder === null) return release;
  throw new StartFailure({
    en: `Another program is using the data folder ${dataDir} (process ${holder.pid}). Stop it, or choose another folder with DATA_DIR.`,
    zh: `另一个程序正在使用数据文件夹 ${dataDir}（进程 ${holder.pid}）。请先停止它，或用 DATA_DIR 指定其他文件夹。`,
  });
}

/** Acquires the lock; otherwise returns the living process that holds it. */
function tryLock(file: string, self: Holder): Holder | null {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (place(file, self)) return null;
    const holder = read(file);
    if (holder === null) continue;
    if (holds(holder)) return holder;
    takeAway(file, holder, self);
  }
  const dataDir = path.dirname(file);
  throw new StartFailure({ en: `The lock of the data folder ${dataDir} keeps changing. Try again.`, zh: `数据文件夹 ${dataDir} 的锁不断变化，请重试。` });
}

/** False if the file already exists. */
function place(file: string, holder: Holder): boolean {
  const draft = `${file}.${holder.nonce}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes the lock of a dead process. Of several processes that see the same dead holder, exactly one may do this, or the second would remove the first one's
 * new lock: the one that creates the file named after the dead holder's nonce.
 */
function takeAway(file: string, dead: Holder, self: Holder): void {
  const election = `${file}.after-${dead.nonce}`;
  if (!place(election, self)) {
    const elected = read(election);
    if (elected !== null && !holds(elected)) rmSync(election, { force: true });
    return;
  }
  if (read(file)?.nonce === dead.nonce) rmSync(file, { force: true });
  rmSync(election, { force: true });
}

function releaseLock(file: string, self: Holder): void {
  if (read(file)?.nonce === self.nonce) rmSync(file, { force: true });
}

function read(file: string): Holder | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { pid, nonce, started } = JSON.parse(text) as Partial<Holder>;
    if (typeof pid === 'number' && typeof nonce === 'string' && typeof started === 'string') return { pid, nonce, started };
  } catch {
    // Falls through: power was lost before the text reached the disk.
  }
  return { pid: 0, nonce: 'unreadable', started: '' };
}

function holds({ pid, started }: Holder): boolean {
  return pid > 0 && isAlive(pid) && startOf(pid) === started;
}

/** Boot id and clock tick at which a process started (Linux); empty on other systems, where only the pid is compared. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${processStat(pid)[19] ?? ''}`;
  } catch {
    return '';
  }
}
