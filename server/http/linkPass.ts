import type { FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { sameSecret } from '../secrets';

/** How long a pass issued for a password is valid, in milliseconds. */
const passFor = 12 * 3_600_000;
const header = /^([A-Za-z0-9_-]{43})(?:\.(\d{1,15})\.([A-Za-z0-9_-]{43}))?$/;

/** A link of any kind that may have a password. */
type Locked = { readonly id: string; readonly passwordHash: string | null };
type Pass = { readonly token: string; readonly until: number; readonly signature: string };

/** The content of the header `X-Share`: `<secret>` or `<secret>.<pass>`. */
export function givenBy(request: FastifyRequest): Pass | null {
  const value = request.headers['x-share'];
  const match = typeof value === 'string' ? header.exec(value) : null;
  return match?.[1] === undefined ? null : { token: match[1], until: Number(match[2] ?? 0), signature: match[3] ?? '' };
}

/** Signed by the installation over the current password: a new password invalidates every pass. */
const signatureOf = ({ secrets }: Pick<Context, 'secrets'>, { id, passwordHash }: Locked, until: number): string =>
  secrets.mac('share-pass', `${id}\n${passwordHash ?? ''}\n${until}`);

/** A pass for this link only, valid for twelve hours. */
export function makePass(ctx: Pick<Context, 'secrets' | 'now'>, share: Locked): string {
  const until = ctx.now() + passFor;
  return `${until}.${signatureOf(ctx, share, until)}`;
}

/** Whether a request may see the content of the link: it has no password, or the request has a valid pass. */
export function isUnlocked(ctx: Pick<Context, 'secrets' | 'now'>, request: FastifyRequest, share: Locked): boolean {
  if (share.passwordHash === null) return true;
  const pass = givenBy(request);
  if (pass === null || pass.until <= ctx.now()) return false;
  return sameSecret(signatureOf(ctx, share, pass.until), pass.signature);
}
