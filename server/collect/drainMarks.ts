import { isBefore } from './checkpoint';
import type { Position } from './checkpoint';

/** How far the drain has come: stored in `hits`, on its way into visits, in visits. */
export type Mark = 'inserted' | 'added' | 'drained';

export type DrainMarks = {
  readonly at: (mark: Mark) => Position;
  /** Moves a mark, never back, and lets those go on who have waited for it. */
  readonly reach: (mark: Mark, position: Position) => void;
  /** Resolves when a mark is at a place or behind it; rejects when the drain stops first. */
  readonly reached: (mark: Mark, upTo: Position) => Promise<void>;
  /** Whether somebody waits for hits to be stored or added. */
  readonly isAwaited: () => boolean;
  /** Whoever asks from now on is refused. */
  readonly stop: () => void;
  /** Refuses those who still wait. */
  readonly rejectAll: () => void;
};

type Waiter = { readonly upTo: Position; readonly resolve: () => void; readonly reject: (error: Error) => void };

/** `onWaiting`: somebody waits now, so nothing should be put off. */
export function createDrainMarks(start: Readonly<Record<Mark, Position>>, onWaiting: () => void): DrainMarks {
  const at: Record<Mark, Position> = { ...start };
  const waiting: Record<Mark, Waiter[]> = { inserted: [], added: [], drained: [] };
  let stopped = false;

  function reach(mark: Mark, position: Position): void {
    if (isBefore(at[mark], position)) at[mark] = position;
    const rest: Waiter[] = [];
    for (const waiter of waiting[mark]) {
      if (isBefore(at[mark], waiter.upTo)) rest.push(waiter);
      else waiter.resolve();
    }
    waiting[mark] = rest;
  }

  return {
    at: (mark) => at[mark],
    reach,
    reached: (mark, upTo) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new Error('the collector has stopped'));
        waiting[mark].push({ upTo, resolve, reject });
        reach(mark, at[mark]);
        onWaiting();
      }),
    isAwaited: () => waiting.inserted.length + waiting.added.length > 0,
    stop: () => void (stopped = true),
    rejectAll() {
      for (const waiter of [...waiting.inserted, ...waiting.added, ...waiting.drained]) waiter.reject(new Error('the collector has stopped'));
    },
  };
}
