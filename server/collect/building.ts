import type { Context } from '../context';
import { createAnnouncer } from './announce';
import { createBuilder } from './builder';
import type { WrittenVisit } from './builder';
import { shardOf, takeLeases } from './leases';
import { createPause } from './pause';
import { dropQueued, handOver, isWaiting, queueChannel, takeQueued } from './queue';
import { rebuildVisits } from './rebuild';
import type { RebuiltSite } from './rebuild';
import { createRetry } from './retry';
import type { HitRow } from './row';
import { createSiteQueue } from './siteQueue';
import type { Turn } from './siteQueue';
import { eraseDerived, eraseReplaced, finishTask, openTasks, tasksChannel } from './visitTasks';
import type { VisitTask } from './visitTasks';
import { noteBuild } from './visitBuilds';
import type { VisitRules } from './visitRules';

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

export type BuildingOptions = {
  readonly rulesOf?: (siteId: string) => VisitRules;
  /** The same, read again: all visits of a site are made by what it has decided last, whatever this process has heard of it. */
  readonly latestRulesOf?: (siteId: string) => Promise<VisitRules>;
  /** `settledBelow` may have grown. */
  readonly onSettled: () => void;
};

const pollMs = 1000;
/** How often visits are looked through for those that may not wait any longer. */
const writeEveryMs = 500;
/** Bytes of hits in memory on their way into visits; then the journal waits. */
const mostQueuedBytes = 16 * 1024 * 1024;
/** Bytes worked on at a time; half a second, so that sites take turns. */
const turnBytes = 4 * 1024 * 1024;

