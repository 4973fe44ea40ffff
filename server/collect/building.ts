import type { Context } from '../context';
import { createBuildProgress } from './buildProgress';
import { createPause } from './pause';
import { dropQueued, isWaiting } from './queue';
import type { RebuiltSite } from './rebuild';
import { createRetry } from './retry';
import type { HitRow } from './row';
import { openShardVisits } from './shardVisits';
import type { ShardVisitsOptions } from './shardVisits';
import { createSiteQueue } from './siteQueue';
import { startTakeOver } from './takeOver';

export type Building = {
  /**
   * Takes stored hits, to build their visits here or to leave them to the process that holds their shard. Resolves when there is room, with a number
   * that grows from call to call.
   */
  readonly add: (hits: readonly HitRow[]) => Promise<number>;
  /** Visits of everything that was added before this number are written or left to others; infinite when nothing waits. */
  readonly settledBelow: () => number;
  /** Resolves when everything that was added before the call is settled, without the pauses between two writings of a large visit. */
  readonly flush: () => Promise<void>;
  /** Resolves when everything that was left to others before the call has been built. */
  readonly caughtUp: () => Promise<void>;
  readonly rebuild: (siteId: string) => Promise<RebuiltSite>;
  readonly shards: () => number;
  readonly stuckSince: () => number | null;
  /** Writes what it can at once and ends. */
  readonly close: () => Promise<void>;
};

export type BuildingOptions = ShardVisitsOptions & {
  /** `settledBelow` may have grown. */
  readonly onSettled: () => void;
};

/** How often visits are looked through for those that may not wait any longer. */
const writeEveryMs = 500;
/** Bytes of hits in memory on their way into visits; then the journal waits. */
const mostQueuedBytes = 16 * 1024 * 1024;
/** Bytes worked on at a time; half a second, so that sites take turns. */
const turnBytes = 4 * 1024 * 1024;
/** How often to check whether other processes have built the hits left to them. */
const catchUpMs = 50;

/** One builder a process, for the shards it holds. */
export async function startBuilding(ctx: Context, { onSettled, ...options }: BuildingOptions): Promise<Building> {
  const { postgres, log } = ctx;
  const queue = createSiteQueue();
  const retry = createRetry(log);
  const pause = createPause();
  const flushes = createSignal();
  const queueSpace = createSignal();
  let turnNumber = 0;
  let closed = false;
  let flushing = false;

  const visits = await openShardVisits(ctx, options, async () => {
    await progress.dropSettled((ids) => dropQueued(postgres, ids));
    onSettled();
  });
  const progress = createBuildProgress(queue, visits.writtenBelow);
  const takeOver = await startTakeOver({ postgres, log, held: visits.held, queue, progress, doTask: visits.perform, mostQueuedBytes, onTakeOver: pause.wake });
  const running = run();

  async function run(): Promise<void> {
    while (!closed) {
      const next = queue.next(turnBytes);
      if (next !== null) {
        const call = (turnNumber += 1);
        if (await retry.insist('visits could not be built', () => visits.build(next.hits, call))) {
          progress.finish(next, call);
          queueSpace.give();
        }
      }
      const all = flushing && next === null;
      if (!(await retry.insist('visits could not be written', () => visits.write(all ? 'all' : 'due')))) break;
      if (next !== null) continue;
      if (all) endFlush();
      await pause.untilWoken(writeEveryMs);
    }
  }

  function endFlush(): void {
    flushing = false;
    flushes.give();
  }

  function flush(): Promise<void> {
    if (closed) return Promise.resolve();
    flushing = true;
    const flushed = flushes.wait();
    pause.wake();
    return flushed;
  }

  return {
    async add(hits) {
      while (queue.bytes() > mostQueuedBytes && !closed) await queueSpace.wait();
      const number = queue.push(hits);
      pause.wake();
      return number;
    },
    settledBelow: progress.settledBelow,
    flush,
    async caughtUp() {
      const upTo = visits.lastHandedOver();
      while (!closed && upTo > 0 && (await isWaiting(postgres, upTo))) {
        takeOver.poll();
        await flush();
        await new Promise((resolve) => setTimeout(resolve, catchUpMs));
      }
    },
    rebuild: visits.rebuild,
    shards: () => visits.held().size,
    stuckSince: retry.stuckSince,
    async close() {
      closed = true;
      retry.stop();
      pause.stop();
      queueSpace.give();
      await takeOver.close();
      await running;
      await visits.write('all').catch((error: unknown) => log.info('visits were not written at the end: the journal keeps their hits', { error }));
      endFlush();
      await visits.close();
    },
  };
}

/** Lets everybody go on who has waited for something until it is given. */
function createSignal(): { readonly wait: () => Promise<void>; readonly give: () => void } {
  const waiting: (() => void)[] = [];
  return {
    wait: () => new Promise((resolve) => void waiting.push(resolve)),
    give() {
      for (const goOn of waiting.splice(0)) goOn();
    },
  };
}
