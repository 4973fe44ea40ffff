import type { FastifyInstance } from 'fastify';
import { may, mayAssign } from '../../../contract/permissions';
import { sessionEndpoints as endpoints } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { isTimeZone } from '../../../contract/timeZone';
import { askToConfirm, claimLoginName, originOf } from '../account';
import { actorOf, record } from '../audit';
import { tellSecurity } from '../contacts';
import { knownDevice, newPassword, findPasswordError, rememberBrowser, startSession } from '../session';
import * as invites from './inviteQueries';
import type { InviteRecord } from './inviteQueries';
import { readInviteToken } from './inviteTokens';
import * as queries from './queries';
import type { Db, SiteName, UserRecord } from './queries';
import { about, isElevated } from './responses';
import { hashToken } from '../../kit/tokens';

type Offer = { readonly invite: InviteRecord; readonly by: UserRecord; readonly mailed: boolean; readonly sites: SiteName[] };

/** Accepting an invitation. Needs no session: the link is the authorization. */
export function registerJoining(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  /**
   * The invitation while it is valid. The same error, `link_ended`, for unknown, used, revoked and expired ones, and if its creator could no longer create it.
   */
  async function offerOf(from: Db, value: string): Promise<Offer> {
    const read = readInviteToken(ctx, value);
    const found = read && (await invites.findInvite(from, hashToken(read.token)));
    if (!read || !found) return fail('link_ended');
    const { invite, by } = found;
    const over = invite.acceptedAt !== null || invite.revokedAt !== null || invite.expiresAt.getTime() <= ctx.now();
    if (over || !by || by.disabled || !mayAssign(by.role, invite.role)) return fail('link_ended');
    const sites =
      invite.grants.length === 0
        ? []
        : await queries.liveSites(
            from,
            invite.grants.map(({ siteId }) => siteId),
          );
    return { invite, by, mailed: read.mailed, sites };
  }

  route(app, ctx, endpoints.inviteState, async ({ body }) => {
    const { invite, by, sites } = await offerOf(db, body.token);
    return {
      email: invite.email,
      role: invite.role,
      invitedBy: by.displayName,
      sites: sites.flatMap(({ id, name }) => invite.grants.filter(({ siteId }) => siteId === id).map(({ role }) => ({ name, role }))),
      message: invite.message,
      expiresAt: invite.expiresAt.toISOString(),
    };
  });

  route(app, ctx, endpoints.acceptInvite, async (call) => {
    const { body, request, reply } = call;
    const offer = await offerOf(db, body.token);
    const owner = { ...body, email: offer.invite.email, siteNames: offer.sites.map(({ name }) => name) };
    const passwordError = await findPasswordError(body.password, owner, { secondFactor: false });
    if (passwordError) fail('invalid_fields', { fields: { password: passwordError } });
    if (!isTimeZone(body.timeZone)) failField('timeZone', 'not_a_time_zone');
    // Hashing is deliberately slow, so it is done before anything is locked.
    const password = await newPassword(body.password, ctx.now());

    const join = (): Promise<UserRecord> =>
      db.transaction(async (tx) => {
        await queries.lockPeople(tx);
        // Checked again under the lock, when no other request can use the invitation or change its creator's rights.
        await invites.lockInvite(tx, offer.invite.id);
        const { invite, by, mailed, sites } = await offerOf(tx, body.token);
        await claimLoginName(ctx, tx, body.loginName, null);
        const now = new Date(ctx.now());
        // Another account may have taken the address since. It is confirmed only by the mailed link, because the copied link does not prove access to the
        // mailbox.
        const email = invite.email !== null && !(await queries.isEmailInUse(tx, invite.email)) ? invite.email : null;
        const user = await queries.insertPerson(tx, {
          loginName: body.loginName,
          displayName: body.displayName,
          ...password,
          role: invite.role,
          locale: body.locale,
          timeZone: body.timeZone,
          createdAt: now,
          ...(mailed ? { email, emailVerifiedAt: email === null ? null : now } : { pendingEmail: email }),
        });
        const live = new Set(sites.map(({ id }) => id));
        const grants = may(user.role, 'site.seeAll') ? [] : invite.grants.filter(({ siteId }) => live.has(siteId));
        for (const { siteId, role } of grants) await queries.putGrant(tx, user.id, siteId, role, now);
        await invites.markAccepted(tx, invite.id, user.id, now);
        if (!mailed && email !== null) await askToConfirm(ctx, tx, user, email, originOf(ctx, request));
        await record(ctx, tx, actorOf({ session: null, request }, user), {
          action: 'person.joined',
          ...about(user),
          after: { role: user.role, grants, invitedBy: by.loginName },
        });
        if (isElevated(user.role)) await tellSecurity(ctx, tx, { kind: 'elevated', person: user.loginName, role: user.role, by: by.loginName });
        return user;
      });
    const user = await join().catch((error: unknown) => {
      const constraint = violatedConstraint(error);
      if (constraint === 'users_login_name_key') fail('name_taken', { fields: { loginName: { code: 'taken' } } });
      // Another account confirmed the address concurrently: the next attempt joins without it.
      return constraint === 'users_email_key' ? fail('conflict') : Promise.reject(error);
    });
    ctx.live.publish({ type: 'user', userId: user.id });
    await startSession(ctx, request, reply, user, false);
    await rememberBrowser(ctx, reply, user.id, await knownDevice(ctx, request, user.id));
    return { redirect: '/home' };
  });
}
