import { randomBytes } from 'node:crypto';
import { leastFillSeconds } from '../../../contract/support/visitors';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { expiryIn, isValid, sign } from '../../kit/challenge';

/** A signed time at which the page of a form was opened, valid for a day: nobody fills in a form within two seconds. */
const lifetime = 24 * 3600;

const signedFor = (siteId: string) => ({ purpose: 'support form', subject: siteId });

export const makeStamp = (ctx: Pick<Context, 'secrets' | 'now'>, siteId: string): string =>
  sign(ctx, signedFor(siteId), `${expiryIn(ctx, lifetime)}.${randomBytes(9).toString('base64url')}`);

/** Throws `invalid_fields` if the stamp is not one of the site or too old, and `too_many_requests` with the remaining seconds if it is too young. */
export function checkStamp(ctx: Pick<Context, 'secrets' | 'now'>, siteId: string, stamp: string): void {
  if (!isValid(ctx, signedFor(siteId), stamp)) failField('stamp', 'unknown');
  const age = ctx.now() / 1000 - (Number.parseInt(stamp, 10) - lifetime);
  if (age < leastFillSeconds) fail('too_many_requests', { retryAfter: Math.max(1, Math.ceil(leastFillSeconds - age)) });
}
