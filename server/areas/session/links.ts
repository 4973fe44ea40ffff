import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import * as queries from './linkQueries';
import type { LinkKind } from './linkQueries';
import type { UserRecord } from './queries';
import { hashToken, makeToken } from '../../kit/tokens';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'transaction'>;

const minute = 60_000;
/** Validity of a link in milliseconds (reset: OWASP Forgot Password cheat sheet, ASVS 6.4). */
const linkLifetimes: Readonly<Record<LinkKind, number>> = { reset: 30 * minute, email: 24 * 60 * minute };

/** `email`: the address that an `email` link confirms. */
type NewLink = { readonly userId: string } & ({ readonly kind: 'reset' } | { readonly kind: 'email'; readonly email: string });
type MadeLink = { readonly url: string; readonly expiresAt: Date };
type OpenLink = { readonly user: UserRecord; readonly email: string | null };

/**
 * Creates a one-time link for a person, in the caller's transaction if `db` is one. Earlier links of the same kind become invalid. The token is in the
 * fragment, which is not sent to servers, proxies or in `Referer`; only its hash is stored.
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

/** The person of a valid link; null if it is unknown, used or expired, or if its person may not sign in. */
export async function readLink(ctx: Pick<Context, 'now'>, db: Db, kind: LinkKind, token: string): Promise<OpenLink | null> {
  const found = await queries.findLink(db, hashToken(token), kind, new Date(ctx.now()));
  return found && { user: found.user, email: found.link.email };
}

/** Like `readLink`, and marks the link as used; only one of two concurrent requests succeeds. A rollback of the caller's transaction makes it usable again. */
export async function useLink(ctx: Pick<Context, 'now'>, db: Db, kind: LinkKind, token: string): Promise<OpenLink | null> {
  const link = await readLink(ctx, db, kind, token);
  // Locks the person first, then their links, as `makeLink` does: the opposite order could deadlock.
  if (link) await queries.lockUser(db, link.user.id);
  return link && (await queries.markUsed(db, hashToken(token), kind, new Date(ctx.now()))) ? link : null;
}

/** Invalidates a person's links of one kind, for example when they change the password that a link would set. */
export const endLinks = async (db: Db, userId: string, kind: LinkKind): Promise<void> => void (await queries.deleteLinks(db, userId, kind));

const retentionMs = 24 * 60 * minute;

/** Deletes links that ended a day ago. Runs on a schedule. */
export const sweepLinks = async (ctx: Context): Promise<void> => void (await queries.deleteLinksBefore(ctx.postgres.db, new Date(ctx.now() - retentionMs)));
