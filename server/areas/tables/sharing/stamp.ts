import { randomBytes } from 'node:crypto';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { sameSecret } from '../../../secrets';

/**
 * When a form was opened, signed: who sends it faster than anybody types is a program, or has to wait for the rest of the two seconds. A stamp opens one form, for a day.
 */
const leastMs = 2000;
const mostMs = 24 * 3_600_000;
/** Forms that are sent with one stamp, faults and repetitions included; the page gets another by itself. */
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
 * What tells this stamp from others. Throws `invalid_fields` for one of another form, forged or too old, and `too_many_requests` with the seconds that are left where the
 * form has only just been opened: people who are quick, because a link has filled it in for them, lose nothing by it.
 */
export function checkStamp(ctx: Clock, linkId: string, stamp: string): string {
  const [, at = '', own = '', given = ''] = shape.exec(stamp) ?? [];
  if (!sameSecret(signatureOf(ctx, linkId, at, own), given)) return failField('stamp', 'unknown');
  const age = ctx.now() - Number(at);
  if (age > mostMs) return failField('stamp', 'unknown');
  return age < leastMs ? fail('too_many_requests', { retryAfter: Math.ceil((leastMs - age) / 1000) }) : own;
}
