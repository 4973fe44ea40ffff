import type { FastifyInstance } from 'fastify';
import { factorEndpoints as endpoints } from '../../../contract/account/factors';
import { sessionEndpoints, shortestPassword } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import type { ResponseOf, CallOf } from '../../http/route';
import { mailWorks } from '../../mail';
import { actorOf, difference, record } from '../audit';
import * as factorQueries from './factorQueries';
import { addingFactor, removingFactor, passkeyResponse, withFactors } from './factors';
import { signInsOf } from './history';
import { tellPerson } from './mails';
import { addPasskey, askForPasskey, checkPasskey, offerPasskey, usePasskey } from './passkeys';
import { changePolicy, policyOf } from './policy';
import * as queries from './queries';
import type { UserRecord } from './queries';
import { makeRecoveryCodes } from './recovery';
import { rotateToken } from './sessions';
import { beginTotp, confirmTotp } from './totp';
import type { Throttle } from '../../kit/throttle';

/** People change their own login name at most this often, in milliseconds (owners whenever they like). */
export const renameEvery = 14 * 24 * 3_600_000;

/** First codes of an authenticator that may be tried in ten minutes. */
const confirmTries = [10, 600] as const;

const targetOf = ({ id, loginName }: UserRecord) => ({ kind: 'person', id, name: loginName });

/** Consoles of this person fetch again, in every tab. */
const announce = (ctx: Context, { userId }: SessionInfo): void => ctx.live.publish({ type: 'user', userId });

async function securityOf(ctx: Context, { session }: CallOf<typeof endpoints.security>): Promise<ResponseOf<typeof endpoints.security>> {
  const { db } = ctx.postgres;
  const user = (await queries.findUser(db, session.userId)) ?? fail('not_found');
  const [totp, passkeys, remaining, policy] = await Promise.all([
    factorQueries.findTotp(db, user.id),
    factorQueries.passkeysOf(db, user.id),
    factorQueries.recoveryLeft(db, user.id),
    policyOf(ctx),
  ]);
  const renameFrom = user.loginNameChangedAt === null || user.role === 'owner' ? 0 : user.loginNameChangedAt.getTime() + renameEvery;
  return {
    passwordChangedAt: (user.passwordChangedAt ?? user.createdAt).toISOString(),
    minLength: user.secondFactor ? shortestPassword.withSecondFactor : shortestPassword.alone,
    totpSince: totp?.confirmedAt?.toISOString() ?? null,
    passkeys: passkeys.map(passkeyResponse),
    recoveryLeft: user.secondFactor ? remaining : null,
    renameFrom: renameFrom > ctx.now() ? new Date(renameFrom).toISOString() : null,
    selfRename: policy.selfRename || user.role === 'owner',
    mail: mailWorks(ctx.config),
    pendingEmail: user.pendingEmail,
  };
}

async function addTotp(
  ctx: Context,
  { session, body, request, reply }: CallOf<typeof endpoints.confirmTotp>,
  throttle: Throttle,
): Promise<ResponseOf<typeof endpoints.confirmTotp>> {
  await throttle.limit(`confirm ${session.userId}`, ...confirmTries);
  const { recoveryCodes } = await addingFactor(ctx, session.userId, async (tx, user) => {
    if (!(await confirmTotp(ctx, tx, user.id, body.code))) failField('code', 'wrong_code');
    await record(ctx, tx, actorOf({ session, request }), { action: 'factor.totp_added', target: targetOf(user) });
    await tellPerson(ctx, tx, user, 'totp_added', request);
  });
  await rotateToken(ctx, reply, session, false);
  announce(ctx, session);
  return { recoveryCodes };
}

async function removeTotp(ctx: Context, { session, request, reply }: CallOf<typeof endpoints.removeTotp>): Promise<void> {
  await removingFactor(ctx, session.userId, async (tx, user) => {
    if (!(await factorQueries.deleteConfirmedTotp(tx, user.id))) fail('not_found');
    await record(ctx, tx, actorOf({ session, request }), { action: 'factor.totp_removed', target: targetOf(user) });
    await tellPerson(ctx, tx, user, 'totp_removed', request);
  });
  await rotateToken(ctx, reply, session, false);
  announce(ctx, session);
}

async function registerPasskey(
  ctx: Context,
  { session, body, request, reply }: CallOf<typeof endpoints.addPasskey>,
): Promise<ResponseOf<typeof endpoints.addPasskey>> {
  const checked = await checkPasskey(ctx, session.userId, body);
  const { factor, recoveryCodes } = await addingFactor(ctx, session.userId, async (tx, user) => {
    const passkey = await addPasskey(tx, checked);
    await record(ctx, tx, actorOf({ session, request }), { action: 'factor.passkey_added', target: targetOf(user), after: { name: passkey.name } });
    await tellPerson(ctx, tx, user, 'passkey_added', request, { name: passkey.name });
    return passkey;
  });
  await rotateToken(ctx, reply, session, false);
  announce(ctx, session);
  return { passkey: passkeyResponse(factor), recoveryCodes };
}

