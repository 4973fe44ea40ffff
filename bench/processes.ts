import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Returns the processor time of a process and its threads so far (ms); null where the system does not report it. */
export async function cpuTime(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  const [user, system] =
    text
      ?.slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) ?? [];
  return user === undefined || system === undefined ? null : (user + system) * 10;
}

/** Returns the resident memory of a process in bytes; null where the system does not report it. */
export async function residentBytes(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  const found = text === null ? null : /^VmRSS:\s+(\d+) kB/m.exec(text);
  return found === null ? null : Number(found[1]) * 1024;
}

/** Returns the process ids of the embedded ClickHouse started by this run; others on this machine are left alone. */
export function clickhousePids(): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) => (found && Number(found[2]) === process.pid && /clickhouse\/child/.test(found[3] ?? '') ? [Number(found[1])] : []));
}

/** Returns the steal time so far, summed over all processors (ms); 0 where the system does not report it. */
export async function stolenTime(): Promise<number> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => '');
  return Number(/^cpu +(?:\d+ +){7}(\d+)/m.exec(text)?.[1] ?? 0) * 10;
}
