import type { Log } from '../log';
import { isBefore } from './checkpoint';
import type { Position } from './checkpoint';
import type { DrainMarks } from './drainMarks';
import type { Journal } from './journal';
import type { Retry } from './retry';

export type DrainCheckpoint = {
  /** Notes that everything before a place is being built, under a number of the builder. */
  readonly add: (number: number, to: Position) => void;
  /** Moves the checkpoint behind everything whose visits are written; false when the drain is to stop. */
  readonly release: () => Promise<boolean>;
  /** The same for the last time: nothing is tried again. */
  readonly lastRelease: () => Promise<void>;
};

/** `settledBelow`: visits of everything before this number are written. */
export function createDrainCheckpoint(
  journal: Pick<Journal, 'release'>,
  marks: DrainMarks,
  settledBelow: () => number,
  retry: Pick<Retry, 'insist'>,
  log: Log,
): DrainCheckpoint {
  /** Places that are being built, with the number under which the builder has what lies before them. */
  const pending: { readonly number: number; readonly to: Position }[] = [];
  let written: { readonly drained: Position; readonly inserted: Position } = { drained: marks.at('drained'), inserted: marks.at('inserted') };

  return {
    add: (number, to) => void pending.push({ number, to }),
    async release() {
      const below = settledBelow();
      let to = marks.at('drained');
      while (pending.length > 0 && (pending[0] as { number: number }).number < below) to = (pending.shift() as { to: Position }).to;
      const inserted = isBefore(marks.at('inserted'), to) ? to : marks.at('inserted');
      if (isBefore(written.drained, to) || isBefore(written.inserted, inserted)) {
        if (!(await retry.insist('the checkpoint could not be written', () => journal.release(to, inserted)))) return false;
        written = { drained: to, inserted };
      }
      marks.reach('drained', to);
      return true;
    },
    async lastRelease() {
      const below = settledBelow();
      const open = pending.findIndex(({ number }) => number >= below);
      const settledTo = (open === -1 ? pending.at(-1) : pending[open - 1])?.to ?? marks.at('drained');
      await journal
        .release(settledTo, isBefore(marks.at('inserted'), settledTo) ? settledTo : marks.at('inserted'))
        .catch((error: unknown) => log.info('the last checkpoint was not written; hits are worked in again', { error }));
    },
  };
}
