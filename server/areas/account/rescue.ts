import type { Config } from '../../config';
import type { Context } from '../../context';
import { StartFailure } from '../../terminalTexts';
import { record, systemActor } from '../audit';
import { tellSecurity } from '../contacts';
import { endSessionsOf, findUserToSignIn, makeLink, removeFactors, tellPerson } from '../session';
import { targetOf } from './profile';
import { createThrottle } from '../../kit/throttle';

/**
 * Recovery of a locked-out account, possibly the only owner, by the operator of the program: `--reset-second-factor` removes the authenticator, passkeys and
 * recovery codes, `--reset-link` creates a one-time link that sets a new password. Anyone who can start the program can read its data anyway, so this grants no
 * additional right. Returns the link, or null if none was requested. Throws `StartFailure` if no account with that name can sign in.
 */
export async function rescue(ctx: Context, { resetLink, resetSecondFactor }: Pick<Config, 'resetLink' | 'resetSecondFactor'>): Promise<string | null> {
  if (resetSecondFactor !== null) {
    const user = await personOf(ctx, 'RESET_SECOND_FACTOR', resetSecondFactor);
    await ctx.postgres.db.transaction(async (tx) => {
      await removeFactors(tx, user.id);
      await record(ctx, tx, systemActor, { action: 'factor.reset', target: targetOf(user) });
      await tellPerson(ctx, tx, user, 'factor_reset', null);
      await tellSecurity(ctx, tx, { kind: 'factor_reset', person: user.loginName });
    });
    await endSessionsOf(ctx, user.id);
  }
  if (resetLink === null) return null;
  const user = await personOf(ctx, 'RESET_LINK', resetLink);
  const { url } = await ctx.postgres.db.transaction(async (tx) => {
    await record(ctx, tx, systemActor, { action: 'person.link_made', target: targetOf(user), after: { kind: 'reset' } });
    return makeLink(ctx, tx, { kind: 'reset', userId: user.id });
  });
  await createThrottle(ctx).forgive([user.loginName, ...(user.email === null ? [] : [user.email])]);
  return url;
}

async function personOf(ctx: Context, setting: string, loginName: string) {
  const user = await findUserToSignIn(ctx.postgres.db, loginName.normalize('NFKC').trim().toLowerCase());
  if (user) return user;
  throw new StartFailure({
    en: `${setting}: nobody who may sign in is called "${loginName}".`,
    zh: `${setting}：没有可以登录的账号叫“${loginName}”。`,
  });
}