async function renamePasskey(ctx: Context, call: CallOf<typeof endpoints.renamePasskey>): Promise<ResponseOf<typeof endpoints.renamePasskey>> {
  const { session, params, body } = call;
  const renamed = await ctx.postgres.db.transaction(async (tx) => {
    const user = (await queries.findUser(tx, session.userId)) ?? fail('not_found');
    const before = (await factorQueries.lockPasskey(tx, user.id, params.id)) ?? fail('not_found');
    if (before.name === body.name) return before;
    const after = (await factorQueries.renamePasskey(tx, user.id, params.id, body.name)) ?? fail('not_found');
    await record(ctx, tx, actorOf(call), { action: 'factor.passkey_renamed', target: targetOf(user), ...difference(before, after, ['name']) });
    return after;
  });
  announce(ctx, session);
  return passkeyResponse(renamed);
}

async function removePasskey(ctx: Context, { session, params, request, reply }: CallOf<typeof endpoints.removePasskey>): Promise<void> {
  await removingFactor(ctx, session.userId, async (tx, user) => {
    const { name } = (await factorQueries.deletePasskey(tx, user.id, params.id)) ?? fail('not_found');
    await record(ctx, tx, actorOf({ session, request }), { action: 'factor.passkey_removed', target: targetOf(user), before: { name } });
    await tellPerson(ctx, tx, user, 'passkey_removed', request, { name });
  });
  await rotateToken(ctx, reply, session, false);
  announce(ctx, session);
}

async function newRecoveryCodes(
  ctx: Context,
  { session, request, reply }: CallOf<typeof endpoints.newRecoveryCodes>,
): Promise<ResponseOf<typeof endpoints.newRecoveryCodes>> {
  const codes = await withFactors(ctx, session.userId, async (tx, user) => {
    await record(ctx, tx, actorOf({ session, request }), { action: 'factor.codes_made', target: targetOf(user) });
    await tellPerson(ctx, tx, user, 'codes_made', request);
    return makeRecoveryCodes(ctx, tx, user.id);
  });
  await rotateToken(ctx, reply, session, false);
  announce(ctx, session);
  return codes;
}

async function proveByPasskey(ctx: Context, { session, body, request, reply }: CallOf<typeof sessionEndpoints.reauthPasskey>): Promise<void> {
  const { right } = await usePasskey(ctx, { purpose: 'reauth', userId: session.userId }, body);
  await record(ctx, ctx.postgres.db, actorOf({ session, request }), {
    action: 'sign.reauth',
    result: right ? 'done' : 'failed',
    target: { kind: 'person', id: session.userId, name: session.loginName },
    after: { factor: 'passkey' },
  });
  if (!right) fail('bad_code');
  await rotateToken(ctx, reply, session, true);
}

/** How the own account is protected, and what the installation asks of everybody. */
export function registerFactors(app: FastifyInstance, ctx: Context, throttle: Throttle): void {
  route(app, ctx, endpoints.security, (call) => securityOf(ctx, call));
  route(app, ctx, endpoints.beginTotp, ({ session }) => beginTotp(ctx, session));
  route(app, ctx, endpoints.confirmTotp, (call) => addTotp(ctx, call, throttle));
  route(app, ctx, endpoints.removeTotp, (call) => removeTotp(ctx, call));
  route(app, ctx, endpoints.passkeyOptions, ({ session }) => offerPasskey(ctx, session));
  route(app, ctx, endpoints.addPasskey, (call) => registerPasskey(ctx, call));
  route(app, ctx, endpoints.renamePasskey, (call) => renamePasskey(ctx, call));
  route(app, ctx, endpoints.removePasskey, (call) => removePasskey(ctx, call));
  route(app, ctx, endpoints.newRecoveryCodes, (call) => newRecoveryCodes(ctx, call));
  route(app, ctx, endpoints.signIns, ({ session, query, locale }) => signInsOf(ctx, session.userId, query, locale));
  route(app, ctx, endpoints.policy, () => policyOf(ctx));
  route(app, ctx, endpoints.changePolicy, ({ session, body, request, ifMatch }) => changePolicy(ctx, actorOf({ session, request }), body, ifMatch()));
  route(app, ctx, sessionEndpoints.reauthPasskeyOptions, async ({ session }) => (await askForPasskey(ctx, 'reauth', session.userId)) ?? fail('not_found'));
  route(app, ctx, sessionEndpoints.reauthPasskey, (call) => proveByPasskey(ctx, call));
}
