import type { HitRow } from './row';

/** A request is at most this late, in ms. A larger difference means that the sender's clock was set. */
const maxDelayMs = 60_000;

type Latest = { readonly createdAt: number; readonly at: number };

/** The time of a hit that its browser created at `createdAt`, given the latest one before it. */
function timeOf(at: number, createdAt: number, before: Latest): number {
  const isDelayed = at <= before.at && before.at - at < maxDelayMs;
  if (!isDelayed) return at;
  return createdAt === before.createdAt ? before.at : before.at + 1;
}

/**
 * Keeps hits in the order in which their browser created them. The time of a hit is that of its receipt minus its age, and so includes the time that the
 * request took: a page whose request was slow would come after the page that was opened next. Such a hit is moved after the one that was received before
 * it. `sentAt`: the sender's clock at the request (epoch ms); without it, nothing is moved.
 *
 * The last hits of the latest `most` visitors are remembered; for others, and when requests reach several processes, times stay as they are.
 */
export function createHitOrder(most = 20_000): (rows: readonly HitRow[], sentAt: number | null) => readonly HitRow[] {
  /** By visitor: when the latest hit was created by its browser's clock, and its time. The first entry is the least recent. */
  const latest = new Map<string, Latest>();

  return (rows, sentAt) => {
    if (sentAt === null) return rows;
    return rows
      .toSorted((a, b) => a.at - b.at)
      .map((row) => {
        const createdAt = sentAt - (row.received_at - row.at);
        const known = latest.get(row.visitor_id);
        // The browser's clock was ahead and has been set: its earlier hits say nothing about the order.
        const before = known && known.createdAt - createdAt <= maxDelayMs ? known : undefined;
        if (before && createdAt < before.createdAt) return row;
        const at = before ? timeOf(row.at, createdAt, before) : row.at;
        latest.delete(row.visitor_id);
        latest.set(row.visitor_id, { createdAt, at });
        if (latest.size > most) latest.delete(latest.keys().next().value as string);
        return at === row.at ? row : { ...row, at };
      });
  };
}
