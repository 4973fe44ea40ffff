import { addDays, addMonths } from '../days';
import type { Day } from '../days';
import { isNumbered } from './states';
import type { FilingState } from './states';
import { filingLimits } from './terms';
import type { DeadlineKind, FilingKind } from './terms';

/** What has to be done about the filings of a site, and when people are reminded. Days are those of the site. */

export type DatedFiling = {
  readonly id: string;
  readonly kind: FilingKind;
  readonly state: FilingState;
  /** When the site opened to the public. */
  readonly openedOn: Day | null;
  readonly approvedOn: Day | null;
  readonly comparedOn: Day | null;
  /** Instead of a year after the last comparison. */
  readonly nextReviewOn: Day | null;
  /** The day on which the code of the short message expires. */
  readonly smsOn: Day | null;
  /** Of the subject or of a person. */
  readonly certificateExpires: Day | null;
  /** When the first of its domains expires. */
  readonly domainExpires: Day | null;
  /** Since when data differ from what was filed; null: they do not. */
  readonly dataChangedOn: Day | null;
  /** Since when checks find that pages do not show its number as they have to; null: they do, or nobody looked. */
  readonly footerMissingSince: Day | null;
};

export type Deadline = { readonly filing: string; readonly kind: DeadlineKind; readonly on: Day; readonly overdue: boolean };

/** Days before a deadline on which people are reminded; on the day itself, and when it has passed, always once more. */
export const reminderDays: Readonly<Record<DeadlineKind, readonly number[]>> = {
  sms_code: [1],
  // Day 20 and 27 after the opening.
  mps_filing: filingLimits.mpsReminders.map((day) => filingLimits.mpsDays - day),
  certificate_expiry: filingLimits.expiryReminders,
  domain_expiry: filingLimits.expiryReminders,
  changed_data: [15, 5],
  yearly_review: [30, 7],
  footer_missing: [],
};

const latest = (...days: readonly (Day | null)[]): Day | null =>
  days.reduce<Day | null>((last, day) => (day !== null && (last === null || day > last) ? day : last), null);

/** Deadlines of one filing that follow from its own data. Cancelled filings have none. */
function ofFiling(filing: DatedFiling): readonly (readonly [DeadlineKind, Day])[] {
  if (filing.state === 'cancelled') return [];
  const reviewed = latest(filing.approvedOn, filing.comparedOn);
  const review = filing.nextReviewOn ?? (reviewed === null ? null : addMonths(reviewed, 12));
  const opened = filing.kind === 'mps' && !isNumbered(filing.state) && filing.state !== 'bureau_review' ? filing.openedOn : null;
  const rows: readonly (readonly [DeadlineKind, Day | null])[] = [
    ['sms_code', filing.state === 'sms_check' ? filing.smsOn : null],
    ['mps_filing', opened === null ? null : addDays(opened, filingLimits.mpsDays)],
    ['certificate_expiry', filing.certificateExpires],
    ['domain_expiry', filing.domainExpires],
    ['changed_data', filing.dataChangedOn === null ? null : addDays(filing.dataChangedOn, filingLimits.changedDays)],
    ['yearly_review', isNumbered(filing.state) ? review : null],
    ['footer_missing', isNumbered(filing.state) ? filing.footerMissingSince : null],
  ];
  return rows.flatMap(([kind, on]) => (on === null ? [] : [[kind, on] as const]));
}

/**
 * All deadlines of a site, the nearest first. A site with an approved ICP filing that opened and has no filing with public security yet gets that deadline at its ICP filing.
 */
export function deadlinesOf(filings: readonly DatedFiling[], today: Day): Deadline[] {
  const knowsPolice = filings.some(({ kind, state }) => kind === 'mps' && state !== 'cancelled');
  const rows = filings.flatMap((filing) => {
    const own = ofFiling(filing);
    const isMissing = !knowsPolice && filing.kind === 'icp' && isNumbered(filing.state) && filing.openedOn !== null;
    const all = isMissing ? [...own, ['mps_filing', addDays(filing.openedOn ?? today, filingLimits.mpsDays)] as const] : own;
    return all.map(([kind, on]) => ({ filing: filing.id, kind, on, overdue: on < today }));
  });
  return rows.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0));
}

/**
 * The reminder that is due: days before the deadline, 0 for the day itself, -1 once it has passed; null: none yet. The same until the next one is due, so that a day without the job loses none and
 * the caller sends each once.
 */
export function dueReminder({ kind, on }: Pick<Deadline, 'kind' | 'on'>, today: Day): number | null {
  if (today > on) return -1;
  return [...reminderDays[kind], 0].toSorted((a, b) => a - b).find((days) => addDays(on, -days) <= today) ?? null;
}
