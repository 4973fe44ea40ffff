import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { fail, failField } from '../../http/failure';
import { makePass } from '../../http/linkPass';
import { hashPassword, verifyPassword } from './passwords';
import { createThrottle } from './throttle';
import { hashToken, makeToken } from './tokens';

/** Common parts of all kinds of links (to reports, to saved views): secret, password and expiry. */

/** Limits of password attempts for one link, per network and in total. */
const tries = { points: 10, seconds: 600 } as const;
const triesOfAll = { points: 300, seconds: 3600 } as const;

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
export function linkUnlocking(ctx: Context, kind: 'share' | 'view') {
  const throttle = createThrottle(ctx);
  return async (request: FastifyRequest, link: { readonly id: string; readonly passwordHash: string | null }, password: string): Promise<{ pass: string }> => {
    await throttle.limit(`${kind} ${link.id} ${addressGroup(clientAddress(request))}`, tries.points, tries.seconds);
    await throttle.limit(`${kind} ${link.id}`, triesOfAll.points, triesOfAll.seconds);
    if (link.passwordHash !== null && !(await verifyPassword(link.passwordHash, password))) fail('bad_credentials');
    return { pass: makePass(ctx, link) };
  };
}
