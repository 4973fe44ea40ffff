import { certificateWarningDays } from '../../../contract/uptime/schemas';
import type { UptimeFailure, UptimeStatus } from '../../../contract/uptime/schemas';
import { DAY, MINUTE } from '../../zone';
import type { Outcome } from './probe';

/** Delay of the second check after a failed first one, in milliseconds. */
export const confirmAfter = 22_000;
/** An older first failure is ignored: the program was off in between. */
const confirmWithin = 2 * MINUTE;

export type MonitorState = {
  readonly state: UptimeStatus['state'];
  readonly since: Date | null;
  /** Time of a failed first check that is not confirmed yet. */
  readonly failingSince: Date | null;
};

export type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'down'; readonly startedAt: Date; readonly reason: UptimeFailure }
  | { readonly kind: 'recovered' };

export type Decision = {
  readonly next: MonitorState;
  readonly change: Change;
  /** Check again after `confirmAfter` instead of the interval. */ readonly confirm: boolean;
};

const nothing: Change = { kind: 'none' };

/** The state of a site after a check: a failure counts only if a second check fails as well; one success is enough. */
export function decide(before: MonitorState, { failure }: Pick<Outcome, 'failure'>, now: Date): Decision {
  const calm = { failingSince: null };
  if (failure === null) {
    if (before.state === 'up') return { next: { ...before, ...calm }, change: nothing, confirm: false };
    return { next: { state: 'up', since: now, ...calm }, change: before.state === 'down' ? { kind: 'recovered' } : nothing, confirm: false };
  }
  // A site that is down stays down until a check succeeds.
  if (before.state === 'down') return { next: { ...before, ...calm }, change: nothing, confirm: false };
  if (failure === 'private_address') return { next: { state: 'unknown', since: null, ...calm }, change: nothing, confirm: false };
  const first = before.failingSince;
  if (first === null || now.getTime() - first.getTime() > confirmWithin) return { next: { ...before, failingSince: now }, change: nothing, confirm: true };
  return { next: { state: 'down', since: first, ...calm }, change: { kind: 'down', startedAt: first, reason: failure }, confirm: false };
}

/** The warning step that a certificate has reached; null before the first step, and after it has expired (then checks fail). */
export function warningStep(expiresAt: Date, now: Date): (typeof certificateWarningDays)[number] | null {
  const remaining = expiresAt.getTime() - now.getTime();
  if (remaining <= 0) return null;
  return certificateWarningDays.findLast((days) => remaining <= days * DAY) ?? null;
}
