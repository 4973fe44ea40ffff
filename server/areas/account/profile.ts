import type { FastifyInstance } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { accountEndpoints as endpoints } from '../../../contract/account/schemas';
import { may } from '../../../contract/permissions';
import type { Colleague, User } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { isTimeZone } from '../../../contract/timeZone';
import { actorOf, difference, record } from '../audit';
import { shareSite } from '../sites';
import * as queries from './queries';
import type { UserRecord } from './queries';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/** A complete profile: for the person themselves and for those who manage people. */
export const userResponse = (user: UserRecord, reader: Pick<SessionInfo, 'userId'>): User => ({
  ...user,
  avatar: avatarOf(user),
  notices: user.id === reader.userId ? { ...user.notices, mention: user.notices.mention ?? true } : null,
  createdAt: user.createdAt.toISOString(),
});

const avatarOf = ({ id, avatarVersion }: UserRecord): string | null => (avatarVersion === null ? null : `/api/acc/user/${id}/avatar?v=${avatarVersion}`);

/** The profile as colleagues see it, without private fields. */
const colleagueProfile = (user: UserRecord): Colleague => ({
  id: user.id,
  displayName: user.displayName,
  avatar: avatarOf(user),
  role: user.role,
  createdAt: user.createdAt.toISOString(),
});

/** Whether the reader may see a person: themselves, anyone if they manage people, or someone with whom they share a site. */
export const maySee = async (db: Db, reader: SessionInfo, userId: string): Promise<boolean> =>
  userId === reader.userId || may(reader.role, 'people.read') || (await shareSite(db, reader.userId, userId));

/** Makes every open tab of the person fetch their profile again. */
export const announceUser = (ctx: Context, userId: string): void => ctx.live.publish({ type: 'user', userId });

export const targetOf = (user: { readonly id: string; readonly loginName: string }) => ({ kind: 'person', id: user.id, name: user.loginName });

export function registerProfile(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.user, async ({ session, params }) => {
    const user = (await maySee(db, session, params.id)) ? await queries.findUser(db, params.id) : null;
    if (!user) return fail('not_found');
    return user.id === session.userId || may(session.role, 'people.read') ? userResponse(user, session) : colleagueProfile(user);
  });

  route(app, ctx, endpoints.changeUser, async (call) => {
    const { session, params, body, ifMatch } = call;
    if (params.id !== session.userId) fail('not_found');
    if (body.timeZone !== undefined && !isTimeZone(body.timeZone)) failField('timeZone', 'not_a_time_zone');
    const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const revision = ifMatch();
    const user = await db.transaction(async (tx) => {
      const before = await queries.findUser(tx, session.userId);
      const notices = before && body.notices && { notices: { ...before.notices, ...body.notices } };
      const after = await queries.updateUser(tx, session.userId, revision, { ...change, ...notices });
      // Display preferences are private and not audited; a change of the display name is.
      if (before && after && before.displayName !== after.displayName)
        await record(ctx, tx, actorOf(call), { action: 'account.profile_changed', target: targetOf(after), ...difference(before, after, ['displayName']) });
      return after;
    });
    if (!user) {
      const current = await queries.findUser(db, session.userId);
      return current ? fail('stale_revision', { current: userResponse(current, session) }) : fail('not_found');
    }
    announceUser(ctx, user.id);
    return userResponse(user, session);
  });
}
