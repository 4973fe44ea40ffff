import type { FastifyInstance } from 'fastify';
import { safeRedirect } from '../../../contract/redirect';
import { sessionEndpoints as endpoints } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { ResponseOf, CallOf } from '../../http/route';
import { actorOf, record } from '../audit';
import * as factorQueries from './factorQueries';
import { methodsOf } from './factors';
import { askForPasskey, usePasskey } from './passkeys';
import * as queries from './queries';
import { useRecoveryCode } from './recovery';
import { knownDevice } from './sessions';
import { createSignInAttempts, secondKey, targetOf } from './signInAttempts';
import type { SignInAttempts } from './signInAttempts';
import { countAttempt, makeTicket, readTicket } from './tickets';
import type { OpenTicket } from './tickets';
import { useTotp } from './totp';
import { hashPassword, isOutdated, verifyPassword } from '../../kit/passwords';
import type { Throttle } from '../../kit/throttle';

async function signInByPassword(
  ctx: Context,
  { body, request, reply }: CallOf<typeof endpoints.signIn>,
  attempts: SignInAttempts,
  origin: string,
): Promise<ResponseOf<typeof endpoints.signIn>> {
  const { db } = ctx.postgres;
  const caller = { request, reply };
  const login = body.login.normalize('NFKC').trim().toLowerCase();
  let user = await queries.findUserToSignIn(db, login);
  const device = await knownDevice(ctx, request, user?.id ?? null);
  const act = { action: 'sign.in', factor: 'password' } as const;
  await attempts.enter(caller, user, { login, device }, act);
  const right = await verifyPassword(user?.passwordHash ?? null, body.password);
  if (!user || !right) return attempts.failed(caller, user, login, act);
  if (isOutdated(user.passwordHash)) {
    const passwordHash = await hashPassword(body.password);
    await queries.renewHash(db, user, passwordHash);
    user = { ...user, passwordHash };
  }
  const redirect = safeRedirect(body.redirect, origin);
  if (!user.secondFactor) {
    await attempts.admit(caller, user, { ...act, device, remember: body.remember, entered: 1 });
    return { redirect };
  }
  // The throttle forgets nothing yet: a right password alone is no sign-in.
  await record(ctx, db, actorOf({ session: null, request }), { action: 'sign.in', target: targetOf(user), after: { factor: 'password', next: 'second' } });
  return { next: 'second' as const, ticket: await makeTicket(ctx, user, { remember: body.remember, redirect }), methods: await methodsOf(ctx, user.id) };
}

const openTicket = async (ctx: Context, ticket: string): Promise<OpenTicket> => (await readTicket(ctx, ticket)) ?? fail('ticket_ended');

async function takeSecondStep(
  ctx: Context,
  { body, request, reply }: CallOf<typeof endpoints.signInSecond>,
  attempts: SignInAttempts,
): Promise<ResponseOf<typeof endpoints.signInSecond>> {
  const caller = { request, reply };
  const ticket = await openTicket(ctx, body.ticket);
  const { user } = ticket;
  const device = await knownDevice(ctx, request, user.id);
  const act = { action: 'sign.second', factor: body.kind } as const;
  // Six digits can be guessed, with one ticket after the other; recovery codes cannot, and are the way past this lock.
  const guessable = body.kind === 'totp';
  if (guessable) await attempts.enter(caller, user, { login: secondKey(user.id), device }, act);
  if (!(await countAttempt(ctx, ticket))) fail('ticket_ended');
  const right = await ctx.postgres.db.transaction(async (tx) => {
    const used = await (guessable ? useTotp : useRecoveryCode)(ctx, tx, user.id, body.code);
    if (used && !(await factorQueries.deleteTicket(tx, ticket.tokenHash))) fail('ticket_ended');
    return used;
  });
  if (!right) return attempts.failed(caller, user, secondKey(user.id), act);
  await attempts.admit(caller, user, { ...act, device, remember: ticket.remember, entered: guessable ? 2 : 1 });
  return { redirect: ticket.redirect };
}

async function offerPasskeys(
  ctx: Context,
  { body }: CallOf<typeof endpoints.passkeySignInOptions>,
): Promise<ResponseOf<typeof endpoints.passkeySignInOptions>> {
  const ticket = body.ticket === undefined ? null : await openTicket(ctx, body.ticket);
  return (await askForPasskey(ctx, ticket ? 'second' : 'sign_in', ticket?.user.id ?? null)) ?? fail('ticket_ended');
}

async function signInByPasskey(
  ctx: Context,
  { body, request, reply }: CallOf<typeof endpoints.passkeySignIn>,
  attempts: SignInAttempts,
  origin: string,
): Promise<ResponseOf<typeof endpoints.passkeySignIn>> {
  const caller = { request, reply };
  const ticket = body.ticket === undefined ? null : await openTicket(ctx, body.ticket);
  if (ticket && !(await countAttempt(ctx, ticket))) fail('ticket_ended');
  const expected = ticket ? ({ purpose: 'second', userId: ticket.user.id } as const) : ({ purpose: 'sign_in', userId: null } as const);
  const { user, right } = await usePasskey(ctx, expected, body);
  const act = { action: ticket ? 'sign.second' : 'sign.in', factor: 'passkey' } as const;
  if (!user || !right) return attempts.failed(caller, ticket?.user ?? user, '\npasskey', act);
  if (ticket && !(await factorQueries.deleteTicket(ctx.postgres.db, ticket.tokenHash))) fail('ticket_ended');
  const device = await knownDevice(ctx, request, user.id);
  await attempts.admit(caller, user, { ...act, device, remember: ticket?.remember ?? body.remember, entered: ticket ? 1 : 0 });
  return { redirect: ticket?.redirect ?? safeRedirect(body.redirect, origin) };
}

export function registerSignIn(app: FastifyInstance, ctx: Context, throttle: Throttle): void {
  const { origin } = new URL(ctx.config.publicUrl);
  const attempts = createSignInAttempts(app, ctx, throttle);
  route(app, ctx, endpoints.signIn, (call) => signInByPassword(ctx, call, attempts, origin));
  route(app, ctx, endpoints.signInSecond, (call) => takeSecondStep(ctx, call, attempts));
  route(app, ctx, endpoints.passkeySignInOptions, (call) => offerPasskeys(ctx, call));
  route(app, ctx, endpoints.passkeySignIn, (call) => signInByPasskey(ctx, call, attempts, origin));
}
