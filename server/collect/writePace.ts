import { draftBytes } from './visitDraft';
import type { VisitorEntry } from './visitorCache';

/**
 * Limits how often a visit is written. A row is always written completely, so writing it with every hit would cost the square of its size. Small rows are
 * written at once under low load; a larger one is delayed until its average rate is below `bytesPerSecond`.
 */
const freeBytes = 4096;
const bytesPerSecond = 1024;
const longestWaitMs = 60_000;
/**
 * Under load, all rows that were written before share this many bytes per second (of drafts; a row has about a third of them), so that the work per second does
 * not grow with the length of visits. New visits are written at once.
 */
const againBytesPerSecond = 6 * 1024 * 1024;

/** Whether a visitor's unwritten data may be written at `at` (epoch ms). */
function isDue({ draft, writtenAt }: VisitorEntry, at: number): boolean {
  const waitMs = draft === null ? 0 : ((draftBytes(draft) - freeBytes) / bytesPerSecond) * 1000;
  return at - writtenAt >= Math.min(longestWaitMs, waitMs);
}
const mustNotWait = ({ draft, unwritten, writtenAt }: VisitorEntry, at: number): boolean =>
  draft === null || unwritten === null || unwritten.urgent || writtenAt === 0 || at < writtenAt || at - writtenAt >= longestWaitMs;

export type WritePace = {
  /**
   * Chooses entries of `waiting` (the longest waiting first) to write at `at` (epoch ms). Of those that may wait, it includes as many as needed for the rest to
   * have at most `mostBytes`.
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
