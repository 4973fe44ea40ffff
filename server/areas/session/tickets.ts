import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './factorQueries';
import { isAsChecked } from './queries';
import type { UserRecord } from './queries';
import { hashToken, makeToken } from '../../kit/tokens';

const lifetime = 10 * 60_000;
const mostAttempts = 5;

export type OpenTicket = { readonly tokenHash: string; readonly user: UserRecord; readonly remember: boolean; readonly redirect: string };

/**
 * The ticket issued after the correct password if a second factor follows. Only its hash is stored. Throws `bad_credentials` if the password has changed since
 * `user` was read.
 */
export async function makeTicket(ctx: Context, user: UserRecord, wish: { remember: boolean; redirect: string }): Promise<string> {
  const token = makeToken();
  const now = ctx.now();
  await ctx.postgres.db.transaction(async (tx) => {
    if (!(await isAsChecked(tx, user))) fail('bad_credentials');
    await queries.insertTicket(tx, { ...wish, tokenHash: hashToken(token), userId: user.id, createdAt: new Date(now), expiresAt: new Date(now + lifetime) });
  });
  return token;
}

/** A valid ticket with its person; null if it is unknown, used, expired or has no attempts left, or if its person may not sign in. */
export async function readTicket(ctx: Context, token: string): Promise<OpenTicket | null> {
  const tokenHash = hashToken(token);
  const found = await queries.findTicket(ctx.postgres.db, tokenHash, mostAttempts, new Date(ctx.now()));
  return found && { tokenHash, user: found.user, remember: found.ticket.remember, redirect: found.ticket.redirect };
}

/** Counts an attempt before it is verified, so that parallel attempts gain nothing; false if none is left. */
export const countAttempt = (ctx: Context, { tokenHash }: OpenTicket): Promise<boolean> =>
  queries.countAttempt(ctx.postgres.db, tokenHash, mostAttempts, new Date(ctx.now()));
