import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../log';
import { isAboutData } from '../stores/clickhouse/errors';
import { ClickHouseAway } from '../stores/clickhouse/types';
import type { ClickHouse } from '../stores/clickhouse/types';
import { isBefore } from './checkpoint';
import type { Position } from './checkpoint';
import type { Journal, JournalRecord } from './journal';
import { insertHits } from './queries';
import { decodeHits } from './row';
import type { HitRow } from './row';

export type Drain = {
  /** More has become durable. */
  readonly wake: () => void;
  /** Resolves when everything before a place is in `hits`; rejects when the drain stops first. */
  readonly inserted: (upTo: Position) => Promise<void>;
  /** Resolves when everything before a place is in `hits` and its visits are built or handed over. */
  readonly drained: (upTo: Position) => Promise<void>;
  /** Since when a store has not answered (epoch ms); null while all is well. */
  readonly stuckSince: () => number | null;
  readonly close: () => Promise<void>;
};

export type DrainParts = {
  readonly journal: Journal;
  readonly folder: string;
  readonly clickhouse: ClickHouse;
  readonly log: Log;
  /** Works stored hits into visits, or gives them to who does. */
  readonly build: (hits: readonly HitRow[]) => Promise<void>;
  /** How long hits gather into a batch (ms). */
  readonly gatherMs: number;
  readonly onDrained: (hits: number) => void;
  /** Hits that the store refused were put aside. */
  readonly onAside: (hits: readonly HitRow[]) => void;
};

/** A record takes at least 300 bytes a hit, so a batch stays below 5 000 hits. */
const batchBytes = 1_500_000;
const firstWaitMs = 100;
const longestWaitMs = 5000;
/** Failures of a server that is there, after which records are tried one by one. */
const failuresBeforeSorting = 4;

type Waiter = { readonly upTo: Position; readonly resolve: () => void; readonly reject: (error: Error) => void };

/**
 * Carries the journal into ClickHouse, in order: a batch into `hits`, its visits, then the checkpoint. It always reads the
 * files, in the first second as after a crash, so there is one path and it is always in use. When a store is away the
 * journal waits and grows.
 */
export function startDrain(parts: DrainParts): Drain {
  const { journal, clickhouse, log } = parts;
  let inserted = journal.released;
  let done = journal.released;
  const waiting = { inserted: [] as Waiter[], drained: [] as Waiter[] };
  let stopped = false;
  let stuck: number | null = null;
  const pause = createPause();

  function settle(list: Waiter[], reached: Position): Waiter[] {
    const rest: Waiter[] = [];
    for (const waiter of list) {
      if (isBefore(reached, waiter.upTo)) rest.push(waiter);
      else waiter.resolve();
    }
    return rest;
  }
  const reached = (what: 'inserted' | 'drained', at: Position) => (): Promise<void> =>
    new Promise((resolve, reject) => {
      if (stopped) return reject(new Error('the collector has stopped'));
      waiting[what].push({ upTo: at, resolve, reject });
      waiting[what] = settle(waiting[what], what === 'inserted' ? inserted : done);
      pause.wake();
    });

  /** Tries again until it works; false when the drain was stopped first. */
  async function insist(what: string, work: (failures: number) => Promise<void>): Promise<boolean> {
    for (let failures = 0, wait = firstWaitMs; !stopped; wait = Math.min(wait * 2, longestWaitMs)) {
      try {
        await work(failures);
        if (stuck !== null) log.info('the collector goes on', { after: Date.now() - stuck });
        stuck = null;
        return true;
      } catch (error) {
        if (stopped) return false;
        const away = error instanceof ClickHouseAway;
        if (!away) failures += 1;
        if (stuck === null || !away) log.warn(`${what}: trying again, the journal keeps the hits`, { error, bytes: journal.bytes() });
        stuck ??= Date.now();
        await pause.sleep(wait);
      }
    }
    return false;
  }

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

  async function step(): Promise<'more' | 'idle' | 'stopped'> {
    const batch = await journal.read(done, batchBytes);
    if (batch.records.length > 0) {
      const rows = batch.records.flatMap((record) => decodeHits(record.payload, record.columns));
      const stored = await insist('hits could not be stored', (failures) =>
        failures < failuresBeforeSorting ? store(batch.records, rows) : storeOneByOne(batch.records),
      );
      if (!stored) return 'stopped';
      inserted = batch.to;
      waiting.inserted = settle(waiting.inserted, inserted);
      if (!(await insist('visits could not be built', () => parts.build(rows)))) return 'stopped';
      parts.onDrained(rows.length);
    }
    if (!isBefore(done, batch.to)) return 'idle';
    inserted = done = batch.to;
    waiting.inserted = settle(waiting.inserted, inserted);
    if (!(await insist('the checkpoint could not be written', () => journal.release(done)))) return 'stopped';
    waiting.drained = settle(waiting.drained, done);
    return 'more';
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let state: Awaited<ReturnType<typeof step>> = 'stopped';
      if (!(await insist('the journal could not be read', async () => void (state = await step())))) break;
      if (state === 'stopped') break;
      if (state === 'idle') {
        await pause.untilWoken();
        if (waiting.inserted.length + waiting.drained.length === 0) await pause.sleep(parts.gatherMs);
      }
    }
  }
  const running = run();

  return {
    wake: pause.wake,
    inserted: (upTo) => reached('inserted', upTo)(),
    drained: (upTo) => reached('drained', upTo)(),
    stuckSince: () => stuck,
    async close() {
      stopped = true;
      pause.stop();
      await running;
      for (const waiter of [...waiting.inserted, ...waiting.drained]) waiter.reject(new Error('the collector has stopped'));
    },
  };
}

/** Waiting that can be cut short. A call of `wake` while nobody waits is not lost. */
function createPause(): { wake: () => void; stop: () => void; untilWoken: () => Promise<void>; sleep: (ms: number) => Promise<void> } {
  let woken = false;
  let stopped = false;
  let goOn: (() => void) | null = null;
  let endSleep: (() => void) | null = null;
  return {
    wake() {
      woken = true;
      goOn?.();
    },
    stop() {
      stopped = true;
      goOn?.();
      endSleep?.();
    },
    async untilWoken() {
      if (!woken && !stopped) await new Promise<void>((resolve) => (goOn = resolve));
      goOn = null;
      woken = false;
    },
    async sleep(ms) {
      if (stopped || ms <= 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        endSleep = () => (clearTimeout(timer), resolve());
      });
      endSleep = null;
    },
  };
}
