import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import * as queries from './linkQueries';
import type { LinkKind } from './linkQueries';
import type { UserRecord } from './queries';
import { hashToken, makeToken } from './tokens';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'transaction'>;

const minute = 60_000;
/** How long a link is good for, in milliseconds (reset: OWASP Forgot Password cheat sheet, ASVS 6.4). */
const linkLifetimes: Readonly<Record<LinkKind, number>> = { reset: 30 * minute, email: 24 * 60 * minute };

/** `email`: the address that an `email` link confirms. */
type NewLink = { readonly userId: string } & ({ readonly kind: 'reset' } | { readonly kind: 'email'; readonly email: string });
type MadeLink = { readonly url: string; readonly expiresAt: Date };
type OpenLink = { readonly user: UserRecord; readonly email: string | null };

/**
 * Makes a one-time link for a person, in the caller's transaction where `db` is one. Earlier links of the same kind end with it.
 * The token is in the fragment, which no server, proxy or `Referer` ever sees; only its hash is kept.
 */
export async function makeLink(ctx: Pick<Context, 'config' | 'now'>, db: Db, link: NewLink): Promise<MadeLink> {
  const token = makeToken();
  const now = ctx.now();
  const expiresAt = new Date(now + linkLifetimes[link.kind]);
  await db.transaction(async (tx) => {
    await queries.lockUser(tx, link.userId);
    await queries.deleteLinks(tx, link.userId, link.kind);
    await queries.insertLink(tx, {
      tokenHash: hashToken(token),
      kind: link.kind,
      userId: link.userId,
      email: link.kind === 'email' ? link.email : null,
      createdAt: new Date(now),
      expiresAt,
    });
  });
  return { url: `${ctx.config.publicUrl}/sign/${link.kind}#t=${token}`, expiresAt };
}

/** Whom a link belongs to, while it is good; null for one that is wrong, used, too old, or whose person may not sign in. */
export async function readLink(ctx: Pick<Context, 'now'>, db: Db, kind: LinkKind, token: string): Promise<OpenLink | null> {
  const found = await queries.findLink(db, hashToken(token), kind, new Date(ctx.now()));
  return found && { user: found.user, email: found.link.email };
}

/** Like `readLink`, and the link is used with it: of two at once one gets it. The caller's transaction takes it back when it fails. */
export async function useLink(ctx: Pick<Context, 'now'>, db: Db, kind: LinkKind, token: string): Promise<OpenLink | null> {
  const link = await readLink(ctx, db, kind, token);
  // The person first, then their links, as `makeLink` does: two who lock in opposite orders would wait for each other for ever.
  if (link) await queries.lockUser(db, link.user.id);
  return link && (await queries.markUsed(db, hashToken(token), kind, new Date(ctx.now()))) ? link : null;
}

/** Ends the links of one kind that a person has, as when the password that a link would set was changed by them. */
export const endLinks = async (db: Db, userId: string, kind: LinkKind): Promise<void> => void (await queries.deleteLinks(db, userId, kind));

const keptFor = 24 * 60 * minute;

/** Forgets links that ended a day ago. Runs on a schedule. */
export const sweepLinks = async (ctx: Context): Promise<void> => void (await queries.deleteLinksBefore(ctx.postgres.db, new Date(ctx.now() - keptFor)));
