import { createHash } from 'node:crypto';
import type { Log } from '../../log';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { isBefore } from '../checkpoint';
import type { Position } from '../checkpoint';
import type { Journal } from '../journal';
import { createPause } from '../pause';
import { createRetry } from '../retry';
import { decodeVitals, insertOneByOne, insertVitals } from './row';

const batchBytes = 1_500_000;
/** Values gather into one insert; it costs the store the same for one as for a thousand. */
const gatherMs = 250;
const failuresBeforeSorting = 4;

export type VitalsDrain = {
  readonly wake: () => void;
  /** Resolves when everything before a place is in ClickHouse. */
  readonly stored: (upTo: Position) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Carries the journal of web vitals into ClickHouse, in order. A batch repeated after a crash has the same token and ids, so it changes nothing. */
export function startVitalsDrain(parts: { readonly journal: Journal; readonly clickhouse: ClickHouse; readonly log: Log }): VitalsDrain {
  const { journal, clickhouse, log } = parts;
  const pause = createPause();
  const gathering = createPause();
  const retry = createRetry(log);
  let waiting: { readonly upTo: Position; readonly done: () => void; readonly failed: (error: Error) => void }[] = [];
  let at = journal.released;
  let stopped = false;
  const isStopped = (): boolean => stopped;

  async function store(failures: number): Promise<void> {
    const batch = await journal.read(at, batchBytes);
    const rows = batch.records.flatMap(({ payload, columns }) => decodeVitals(payload, columns));
    if (rows.length > 0) {
      const token = createHash('sha256')
        .update(batch.records.map(({ payload }) => payload).join('\n'))
        .digest('base64url');
      if (failures < failuresBeforeSorting) await insertVitals(clickhouse, rows, token);
      else {
        const rejected = await insertOneByOne(clickhouse, rows, token);
        if (rejected.length > 0) log.error('ClickHouse refuses web vitals: they are dropped', { values: rejected.length });
      }
    }
    if (isBefore(at, batch.to)) await journal.release(batch.to);
    at = batch.to;
  }

  async function run(): Promise<void> {
    while (!isStopped()) {
      if (isBefore(at, journal.end()) && !(await retry.insist('web vitals could not be stored', store))) return;
      for (const one of waiting.filter(({ upTo }) => !isBefore(at, upTo))) one.done();
      waiting = waiting.filter(({ upTo }) => isBefore(at, upTo));
      if (!isBefore(at, journal.end())) await pause.untilWoken();
      if (!isStopped() && waiting.length === 0) await gathering.untilWoken(gatherMs);
    }
  }
  const running = run();

  return {
    wake: pause.wake,
    stored: (upTo) =>
      isBefore(at, upTo)
        ? new Promise((done, failed) => {
            waiting.push({ upTo, done, failed });
            pause.wake();
            gathering.wake();
          })
        : Promise.resolve(),
    async close() {
      stopped = true;
      retry.stop();
      pause.stop();
      gathering.stop();
      await running;
      for (const one of waiting) one.failed(new Error('the collector has ended'));
    },
  };
}
