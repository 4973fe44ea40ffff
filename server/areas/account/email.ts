import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { FastifyInstance } from 'fastify';
import { accountEndpoints } from '../../../contract/account/schemas';
import { sessionEndpoints } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { mailWorks, queueMail } from '../../mail';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { actorOf, record } from '../audit';
import { endLinks, makeLink, useLink } from '../session';
import { accountMail } from './mails';
import type { Origin } from './mails';
import { originOf, tell } from './notify';
import { announceUser, targetOf } from './profile';
import * as queries from './queries';
import type { UserRecord } from './queries';
import { createThrottle } from '../../kit/throttle';

type Tx = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0];

const asksPerHour = 10;

/**
 * Mails a confirmation link to the new address, in the caller's transaction. The link is created even if the installation sends no mail: this ends the links
 * for the previously pending address, and an owner can create another link to hand over.
 */
export async function askToConfirm(ctx: Context, tx: Tx, user: UserRecord, email: string, origin: Origin): Promise<void> {
  const { url } = await makeLink(ctx, tx, { kind: 'email', userId: user.id, email });
  const to = { email, locale: user.locale, timeZone: user.timeZone };
  await queueMail(ctx, tx, accountMail('confirmEmail', to, origin, { facts: { login: user.loginName }, url }), { kind: 'account.confirmEmail' });
}

/** The e-mail address of an account. A new address takes effect after the link sent to it has been opened. */
export function registerEmail(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);
  const refuseUsedEmail = (): never => fail('email_taken', { fields: { email: { code: 'taken' } } });

  route(app, ctx, accountEndpoints.email, async (call) => {
    const { session, body, request } = call;
    await throttle.limit(`email ${session.userId}`, asksPerHour, 3600);
    await db.transaction(async (tx) => {
      const user = (await queries.lockUser(tx, session.userId)) ?? fail('not_found');
      if (user.email === body.email && user.emailVerifiedAt !== null) failField('email', 'duplicate');
      if (await queries.isEmailInUse(tx, body.email, user.id)) refuseUsedEmail();
      await queries.setEmail(tx, user.id, { pendingEmail: body.email });
      const origin = originOf(ctx, request);
      await askToConfirm(ctx, tx, user, body.email, origin);
      await tell(ctx, tx, user, 'emailAsked', origin, { facts: { login: user.loginName, next: body.email }, page: 'security' });
      await record(ctx, tx, actorOf(call), {
        action: 'account.email_asked',
        target: targetOf(user),
        before: { email: user.email },
        after: { email: body.email },
      });
    });
    announceUser(ctx, session.userId);
    return { mailed: mailWorks(ctx.config) };
  });

  route(app, ctx, accountEndpoints.removeEmail, async (call) => {
    const { session, query, request } = call;
    const pendingOnly = query.pending === 'true';
    await db.transaction(async (tx) => {
      const user = (await queries.lockUser(tx, session.userId)) ?? fail('not_found');
      if (user.pendingEmail === null && (pendingOnly || user.email === null)) fail('not_found');
      await endLinks(tx, user.id, 'email');
      await queries.setEmail(tx, user.id, { pendingEmail: null, ...(pendingOnly ? {} : { email: null, emailVerifiedAt: null }) });
      if (pendingOnly || user.email === null) return;
      // A reset link in the removed mailbox must no longer be able to set a password.
      await endLinks(tx, user.id, 'reset');
      await tell(ctx, tx, user, 'emailRemoved', originOf(ctx, request), { facts: { login: user.loginName, email: user.email }, page: 'security' });
      await record(ctx, tx, actorOf(call), { action: 'account.email_changed', target: targetOf(user), before: { email: user.email }, after: { email: null } });
    });
    announceUser(ctx, session.userId);
  });

  route(app, ctx, sessionEndpoints.verifyEmail, async (call) => {
    const { body, request } = call;
    const { id, email } = await db
      .transaction(async (tx) => {
        const link = (await useLink(ctx, tx, 'email', body.token)) ?? fail('link_ended');
        const user = (await queries.lockUser(tx, link.user.id)) ?? fail('link_ended');
        // Only the pending address, or the address of the invitation, can be confirmed; an old link cannot confirm any other.
        if (link.email === null || ![user.pendingEmail, user.email].includes(link.email)) return fail('link_ended');
        await queries.setEmail(tx, user.id, { email: link.email, emailVerifiedAt: new Date(ctx.now()), pendingEmail: null });
        if (user.email !== link.email) {
          await endLinks(tx, user.id, 'reset');
          await tell(ctx, tx, user, 'emailChanged', originOf(ctx, request), { facts: { login: user.loginName, next: link.email }, page: 'sign' });
        }
        const [was, is] = [{ email: user.emailVerifiedAt === null ? null : user.email }, { email: link.email }];
        await record(ctx, tx, actorOf(call, user), { action: 'account.email_changed', target: targetOf(user), before: was, after: is });
        return { id: user.id, email: link.email };
      })
      // Two people may have the same pending address; the unique index lets only one of them confirm it.
      .catch((error: unknown) => (violatedConstraint(error) === 'users_email_key' ? refuseUsedEmail() : Promise.reject(error)));
    announceUser(ctx, id);
    return { email };
  });
}
