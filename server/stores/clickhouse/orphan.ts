import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../log';
import { commandLine, isAlive, waitUntilGone } from '../process';

/** How long the child of a killed program may take to notice the end of its standard input and to leave. */
const leaveLimitMs = 10_000;

/**
 * ClickHouse names its process in `status` and refuses a folder that another one has. The child of a program that was killed leaves by itself, a moment
 * later; it is waited for, and stopped where it does not. The caller holds the lock of the data folder, so no living program needs it.
 */
export async function stopOrphan(store: string, log: Log): Promise<void> {
  const file = path.join(store, 'status');
  if (!existsSync(file)) return;
  const pid = Number(/^PID: (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1]);
  // A number that is used again belongs to a process that does not name this folder.
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
