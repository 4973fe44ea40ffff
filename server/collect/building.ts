import type { Context } from '../context';
import { createAnnouncer } from './announce';
import { createBuilder } from './builder';
import { shardOf, takeLeases } from './leases';
import { dropQueued, handOver, isWaiting, queueChannel, takeQueued } from './queue';
import { rebuildVisits } from './rebuild';
import type { RebuiltSite } from './rebuild';
import type { HitRow } from './row';
import { eraseDerived, eraseReplaced, finishTask, openTasks, tasksChannel } from './visitTasks';
import type { VisitTask } from './visitTasks';

export type Building = {
  /** Builds the visits of stored hits here, or leaves them to the process that holds their shard. */
  readonly build: (hits: readonly HitRow[]) => Promise<void>;
  /** Resolves when everything that was left to others before the call has been built. */
  readonly caughtUp: () => Promise<void>;
  readonly rebuild: (siteId: string) => Promise<RebuiltSite>;
  readonly shards: () => number;
  readonly close: () => Promise<void>;
};

const pollMs = 1000;

/** One builder a process, for the shards it holds, with one thing done at a time. */
export async function startBuilding(ctx: Context): Promise<Building> {
  const { clickhouse, postgres, log } = ctx;
  const builder = createBuilder(clickhouse);
  const announcer = createAnnouncer(ctx.live, ctx.now);
  let closed = false;
  let lastHandedOver = 0;
  let polling: Promise<void> | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Work on visits waits for the work before it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  // Another process may have built visits of these sites since we last knew them.
  const leases = await takeLeases(postgres, log, (gained) => builder.forget((siteId) => gained.has(shardOf(siteId))));
  const stopListening = await postgres.listen(queueChannel, poll);
  const stopTasks = await postgres.listen(tasksChannel, poll);
  const timer = setInterval(poll, pollMs);
  timer.unref();

  function poll(): void {
    if (closed || polling !== null) return;
    polling = takeOver()
      .catch((error: unknown) => log.warn('visits left by another process could not be built; they wait', { error }))
      .finally(() => (polling = null));
  }

  async function takeOver(): Promise<void> {
    while (!closed) {
      for (const task of await openTasks(postgres, leases.held())) await inTurn(() => doTask(task));
      const waiting = await takeQueued(postgres, leases.held());
      if (waiting.length === 0) return;
      await inTurn(() => apply(waiting.flatMap((one) => one.hits)));
      await dropQueued(
        postgres,
        waiting.map((one) => one.id),
      );
    }
  }

  /** May be done twice (a crash before it is marked); that changes nothing. */
  async function doTask({ id, siteId, visitors }: VisitTask): Promise<void> {
    builder.forget((one) => one === siteId);
    if (visitors === null) {
      const version = Date.now() * 1000;
      await rebuildVisits(clickhouse, siteId);
      await eraseReplaced(clickhouse, siteId, version);
    } else await eraseDerived(clickhouse, siteId, visitors);
    await finishTask(postgres, id);
    announcer.add(siteId, []);
  }

  async function apply(hits: readonly HitRow[]): Promise<void> {
    const bySite = new Map<string, string[]>();
    for (const visit of await builder.apply(hits)) {
      const ids = bySite.get(visit.site_id);
      if (ids === undefined) bySite.set(visit.site_id, [visit.visit_id]);
      else ids.push(visit.visit_id);
    }
    for (const [siteId, ids] of bySite) announcer.add(siteId, ids);
  }

  return {
    build: (hits) =>
      inTurn(async () => {
        const held = leases.held();
        const ours = hits.filter((hit) => held.has(shardOf(hit.site_id)));
        const theirs = hits.filter((hit) => !held.has(shardOf(hit.site_id)));
        if (ours.length > 0) await apply(ours);
        if (theirs.length > 0) lastHandedOver = await handOver(postgres, theirs);
      }),

    async caughtUp() {
      const upTo = lastHandedOver;
      while (!closed && upTo > 0 && (await isWaiting(postgres, upTo))) {
        poll();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },

    rebuild: (siteId) =>
      inTurn(async () => {
        builder.forget((one) => one === siteId);
        return rebuildVisits(clickhouse, siteId);
      }),

    shards: () => leases.held().size,

    async close() {
      closed = true;
      clearInterval(timer);
      await stopListening();
      await stopTasks();
      await polling;
      await turn;
      announcer.close();
      await leases.close();
    },
  };
}
