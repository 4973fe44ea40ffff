import type { StoredSupportSettings } from '../../../contract/support/settings';
import { addDays, dayAt, MINUTE } from '../../zone';
import { openingsOn } from './availability';

export type Target = Pick<StoredSupportSettings, 'hours' | 'replyMinutes'>;
/** Days through which openings are looked for: the longest time to answer (a day) of a site that opens for half an hour a week. */
const farthest = 400;

/** Whether every minute counts, as on sites that are always open. */
const isWholeTime = ({ hours }: Target): boolean => hours.always && hours.holidays.length === 0;
const neverOpens = ({ hours }: Target): boolean => !hours.always && hours.week.length === 0;

/**
 * When a visitor who waits since an instant should have an answer, epoch ms: once the site has been open for the time to answer. null: it does not open for
 * that long.
 */
export function answerDueAt(target: Target, since: number): number | null {
  const { hours, replyMinutes } = target;
  let missing = replyMinutes * MINUTE;
  if (isWholeTime(target)) return since + missing;
  if (neverOpens(target)) return null;
  let day = dayAt(since, hours.timeZone);
  for (let n = 0; n < farthest; n++, day = addDays(day, 1))
    for (const span of openingsOn(hours, day)) {
      const from = Math.max(span.from, since);
      if (span.to <= from) continue;
      if (missing <= span.to - from) return from + missing;
      missing -= span.to - from;
    }
  return null;
}

/** The reverse: visitors who have waited since this instant or longer are overdue now. null: nobody can be. */
export function overdueSince(target: Target, now: number): number | null {
  const { hours, replyMinutes } = target;
  let missing = replyMinutes * MINUTE;
  if (isWholeTime(target)) return now - missing;
  if (neverOpens(target)) return null;
  let day = dayAt(now, hours.timeZone);
  for (let n = 0; n < farthest; n++, day = addDays(day, -1))
    for (const span of openingsOn(hours, day).toReversed()) {
      const to = Math.min(span.to, now);
      if (to <= span.from) continue;
      if (missing <= to - span.from) return to - missing;
      missing -= to - span.from;
    }
  return null;
}
