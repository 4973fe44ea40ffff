import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { signInFactors } from '../../../contract/account/factors';
import type { AuditAction } from '../../../contract/audit/schemas';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { Failure, fail } from '../../http/failure';
import { actorOf, record } from '../audit';
import * as factorQueries from './factorQueries';
import { tellPerson } from './mails';
import type { UserRecord } from './queries';
import { rememberBrowser, startSession } from './sessions';
import type { Throttle } from '../../kit/throttle';

type Caller = { readonly request: FastifyRequest; readonly reply: FastifyReply };
type Factor = (typeof signInFactors)[number];
type SignAction = Extract<AuditAction, 'sign.in' | 'sign.second'>;
type SignAct = { readonly action: SignAction; readonly factor: Factor };

const day = 24 * 3600;
/** People hear of this many failures within a day, once. */
const tellAfter = 10;
/** Refusals are written down once in so many seconds for an account, and for an address that tries names of nobody: the log must not grow with a flood. */
const refusalEvery = 600;

/** Guesses of codes are counted per account, apart from guesses of passwords. No typed name begins with a line break. */
export const secondKey = (userId: string): string => `\nsecond ${userId}`;
export const targetOf = ({ id, loginName }: UserRecord) => ({ kind: 'person', id, name: loginName });

export type SignInAttempts = {
  /** Lets an attempt in, or writes down that it was refused. */
  readonly enter: (caller: Caller, user: UserRecord | null, attempt: { login: string; device: string | null }, act: SignAct) => Promise<void>;
  /** Writes down that a password or code was wrong, and refuses. */
  readonly failed: (caller: Caller, user: UserRecord | null, login: string, act: SignAct) => Promise<never>;
  /** The whole sign-in has succeeded. `entered`: attempts that the throttle has let in on the way. */
  readonly admit: (caller: Caller, user: UserRecord, way: SignAct & { device: string | null; remember: boolean; entered: number }) => Promise<void>;
};

/** What becomes of attempts to sign in: counted, written down, let in. */
export function createSignInAttempts(app: FastifyInstance, ctx: Context, throttle: Throttle): SignInAttempts {
  const { db } = ctx.postgres;

  /**
   * Writes down an attempt that came to nothing. The actor is nobody, because nothing was proven; where there is such an account, it is the
   * target. The name as it was typed is not kept: people type passwords into the wrong field.
   */
  async function noteFailure(caller: Caller, user: UserRecord | null, act: SignAct & { result: 'failed' | 'refused' }): Promise<void> {
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

  async function enter(caller: Caller, user: UserRecord | null, attempt: { login: string; device: string | null }, act: SignAct): Promise<void> {
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

  async function failed(caller: Caller, user: UserRecord | null, login: string, act: SignAct): Promise<never> {
    await noteFailure(caller, user, { ...act, result: 'failed' });
    if (user || act.factor === 'password') await countFailure(caller, user, login);
    return fail(act.factor === 'password' ? 'bad_credentials' : 'bad_code');
  }

  async function admit(
    { request, reply }: Caller,
    user: UserRecord,
    way: SignAct & { device: string | null; remember: boolean; entered: number },
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

  return { enter, failed, admit };
}
