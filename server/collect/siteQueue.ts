import { hitBytes } from './row';
import type { HitRow } from './row';

/** Hits that are worked on together, a stretch of each site's queue. */
export type Turn = { readonly hits: readonly HitRow[]; readonly tickets: ReadonlyMap<number, number> };

export type SiteQueue = {
  /** Puts hits at the end of their sites' queues. Answers a number that grows with every call, told by `finishedBelow`. */
  readonly push: (hits: readonly HitRow[]) => number;
  /** The next hits, of as many sites as wait, at most about `bytes`; null when nothing waits. They stay counted until `finish`. */
  readonly next: (bytes: number) => Turn | null;
  /** The hits of a turn have been worked in. */
  readonly finish: (turn: Turn) => void;
  /** Every push before this number is finished as a whole; infinite when nothing waits. */
  readonly finishedBelow: () => number;
  /** Bytes that wait or are being worked on. */
  readonly bytes: () => number;
};

/** Bytes of one site before it is the next one's turn. */
const sliceBytes = 64 * 1024;

type Waiting = { readonly hit: HitRow; readonly ticket: number };

/**
 * Hits on their way into visits, queued by site and taken in turn, so that one site's flood does not keep the others waiting. The hits of a site keep
 * their order.
 */
export function createSiteQueue(): SiteQueue {
  /** In the order in which the sites come to their turn. */
  const sites = new Map<string, { hits: Waiting[]; at: number }>();
  const unfinished = new Map<number, number>();
  let tickets = 0;
  let bytes = 0;

  function takeSlice(siteId: string, queue: { hits: Waiting[]; at: number }, into: HitRow[], counts: Map<number, number>): number {
    let takenBytes = 0;
    while (queue.at < queue.hits.length && takenBytes < sliceBytes) {
      const { hit, ticket } = queue.hits[queue.at] as Waiting;
      queue.at += 1;
      into.push(hit);
      counts.set(ticket, (counts.get(ticket) ?? 0) + 1);
      takenBytes += hitBytes(hit);
    }
    // To the end of the line, or out of it.
    sites.delete(siteId);
    if (queue.at < queue.hits.length) sites.set(siteId, queue.at > 1000 ? { hits: queue.hits.slice(queue.at), at: 0 } : queue);
    return takenBytes;
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
