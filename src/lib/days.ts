/** A day of the site's calendar, `2026-11-20`. Plain text: days have no zone and no daylight saving time. */
export type Day = string;
const dayMs = 86_400_000;
const toMs = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

/** Whether it is a real calendar day: `2026-02-30` is not. */
export const isDay = (text: string): text is Day => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(toMs(text)) && toDay(toMs(text)) === text;
export const addDays = (day: Day, count: number): Day => toDay(toMs(day) + count * dayMs);
/** Days in the range, including both ends. */
export const dayCount = (range: { readonly from: Day; readonly to: Day }): number => Math.round((toMs(range.to) - toMs(range.from)) / dayMs) + 1;

/** Adds months and keeps the day of the month, or uses the last one: 31 January + 1 is the end of February. */
export const addMonths = (day: Day, count: number): Day => {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - 1 + count + 1, 0)).getUTCDate();
  return toDay(Date.UTC(year, month - 1 + count, Math.min(date, lastDate)));
};

/** Today's date in the site's time zone, whatever the reader's clock shows. */
export const todayIn = (timeZone: string, now: number): Day => {
  // The sv-SE locale writes ISO dates; an unknown zone must not break the page.
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);
  } catch {
    return toDay(now);
  }
};
