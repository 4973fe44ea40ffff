import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { clientAddress } from '../../http/address';
import { cookieStyle } from '../../http/cookies';
import { fail } from '../../http/failure';
import { deleteTicketsOf } from './factorQueries';
import { enrolmentOf } from './policy';
import * as queries from './queries';
import type { SessionRecord, UserRecord } from './queries';
import { hashToken, makeToken } from '../../kit/tokens';

const hour = 3_600_000;
/** Idle and absolute lifetime of a session, in milliseconds (OWASP ASVS 7.3). */
const lifetimes = { short: { idle: 12 * hour, absolute: 7 * 24 * hour }, remembered: { idle: 14 * 24 * hour, absolute: 30 * 24 * hour } } as const;
const mostSessions = 20;
/** A session's last use is written at most this often, so its idle time is inexact by as much. */
const touchEvery = 60_000;
/** How long requests sent before a rotation may still use the old token. */
const rotationGrace = 30_000;
const deviceCookieSeconds = 365 * 24 * 3600;
/** Browsers unused for a year are forgotten; in milliseconds. */
export const deviceLifetime = deviceCookieSeconds * 1000;
type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

const lifetimeOf = (remember: boolean) => (remember ? lifetimes.remembered : lifetimes.short);

/** The session of the request's cookie. Its last use is written to the database if `touch` is set. */
export async function readSession(ctx: Context, request: FastifyRequest, reply: FastifyReply | null, touch: boolean): Promise<SessionInfo | null> {
  const token = request.cookies[cookieStyle(ctx.config).session];
  if (!token || token.length > 100) return null;
  const now = ctx.now();
  const found = await queries.findSession(ctx.postgres.db, hashToken(token), new Date(now));
  if (!found) return null;
  const { session, user } = found;
  let idleUntil = session.idleUntil.getTime();
  if (touch && now - session.lastSeenAt.getTime() >= touchEvery) {
    idleUntil = Math.min(now + lifetimeOf(session.remember).idle, session.absoluteUntil.getTime());
    await queries.touchSession(ctx.postgres.db, session.id, { lastSeenAt: new Date(now), idleUntil: new Date(idleUntil), address: clientAddress(request) });
  }
  const info = { ...(await infoOf(ctx, session, user, idleUntil)), provenAt: provenAtOf(session, hashToken(token)) };
  if (reply && session.rotateDue) await rotateDueToken(ctx, reply, info, hashToken(token));
  return info;
}

/** Epoch milliseconds. A proof given with a rotation counts only for the new token: a holder of the old one did not give it. */
function provenAtOf({ tokenHash, previousUntil, provenAt }: SessionRecord, presentedHash: string): number {
  const proven = provenAt.getTime();
  const rotated = presentedHash !== tokenHash && previousUntil !== null ? previousUntil.getTime() - rotationGrace : Infinity;
  return proven < rotated ? proven : 0;
}

async function infoOf(ctx: Context, session: SessionRecord, user: UserRecord, idleUntil: number): Promise<SessionInfo> {
  return {
    id: session.id,
    token: null,
    userId: user.id,
    role: user.role,
    loginName: user.loginName,
    displayName: user.displayName,
    locale: user.locale,
    timeZone: user.timeZone,
    createdAt: session.createdAt.getTime(),
    idleUntil,
    absoluteUntil: session.absoluteUntil.getTime(),
    provenAt: session.provenAt.getTime(),
    ...(await enrolmentOf(ctx, user)),
  };
}

/** The current state of a session, for event streams, which stay open while roles change. Null if it has ended. */
export async function currentSession(ctx: Context, id: string): Promise<SessionInfo | null> {
  const found = await queries.findSessionById(ctx.postgres.db, id, new Date(ctx.now()));
  return found && infoOf(ctx, found.session, found.user, found.session.idleUntil.getTime());
}

/**
 * Signs `user` in from this browser: creates a session with a new token, regardless of existing cookies. `also` runs in the same transaction. Throws
 * `bad_credentials` if the password has changed since `user` was read, or if the person may no longer sign in.
 */
export async function startSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  user: UserRecord,
  remember: boolean,
  also: (tx: Db) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const now = ctx.now();
  const token = makeToken();
  const { idle, absolute } = lifetimeOf(remember);
  const before = await readSession(ctx, request, null, false);
  const ended = await ctx.postgres.db.transaction(async (tx) => {
    if (!(await queries.isAsChecked(tx, user))) fail('bad_credentials');
    await queries.insertSession(tx, {
      tokenHash: hashToken(token),
      userId: user.id,
      remember,
      createdAt: new Date(now),
      lastSeenAt: new Date(now),
      idleUntil: new Date(now + idle),
      absoluteUntil: new Date(now + absolute),
      provenAt: new Date(now),
      address: clientAddress(request),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
    });
    await also(tx);
    const replaced = before ? await queries.deleteSession(tx, before.userId, before.id) : [];
    return [...replaced, ...(await queries.trimSessions(tx, user.id, mostSessions))];
  });
  announceEnd(ctx, ended);
  setSessionCookie(ctx, reply, token, remember ? now + absolute : null);
}

