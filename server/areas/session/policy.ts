import { may } from '../../../contract/permissions';
import type { Policy } from '../../../contract/factors';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import * as queries from './queries';
import type { UserRecord } from './queries';

const settingName = 'policy';
const day = 24 * 3_600_000;
/** The policy is asked for at every request; another process may be behind by this long, in milliseconds. */
const keptFor = 3000;

/** The policy as it is stored: with the moment from which days of grace count. */
export type StoredPolicy = Policy & { readonly since: string };

const standard: StoredPolicy = { secondFactor: 'off', graceDays: 7, selfRename: true, revision: 0, since: new Date(0).toISOString() };

const kept = new WeakMap<Context['postgres'], { readonly at: number; readonly policy: Promise<StoredPolicy> }>();

/** What the installation asks of its people. */
export function policyOf(ctx: Context): Promise<StoredPolicy> {
  const now = ctx.now();
  const known = kept.get(ctx.postgres);
  if (known && now - known.at < keptFor && now >= known.at) return known.policy;
  const policy = queries.readSetting(ctx.postgres.db, settingName).then((value) => (value === null ? standard : { ...standard, ...(value as StoredPolicy) }));
  kept.set(ctx.postgres, { at: now, policy });
  policy.catch(() => kept.delete(ctx.postgres));
  return policy;
}

/** Whether a person must have a second factor: `managers` means everybody who may do more than a member. */
const isAsked = (policy: Policy, user: Pick<UserRecord, 'role'>): boolean =>
  policy.secondFactor === 'all' || (policy.secondFactor === 'managers' && (user.role !== 'member' || may(user.role, 'people.read')));

/** Where a person stands with the policy. */
export async function enrolmentOf(ctx: Context, user: UserRecord): Promise<Pick<SessionInfo, 'enrolment' | 'enrolBy'>> {
  if (user.secondFactor) return { enrolment: 'none', enrolBy: null };
  const policy = await policyOf(ctx);
  if (!isAsked(policy, user)) return { enrolment: 'none', enrolBy: null };
  const enrolBy = Math.max(Date.parse(policy.since), user.createdAt.getTime()) + policy.graceDays * day;
  return { enrolment: enrolBy <= ctx.now() ? 'required' : 'due', enrolBy };
}
