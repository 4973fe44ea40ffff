import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../log';
import { commandLine, isAlive, waitUntilGone } from '../process';

/** How long the child of a killed program may take to notice the end of its standard input and to exit. */
const leaveLimitMs = 10_000;

/**
 * ClickHouse writes its pid to `status` and refuses a folder in use by another process. The child of a killed program exits by itself shortly afterwards; it is
 * waited for, and stopped if it does not. The caller holds the lock of the data folder, so no running program needs it.
 */
export async function stopOrphan(store: string, log: Log): Promise<void> {
  const file = path.join(store, 'status');
  if (!existsSync(file)) return;
  const pid = Number(/^PID: (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1]);
  // A reused pid belongs to a process without this folder in its command line.
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid) || !commandLine(pid).includes(store)) return;
  log.warn('waiting for a ClickHouse left over from a program that was killed', { pid });
  if (await waitUntilGone(pid, leaveLimitMs)) return;
  for (const [signal, ms] of [
    ['SIGTERM', 3000],
    ['SIGKILL', 5000],
  ] as const) {
    if (isAlive(pid)) process.kill(pid, signal);
    if (await waitUntilGone(pid, ms)) return;
  }
}
