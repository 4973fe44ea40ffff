import type { OperationResult } from './results';
import { shootMany } from './shots';
import type { Processes, Shot, Target } from './shots';

export const connectionCounts = [1, 8, 32] as const;
/** Longest that one operation is repeated, s. */
const seconds = 4;

/** Measures operations whose names `isIncluded` takes, and prints each. `lines`: what was measured, in order. */
export function createMeasurements(target: Target, processes: Processes, isIncluded: (name: string) => boolean) {
  const lines: OperationResult[] = [];
  async function measure(name: string, connections: number, times: number, shotOf: (n: number) => Shot): Promise<void> {
    if (!isIncluded(name)) return;
    const line = { name, connections, ...(await shootMany(target, processes, connections, { times, seconds }, shotOf)) };
    lines.push(line);
    console.log(said(line));
  }

  /** Calls that take long, one after the other; ms of each. */
  async function repeat(name: string, times: number, work: (n: number) => Promise<unknown>): Promise<void> {
    if (!isIncluded(name)) return;
    const took: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const at = performance.now();
      await work(n);
      took.push(performance.now() - at);
    }
    const perSecond = (1000 * times) / took.reduce((sum, one) => sum + one, 0);
    took.sort((a, b) => a - b);
    const line = { name, connections: 1, p50: took[times >> 1] ?? 0, p95: took[times - 1] ?? 0, perSecond, server: null, database: null };
    lines.push(line);
    console.log(said(line));
  }

  return { lines, measure, repeat };
}

export function said({ name, connections, p50, p95, perSecond, server, database }: OperationResult): string {
  const time = server === null ? '' : `; processor ${server.toFixed(2)} + ${(database ?? 0).toFixed(2)} ms`;
  return `${name}, ${connections}: p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms, ${perSecond.toFixed(1)}/s${time}`;
}