/**
 * Gives the session a new token, as after every change of its rights. `proven`: the password was just verified. Only the current token is replaced: of two
 * concurrent requests one gets a new token, and an old token cannot be exchanged for a new one.
 */
export async function rotateToken(ctx: Context, reply: FastifyReply, session: SessionInfo, proven: boolean): Promise<void> {
  const now = ctx.now();
  const token = makeToken();
  const presented = reply.request.cookies[cookieStyle(ctx.config).session] ?? '';
  if (await queries.rotateSession(ctx.postgres.db, session.id, hashToken(presented), hashToken(token), new Date(now + rotationGrace)))
    setSessionCookie(ctx, reply, token, cookieEnd(session));
  if (proven) await queries.setProven(ctx.postgres.db, session.id, new Date(now));
}

/** Like `rotateToken`, for a password change: the old token becomes invalid at once. */
export async function replaceToken(ctx: Context, reply: FastifyReply, session: SessionInfo): Promise<void> {
  const token = makeToken();
  await queries.replaceToken(ctx.postgres.db, session.id, hashToken(token), new Date(ctx.now()));
  setSessionCookie(ctx, reply, token, cookieEnd(session));
}

/**
 * Like `rotateToken`, after another person changed this person's rights. Of several concurrent requests only one rotates: a second rotation would invalidate
 * the token used by the others.
 */
async function rotateDueToken(ctx: Context, reply: FastifyReply, session: SessionInfo, presentedHash: string): Promise<void> {
  const token = makeToken();
  const until = new Date(ctx.now() + rotationGrace);
  if (await queries.rotateDueSession(ctx.postgres.db, session.id, presentedHash, hashToken(token), until))
    setSessionCookie(ctx, reply, token, cookieEnd(session));
}

/** The person's sessions get new tokens with their next request; called when their rights change. */
export const rotateSessionsOf = async (db: Db, userId: string): Promise<void> => void (await queries.markForRotation(db, userId));

const cookieEnd = ({ createdAt, absoluteUntil }: SessionInfo): number | null => (absoluteUntil - createdAt > lifetimes.short.absolute ? absoluteUntil : null);

/** `until` null: until the browser closes. */
function setSessionCookie(ctx: Context, reply: FastifyReply, token: string, until: number | null): void {
  const { session, options } = cookieStyle(ctx.config);
  void reply.setCookie(session, token, until === null ? options : { ...options, maxAge: Math.ceil((until - ctx.now()) / 1000) });
}

/**
 * Removes the cookie. `Clear-Site-Data` is not used: on loopback its "cookies" would also sign the person out of every other program on that host name, and the
 * HTTP cache is empty, because every response has `no-store`.
 */
export function clearSessionCookie(ctx: Context, reply: FastifyReply): void {
  const { session, options } = cookieStyle(ctx.config);
  void reply.clearCookie(session, options);
}

/** Notifies every process, so that event streams close at once and open tabs go to the sign-in page. */
export function announceEnd(ctx: Context, ids: readonly string[]): void {
  for (const sessionId of ids) ctx.live.publish({ type: 'sessionEnded', sessionId });
}

/**
 * Ends a person's sessions except `except`, and their unfinished sign-ins, in the caller's transaction. Pass the returned ids to `announceEnd` after it has
 * committed.
 */
export async function deleteSessions(db: Db, userId: string, except: string | null = null): Promise<string[]> {
  await deleteTicketsOf(db, userId);
  return queries.deleteSessionsOf(db, userId, except);
}

/** Ends a person's sessions and announces it: event streams close and tabs go to the sign-in page at once. Returns the number of ended sessions. */
export async function endSessionsOf(ctx: Context, userId: string, except: string | null = null): Promise<number> {
  const ended = await deleteSessions(ctx.postgres.db, userId, except);
  announceEnd(ctx, ended);
  return ended.length;
}

/** Forgets all known browsers of a person except `except` (from `knownDevice`): after a password change, or when a device was lost. */
export const forgetDevices = async (db: Db, userId: string, except: string | null = null): Promise<void> =>
  void (await queries.forgetDevices(db, userId, except));

/** Hash of the known-device cookie if it belongs to this person, else null. With a cookie, the lookup takes as long for an unknown person. */
export async function knownDevice(ctx: Context, request: FastifyRequest, userId: string | null): Promise<string | null> {
  const token = request.cookies[cookieStyle(ctx.config).device];
  if (!token || token.length > 100) return null;
  const tokenHash = hashToken(token);
  const owner = await queries.ownerOfDevice(ctx.postgres.db, tokenHash, new Date(ctx.now() - deviceLifetime));
  return owner !== null && owner === userId ? tokenHash : null;
}

/** Marks this browser as one that the person uses. */
export async function rememberBrowser(ctx: Context, reply: FastifyReply, userId: string, known: string | null): Promise<void> {
  const now = new Date(ctx.now());
  if (known !== null) return void (await queries.rememberDevice(ctx.postgres.db, userId, known, now));
  const token = makeToken();
  await queries.rememberDevice(ctx.postgres.db, userId, hashToken(token), now);
  const { device, options } = cookieStyle(ctx.config);
  void reply.setCookie(device, token, { ...options, maxAge: deviceCookieSeconds });
}
