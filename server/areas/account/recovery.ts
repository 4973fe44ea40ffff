import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sessionEndpoints as endpoints, shortestPassword } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { Failure, fail } from '../../http/failure';
import { route } from '../../http/route';
import { mailWorks, queueMail } from '../../mail';
import { actorOf, record } from '../audit';
import {
  announceEnd,
  createThrottle,
  deleteSessions,
  findUserToSignIn,
  forgetDevices,
  makeLink,
  newPassword,
  passwordFault,
  readLink,
  useLink,
} from '../session';
import type { Throttle } from '../session';
import { accountMail } from './mails';
import { originOf, reachable, tell } from './notify';
import { targetOf } from './profile';
import { siteNamesFor } from '../sites';
import * as queries from './queries';

const asks = { perAddress: 20, perAccount: 5, seconds: 3600 } as const;

/** A forgotten password: the mail with a link, what the link shows, and the new password. */
export function registerRecovery(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);
  /** What is looked up after the answer has gone out; the program waits for it when it stops. */
  const open = new Set<Promise<void>>();
  app.addHook('preClose', async () => void (await Promise.all(open)));

  // The answer leaves before anything is looked up, so that neither its words nor its time tell whether there is such an account.
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
    const error = await passwordFault(body.password, { ...user, siteNames }, { secondFactor: user.secondFactor });
    if (error) fail('invalid_fields', { fields: { password: error } });
    const values = await newPassword(body.password, ctx.now());
    const ended = await db.transaction(async (tx) => {
      // Of two at once one gets the link; what the person has now may differ from what was read before.
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
    // Others' wrong guesses at the old password are no reason to keep the person out with the new one.
    await throttle.forgive([user.loginName, ...(user.email === null ? [] : [user.email])]);
  });
}

type CallOrigin = Parameters<typeof actorOf>[0] & { readonly request: FastifyRequest };

/** Mails a link to whoever `typed` names, if they can get mail; otherwise the log alone says what was asked and why nothing was sent. */
async function sendLink(ctx: Context, throttle: Throttle, typed: string, call: CallOrigin): Promise<void> {
  const { db } = ctx.postgres;
  const user = await findUserToSignIn(db, typed.normalize('NFKC').trim().toLowerCase());
  // What was typed is not written down: people type passwords into the wrong field.
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

/** Nobody's mailbox is filled by somebody who knows their name. */
const isTooMuch = (throttle: Throttle, userId: string): Promise<boolean> =>
  throttle.limit(`forgot account ${userId}`, asks.perAccount, asks.seconds).then(
    () => false,
    (error: unknown) => (error instanceof Failure && error.code === 'too_many_requests' ? true : Promise.reject(error)),
  );
