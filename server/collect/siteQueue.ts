import { hitBytes } from './row';
import type { HitRow } from './row';

/** Hits processed together, from the queues of several sites. */
export type Turn = { readonly hits: readonly HitRow[]; readonly tickets: ReadonlyMap<number, number> };

export type SiteQueue = {
  /** Appends hits to their sites' queues. Returns a number that increases with every call, see `finishedBelow`. */
  readonly push: (hits: readonly HitRow[]) => number;
  /** The next hits, of all waiting sites, at most about `bytes`; null if the queue is empty. They remain counted until `finish`. */
  readonly next: (bytes: number) => Turn | null;
  /** Marks the hits of a turn as processed. */
  readonly finish: (turn: Turn) => void;
  /** Every push with a lower number is completely finished; infinite if the queue is empty. */
  readonly finishedBelow: () => number;
  /** Bytes queued or in progress. */
  readonly bytes: () => number;
};

/** Bytes taken from one site before the next site's turn. */
const sliceBytes = 64 * 1024;

type Waiting = { readonly hit: HitRow; readonly ticket: number };

/**
 * Queue of hits on their way into visits, by site and round-robin, so that a flood on one site does not delay the others. The hits of a site keep their order.
 */
export function createSiteQueue(): SiteQueue {
  /** In the order in which the sites get their turn. */
  const sites = new Map<string, { hits: Waiting[]; at: number }>();
  const unfinished = new Map<number, number>();
  let tickets = 0;
  let bytes = 0;

  function takeSlice(siteId: string, queue: { hits: Waiting[]; at: number }, into: HitRow[], counts: Map<number, number>): number {
    let batchBytes = 0;
    while (queue.at < queue.hits.length && batchBytes < sliceBytes) {
      const { hit, ticket } = queue.hits[queue.at] as Waiting;
      queue.at += 1;
      into.push(hit);
      counts.set(ticket, (counts.get(ticket) ?? 0) + 1);
      batchBytes += hitBytes(hit);
    }
    // Moves the site to the end of the queue, or removes it if it is empty.
    sites.delete(siteId);
    if (queue.at < queue.hits.length) sites.set(siteId, queue.at > 1000 ? { hits: queue.hits.slice(queue.at), at: 0 } : queue);
    return batchBytes;
  }

  return {
    push(hits) {
      const ticket = (tickets += 1);
      for (const hit of hits) {
        const queue = sites.get(hit.site_id);
        if (queue === undefined) sites.set(hit.site_id, { hits: [{ hit, ticket }], at: 0 });
        else queue.hits.push({ hit, ticket });
        bytes += hitBytes(hit);
      }
      if (hits.length > 0) unfinished.set(ticket, hits.length);
      return ticket;
    },
    next(most) {
      const hits: HitRow[] = [];
      const counts = new Map<number, number>();
      let turnBytes = 0;
      while (sites.size > 0 && turnBytes < most) {
        const [siteId, queue] = sites.entries().next().value as [string, { hits: Waiting[]; at: number }];
        turnBytes += takeSlice(siteId, queue, hits, counts);
      }
      return hits.length === 0 ? null : { hits, tickets: counts };
    },
    finish(turn) {
      for (const [ticket, count] of turn.tickets) {
        const remaining = (unfinished.get(ticket) ?? 0) - count;
        if (remaining > 0) unfinished.set(ticket, remaining);
        else unfinished.delete(ticket);
      }
      for (const hit of turn.hits) bytes -= hitBytes(hit);
    },
    finishedBelow: () => (unfinished.size === 0 ? Number.POSITIVE_INFINITY : Math.min(...unfinished.keys())),
    bytes: () => bytes,
  };
}
