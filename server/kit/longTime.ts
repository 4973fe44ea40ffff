import type { Locale } from '../http/access';

/** A moment as notices name it, such as “26 November 2026 at 18:00” in the reader's language. */
export const longTime = (at: Date, locale: Locale, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' }).format(at);