/** One builder a process, for the shards it holds, with one thing done at a time. */
export async function startBuilding(ctx: Context, { onSettled, ...options }: BuildingOptions): Promise<Building> {
  const { clickhouse, postgres, log } = ctx;
  const builder = createBuilder(clickhouse, options);
  const announcer = createAnnouncer(ctx.live, ctx.now);
  const queue = createSiteQueue();
  const retry = createRetry(log);
  const pause = createPause();
  /** The turn in which the last hit of a number was worked in, for those that are not written yet. */
  const finishedIn = new Map<number, number>();
  /** Hits that other processes have left to this one, by the number under which they wait here. */
  const assigned = new Map<number, number[]>();
  let turnNumber = 0;
  let lastNumber = 0;
  let closed = false;
  let flushing = false;
  let lastHandedOver = 0;
  let polling: Promise<void> | null = null;
  let roomAgain: (() => void)[] = [];
  let flushed: (() => void)[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  /** Work on visits waits for the work before it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  // Another process may have built visits of these sites since we last knew them.
  const leases = await takeLeases(postgres, log, {
    onGained: (gained) => void inTurn(async () => builder.forget((siteId) => gained.has(shardOf(siteId)))),
    // Whoever holds the shards next begins from what is stored.
    onLost: () => void inTurn(() => writeVisits('all')).catch((error: unknown) => log.warn('visits could not be written when the leases were lost', { error })),
  });
  const stopListening = await postgres.listen(queueChannel, poll);
  const stopTasks = await postgres.listen(tasksChannel, poll);
  const timer = setInterval(poll, pollMs);
  timer.unref();
  const running = run();

  async function run(): Promise<void> {
    while (!closed) {
      const next = queue.next(turnBytes);
      if (next !== null) await workIn(next);
      const all = flushing && next === null;
      if (!(await retry.insist('visits could not be written', () => inTurn(() => writeVisits(all ? 'all' : 'due'))))) break;
      if (next !== null) continue;
      if (all) endFlush();
      await pause.untilWoken(writeEveryMs);
    }
  }

  async function workIn(next: Turn): Promise<void> {
    const call = (turnNumber += 1);
    if (!(await retry.insist('visits could not be built', () => inTurn(() => build(next.hits, call))))) return;
    queue.finish(next);
    for (const number of next.tickets.keys()) finishedIn.set(number, call);
    for (const goOn of roomAgain.splice(0)) goOn();
  }

  async function build(hits: readonly HitRow[], call: number): Promise<void> {
    const held = leases.held();
    const ours = hits.filter((hit) => held.has(shardOf(hit.site_id)));
    const theirs = hits.filter((hit) => !held.has(shardOf(hit.site_id)));
    if (ours.length > 0) await builder.absorb(ours, call);
    if (theirs.length > 0) lastHandedOver = await handOver(postgres, theirs);
  }

  async function writeVisits(which: 'due' | 'all'): Promise<void> {
    announce(await builder.write(which));
    await dropSettled();
    onSettled();
  }

  function announce(visits: readonly WrittenVisit[]): void {
    const bySite = new Map<string, string[]>();
    for (const { siteId, visitId } of visits) {
      const ids = bySite.get(siteId);
      if (ids === undefined) bySite.set(siteId, [visitId]);
      else ids.push(visitId);
    }
    for (const [siteId, ids] of bySite) announcer.add(siteId, ids);
  }

  function settledBelow(): number {
    const writtenBelow = builder.writtenBelow();
    let least = queue.finishedBelow();
    for (const [number, call] of finishedIn) {
      if (number >= least) continue;
      if (call >= writtenBelow) least = Math.min(least, number);
      else finishedIn.delete(number);
    }
    return least;
  }

  function endFlush(): void {
    flushing = false;
    for (const done of flushed.splice(0)) done();
  }

  function flush(): Promise<void> {
    if (closed) return Promise.resolve();
    flushing = true;
    return new Promise((resolve) => {
      flushed.push(resolve);
      pause.wake();
    });
  }

  function poll(): void {
    if (closed || polling !== null) return;
    polling = takeOver()
      .catch((error: unknown) => log.warn('visits left by another process could not be built; they wait', { error }))
      .finally(() => (polling = null));
  }

  async function takeOver(): Promise<void> {
    for (const task of await openTasks(postgres, leases.held())) await inTurn(() => doTask(task));
    while (!closed && queue.bytes() < mostQueuedBytes) {
      const waiting = await takeQueued(postgres, leases.held(), [...assigned.values()].flat());
      for (const { id, hits } of waiting) assigned.set((lastNumber = queue.push(hits)), [id]);
      if (waiting.length === 0) return;
      pause.wake();
    }
  }

  async function dropSettled(): Promise<void> {
    if (assigned.size === 0) return;
    const below = settledBelow();
    const numbers = [...assigned.keys()].filter((number) => number < below);
    if (numbers.length === 0) return;
    await dropQueued(
      postgres,
      numbers.flatMap((number) => assigned.get(number) ?? []),
    );
    for (const number of numbers) assigned.delete(number);
  }

  /** May be done twice (a crash before it is marked); that changes nothing. */
  async function doTask({ id, siteId, visitors }: VisitTask): Promise<void> {
    await forgetSite(siteId);
    await noteBuild(clickhouse, siteId, 'site', true);
    if (visitors === null) {
      const version = Date.now() * 1000;
      await rebuildVisits(clickhouse, siteId, await options.latestRulesOf?.(siteId), version);
      await eraseReplaced(clickhouse, siteId, version);
    } else await eraseDerived(clickhouse, siteId, visitors);
    await noteBuild(clickhouse, siteId, 'site', false);
    await finishTask(postgres, id);
    announcer.add(siteId, []);
  }

  async function forgetSite(siteId: string): Promise<void> {
    announce(await builder.write('all'));
    builder.forget((one) => one === siteId);
  }

  return {
    async add(hits) {
      while (queue.bytes() > mostQueuedBytes && !closed) await new Promise<void>((resolve) => roomAgain.push(resolve));
      lastNumber = queue.push(hits);
      pause.wake();
      return lastNumber;
    },
    settledBelow,
    flush,

    async caughtUp() {
      const upTo = lastHandedOver;
      while (!closed && upTo > 0 && (await isWaiting(postgres, upTo))) {
        poll();
        await flush();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },

    rebuild: (siteId) =>
      inTurn(async () => {
        await forgetSite(siteId);
        await noteBuild(clickhouse, siteId, 'site', true);
        const rebuilt = await rebuildVisits(clickhouse, siteId, await options.latestRulesOf?.(siteId));
        await noteBuild(clickhouse, siteId, 'site', false);
        return rebuilt;
      }),

    shards: () => leases.held().size,
    stuckSince: retry.stuckSince,

    async close() {
      closed = true;
      clearInterval(timer);
      retry.stop();
      pause.stop();
      for (const goOn of roomAgain.splice(0)) goOn();
      await stopListening();
      await stopTasks();
      await polling;
      await running;
      await inTurn(() => writeVisits('all')).catch((error: unknown) => log.info('visits were not written at the end: the journal keeps their hits', { error }));
      endFlush();
      announcer.close();
      await leases.close();
    },
  };
}
