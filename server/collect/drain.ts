import type { Log } from '../log';
import type { ClickHouse } from '../stores/clickhouse/types';
import type { Building } from './building';
import { isBefore } from './checkpoint';
import type { Position } from './checkpoint';
import { createDrainCheckpoint } from './drainCheckpoint';
import { createDrainMarks } from './drainMarks';
import type { Journal, JournalBatch } from './journal';
import { createPause } from './pause';
import { createRetry } from './retry';
import type { HitRow } from './row';
import { rowsOf, storeHits, storeOneByOne } from './storeHits';

export type Drain = {
  /** More has become durable. */
  readonly wake: () => void;
  /** Visits have been written. */
  readonly visitsWritten: () => void;
  /** Resolves when everything before a place is in `hits`; rejects when the drain stops first. */
  readonly inserted: (upTo: Position) => Promise<void>;
  /** Resolves when everything before a place is in `hits` and is being built. */
  readonly added: (upTo: Position) => Promise<void>;
  /** Resolves when everything before a place is in `hits` and its visits are written or handed over. */
  readonly drained: (upTo: Position) => Promise<void>;
  /** Since when a store has not answered (epoch ms); null while all is well. */
  readonly stuckSince: () => number | null;
  /** Stops reading. `finish`: what may still be written before the last checkpoint. */
  readonly close: (finish: () => Promise<void>) => Promise<void>;
};

export type DrainParts = {
  readonly journal: Journal;
  readonly folder: string;
  readonly clickhouse: ClickHouse;
  readonly log: Log;
  readonly building: Pick<Building, 'add' | 'settledBelow' | 'stuckSince'>;
  /** How long hits gather into a batch at least (ms); 0: not at all. */
  readonly gatherMs: number;
  /** Hits were stored and are being built. */
  readonly onDrained: (hits: number) => void;
  /** Hits that the store refused were put aside. */
  readonly onAside: (hits: readonly HitRow[]) => void;
};

/** A record takes at least 300 bytes a hit, so a batch stays below 5 000 hits. */
const batchBytes = 1_500_000;
/**
 * An insert and the merges that follow it cost ClickHouse nearly the same for ten hits as for a thousand. So under load hits gather for longer, a
 * millisecond for each hit of the batch before, up to a second.
 */
const longestGatherMs = 1000;
/** Failures of a server that is there, after which records are tried one by one. */
const failuresBeforeSorting = 4;

/**
 * Carries the journal into ClickHouse, in order: a batch into `hits`, then to the visit builder. The checkpoint follows when the visits are written. It
 * always reads the files, in the first second as after a crash, so there is one path and it is always in use. When a store is away the
 * journal waits and grows.
 */
export function startDrain(parts: DrainParts): Drain {
  const { journal, building } = parts;
  const pause = createPause();
  const gathering = createGathering(parts.gatherMs);
  const marks = createDrainMarks({ inserted: journal.inserted, added: journal.released, drained: journal.released }, wakeUp);
  const retry = createRetry(parts.log, () => ({ bytes: journal.bytes() }));
  const checkpoint = createDrainCheckpoint(journal, marks, building.settledBelow, retry, parts.log);
  let stopped = false;

  function wakeUp(): void {
    gathering.pause.wake();
    pause.wake();
  }

  /** Whether the next records are those that an earlier run has stored already; they come apart from those that are new. */
  const isStored = (): boolean => isBefore(marks.at('added'), marks.at('inserted'));
  const nextBatch = (): Promise<JournalBatch> =>
    isStored() ? journal.read(marks.at('added'), batchBytes, marks.at('inserted')) : journal.read(marks.at('added'), batchBytes);

  /** Lets hits gather, unless somebody waits for them. Visits that are written meanwhile still move the checkpoint. */
  async function gather(): Promise<boolean> {
    while (!stopped && !marks.isAwaited()) {
      const remaining = gathering.remaining();
      if (remaining <= 0) return true;
      await gathering.pause.untilWoken(remaining);
      if (!(await checkpoint.release())) return false;
    }
    return true;
  }

  const store = ({ records }: JournalBatch, rows: readonly HitRow[]): Promise<boolean> =>
    retry.insist('hits could not be stored', (failures) =>
      failures < failuresBeforeSorting ? storeHits(parts.clickhouse, records, rows) : storeOneByOne(parts, records),
    );

  async function step(): Promise<'more' | 'idle' | 'stopped'> {
    const again = isStored();
    const end = journal.end();
    const batch = await nextBatch();
    if (batch.records.length > 0) {
      const rows = await rowsOf(batch.records);
      if (!again && !(await store(batch, rows))) return 'stopped';
      marks.reach('inserted', batch.to);
      const number = await building.add(rows.filter((row) => row.set_aside !== 1));
      checkpoint.add(number, batch.to);
      parts.onDrained(rows.length);
      // What was left by an outage is carried without a pause.
      if (!isBefore(batch.to, end)) gathering.begin(Math.min(longestGatherMs, rows.length));
    } else if (isBefore(marks.at('added'), batch.to)) checkpoint.add(0, batch.to);
    const more = isBefore(marks.at('added'), batch.to);
    marks.reach('inserted', batch.to);
    marks.reach('added', batch.to);
    return more ? 'more' : 'idle';
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let state: Awaited<ReturnType<typeof step>> = 'stopped';
      if (!(await retry.insist('the journal could not be read', async () => void (state = await step())))) break;
      if (state === 'stopped' || !(await checkpoint.release())) break;
      if (state === 'idle') {
        await pause.untilWoken();
        if (gathering.remaining() < 0) gathering.begin(0);
      }
      if (!(await gather())) break;
    }
  }
  const running = run();

  return {
    wake: pause.wake,
    visitsWritten: wakeUp,
    inserted: (upTo) => marks.reached('inserted', upTo),
    added: (upTo) => marks.reached('added', upTo),
    drained: (upTo) => marks.reached('drained', upTo),
    stuckSince: () => retry.stuckSince() ?? building.stuckSince(),
    async close(finish) {
      stopped = true;
      marks.stop();
      retry.stop();
      pause.stop();
      gathering.pause.stop();
      const finished = finish();
      await running;
      await finished;
      await checkpoint.lastRelease();
      marks.rejectAll();
    },
  };
}

/** The time that is left to hits to gather (ms). `pause` ends with visits that have been written, or when somebody waits. */
function createGathering(leastMs: number) {
  let until = 0;
  return {
    pause: createPause(),
    begin: (ms: number): void => void (until = leastMs === 0 ? 0 : performance.now() + Math.max(leastMs, ms)),
    remaining: (): number => until - performance.now(),
  };
}
