import os from 'node:os';
import { median, writeFigures, writeSection } from '../sections';
import type { Round } from './sustained';

export type SustainedResult = {
  readonly returning: number;
  readonly connections: number;
  readonly roundSeconds: number;
  readonly rounds: readonly Round[];
  readonly acknowledged: number;
  readonly built: number;
};

/** Rounds per line of the table: one minute. */
const roundsInLine = 3;

/** Writes bench/out/sustained-<returning>.json, and a table by the minute into its section of bench/RESULTS.md. */
export async function writeSustained(result: SustainedResult): Promise<void> {
  await writeFigures(`sustained-${result.returning}`, result);
  await writeSection(`sustained-${result.returning}`, section(result));
}

function section({ returning, connections, roundSeconds, rounds, acknowledged, built }: SustainedResult): string {
  const lines: string[] = [];
  for (let at = 0; at < rounds.length; at += roundsInLine) lines.push(line(rounds.slice(at, at + roundsInLine), at, roundSeconds));
  const first = rounds[0]?.perSecond ?? 0;
  const slowest = Math.min(...rounds.map((round) => round.perSecond));
  const middle = median(rounds.map((round) => round.perSecond));
  const version = process.version.slice(1);
  const today = new Date().toISOString().slice(0, 10);
  return [
    `## Sustained ingest, ${returning} returning visitors (\`npm run bench:sustained -- --returning ${returning}\`)`,
    '',
    `${connections} connections without pauses for ${(rounds.length * roundSeconds) / 60} minutes, every second page view by one of ${returning} returning visitors. Program, stores and load`,
    `generator on the same ${os.cpus().length} cores (Node ${version}, ${today}, load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}). ${acknowledged} acknowledged, ${built} found in visits afterwards`,
    '(requests in flight at the end of a round are stored as well).',
    `Median of all rounds of ${roundSeconds} s: ${middle} hits/s, ${share(middle, first)} of the first (aim 90 %) and ${middle >= 3000 ? 'above' : 'below'} the aim of 3000; the slowest round: ${slowest} (${share(slowest, first)}).`,
    '',
    '| minute | hits/s | slowest round | worst p99 ms | refused | processor µs per hit | of ClickHouse | resident MB | stolen by the host |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

const share = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

function line(rounds: readonly Round[], at: number, roundSeconds: number): string {
  const of = (field: keyof Round): number[] => rounds.map((round) => round[field]);
  const mean = (field: keyof Round): number => Math.round(of(field).reduce((sum, value) => sum + value, 0) / rounds.length);
  const minute = (at * roundSeconds) / 60 + 1;
  const refused = of('refused').reduce((sum, value) => sum + value, 0);
  return `| ${minute} | ${mean('perSecond')} | ${Math.min(...of('perSecond'))} | ${Math.max(...of('p99'))} | ${refused} | ${mean('cpuMicros')} | ${mean('storeMicros')} | ${Math.max(...of('residentMb'))} | ${share(
    of('stolen').reduce((sum, value) => sum + value, 0),
    rounds.length,
  )} |`;
}
