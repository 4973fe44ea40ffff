import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditAction } from '../../../contract/audit/schemas';
import type { signInFactors } from '../../../contract/account/factors';
import { safeRedirect } from '../../../contract/redirect';
import { sessionEndpoints as endpoints } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { Failure, fail } from '../../http/failure';
import { route } from '../../http/route';
import { actorOf, record } from '../audit';
import * as factorQueries from './factorQueries';
import { methodsOf } from './factors';
import { tellPerson } from './mails';
import { askForPasskey, usePasskey } from './passkeys';
import { hashPassword, isOutdated, verifyPassword } from './passwords';
import * as queries from './queries';
import type { UserRecord } from './queries';
import { useRecoveryCode } from './recovery';
import { knownDevice, rememberBrowser, startSession } from './sessions';
import type { Throttle } from './throttle';
import { countAttempt, makeTicket, readTicket } from './tickets';
import type { OpenTicket } from './tickets';
import { useTotp } from './totp';

type Caller = { readonly request: FastifyRequest; readonly reply: FastifyReply };
type Factor = (typeof signInFactors)[number];
type SignAction = Extract<AuditAction, 'sign.in' | 'sign.second'>;

const day = 24 * 3600;
/** People hear of this many failures within a day, once. */
const tellAfter = 10;
/** Refusals are written down once in so many seconds for an account, and for an address that tries names of nobody: the log must not grow with a flood. */
const refusalEvery = 600;

/** Guesses of codes are counted per account, apart from guesses of passwords. No typed name begins with a line break. */
const secondKey = (userId: string): string => `\nsecond ${userId}`;
const targetOf = ({ id, loginName }: UserRecord) => ({ kind: 'person', id, name: loginName });

