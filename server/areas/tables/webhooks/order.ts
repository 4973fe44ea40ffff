/** Number of failures after which newer deliveries may overtake. */
export const holdsBack = 4;

/** A waiting delivery. */
export type Waiting = {
  readonly id: number;
  readonly recordIds: readonly string[];
  readonly nextAt: Date | null;
  /** In the future while a process is sending it. */ readonly leaseUntil: Date | null;
};

/**
 * Chooses the deliveries of a webhook to send now, from all that may block others and all that are due, oldest first: at most `room`, with at most
 * `most` in progress at once, and none about a record for which an older one is waiting or in progress.
 */
export function chooseDue(window: readonly Waiting[], now: Date, capacity: number, most: number): number[] {
  const isTaken = ({ leaseUntil }: Waiting): boolean => leaseUntil !== null && leaseUntil > now;
  let left = Math.min(capacity, most - window.filter(isTaken).length);
  const held = new Set<string>();
  const chosen: number[] = [];
  for (const row of window) {
    const due = row.nextAt !== null && row.nextAt <= now && !isTaken(row);
    if (due && left > 0 && !row.recordIds.some((id) => held.has(id))) {
      chosen.push(row.id);
      left--;
    }
    for (const id of row.recordIds) held.add(id);
  }
  return chosen;
}
