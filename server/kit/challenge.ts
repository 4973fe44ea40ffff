import { createHash, randomBytes } from 'node:crypto';
import { challengeBits } from '../../contract/countryBlock/terms';
import type { Context } from '../context';
import { sameSecret } from '../secrets';

/**
 * A task that costs a browser about half a second and a program that sends thousands of requests much more: a number with which the SHA-256 of the task begins with
 * `challengeBits` zero bits. The task is signed for a purpose and a subject instead of stored.
 */
const taskMinutes = 10;

type Signer = Pick<Context, 'secrets'>;
type Clock = Signer & Pick<Context, 'now'>;
/** What texts are signed for: texts of another purpose or subject are worth nothing. */
export type Signed = { readonly purpose: string; readonly subject: string };

/** A text with its signature. */
export const sign = ({ secrets }: Signer, { purpose, subject }: Signed, content: string): string =>
  `${content}.${secrets.mac(purpose, [subject, content].join(' '))}`;

/** Whether a text was signed for this and has not expired. Its content begins with the time of expiry in seconds. */
export function isValid(ctx: Clock, signed: Signed, text: string): boolean {
  const content = text.slice(0, Math.max(0, text.lastIndexOf('.')));
  return sameSecret(sign(ctx, signed, content), text) && Number.parseInt(content, 10) * 1000 > ctx.now();
}

/** The time in seconds at which something that is valid for some seconds expires: the beginning of a signed text. */
export const expiryIn = ({ now }: Pick<Context, 'now'>, seconds: number): string => String(Math.ceil(now() / 1000) + seconds);

export const createTask = (ctx: Clock, signed: Signed): string =>
  sign(ctx, signed, `${expiryIn(ctx, taskMinutes * 60)}.${randomBytes(12).toString('base64url')}`);

/** Whether the number solves the task, which has to be one of this subject. */
export function isSolved(ctx: Clock, signed: Signed, task: string, number: string): boolean {
  if (!/^\d{1,12}$/.test(number) || !isValid(ctx, signed, task)) return false;
  const digest = createHash('sha256').update(`${task}.${number}`).digest();
  return digest.readUInt32BE(0) >>> (32 - challengeBits) === 0;
}
