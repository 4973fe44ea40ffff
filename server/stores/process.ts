import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const maxLogBytes = 5 * 2 ** 20;

/**
 * Opens `<dataDir>/logs/<name>.log` for appending and hands its descriptor to `spawnWith`. Children write to files and not to
 * pipes of ours, so that one that outlives a killed program is not killed by a broken pipe in mid-write.
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

/** The last lines a child wrote, for the message about its failure. */
export function lastLines(file: string, count: number): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Waits until the process is gone; false when it is still there after `ms`. */
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

/** Resolves when the child has left, at once if it has. */
export function exited(child: ChildProcess): Promise<void> {
  return hasExited(child) ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()));
}

/** True when the child left within `ms`. */
export async function exitsWithin(child: ChildProcess, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const left = await Promise.race([exited(child).then(() => true), late]);
  timer.abort();
  return left;
}
