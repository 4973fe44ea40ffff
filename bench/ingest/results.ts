import { writeFigures, writeSection } from '../sections';
import type { Level } from './run';

export type IngestResult = {
  at: string;
  cpus: number;
  load: number;
  node: string;
  levels: readonly Level[];
  bare: number;
  batch: number;
  umamiPerSecond: number;
};

/** Writes bench/out/ingest.json, and the table into its section of bench/RESULTS.md. */
export async function writeIngest(result: IngestResult): Promise<void> {
  await writeFigures('ingest', result);
  await writeSection('ingest', table(result));
}

function table({ at, cpus, load, node, levels, bare, batch, umamiPerSecond }: IngestResult): string {
  const rows = levels.map(
    (level) =>
      `| ${level.connections} | ${level.perSecond} | ${level.p50} | ${level.p99} | ${level.acknowledged} | ${level.stored} | ${level.built} | ${level.storedAfterMs} | ${level.cpuMicros ?? '?'} | ${(level.perSecond / bare).toFixed(2)} | ${(level.perSecond / umamiPerSecond).toFixed(1)}× |`,
  );
  return [
    '## Ingest (`npm run bench:ingest`)',
    '',
    `The real program, its stores and the load generator on the same ${cpus} cores (Node ${node.slice(1)}, ${at.slice(0, 10)}, load average at the end ${load.toFixed(1)}).`,
    'One page view per request, half of the visitors new; a request counts once its hit is fsynced. "stored" and "built" are what was found afterwards',
    'in `hits` and as page views in `visits`: both must equal "acknowledged". Processor time is that of the program (accepting, draining, building),',
    'not of the stores; unlike the rate, it hardly depends on other load.',
    '',
    '| connections | hits/s acknowledged | p50 ms | p99 ms | acknowledged | stored | built | all in visits after ms | processor µs per hit | × bare insert | × Umami |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `A bare ClickHouse insert of the same rows, fsynced, in batches of ${batch}: ${bare} rows/s. Umami 3.1 on two cores with PostgreSQL 15 and Node 20, measured once, separately: ${umamiPerSecond} requests/s at 50 connections.`,
  ].join('\n');
}
