import { Cron } from 'croner';
import type { Context } from '../../../context';
import { failField } from '../../../http/failure';
import { DAY, MINUTE } from '../../../zone';
import { enqueueRun } from '../engine';
import * as queries from './queries';

/** Shortest time between two scheduled runs. */
const shortest = 15 * MINUTE;
const batch = 20;

const cronOf = (expression: string, timeZone: string): Cron => new Cron(expression, { timezone: timeZone, paused: true, mode: '5-part' });

/** The first time after an instant that a schedule names; null: none, or not scheduled. */
export const nextTime = (schedule: string | null, timeZone: string, after: number): Date | null =>
  schedule === null ? null : cronOf(schedule, timeZone).nextRun(new Date(after));

/** Refuses what is no cron expression of five fields, never comes, or comes more often than every quarter of an hour. */
export function checkSchedule(schedule: string | null, timeZone: string, now: number): void {
  if (schedule === null) return;
  let cron: Cron;
  try {
    cron = cronOf(schedule, timeZone);
  } catch {
    return failField('schedule', 'pattern');
  }
  const first = cron.nextRun(new Date(now));
  if (first === null) return failField('schedule', 'pattern');
  // Every day on which it comes has the same times, so the gaps of one day are all there are, and the one to the next day.
  for (let before = first, next = cron.nextRun(first); next !== null && before.getTime() < first.getTime() + DAY; before = next, next = cron.nextRun(next))
    if (next.getTime() - before.getTime() < shortest) failField('schedule', 'out_of_range');
}

/**
 * Starts the runs whose time has come. The next time is computed from the present one, so that a time that was missed, however long ago, leads to one run. A
 * crawler that is still running is skipped until its next time.
 */
export async function startDueRuns(ctx: Context): Promise<void> {
  for (;;) {
    const now = ctx.now();
    const started = await ctx.postgres.db.transaction(async (tx) => {
      const due = await queries.dueCrawlers(tx, new Date(now), batch);
      const free: string[] = [];
      for (const crawler of due) {
        await queries.setNext(tx, crawler.id, nextOf(crawler, now));
        if ((await queries.openRun(tx, crawler.id)) === null) free.push(crawler.id);
      }
      return { due: due.length, free };
    });
    for (const id of started.free)
      await enqueueRun(ctx, id, { trigger: 'schedule', who: null }).catch((error: unknown) =>
        ctx.log.warn('A scheduled run of a crawler could not be started', { crawlerId: id, error }),
      );
    if (started.due < batch) return;
  }
}

function nextOf({ schedule, timeZone }: queries.CrawlerRecord, now: number): Date | null {
  try {
    return nextTime(schedule, timeZone, now);
  } catch {
    // A time zone or an expression that a newer release no longer accepts.
    return null;
  }
}
