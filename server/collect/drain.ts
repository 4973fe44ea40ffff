import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
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
  /** More has become durable, or visits have been written. */
  readonly wake: () => void;
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
  /** How long hits gather into a batch (ms). */
  readonly gatherMs: number;
  /** Hits were stored and are being built. */
  readonly onDrained: (hits: number) => void;
  /** Hits that the store refused were put aside. */
  readonly onAside: (hits: readonly HitRow[]) => void;
};

/** A record takes at least 300 bytes a hit, so a batch stays below 5 000 hits. */
const batchBytes = 1_500_000;
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
  let checkpointed: { readonly drained: Position; readonly inserted: Position } = { drained: at.drained, inserted: at.inserted };
  const pause = createPause();
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
  const reached =
    (mark: Mark) =>
    (upTo: Position): Promise<void> =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new Error('the collector has stopped'));
        waiting[mark].push({ upTo, resolve, reject });
        reach(mark, at[mark]);
        pause.wake();
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

  /** The next records. Those that an earlier run has stored already come apart from those that are new. */
  const nextBatch = (): Promise<JournalBatch> =>
    isBefore(at.added, at.inserted) ? journal.read(at.added, batchBytes, at.inserted) : journal.read(at.added, batchBytes);

  async function step(): Promise<'more' | 'idle' | 'stopped'> {
    const again = isBefore(at.added, at.inserted);
    const batch = await nextBatch();
    if (batch.records.length > 0) {
      const rows = batch.records.flatMap((record) => decodeHits(record.payload, record.columns));
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
        if (waiting.inserted.length + waiting.added.length + waiting.drained.length === 0) await pause.sleep(parts.gatherMs);
      }
    }
  }
  const running = run();

  return {
    wake: pause.wake,
    inserted: reached('inserted'),
    added: reached('added'),
    drained: reached('drained'),
    stuckSince: () => retry.stuckSince() ?? building.stuckSince(),
    async close(finish) {
      stopped = true;
      retry.stop();
      pause.stop();
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
    const settled = (open === -1 ? pending.at(-1) : pending[open - 1])?.to ?? at.drained;
    await journal
      .release(settled, isBefore(at.inserted, settled) ? settled : at.inserted)
      .catch((error: unknown) => log.info('the last checkpoint was not written; hits are worked in again', { error }));
  }
}
