import { type Day } from '@contract/days';

export { addDays, addMonths, dayCount, isDay, monthStart, weekStart, type Day, type DayRange } from '@contract/days';

/** Today's date in the site's time zone, whatever the reader's clock shows. */
export const todayIn = (timeZone: string, now: number): Day => {
  // The sv-SE locale writes ISO dates; an unknown zone must not break the page.
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);
  } catch {
    return new Date(now).toISOString().slice(0, 10);
  }
};
