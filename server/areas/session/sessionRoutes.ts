import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { instanceActions, may } from '../../../contract/permissions';
import { sessionEndpoints as endpoints } from '../../../contract/session/schemas';
import type { SessionRow } from '../../../contract/session/schemas';
import { deviceTextOf, placeTextOf } from '../../collect/classify';
import type { Context } from '../../context';
import type { Locale, SessionInfo } from '../../http/access';
import { cookieStyle } from '../../http/cookies';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { actorOf, record } from '../audit';
import * as queries from './queries';
import type { SessionRecord } from './queries';
import { announceEnd, clearSessionCookie, deleteSessions, forgetDevices, knownDevice, rememberBrowser, rotateToken, startSession } from './sessions';
import { setUp, setUpState } from './setup';
import { verifyPassword } from '../../kit/passwords';
import type { Throttle } from '../../kit/throttle';

const iso = (at: number): string => new Date(at).toISOString();
const targetOf = (session: SessionInfo) => ({ kind: 'person', id: session.userId, name: session.loginName });

function sessionRow(row: SessionRecord, current: SessionInfo, locale: Locale): z.input<typeof SessionRow> {
  return {
    id: row.id,
    current: row.id === current.id,
    device: deviceTextOf(row.userAgent),
    address: row.address,
    place: placeTextOf(row.address, locale),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  };
}

/** Verifies the signed-in person's own password; throws `invalid_fields` for `field`, or `too_many_requests`. */
export async function provePassword(ctx: Context, throttle: Throttle, session: SessionInfo, password: string, field: string): Promise<void> {
  await throttle.limit(`prove ${session.userId}`, 10, 600);
  const user = await queries.findUser(ctx.postgres.db, session.userId);
  if (!user || !(await verifyPassword(user.passwordHash, password))) failField(field, 'wrong_password');
}

/** Sessions: the current one, the others, ending them, and the proof before a sensitive action. */
export function registerSessions(app: FastifyInstance, ctx: Context, throttle: Throttle): void {
  const { db } = ctx.postgres;

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

  route(app, ctx, endpoints.signOut, async ({ session, request, reply }) => {
    clearSessionCookie(ctx, reply);
    if (!session) return;
    const ended = await db.transaction(async (tx) => {
      const ids = await queries.deleteSession(tx, session.userId, session.id);
      if (ids.length > 0) await record(ctx, tx, actorOf({ session, request }), { action: 'sign.out', target: targetOf(session) });
      return ids;
    });
    announceEnd(ctx, ended);
  });

  route(app, ctx, endpoints.signOutEverywhere, async ({ session, body, request, reply }) => {
    // Signing out everywhere may mean a lost device, so all other browsers become unknown.
    const device = body.keepCurrent ? await knownDevice(ctx, request, session.userId) : null;
    const ended = await db.transaction(async (tx) => {
      const ids = await deleteSessions(tx, session.userId, body.keepCurrent ? session.id : null);
      await forgetDevices(tx, session.userId, device);
      await record(ctx, tx, actorOf({ session, request }), { action: 'session.ended', target: targetOf(session), after: { ended: ids.length } });
      return ids;
    });
    if (!body.keepCurrent) clearSessionCookie(ctx, reply);
    announceEnd(ctx, ended);
    return { ended: ended.length };
  });

  route(app, ctx, endpoints.sessions, async ({ session, locale }) => {
    const rows = await queries.sessionsOf(db, session.userId, new Date(ctx.now()));
    return rows.map((row) => sessionRow(row, session, locale));
  });

  route(app, ctx, endpoints.endSession, async ({ session, params, request, reply }) => {
    const ended = await db.transaction(async (tx) => {
      const ids = await queries.deleteSession(tx, session.userId, params.id);
      if (ids.length === 0) fail('not_found');
      await record(ctx, tx, actorOf({ session, request }), { action: 'session.ended', target: targetOf(session), after: { ended: ids.length } });
      return ids;
    });
    if (params.id === session.id) clearSessionCookie(ctx, reply);
    announceEnd(ctx, ended);
  });

  route(app, ctx, endpoints.setUpState, ({ body }) => setUpState(ctx, body.token));

  route(app, ctx, endpoints.setUp, async ({ body, request, reply }) => {
    const user = await setUp(ctx, body, request);
    await startSession(ctx, request, reply, user, false);
    await rememberBrowser(ctx, reply, user.id, null);
    return { redirect: '/home' };
  });

  route(app, ctx, endpoints.reauth, async ({ session, body, request, reply }) => {
    const entry = { action: 'sign.reauth', target: targetOf(session), after: { factor: 'password' } } as const;
    try {
      await provePassword(ctx, throttle, session, body.password, 'password');
    } catch (error) {
      await record(ctx, db, actorOf({ session, request }), { ...entry, result: 'failed' });
      throw error;
    }
    await record(ctx, db, actorOf({ session, request }), entry);
    await rotateToken(ctx, reply, session, true);
  });
}
