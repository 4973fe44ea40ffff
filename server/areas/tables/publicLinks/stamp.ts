import { randomBytes } from 'node:crypto';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { sameSecret } from '../../../secrets';

/**
 * Signed time when a form was opened: submissions faster than anybody types come from bots, or must wait for the rest of the two seconds. A stamp is
 * valid for one form and one day.
 */
const leastMs = 2000;
const mostMs = 24 * 3_600_000;
/** Submissions per stamp, including errors and repetitions; the page requests a new stamp automatically. */
export const sendsOfStamp = { points: 20, seconds: mostMs / 1000 } as const;
const shape = /^(\d{1,15})\.([\w-]{16})\.([\w-]{43})$/;

type Clock = Pick<Context, 'secrets' | 'now'>;
const signatureOf = ({ secrets }: Clock, linkId: string, at: string, own: string): string => secrets.mac('form-stamp', `${linkId}\n${at}\n${own}`);

export function makeStamp(ctx: Clock, linkId: string): string {
  const at = String(ctx.now());
  const own = randomBytes(12).toString('base64url');
  return `${at}.${own}.${signatureOf(ctx, linkId, at, own)}`;
}

/**
 * Id of this stamp. Throws `invalid_fields` if it belongs to another form, is forged or too old, and `too_many_requests` with the remaining seconds if
 * the form was opened just now: people who are quick because a link prefilled it can still submit.
 */
export function checkStamp(ctx: Clock, linkId: string, stamp: string): string {
  const [, at = '', own = '', signature = ''] = shape.exec(stamp) ?? [];
  if (!sameSecret(signatureOf(ctx, linkId, at, own), signature)) return failField('stamp', 'unknown');
  const age = ctx.now() - Number(at);
  if (age > mostMs) return failField('stamp', 'unknown');
  return age < leastMs ? fail('too_many_requests', { retryAfter: Math.ceil((leastMs - age) / 1000) }) : own;
}
