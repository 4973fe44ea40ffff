import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const maxLogBytes = 5 * 2 ** 20;

/**
 * Opens `<dataDir>/logs/<name>.log` for appending and passes its descriptor to `spawnWith`. Children write to files instead of pipes of this process, so that a
 * child that outlives a killed program does not die of a broken pipe during a write.
 */
export function withChildLog<T>(dataDir: string, name: string, spawnWith: (descriptor: number) => T): T {
  const file = childLog(dataDir, name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(file) && statSync(file).size > maxLogBytes) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, 'a', 0o600);
  try {
    return spawnWith(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function childLog(dataDir: string, name: string): string {
  return path.join(dataDir, 'logs', `${name}.log`);
}

/**
 * Ends a child that does not notice the end of its parent. A shell that waits for the end of a pipe does: however this process ends, kill -9 included, the pipe
 * closes and the child receives the signal.
 */
export function stopWithUs(child: ChildProcess, signal: 'INT' | 'KILL'): void {
  if (child.pid === undefined) return;
  const script = `read -r _; kill -${signal} "$0"`;
  const guard = spawn('/bin/sh', ['-c', script, String(child.pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  child.once('exit', () => guard.kill('SIGKILL'));
}

/** The last lines a child wrote, for error messages. */
export function lastLines(file: string, count: number): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !isDefunct(pid);
}

/** A process that has ended but was not waited for by its parent (a zombie): it may stay in the process list indefinitely, but holds no resources (Linux). */
function isDefunct(pid: number): boolean {
  try {
    const stat = processStat(pid);
    // The main thread can be a zombie while others are still running: the number of threads is then greater than one.
    return stat[0] === 'Z' && Number(stat[17]) <= 1;
  } catch {
    return false;
  }
}

/**
 * The fields of /proc/pid/stat from the third, the state, on (proc(5)); throws if the process does not exist. The process name may contain spaces and
 * parentheses, so fields are counted from its end.
 */
export function processStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The command line of a process; empty if it no longer exists. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Waits until the process has exited; false if it still exists after `ms`. */
export async function waitUntilGone(pid: number, ms: number): Promise<boolean> {
  const end = Date.now() + ms;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await delay(20);
  }
  return true;
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Resolves when the child has exited, immediately if it already has. */
export function exited(child: ChildProcess): Promise<void> {
  return hasExited(child) ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Whether the child exited within `ms`. */
export async function exitsWithin(child: ChildProcess, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([exited(child).then(() => true), late]);
  timer.abort();
  return inTime;
}
