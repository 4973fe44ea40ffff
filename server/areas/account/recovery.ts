import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sessionEndpoints as endpoints, shortestPassword } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { Failure, fail } from '../../http/failure';
import { route } from '../../http/route';
import { mailWorks, queueMail } from '../../mail';
import { actorOf, record } from '../audit';
import { announceEnd, deleteSessions, findUserToSignIn, forgetDevices, makeLink, newPassword, findPasswordError, readLink, useLink } from '../session';
import { accountMail } from './mails';
import { originOf, reachable, tell } from './notify';
import { targetOf } from './profile';
import { siteNamesFor } from '../sites';
import * as queries from './queries';
import { createThrottle } from '../../kit/throttle';
import type { Throttle } from '../../kit/throttle';

const asks = { perAddress: 20, perAccount: 5, seconds: 3600 } as const;

/** Recovery from a forgotten password: the mailed link, the page it opens, and the new password. */
export function registerRecovery(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);
  /** Lookups that run after the response was sent; shutdown waits for them. */
  const open = new Set<Promise<void>>();
  app.addHook('preClose', async () => void (await Promise.all(open)));

  // The response is sent before the lookup, so that neither its content nor its timing reveals whether the account exists.
  route(app, ctx, endpoints.forgot, async ({ body, request, session }) => {
    await throttle.limit(`forgot ${addressGroup(clientAddress(request))}`, asks.perAddress, asks.seconds);
    const work = sendLink(ctx, throttle, body.login, { request, session })
      .catch((error: unknown) => ctx.log.error('A link for a new password could not be sent', { requestId: request.id, error }))
      .finally(() => open.delete(work));
    open.add(work);
  });

  route(app, ctx, endpoints.resetState, async ({ body }) => {
    const { user } = (await readLink(ctx, db, 'reset', body.token)) ?? fail('link_ended');
    return { loginName: user.loginName, minLength: user.secondFactor ? shortestPassword.withSecondFactor : shortestPassword.alone };
  });

  route(app, ctx, endpoints.reset, async (call) => {
    const { body, request } = call;
    const { user } = (await readLink(ctx, db, 'reset', body.token)) ?? fail('link_ended');
    const siteNames = await siteNamesFor(db, user);
    const error = await findPasswordError(body.password, { ...user, siteNames }, { secondFactor: user.secondFactor });
    if (error) fail('invalid_fields', { fields: { password: error } });
    const values = await newPassword(body.password, ctx.now());
    const ended = await db.transaction(async (tx) => {
      // Only one of two concurrent requests uses the link; the person's state may also have changed since it was read above.
      const link = (await useLink(ctx, tx, 'reset', body.token)) ?? fail('link_ended');
      if (user.secondFactor && !link.user.secondFactor && !values.passwordLong)
        fail('invalid_fields', { fields: { password: { code: 'too_short', min: shortestPassword.alone } } });
      await queries.setPassword(tx, user.id, values);
      await forgetDevices(tx, user.id);
      await record(ctx, tx, actorOf(call, user), { action: 'sign.reset', target: targetOf(user) });
      await tell(ctx, tx, user, 'passwordReset', originOf(ctx, request), { facts: { login: user.loginName }, page: 'sign' });
      return deleteSessions(tx, user.id);
    });
    announceEnd(ctx, ended);
    // Other people's failed attempts with the old password must not lock the person out with the new one.
    await throttle.forgive([user.loginName, ...(user.email === null ? [] : [user.email])]);
  });
}

type CallOrigin = Parameters<typeof actorOf>[0] & { readonly request: FastifyRequest };

/** Mails a link to the account that `typed` identifies, if it can receive mail; otherwise only the audit log records the request and why nothing was sent. */
async function sendLink(ctx: Context, throttle: Throttle, typed: string, call: CallOrigin): Promise<void> {
  const { db } = ctx.postgres;
  const user = await findUserToSignIn(db, typed.normalize('NFKC').trim().toLowerCase());
  // The typed text is not logged: people sometimes type a password into the wrong field.
  if (!user) return record(ctx, db, actorOf(call), { action: 'sign.forgot', result: 'failed', after: { reason: 'no_account' } });
  const to = reachable(user);
  const refusal = !mailWorks(ctx.config) ? 'mail_off' : !to ? 'no_address' : (await isTooMuch(throttle, user.id)) ? 'too_many' : null;
  const act = { action: 'sign.forgot', target: targetOf(user) } as const;
  if (refusal !== null || !to) return record(ctx, db, actorOf(call), { ...act, result: 'refused', after: { reason: refusal } });
  await db.transaction(async (tx) => {
    const { url } = await makeLink(ctx, tx, { kind: 'reset', userId: user.id });
    await queueMail(ctx, tx, accountMail('reset', to, originOf(ctx, call.request), { facts: { login: user.loginName }, url }), { kind: 'account.reset' });
    await record(ctx, tx, actorOf(call), act);
  });
}

/** Prevents a person who knows a login name from flooding that account's mailbox. */
const isTooMuch = (throttle: Throttle, userId: string): Promise<boolean> =>
  throttle.limit(`forgot account ${userId}`, asks.perAccount, asks.seconds).then(
    () => false,
    (error: unknown) => (error instanceof Failure && error.code === 'too_many_requests' ? true : Promise.reject(error)),
  );