export function registerSignIn(app: FastifyInstance, ctx: Context, throttle: Throttle): void {
  const { db } = ctx.postgres;
  const { origin } = new URL(ctx.config.publicUrl);

  /**
   * Writes down an attempt that came to nothing. The actor is nobody, because nothing was proven; where there is such an account, it is the
   * target. The name as it was typed is not kept: people type passwords into the wrong field.
   */
  async function noteFailure(
    caller: Caller,
    user: UserRecord | null,
    act: { action: SignAction; factor: Factor; result: 'failed' | 'refused' },
  ): Promise<void> {
    const about = user?.id ?? addressGroup(clientAddress(caller.request));
    // Passkeys that nobody has cost nothing to make up, and no lock stands before them.
    const cheap = act.result === 'refused' || (user === null && act.factor === 'passkey');
    if (cheap && (await throttle.count(`${act.result} ${act.action} ${about}`, refusalEvery)) > 1) return;
    const actor = actorOf({ session: null, request: caller.request });
    await record(ctx, db, actor, { action: act.action, result: act.result, after: { factor: act.factor }, ...(user ? { target: targetOf(user) } : {}) });
  }

  /** The same for names that nobody has, so that both take the same time. */
  async function countFailure(caller: Caller, user: UserRecord | null, login: string): Promise<void> {
    const failures = await throttle.count(`failures ${user?.id ?? login}`, day);
    if (failures !== tellAfter || !user) return;
    await tellPerson(ctx, db, user, 'many_failures', caller.request);
    await app.accessSource.attacked(user);
  }

  /** Lets an attempt in, or writes down that it was refused. */
  async function enter(
    caller: Caller,
    user: UserRecord | null,
    attempt: { login: string; device: string | null },
    act: { action: SignAction; factor: Factor },
  ): Promise<void> {
    try {
      await throttle.enter({ ...attempt, address: clientAddress(caller.request) });
    } catch (error) {
      if (error instanceof Failure && error.code === 'too_many_requests') {
        await noteFailure(caller, user, { ...act, result: 'refused' });
        await countFailure(caller, user, attempt.login);
      }
      throw error;
    }
  }

  async function failed(caller: Caller, user: UserRecord | null, login: string, act: { action: SignAction; factor: Factor }): Promise<never> {
    await noteFailure(caller, user, { ...act, result: 'failed' });
    if (user || act.factor === 'password') await countFailure(caller, user, login);
    return fail(act.factor === 'password' ? 'bad_credentials' : 'bad_code');
  }

  /** The whole sign-in has succeeded. `entered`: attempts that the throttle has let in on the way. */
  async function admit(
    { request, reply }: Caller,
    user: UserRecord,
    way: { action: SignAction; factor: Factor; device: string | null; remember: boolean; entered: number },
  ): Promise<void> {
    const { device, action, factor } = way;
    const logins = [user.loginName, ...(user.email === null ? [] : [user.email]), secondKey(user.id)];
    await throttle.succeed({ logins, address: clientAddress(request), device, entered: way.entered });
    const remaining = factor === 'recovery' ? await factorQueries.recoveryLeft(db, user.id) : null;
    await startSession(ctx, request, reply, user, way.remember, async (tx) => {
      const after = { factor, ...(remaining === null ? {} : { recoveryLeft: remaining }) };
      await record(ctx, tx, actorOf({ session: null, request }, user), { action, target: targetOf(user), after });
      if (remaining !== null) await tellPerson(ctx, tx, user, 'recovery_used', request, { left: remaining });
      if (device === null && user.notices.newDevice) await tellPerson(ctx, tx, user, 'new_device', request);
    });
    await rememberBrowser(ctx, reply, user.id, device);
  }

  route(app, ctx, endpoints.signIn, async ({ body, request, reply }) => {
    const caller = { request, reply };
    const login = body.login.normalize('NFKC').trim().toLowerCase();
    let user = await queries.findUserToSignIn(db, login);
    const device = await knownDevice(ctx, request, user?.id ?? null);
    const act = { action: 'sign.in', factor: 'password' } as const;
    await enter(caller, user, { login, device }, act);
    const right = await verifyPassword(user?.passwordHash ?? null, body.password);
    if (!user || !right) return failed(caller, user, login, act);
    if (isOutdated(user.passwordHash)) {
      const passwordHash = await hashPassword(body.password);
      await queries.renewHash(db, user, passwordHash);
      user = { ...user, passwordHash };
    }
    const redirect = safeRedirect(body.redirect, origin);
    if (!user.secondFactor) {
      await admit(caller, user, { ...act, device, remember: body.remember, entered: 1 });
      return { redirect };
    }
    // The throttle forgets nothing yet: a right password alone is no sign-in.
    await record(ctx, db, actorOf({ session: null, request }), { action: 'sign.in', target: targetOf(user), after: { factor: 'password', next: 'second' } });
    return { next: 'second' as const, ticket: await makeTicket(ctx, user, { remember: body.remember, redirect }), methods: await methodsOf(ctx, user.id) };
  });

  const openTicket = async (ticket: string): Promise<OpenTicket> => (await readTicket(ctx, ticket)) ?? fail('ticket_ended');

  route(app, ctx, endpoints.signInSecond, async ({ body, request, reply }) => {
    const caller = { request, reply };
    const ticket = await openTicket(body.ticket);
    const { user } = ticket;
    const device = await knownDevice(ctx, request, user.id);
    const act = { action: 'sign.second', factor: body.kind } as const;
    // Six digits can be guessed, with one ticket after the other; recovery codes cannot, and are the way past this lock.
    const guessable = body.kind === 'totp';
    if (guessable) await enter(caller, user, { login: secondKey(user.id), device }, act);
    if (!(await countAttempt(ctx, ticket))) fail('ticket_ended');
    const right = await db.transaction(async (tx) => {
      const used = await (guessable ? useTotp : useRecoveryCode)(ctx, tx, user.id, body.code);
      if (used && !(await factorQueries.deleteTicket(tx, ticket.tokenHash))) fail('ticket_ended');
      return used;
    });
    if (!right) return failed(caller, user, secondKey(user.id), act);
    await admit(caller, user, { ...act, device, remember: ticket.remember, entered: guessable ? 2 : 1 });
    return { redirect: ticket.redirect };
  });

  route(app, ctx, endpoints.passkeySignInOptions, async ({ body }) => {
    const ticket = body.ticket === undefined ? null : await openTicket(body.ticket);
    return (await askForPasskey(ctx, ticket ? 'second' : 'sign_in', ticket?.user.id ?? null)) ?? fail('ticket_ended');
  });

  route(app, ctx, endpoints.passkeySignIn, async ({ body, request, reply }) => {
    const caller = { request, reply };
    const ticket = body.ticket === undefined ? null : await openTicket(body.ticket);
    if (ticket && !(await countAttempt(ctx, ticket))) fail('ticket_ended');
    const expected = ticket ? ({ purpose: 'second', userId: ticket.user.id } as const) : ({ purpose: 'sign_in', userId: null } as const);
    const { user, right } = await usePasskey(ctx, expected, body);
    const act = { action: ticket ? 'sign.second' : 'sign.in', factor: 'passkey' } as const;
    if (!user || !right) return failed(caller, ticket?.user ?? user, '\npasskey', act);
    if (ticket && !(await factorQueries.deleteTicket(db, ticket.tokenHash))) fail('ticket_ended');
    const device = await knownDevice(ctx, request, user.id);
    await admit(caller, user, { ...act, device, remember: ticket?.remember ?? body.remember, entered: ticket ? 1 : 0 });
    return { redirect: ticket?.redirect ?? safeRedirect(body.redirect, origin) };
  });
}
