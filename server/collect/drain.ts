import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log';
import { isAboutData } from '../stores/clickhouse/errors';
import type { ClickHouse } from '../stores/clickhouse/types';
import type { Building } from './building';
import { isBefore } from './checkpoint';
import type { Position } from './checkpoint';
import type { Journal, JournalBatch, JournalRecord } from './journal';
import { createPause } from './pause';
import { insertHits } from './queries';
import { createRetry } from './retry';
import { decodeHits } from './row';
import type { HitRow } from './row';

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
/** Requests are answered by the same thread: records are read so many at a time. */
const recordsAtAStretch = 100;
/** Failures of a server that is there, after which records are tried one by one. */
const failuresBeforeSorting = 4;

type Mark = 'inserted' | 'added' | 'drained';
type Waiter = { readonly upTo: Position; readonly resolve: () => void; readonly reject: (error: Error) => void };

/**
 * Carries the journal into ClickHouse, in order: a batch into `hits`, then to the visit builder. The checkpoint follows when the visits are written. It
 * always reads the files, in the first second as after a crash, so there is one path and it is always in use. When a store is away the
 * journal waits and grows.
 */
export function startDrain(parts: DrainParts): Drain {
  const { journal, clickhouse, log, building } = parts;
  const at: Record<Mark, Position> = { inserted: journal.inserted, added: journal.released, drained: journal.released };
  const waiting: Record<Mark, Waiter[]> = { inserted: [], added: [], drained: [] };
  /** Places that are being built, with the number under which the builder has what lies before them. */
  const pending: { readonly number: number; readonly to: Position }[] = [];
  let stopped = false;
  let gatherUntil = 0;
  let checkpointed: { readonly drained: Position; readonly inserted: Position } = { drained: at.drained, inserted: at.inserted };
  const pause = createPause();
  /** Ends with visits that have been written, or when somebody waits. */
  const gatherPause = createPause();
  const retry = createRetry(log, () => ({ bytes: journal.bytes() }));

  function reach(mark: Mark, position: Position): void {
    if (isBefore(at[mark], position)) at[mark] = position;
    const rest: Waiter[] = [];
    for (const waiter of waiting[mark]) {
      if (isBefore(at[mark], waiter.upTo)) rest.push(waiter);
      else waiter.resolve();
    }
    waiting[mark] = rest;
  }
  function wakeUp(): void {
    gatherPause.wake();
    pause.wake();
  }
  const reached =
    (mark: Mark) =>
    (upTo: Position): Promise<void> =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new Error('the collector has stopped'));
        waiting[mark].push({ upTo, resolve, reject });
        reach(mark, at[mark]);
        wakeUp();
      });

  async function store(records: readonly JournalRecord[], rows: readonly HitRow[]): Promise<void> {
    // The content names the batch: the same hits again are dropped by the server, other hits never are.
    const hash = createHash('sha256');
    for (const record of records) hash.update(record.payload);
    await insertHits(clickhouse, rows, hash.digest('base64url'));
  }

  /** For hits that the server takes exception to: all others are stored, these are put aside. */
  async function storeOneByOne(records: readonly JournalRecord[]): Promise<void> {
    for (const record of records) {
      try {
        await store([record], decodeHits(record.payload, record.columns));
      } catch (error) {
        // A full disk or no memory is no fault of the hit: it waits in the journal, where it is safe.
        if (!isAboutData(error)) throw error;
        const file = path.join(parts.folder, 'rejected.jsonl');
        await appendFile(file, `${JSON.stringify({ columns: record.columns, hits: record.payload })}\n`, { mode: 0o600, flush: true });
        parts.onAside(decodeHits(record.payload, record.columns));
        log.error('ClickHouse refuses a hit: it was put aside', { file, error });
      }
    }
  }

  async function rowsOf(records: readonly JournalRecord[]): Promise<HitRow[]> {
    const rows: HitRow[] = [];
    for (const [index, record] of records.entries()) {
      rows.push(...decodeHits(record.payload, record.columns));
      if (index % recordsAtAStretch === recordsAtAStretch - 1) await nextTurn();
    }
    return rows;
  }

  /** The next records. Those that an earlier run has stored already come apart from those that are new. */
  const nextBatch = (): Promise<JournalBatch> =>
    isBefore(at.added, at.inserted) ? journal.read(at.added, batchBytes, at.inserted) : journal.read(at.added, batchBytes);

  function gatherFor(ms: number): void {
    gatherUntil = parts.gatherMs === 0 ? 0 : performance.now() + Math.max(parts.gatherMs, ms);
  }

  /** Lets hits gather, unless somebody waits for them. Visits that are written meanwhile still move the checkpoint. */
  async function gather(): Promise<boolean> {
    while (!stopped && waiting.inserted.length + waiting.added.length === 0) {
      const remaining = gatherUntil - performance.now();
      if (remaining <= 0) return true;
      await gatherPause.untilWoken(remaining);
      if (!(await release())) return false;
    }
    return true;
  }

  async function step(): Promise<'more' | 'idle' | 'stopped'> {
    const again = isBefore(at.added, at.inserted);
    const end = journal.end();
    const batch = await nextBatch();
    if (batch.records.length > 0) {
      const rows = await rowsOf(batch.records);
      const stored =
        again ||
        (await retry.insist('hits could not be stored', (failures) =>
          failures < failuresBeforeSorting ? store(batch.records, rows) : storeOneByOne(batch.records),
        ));
      if (!stored) return 'stopped';
      reach('inserted', batch.to);
      const number = await building.add(rows.filter((row) => row.set_aside !== 1));
      pending.push({ number, to: batch.to });
      parts.onDrained(rows.length);
      // What was left by an outage is carried without a pause.
      if (!isBefore(batch.to, end)) gatherFor(Math.min(longestGatherMs, rows.length));
    } else if (isBefore(at.added, batch.to)) pending.push({ number: 0, to: batch.to });
    const more = isBefore(at.added, batch.to);
    reach('inserted', batch.to);
    reach('added', batch.to);
    return more ? 'more' : 'idle';
  }

  /** Moves the checkpoint behind everything whose visits are written. */
  async function release(): Promise<boolean> {
    const below = building.settledBelow();
    let to = at.drained;
    while (pending.length > 0 && (pending[0] as { number: number }).number < below) to = (pending.shift() as { to: Position }).to;
    const inserted = isBefore(at.inserted, to) ? to : at.inserted;
    if (isBefore(checkpointed.drained, to) || isBefore(checkpointed.inserted, inserted)) {
      if (!(await retry.insist('the checkpoint could not be written', () => journal.release(to, inserted)))) return false;
      checkpointed = { drained: to, inserted };
    }
    reach('drained', to);
    return true;
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let state: Awaited<ReturnType<typeof step>> = 'stopped';
      if (!(await retry.insist('the journal could not be read', async () => void (state = await step())))) break;
      if (state === 'stopped' || !(await release())) break;
      if (state === 'idle') {
        await pause.untilWoken();
        if (gatherUntil < performance.now()) gatherFor(0);
      }
      if (!(await gather())) break;
    }
  }
  const running = run();

  return {
    wake: pause.wake,
    visitsWritten: wakeUp,
    inserted: reached('inserted'),
    added: reached('added'),
    drained: reached('drained'),
    stuckSince: () => retry.stuckSince() ?? building.stuckSince(),
    async close(finish) {
      stopped = true;
      retry.stop();
      pause.stop();
      gatherPause.stop();
      const finished = finish();
      await running;
      await finished;
      await lastRelease();
      for (const waiter of [...waiting.inserted, ...waiting.added, ...waiting.drained]) waiter.reject(new Error('the collector has stopped'));
    },
  };

  async function lastRelease(): Promise<void> {
    const below = building.settledBelow();
    const open = pending.findIndex(({ number }) => number >= below);
    const settledTo = (open === -1 ? pending.at(-1) : pending[open - 1])?.to ?? at.drained;
    await journal
      .release(settledTo, isBefore(at.inserted, settledTo) ? settledTo : at.inserted)
      .catch((error: unknown) => log.info('the last checkpoint was not written; hits are worked in again', { error }));
  }
}
