import type { Context } from '../context';
import { startFlush } from './flush';
import type { Flush } from './flush';

export type Batch<T> = Flush & {
  /** Whether rows are dropped at present. */
  readonly isFull: () => boolean;
  readonly add: (row: T) => void;
};

/** Rows that are not stored yet; beyond it none are added, so that a flood, or a store that is away, fills no memory. */
const mostUnstored = 20_000;

/** Rows that are stored together from time to time, so that no request waits for it. `failure`: what the log says about rows that could not be stored. */
export function openBatch<T>(ctx: Pick<Context, 'log'>, store: (rows: readonly T[]) => Promise<void>, failure: string): Batch<T> {
  let waiting: T[] = [];
  /** Those that wait, and those that are being stored. */
  let unstored = 0;

  async function storeWaiting(): Promise<void> {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    try {
      await store(rows);
    } catch (error) {
      ctx.log.warn(failure, { requests: rows.length, error });
    }
    unstored -= rows.length;
  }
  return {
    isFull: () => unstored >= mostUnstored,
    add(row) {
      if (unstored >= mostUnstored) return;
      unstored += 1;
      waiting.push(row);
    },
    ...startFlush(storeWaiting),
  };
}
