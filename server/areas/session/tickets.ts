import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './factorQueries';
import { isAsChecked } from './queries';
import type { UserRecord } from './queries';
import { hashToken, makeToken } from './tokens';

const lifetime = 10 * 60_000;
const mostAttempts = 5;

export type OpenTicket = { readonly tokenHash: string; readonly user: UserRecord; readonly remember: boolean; readonly redirect: string };

/** What somebody gets for the right password where a second step follows. Only its hash is kept. Throws `bad_credentials` where the password has changed since `user` was read. */
export async function makeTicket(ctx: Context, user: UserRecord, wish: { remember: boolean; redirect: string }): Promise<string> {
  const token = makeToken();
  const now = ctx.now();
  await ctx.postgres.db.transaction(async (tx) => {
    if (!(await isAsChecked(tx, user))) fail('bad_credentials');
    await queries.insertTicket(tx, { ...wish, tokenHash: hashToken(token), userId: user.id, createdAt: new Date(now), expiresAt: new Date(now + lifetime) });
  });
  return token;
}

/** A ticket that is still good, with its person; null for one that is wrong, used, too old, tried too often, or whose person may not sign in. */
export async function readTicket(ctx: Context, token: string): Promise<OpenTicket | null> {
  const tokenHash = hashToken(token);
  const found = await queries.findTicket(ctx.postgres.db, tokenHash, mostAttempts, new Date(ctx.now()));
  return found && { tokenHash, user: found.user, remember: found.ticket.remember, redirect: found.ticket.redirect };
}

/** Counts an attempt before it is looked at, so that many at once gain nothing; false when none is left. */
export const countAttempt = (ctx: Context, { tokenHash }: OpenTicket): Promise<boolean> =>
  queries.countAttempt(ctx.postgres.db, tokenHash, mostAttempts, new Date(ctx.now()));
