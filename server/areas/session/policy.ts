import type { z } from 'zod';
import { may } from '../../../contract/permissions';
import { secondFactorPolicies } from '../../../contract/account/factors';
import type { Policy, PolicyInput } from '../../../contract/account/factors';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { fail } from '../../http/failure';
import { difference, record } from '../audit';
import type { Actor } from '../audit';
import * as queries from './queries';
import type { UserRecord } from './queries';

const settingName = 'policy';
const day = 24 * 3_600_000;
/** The policy is needed for every request; another process may use an outdated one for this long, in milliseconds. */
const cacheMs = 3000;

/** The policy as stored: with the time from which the grace period counts. */
export type StoredPolicy = Policy & { readonly since: string };

const standard: StoredPolicy = { secondFactor: 'off', graceDays: 7, selfRename: true, revision: 0, since: new Date(0).toISOString() };

const cache = new WeakMap<Context['postgres'], { readonly at: number; readonly policy: Promise<StoredPolicy> }>();

const readStored = async (db: Parameters<typeof queries.readSetting>[0]): Promise<StoredPolicy> => {
  const value = await queries.readSetting(db, settingName);
  return value === null ? standard : { ...standard, ...(value as StoredPolicy) };
};

/** The installation's security policy. */
export function policyOf(ctx: Context): Promise<StoredPolicy> {
  const now = ctx.now();
  const known = cache.get(ctx.postgres);
  if (known && now - known.at < cacheMs && now >= known.at) return known.policy;
  const policy = readStored(ctx.postgres.db);
  cache.set(ctx.postgres, { at: now, policy });
  policy.catch(() => cache.delete(ctx.postgres));
  return policy;
}

const strictness = (policy: Pick<Policy, 'secondFactor'>): number => secondFactorPolicies.indexOf(policy.secondFactor);

/**
 * Changes the policy if it still has `revision` (`stale_revision` otherwise). If it gets stricter, the grace period starts now. This process applies it at
 * once, others within seconds.
 */
export async function changePolicy(ctx: Context, actor: Actor, input: z.output<typeof PolicyInput>, revision: number): Promise<StoredPolicy> {
  const policy = await ctx.postgres.withLock('policy', () =>
    ctx.postgres.db.transaction(async (tx) => {
      const before = await readStored(tx);
      if (before.revision !== revision) fail('stale_revision', { current: before });
      const now = new Date(ctx.now());
      const stricter = strictness(input) > strictness(before) || input.graceDays < before.graceDays;
      const after: StoredPolicy = { ...input, revision: revision + 1, since: stricter ? now.toISOString() : before.since };
      await queries.writeSetting(tx, settingName, after, now);
      const changes = difference<Policy>(before, after, ['secondFactor', 'graceDays', 'selfRename']);
      await record(ctx, tx, actor, { action: 'policy.changed', target: { kind: 'policy', id: settingName, name: '' }, ...changes });
      return after;
    }),
  );
  cache.delete(ctx.postgres);
  return policy;
}

/** Whether a person must have a second factor: `managers` means everyone with more rights than a member. */
export const isSecondFactorRequired = (policy: Policy, user: Pick<UserRecord, 'role'>): boolean =>
  policy.secondFactor === 'all' || (policy.secondFactor === 'managers' && (user.role !== 'member' || may(user.role, 'people.read')));

/** Whether and until when a person must set up a second factor. */
export async function enrolmentOf(
  ctx: Context,
  user: Pick<UserRecord, 'secondFactor' | 'passwordLong' | 'role' | 'createdAt'>,
): Promise<Pick<SessionInfo, 'enrolment' | 'enrolBy'>> {
  if (user.secondFactor) return { enrolment: 'none', enrolBy: null };
  // The short password was allowed because of a factor that an owner has since removed: until a new one is set up, nothing else is accessible.
  if (!user.passwordLong) return { enrolment: 'required', enrolBy: null };
  const policy = await policyOf(ctx);
  if (!isSecondFactorRequired(policy, user)) return { enrolment: 'none', enrolBy: null };
  const enrolBy = Math.max(Date.parse(policy.since), user.createdAt.getTime()) + policy.graceDays * day;
  return { enrolment: enrolBy <= ctx.now() ? 'required' : 'due', enrolBy };
}
