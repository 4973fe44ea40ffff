import { draftBytes } from './visitDraft';
import type { VisitorEntry } from './visitorCache';

/**
 * How often a visit is written. A row is written whole, so writing it with every hit would cost the square of what it holds. Small rows are written at
 * once while there is little to write; a larger one waits until its bytes make no more than this many a second.
 */
const freeBytes = 4096;
const bytesPerSecond = 1024;
const longestWaitMs = 60_000;
/**
 * Under load the rows of all visitors that were written before share this many bytes a second (of drafts; a row has about a third of them), so that the work
 * of a second does not grow with the length of visits. What is new is written at once.
 */
const againBytesPerSecond = 6 * 1024 * 1024;

/** Whether what a visitor has unwritten may be written at `at` (epoch ms). */
function isDue({ draft, writtenAt }: VisitorEntry, at: number): boolean {
  const waitMs = draft === null ? 0 : ((draftBytes(draft) - freeBytes) / bytesPerSecond) * 1000;
  return at - writtenAt >= Math.min(longestWaitMs, waitMs);
}
const mustNotWait = ({ draft, unwritten, writtenAt }: VisitorEntry, at: number): boolean =>
  draft === null || unwritten === null || unwritten.urgent || writtenAt === 0 || at < writtenAt || at - writtenAt >= longestWaitMs;

export type WritePace = {
  /**
   * Those of `waiting` (the longest first) that are to be written at `at` (epoch ms). Of those that may wait, as many as are needed for the rest to hold at
   * most `mostBytes`.
   */
  readonly choose: (waiting: readonly VisitorEntry[], at: number, mostBytes: number) => VisitorEntry[];
};

export function createWritePace(): WritePace {
  let budget = againBytesPerSecond;
  let latest = 0;
  return {
    choose(waiting, at, mostBytes) {
      const earned = (againBytesPerSecond * Math.max(0, at - latest)) / 1000;
      budget = Math.min(againBytesPerSecond, Math.max(-againBytesPerSecond, budget) + earned);
      latest = at;
      const pressing = new Set<VisitorEntry>();
      let excess = -mostBytes;
      for (const entry of waiting) {
        if (mustNotWait(entry, at)) pressing.add(entry);
        else excess += entry.bytes;
      }
      return waiting.filter((entry) => {
        const isPressing = pressing.has(entry);
        if (!isPressing && excess <= 0 && !(budget > 0 && isDue(entry, at))) return false;
        if (!isPressing) excess -= entry.bytes;
        if (entry.writtenAt > 0) budget -= entry.bytes;
        return true;
      });
    },
  };
}
