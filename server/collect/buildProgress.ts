import type { SiteQueue, Turn } from './siteQueue';

export type BuildProgress = {
  /** The hits of a turn have been worked in, by this call of the builder. */
  readonly finish: (turn: Turn, call: number) => void;
  /** Hits that another process has left to this one: `ids` in its queue, waiting here under `number`. */
  readonly assign: (number: number, ids: readonly number[]) => void;
  /** Ids of everything that was left to this process and is not dropped yet. */
  readonly assignedIds: () => number[];
  /** Visits of everything that was queued before this number are written or left to others; infinite when nothing waits. */
  readonly settledBelow: () => number;
  /** Has `drop` forget the ids whose visits are written. After a failure they are dropped the next time. */
  readonly dropSettled: (drop: (ids: number[]) => Promise<void>) => Promise<void>;
};

/** How far hits have come between the queue and written visits; `writtenBelow` is the builder's. */
export function createBuildProgress(queue: Pick<SiteQueue, 'finish' | 'finishedBelow'>, writtenBelow: () => number): BuildProgress {
  /** The turn in which the last hit of a number was worked in, for those that are not written yet. */
  const finishedIn = new Map<number, number>();
  /** Hits that other processes have left to this one, by the number under which they wait here. */
  const assigned = new Map<number, readonly number[]>();

  function settledBelow(): number {
    const written = writtenBelow();
    let least = queue.finishedBelow();
    for (const [number, call] of finishedIn) {
      if (number >= least) continue;
      if (call >= written) least = Math.min(least, number);
      else finishedIn.delete(number);
    }
    return least;
  }

  return {
    settledBelow,
    finish(turn, call) {
      queue.finish(turn);
      for (const number of turn.tickets.keys()) finishedIn.set(number, call);
    },
    assign: (number, ids) => void assigned.set(number, ids),
    assignedIds: () => [...assigned.values()].flat(),
    async dropSettled(drop) {
      if (assigned.size === 0) return;
      const below = settledBelow();
      const numbers = [...assigned.keys()].filter((number) => number < below);
      if (numbers.length === 0) return;
      await drop(numbers.flatMap((number) => assigned.get(number) ?? []));
      for (const number of numbers) assigned.delete(number);
    },
  };
}
