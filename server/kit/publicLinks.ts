import type { FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { addressGroup, clientAddress } from '../http/address';
import { fail, failField } from '../http/failure';
import { sameSecret } from '../secrets';
import { hashPassword, verifyPassword } from './passwords';
import { createThrottle } from './throttle';
import { hashToken, makeToken } from './tokens';

/**
 * Public links of any kind (to reports, saved views, forms): their secret, password and expiry. Requests send the secret in `X-Share`; where the link has a
 * password, the secret is followed by a pass that `createLinkUnlock` issues for the password.
 */

/** Limits of password attempts for one link, per network and in total. */
const triesPerNetwork = { points: 10, seconds: 600 } as const;
const triesInTotal = { points: 300, seconds: 3600 } as const;

/** A link of any kind that may have a password. */
type LockableLink = { readonly id: string; readonly passwordHash: string | null };
type LinkInput = { readonly password: string | null; readonly expiresAt: string | null };
const endOf = (expiresAt: string | null): Date | null => (expiresAt === null ? null : new Date(expiresAt));

/** Throws `invalid_fields` if a link would already be expired. */
export function checkEnd(ctx: Pick<Context, 'now'>, expiresAt: string | null | undefined): void {
  if (expiresAt != null && Date.parse(expiresAt) <= ctx.now()) failField('expiresAt', 'out_of_range');
}

/** Columns of a new link: the hash of its secret, the encrypted secret, and the password hash. */
export async function newLink(ctx: Pick<Context, 'now' | 'secrets'>, { password, expiresAt }: LinkInput, createdBy: string) {
  const token = makeToken();
  return {
    tokenHash: hashToken(token),
    tokenSealed: ctx.secrets.seal('share', token),
    passwordHash: password === null ? null : await hashPassword(password),
    expiresAt: endOf(expiresAt),
    createdBy,
    createdAt: new Date(ctx.now()),
  };
}

/** Columns of a link to change; absent values stay unchanged. */
export async function linkChange({
  password,
  expiresAt,
  ...rest
}: Readonly<Record<string, unknown>> & { readonly password?: string | null | undefined; readonly expiresAt?: string | null | undefined }) {
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(password === undefined ? {} : { passwordHash: password === null ? null : await hashPassword(password) }),
    ...(expiresAt === undefined ? {} : { expiresAt: endOf(expiresAt) }),
  };
}

/** Issues a pass for the password of a link of this kind. Throws `bad_credentials`, and `too_many_requests` after too many attempts. */
export function createLinkUnlock(ctx: Context, kind: 'reports' | 'view') {
  const throttle = createThrottle(ctx);
  return async (request: FastifyRequest, link: LockableLink, password: string): Promise<{ pass: string }> => {
    await throttle.limit(`${kind} ${link.id} ${addressGroup(clientAddress(request))}`, triesPerNetwork.points, triesPerNetwork.seconds);
    await throttle.limit(`${kind} ${link.id}`, triesInTotal.points, triesInTotal.seconds);
    if (link.passwordHash !== null && !(await verifyPassword(link.passwordHash, password))) fail('bad_credentials');
    return { pass: makePass(ctx, link) };
  };
}

/** How long a pass issued for a password is valid, in milliseconds. */
const passLifetime = 12 * 3_600_000;
const header = /^([A-Za-z0-9_-]{43})(?:\.(\d{1,15})\.([A-Za-z0-9_-]{43}))?$/;

type Pass = { readonly token: string; readonly until: number; readonly signature: string };

/** The content of the header `X-Share`: `<secret>` or `<secret>.<pass>`. */
export function readLinkHeader(request: FastifyRequest): Pass | null {
  const value = request.headers['x-share'];
  const match = typeof value === 'string' ? header.exec(value) : null;
  return match?.[1] === undefined ? null : { token: match[1], until: Number(match[2] ?? 0), signature: match[3] ?? '' };
}

/** Signed by the installation over the current password: a new password invalidates every pass. */
const signatureOf = ({ secrets }: Pick<Context, 'secrets'>, { id, passwordHash }: LockableLink, until: number): string =>
  secrets.mac('share-pass', `${id}\n${passwordHash ?? ''}\n${until}`);

/** A pass for this link only, valid for twelve hours. */
function makePass(ctx: Pick<Context, 'secrets' | 'now'>, link: LockableLink): string {
  const until = ctx.now() + passLifetime;
  return `${until}.${signatureOf(ctx, link, until)}`;
}

/** Whether a request may see the content of the link: it has no password, or the request has a valid pass. */
export function isUnlocked(ctx: Pick<Context, 'secrets' | 'now'>, request: FastifyRequest, link: LockableLink): boolean {
  if (link.passwordHash === null) return true;
  const pass = readLinkHeader(request);
  if (pass === null || pass.until <= ctx.now()) return false;
  return sameSecret(signatureOf(ctx, link, pass.until), pass.signature);
}
