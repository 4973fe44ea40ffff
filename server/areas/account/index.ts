import type { FastifyInstance } from 'fastify';
import { accountEndpoints as endpoints } from '../../../contract/account';
import { may } from '../../../contract/permissions';
import type { User } from '../../../contract/session';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { isTimeZone } from '../../timeZone';
import { announceEnd, createThrottle, endOtherSessions, loginNameFault, newPassword, passwordFault, provePassword, rotateToken } from '../session';
import { heldFor } from './deletion';
import * as queries from './queries';
import type { UserRecord } from './queries';

export { assertNotLastOwner, deletePerson } from './deletion';
export type { DeletedPerson } from './deletion';

const renamesPerHour = 10;

/** Somebody else's profile without what is theirs alone. */
function shown(user: UserRecord, reader: SessionInfo): User {
  const own = user.id === reader.userId || may(reader.role, 'site.seeAll');
  return {
    ...user,
    email: own ? user.email : null,
    avatar: user.avatarVersion === null ? null : `/api/acc/user/${user.id}/avatar?v=${user.avatarVersion}`,
    notices: user.id === reader.userId ? user.notices : null,
    createdAt: user.createdAt.toISOString(),
  };
}

export function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);
  const announce = (userId: string): void => ctx.live.publish({ type: 'user', userId });

  route(app, ctx, endpoints.user, async ({ session, params }) => {
    const self = params.id === session.userId;
    const allowed = self || may(session.role, 'site.seeAll') || (await queries.shareSite(db, session.userId, params.id));
    const user = allowed ? await queries.findUser(db, params.id) : null;
    return user ? shown(user, session) : fail('not_found');
  });

  route(app, ctx, endpoints.changeUser, async ({ session, params, body, ifMatch }) => {
    if (params.id !== session.userId) fail('not_found');
    if (body.timeZone !== undefined && !isTimeZone(body.timeZone)) failField('timeZone', 'not_a_time_zone');
    const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const user = await queries.updateUser(db, session.userId, ifMatch(), change);
    if (!user) {
      const current = await queries.findUser(db, session.userId);
      return current ? fail('stale_revision', { current: shown(current, session) }) : fail('not_found');
    }
    announce(user.id);
    return shown(user, session);
  });

  route(app, ctx, endpoints.rename, async ({ session, body, reply }) => {
    await throttle.limit(`rename ${session.userId}`, renamesPerHour, 3600);
    const fault = loginNameFault(body.loginName);
    if (fault) failField('loginName', fault);
    const user = await renameUser(ctx, session, body.loginName);
    await rotateToken(ctx, reply, session, false);
    announce(user.id);
    return shown(user, session);
  });

  route(app, ctx, endpoints.changePassword, async ({ session, body, reply }) => {
    await provePassword(ctx, throttle, session, body.current, 'current');
    const user = (await queries.findUser(db, session.userId)) ?? fail('not_found');
    const fault = await passwordFault(body.next, user, { secondFactor: user.secondFactor });
    if (fault) fail('invalid_fields', { fields: { next: fault } });
    await queries.setPassword(db, session.userId, await newPassword(body.next, ctx.now()));
    announceEnd(ctx, await endOtherSessions(ctx, session));
    await rotateToken(ctx, reply, session, true);
  });
}

/** Lets go of names whose 90 days are over. Runs on a schedule. */
export const releaseNames = async (ctx: Context): Promise<void> => void (await queries.releaseNamesBefore(ctx.postgres.db, new Date(ctx.now())));

/** One transaction under one lock: names, e-mail addresses and held names are three sets that must stay apart. */
async function renameUser(ctx: Context, session: SessionInfo, loginName: string): Promise<UserRecord> {
  if (loginName === session.loginName) return (await queries.findUser(ctx.postgres.db, session.userId)) ?? fail('not_found');
  const taken = (): never => fail('name_taken', { fields: { loginName: { code: 'taken' } } });
  const now = ctx.now();
  const rename = (): Promise<UserRecord> =>
    ctx.postgres.db.transaction(async (tx) => {
      if (await queries.isNameTaken(tx, loginName, session.userId, new Date(now))) taken();
      await queries.releaseName(tx, loginName);
      await queries.holdName(tx, session.loginName, session.userId, new Date(now + heldFor));
      return (await queries.setLoginName(tx, session.userId, loginName)) ?? fail('not_found');
    });
  return ctx.postgres.withLock('login-names', () =>
    rename().catch((error: unknown) => (violatedConstraint(error) === 'users_login_name_key' ? taken() : Promise.reject(error))),
  );
}
