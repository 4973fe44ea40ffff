import type { Person } from '../../../contract/people/schemas';
import type { InstanceRole } from '../../../contract/permissions';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './queries';
import type { Db, PersonRecord, UserRecord } from './queries';

export const personResponse = ({ user, sites, tokens, lastSeenAt }: PersonRecord): Person => ({
  id: user.id,
  loginName: user.loginName,
  displayName: user.displayName,
  avatar: user.avatarVersion === null ? null : `/api/acc/user/${user.id}/avatar?v=${user.avatarVersion}`,
  email: user.email,
  emailVerified: user.emailVerifiedAt !== null,
  pendingEmail: user.pendingEmail,
  role: user.role,
  state: user.disabled ? 'disabled' : 'active',
  sites,
  secondFactor: user.secondFactor,
  tokens,
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
  createdAt: user.createdAt.toISOString(),
  revision: user.revision,
});

/** Roles whose assignment is reported to the contacts for security. */
export const isElevated = (role: InstanceRole): role is 'owner' | 'manager' => role === 'owner' || role === 'manager';

/** The current state of a person; throws `not_found`. */
export async function personNow(ctx: Pick<Context, 'now'>, db: Db, id: string): Promise<Person> {
  const [found] = await queries.peopleById(db, [id], new Date(ctx.now()));
  return found ? personResponse(found) : fail('not_found');
}

/** A person as the target of an audit log entry. */
export const about = ({ id, loginName }: Pick<UserRecord, 'id' | 'loginName'>) => ({ target: { kind: 'person', id, name: loginName } });

/** Where account mail reaches a person; null without a confirmed address. */
export const recipientOf = ({ email, emailVerifiedAt, locale, timeZone }: UserRecord) =>
  email !== null && emailVerifiedAt !== null ? { email, locale, timeZone } : null;
