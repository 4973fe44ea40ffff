import type { FastifyInstance } from 'fastify';
import { safeRedirect } from '../../../contract/redirect';
import { instanceActions, may } from '../../../contract/permissions';
import { sessionEndpoints as endpoints } from '../../../contract/session';
import { deviceWords, placeWords } from '../../collect/classify';
import type { Context } from '../../context';
import type { Locale, SessionInfo } from '../../http/access';
import { clientAddress } from '../../http/address';
import { cookieStyle } from '../../http/cookies';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { hashPassword, isOutdated, verifyPassword } from './passwords';
import * as queries from './queries';
import type { SessionRecord } from './queries';
import { announceEnd, clearSessionCookie, knownDevice, rememberBrowser, rotateToken, startSession } from './sessions';
import { setUp, setUpState } from './setup';
import { createThrottle } from './throttle';
import type { Throttle } from './throttle';

export { loginNameFault } from './loginNames';
export { hashPassword, newPassword, passwordFault, verifyPassword } from './passwords';
export { announceEnd, clearSessionCookie, knownDevice, readSession, rotateToken } from './sessions';
export { enrolmentOf, policyOf } from './policy';
export { skeletonOf } from './skeleton';
export { hashToken, makeToken } from './tokens';
export { endLinks, linkLifetimes, makeLink, readLink, sweepLinks, useLink } from './links';
export type { MadeLink } from './links';
export { ensureSetUpToken } from './setup';
export { createThrottle } from './throttle';

const iso = (at: number): string => new Date(at).toISOString();

export function register(app: FastifyInstance, ctx: Context): void {
  const throttle = createThrottle(ctx);
  const { db } = ctx.postgres;
  const { origin } = new URL(ctx.config.publicUrl);

  route(
    app,
    ctx,
    endpoints.session,
    ({ session }) =>
      session && {
        id: session.id,
        userId: session.userId,
        role: session.role,
        can: instanceActions.filter((action) => may(session.role, action)),
        createdAt: iso(session.createdAt),
        idleUntil: iso(session.idleUntil),
        absoluteUntil: iso(session.absoluteUntil),
        serverTime: iso(ctx.now()),
        insecureTransport: cookieStyle(ctx.config).insecure,
        enrolment: session.enrolment,
        enrolBy: session.enrolBy === null ? null : iso(session.enrolBy),
      },
  );

  route(app, ctx, endpoints.signIn, async ({ body, request, reply }) => {
    const login = body.login.normalize('NFKC').trim().toLowerCase();
    const user = await queries.findUserToSignIn(db, login);
    const device = user ? await knownDevice(ctx, request, user.id) : null;
    const attempt = { login, address: clientAddress(request), device };
    await throttle.enter(attempt);
    const right = await verifyPassword(user?.passwordHash ?? null, body.password);
    if (!user || !right) return fail('bad_credentials');
    // A second factor is asked for here, once accounts have one: before the throttle forgets and the session starts.
    await throttle.succeed(attempt);
    if (isOutdated(user.passwordHash)) await queries.setPasswordHash(db, user.id, await hashPassword(body.password));
    await startSession(ctx, request, reply, user, body.remember);
    await rememberBrowser(ctx, reply, user.id, device);
    return { redirect: safeRedirect(body.redirect, origin) };
  });

  route(app, ctx, endpoints.signOut, async ({ session, reply }) => {
    clearSessionCookie(ctx, reply);
    if (session) announceEnd(ctx, await queries.deleteSession(db, session.userId, session.id));
  });

  route(app, ctx, endpoints.signOutEverywhere, async ({ session, body, reply }) => {
    const ended = await queries.deleteSessionsOf(db, session.userId, body.keepCurrent ? session.id : null);
    // Whoever signs out everywhere may have lost a device: none is known any more.
    await queries.forgetDevices(db, session.userId);
    if (!body.keepCurrent) clearSessionCookie(ctx, reply);
    announceEnd(ctx, ended);
    return { ended: ended.length };
  });

  route(app, ctx, endpoints.sessions, async ({ session, locale }) => {
    const rows = await queries.sessionsOf(db, session.userId, new Date(ctx.now()));
    return rows.map((row) => shown(row, session, locale));
  });

  route(app, ctx, endpoints.endSession, async ({ session, params, reply }) => {
    const ended = await queries.deleteSession(db, session.userId, params.id);
    if (ended.length === 0) fail('not_found');
    if (params.id === session.id) clearSessionCookie(ctx, reply);
    announceEnd(ctx, ended);
  });

  route(app, ctx, endpoints.setUpState, ({ body }) => setUpState(ctx, body.token));

  route(app, ctx, endpoints.setUp, async ({ body, request, reply }) => {
    const user = await setUp(ctx, body);
    await startSession(ctx, request, reply, user, false);
    await rememberBrowser(ctx, reply, user.id, null);
    return { redirect: '/home' };
  });

  route(app, ctx, endpoints.reauth, async ({ session, body, reply }) => {
    await provePassword(ctx, throttle, session, body.password, 'password');
    await rotateToken(ctx, reply, session, true);
  });
}

export { openAmong } from './queries';

/** Forgets sessions and counters that ended a day ago. Runs on a schedule. */
export const sweepSessions = (ctx: Context): Promise<void> => queries.sweep(ctx.postgres.db, new Date(ctx.now() - 24 * 3_600_000));

/** Ends every session of this person but the current one. Returns the ids, to be announced. */
export const endOtherSessions = (ctx: Context, session: SessionInfo): Promise<string[]> =>
  queries.deleteSessionsOf(ctx.postgres.db, session.userId, session.id);

/** Checks the signed-in person's own password; throws `invalid_fields` for `field`, or `too_many_requests`. */
export async function provePassword(ctx: Context, throttle: Throttle, session: SessionInfo, password: string, field: string): Promise<void> {
  await throttle.limit(`prove ${session.userId}`, 10, 600);
  const user = await queries.findUser(ctx.postgres.db, session.userId);
  if (!user || !(await verifyPassword(user.passwordHash, password))) failField(field, 'wrong_password');
}

function shown(row: SessionRecord, current: SessionInfo, locale: Locale) {
  return {
    id: row.id,
    current: row.id === current.id,
    device: deviceWords(row.userAgent),
    address: row.address,
    place: placeWords(row.address, locale),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  };
}
