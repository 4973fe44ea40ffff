import type { HitRow } from './row';

/** A request is at most this late, in ms. A larger difference means that the sender's clock was set. */
const latestMs = 60_000;

/**
 * Keeps hits in the order in which their browser made them. The time of a hit is that of its receipt minus its age, and so includes the time that the request
 * took: a page whose request was slow would come after the page that was opened next. Such a later hit is moved behind the one that was received before it.
 * `sentAt`: the sender's clock at the request (epoch ms); without it, nothing is moved.
 *
 * The last hits of the latest `most` visitors are remembered; for others, and when requests reach several processes, times stay as they are.
 */
export function createHitOrder(most = 20_000): (rows: readonly HitRow[], sentAt: number | null) => readonly HitRow[] {
  /** By visitor: when the latest hit was created by its browser's clock, and its time. The first entry is the least recent. */
  const latest = new Map<string, { readonly createdAt: number; readonly at: number }>();

  return (rows, sentAt) => {
    if (sentAt === null) return rows;
    const creationOf = (row: HitRow): number => sentAt - (row.received_at - row.at);
    return rows
      .toSorted((a, b) => a.at - b.at)
      .map((row) => {
        const createdAt = creationOf(row);
        const before = latest.get(row.visitor_id);
        if (before && createdAt < before.createdAt) return row;
        const moves = before !== undefined && row.at <= before.at && before.at - row.at < latestMs && createdAt > before.createdAt;
        const at = moves ? before.at + 1 : row.at;
        latest.delete(row.visitor_id);
        latest.set(row.visitor_id, { createdAt, at });
        if (latest.size > most) for (const oldest of latest.keys()) if (latest.size > most) latest.delete(oldest);
        return moves ? { ...row, at } : row;
      });
  };
}
