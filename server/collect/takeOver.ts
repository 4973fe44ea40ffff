import type { Log } from '../log';
import type { Postgres } from '../stores/postgres/types';
import type { BuildProgress } from './buildProgress';
import { queueChannel, takeQueued } from './queue';
import type { SiteQueue } from './siteQueue';
import { openTasks, tasksChannel } from './visitTasks';
import type { VisitTask } from './visitTasks';

export type TakeOver = { readonly poll: () => void; /** Begins nothing more and waits for what has begun. */ readonly close: () => Promise<void> };

type TakeOverParts = {
  readonly postgres: Postgres;
  readonly log: Log;
  readonly held: () => ReadonlySet<number>;
  readonly queue: SiteQueue;
  readonly progress: BuildProgress;
  readonly doTask: (task: VisitTask) => Promise<void>;
  /** Bytes in the queue beyond which nothing more is taken. */
  readonly mostQueuedBytes: number;
  /** Hits have been put into the queue. */
  readonly onTakeOver: () => void;
};

const pollMs = 1000;

/** Takes tasks and hits that other processes have left for the shards of this one: when they say so, and once a second. */
export async function startTakeOver(parts: TakeOverParts): Promise<TakeOver> {
  const { postgres, log, held, queue, progress } = parts;
  let closed = false;
  let polling: Promise<void> | null = null;

  async function takeAll(): Promise<void> {
    for (const task of await openTasks(postgres, held())) await parts.doTask(task);
    while (!closed && queue.bytes() < parts.mostQueuedBytes) {
      const waiting = await takeQueued(postgres, held(), progress.assignedIds());
      for (const { id, hits } of waiting) progress.assign(queue.push(hits), [id]);
      if (waiting.length === 0) return;
      parts.onTakeOver();
    }
  }

  function poll(): void {
    if (closed || polling !== null) return;
    polling = takeAll()
      .catch((error: unknown) => log.warn('visits left by another process could not be built; they wait', { error }))
      .finally(() => (polling = null));
  }

  const stopListening = await postgres.listen(queueChannel, poll);
  const stopTasks = await postgres.listen(tasksChannel, poll);
  const timer = setInterval(poll, pollMs);
  timer.unref();

  return {
    poll,
    async close() {
      closed = true;
      clearInterval(timer);
      await stopListening();
      await stopTasks();
      await polling;
    },
  };
}
