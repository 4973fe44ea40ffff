import os from 'node:os';
import { parseArgs } from 'node:util';
import { setReturningVisitors, waitForCounts, shoot, withProgram } from '../harness';
import { clickhousePids, cpuTime, residentBytes, stolenTime } from '../processes';
import { writeSustained } from './sustainedResults';

/**
 * `npm run bench:sustained -- --seconds 600 --returning 5000`: the load of `bench:ingest` at 50 connections without a pause, in rounds of 20 s. It shows
 * whether the last round is as fast as the first and whether memory stays constant. A run of ten minutes or longer is written to bench/RESULTS.md.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    returning: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '50' },
    profile: { type: 'string' },
  },
});
const roundSeconds = 20;
const rounds = Math.max(1, Math.round(Number(values.seconds) / roundSeconds));

export type Round = { perSecond: number; p99: number; refused: number; cpuMicros: number; storeMicros: number; residentMb: number; stolen: number };

await withProgram(
  async ({ url, stores, pid }) => {
    setReturningVisitors(Number(values.returning));
    const stored = clickhousePids()[0] ?? 0;
    await shoot(url, Number(values.connections), { duration: 3 });
    let acknowledged = (await waitForCounts(stores.clickhouse, Number.MAX_SAFE_INTEGER, 2000)).stored;
    const reached: Round[] = [];
    for (let n = 1; n <= rounds; n += 1) {
      const [own, theirs, stolen] = [(await cpuTime(pid)) ?? 0, (await cpuTime(stored)) ?? 0, await stolenTime()];
      const result = await shoot(url, Number(values.connections), { duration: roundSeconds });
      acknowledged += result['2xx'];
      const perHit = (ms: number): number => Math.round((ms * 1000) / result['2xx']);
      const round: Round = {
        perSecond: Math.round(result['2xx'] / result.duration),
        p99: result.latency.p99,
        refused: result.non2xx + result.errors,
        cpuMicros: perHit(((await cpuTime(pid)) ?? 0) - own),
        storeMicros: perHit(((await cpuTime(stored)) ?? 0) - theirs),
        residentMb: Math.round(((await residentBytes(pid)) ?? 0) / 1e6),
        stolen: ((await stolenTime()) - stolen) / (os.cpus().length * result.duration * 1000),
      };
      reached.push(round);
      console.log(
        `round ${n}: ${round.perSecond}/s, p99 ${round.p99} ms, ${round.cpuMicros} µs of processor a hit (ClickHouse ${round.storeMicros}), ${round.residentMb} MB, ${round.refused} refused, ${Math.round(round.stolen * 100)} % stolen`,
      );
    }
    const found = await waitForCounts(stores.clickhouse, acknowledged, 120_000);
    console.log(`acknowledged ${acknowledged}, stored ${found.stored}, in visits ${found.built}`);
    if (rounds * roundSeconds >= 600 && values.profile === undefined)
      await writeSustained({
        returning: Number(values.returning),
        connections: Number(values.connections),
        roundSeconds,
        rounds: reached,
        acknowledged,
        built: found.built,
      });
    if (found.stored < acknowledged || found.built < acknowledged) process.exitCode = 1;
  },
  values.profile === undefined ? {} : { nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] },
);
