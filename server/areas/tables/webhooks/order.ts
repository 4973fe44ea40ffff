/** Failures after which what is newer may go first. */
export const holdsBack = 4;

/** A delivery that waits. */
export type Waiting = {
  readonly id: number;
  readonly recordIds: readonly string[];
  readonly nextAt: Date | null;
  /** While it is in the future, somebody is sending it. */ readonly leaseUntil: Date | null;
};

/**
 * Which deliveries of a webhook are sent now, of all that can hold something back and all that are due, the oldest first: at most `room`, with at most `most`
 * under way at once, and none about a record of which something older waits or is under way.
 */
export function chooseDue(window: readonly Waiting[], now: Date, room: number, most: number): number[] {
  const isTaken = ({ leaseUntil }: Waiting): boolean => leaseUntil !== null && leaseUntil > now;
  let left = Math.min(room, most - window.filter(isTaken).length);
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
