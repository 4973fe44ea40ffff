import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { z } from 'zod';
import { shortestPassword } from '../../../contract/session/schemas';
import type { secondSteps } from '../../../contract/session/schemas';
import type { Passkey } from '../../../contract/account/factors';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './factorQueries';
import type { PasskeyRecord } from './factorQueries';
import { isSecondFactorRequired, policyOf } from './policy';
import type { UserRecord } from './queries';
import { makeRecoveryCodes } from './recovery';

type Tx = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0];

/** Serializes changes of a person's factors. */
const changing = <T>(ctx: Context, userId: string, change: (tx: Tx, user: UserRecord) => Promise<T>): Promise<T> =>
  ctx.postgres.db.transaction(async (tx) => change(tx, (await queries.lockUser(tx, userId)) ?? fail('not_found')));

/** Adds a factor. `users.second_factor` is updated in the same transaction, and the first factor also creates recovery codes (null otherwise). */
export const addingFactor = <T>(
  ctx: Context,
  userId: string,
  add: (tx: Tx, user: UserRecord) => Promise<T>,
): Promise<{ factor: T; recoveryCodes: string[] | null }> =>
  changing(ctx, userId, async (tx, user) => {
    const added = await add(tx, user);
    if (user.secondFactor) return { factor: added, recoveryCodes: null };
    await queries.setSecondFactor(tx, userId, true);
    return { factor: added, recoveryCodes: await makeRecoveryCodes(ctx, tx, userId) };
  });

/**
 * Removes a factor; recovery codes are removed with the last one. The last factor cannot be removed (`conflict`) while the policy requires one
 * (`fields.secondFactor`), or while the password is too short to be used alone (`fields.password`, with the required length).
 */
export async function removingFactor<T>(ctx: Context, userId: string, remove: (tx: Tx, user: UserRecord) => Promise<T>): Promise<T> {
  const policy = await policyOf(ctx);
  return changing(ctx, userId, async (tx, user) => {
    const removed = await remove(tx, user);
    const remaining = await queries.countFactors(tx, userId);
    if (remaining.totp + remaining.passkeys > 0) return removed;
    if (isSecondFactorRequired(policy, user)) fail('conflict', { fields: { secondFactor: { code: 'required' } } });
    if (!user.passwordLong) fail('conflict', { fields: { password: { code: 'too_short', min: shortestPassword.alone } } });
    await removeFactors(tx, userId);
    return removed;
  });
}

/** Runs `change` if the person has a second factor; `conflict` otherwise. */
export const withFactors = <T>(ctx: Context, userId: string, change: (tx: Tx, user: UserRecord) => Promise<T>): Promise<T> =>
  changing(ctx, userId, (tx, user) => (user.secondFactor ? change(tx, user) : fail('conflict')));

/**
 * Removes a person's authenticator, passkeys and recovery codes, in the caller's transaction. Also for people with a short password: until they have a factor
 * again, they can only set one up (`enrolmentOf`) or choose a longer password.
 */
export async function removeFactors(tx: Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>, userId: string): Promise<void> {
  await queries.deleteFactors(tx, userId);
  await queries.deleteTicketsOf(tx, userId);
  await queries.setSecondFactor(tx, userId, false);
}

/** The methods a person can use as second factor. */
export async function methodsOf(ctx: Context, userId: string): Promise<(typeof secondSteps)[number][]> {
  const { db } = ctx.postgres;
  const [factors, remaining] = await Promise.all([queries.countFactors(db, userId), queries.recoveryLeft(db, userId)]);
  return [
    ...(factors.totp > 0 ? ['totp' as const] : []),
    ...(factors.passkeys > 0 ? ['passkey' as const] : []),
    ...(remaining > 0 ? ['recovery' as const] : []),
  ];
}

export const passkeyResponse = (row: PasskeyRecord): z.input<typeof Passkey> => ({
  id: row.id,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  synced: row.synced,
});
