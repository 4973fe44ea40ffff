import type { RunCounters } from '../counters';
import { hostOf } from './crawlState';
import type { CrawlState } from './crawlState';
import type { Batch, LentBatch } from './protocol';
import type { RobotsFiles } from './robotsFiles';

/** A batch is written when it is this old, or has this many items or bytes. */
const batchLimits = { ms: 250, items: 500, bytes: 4 * 2 ** 20 } as const;
/** The age while people use the console: to write a batch costs the stores as much as a dozen of its pages. */
const msInUse = 1000;
/** Requests wait while more than this is not written. Pages that are not written are requested again if the process is killed. */
const mostUnwritten = { items: 4000, pages: 150, bytes: 24 * 2 ** 20 } as const;
export type CrawlHost = {
  /** Resolves when the batch is written. */
  readonly write: (batch: Batch) => Promise<void>;
  /** A stored body of the base run, compressed. */
  readonly body: (sha: string) => Promise<Buffer | null>;
  /** Passes a batch on to the worker whose offer has this id. */
  readonly lend?: (id: string, batch: LentBatch) => void;
  readonly recall?: (ids: readonly string[]) => void;
  readonly now: () => number;
  readonly random: () => number;
};

/** A copy of the counters, and the milliseconds of crawling so far. */
export type CrawlProgress = { readonly counters: RunCounters; readonly activeMs: number };

/** How gently the hosts with the most requests are treated. */
export function busiestHosts({ governor }: CrawlState, robots: RobotsFiles): RunCounters['hosts'] {
  const closed = new Set([...robots.all()].filter(([, { kind }]) => kind === 'closed').map(([origin]) => hostOf(`${origin}/`)));
  return governor.busiest(20).map((host) => {
    const { limit, active, delayMs, averageMs } = governor.state(host);
    return { host, limit: Math.floor(limit), active, delayMs: Math.round(delayMs), averageMs: Math.round(averageMs), closed: closed.has(host) };
  });
}

/** Writes batches one after the other. */
export function createJournal(state: CrawlState, host: CrawlHost, progress: () => CrawlProgress, onWritten: () => void) {
  let writing: Promise<void> | null = null;
  let number = 0;
  let writtenAt = -Infinity;
  const nothing = { items: 0, pages: 0, bytes: 0 };
  let unwritten = nothing;

  function write(): void {
    if (writing !== null) return;
    const rows = state.families.takeChanged();
    const { counters, activeMs } = progress();
    unwritten = { items: state.batch.items(), pages: state.batch.pages(), bytes: state.batch.bytes() };
    number += 1;
    writtenAt = state.now();
    const batch = state.batch.take(number, rows, { ...counters, pace: state.spacing.holding(writtenAt) }, activeMs);
    writing = host.write(batch).then(() => {
      writing = null;
      unwritten = nothing;
      if (isLarge()) write();
      onWritten();
    });
    // What cannot be written ends the process: the journal has what was written before.
    writing.catch((error: unknown) => {
      throw error;
    });
  }
  const isLarge = (): boolean => state.batch.items() >= batchLimits.items || state.batch.bytes() >= batchLimits.bytes;
  const interval = setInterval(() => {
    if (!state.batch.isEmpty() && (!state.spacing.isSet() || state.now() - writtenAt >= msInUse)) write();
  }, batchLimits.ms);

  return {
    /** Whether requests have to wait for the journal. */
    isFull(): boolean {
      if (isLarge()) write();
      const { batch } = state;
      return (
        unwritten.items + batch.items() > mostUnwritten.items ||
        unwritten.pages + batch.pages() > mostUnwritten.pages ||
        unwritten.bytes + batch.bytes() > mostUnwritten.bytes
      );
    },
    async close(): Promise<void> {
      clearInterval(interval);
      while (writing !== null) await writing;
      write();
      while (writing !== null) await (writing as Promise<void>);
    },
  };
}
