import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { deleteSessions } from '../session';
import type { Area } from '../area';
import * as deletions from './deletionQueries';
import { holdName } from './queries';
import { hashPassword } from '../../kit/passwords';
import { forgetRemovals } from '../../kit/removals';
import { makeToken } from '../../kit/tokens';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/** How long a former login name stays reserved for its owner, so that another person cannot impersonate them, in milliseconds. */
export const heldFor = 90 * 24 * 3_600_000;

/**
 * At least one owner who can sign in must remain. Every change that demotes, disables or deletes a person calls this first, in its own transaction: the lock
 * lasts until the transaction ends and serializes concurrent changes. Throws `last_owner`.
 */
export async function assertNotLastOwner(tx: Db, userId: string): Promise<void> {
  await deletions.lockOwners(tx);
  const owners = await deletions.activeOwners(tx);
  if (owners.includes(userId) && owners.length === 1) fail('last_owner');
}

type DeletedPerson = {
  /** The n of “deleted user n”. */
  readonly number: number;
  /** Pass to `announceEnd` after the transaction has committed. */
  readonly endedSessions: readonly string[];
};

/**
 * Deletes a person in the caller's transaction. The row stays, without a name, so that the creator of existing content can still be resolved; everything that
 * gives access to the account or is personal data is removed. The login name stays reserved. Throws `last_owner`, or `not_found` if the person is already
 * deleted. The caller writes the audit log entry.
 */
export async function deletePerson(ctx: Pick<Context, 'now'>, tx: Db, userId: string, areas: readonly Area[]): Promise<DeletedPerson> {
  await assertNotLastOwner(tx, userId);
  const user = (await deletions.lockPerson(tx, userId)) ?? fail('not_found');
  const now = new Date(ctx.now());
  for (const { erasePerson } of areas) await erasePerson?.(tx, userId, now);
  await forgetRemovals(tx, userId);
  const endedSessions = await deleteSessions(tx, userId);
  await holdName(tx, user.loginName, userId, new Date(now.getTime() + heldFor));
  const number = await deletions.nextNumber(tx);
  await deletions.emptyPerson(tx, userId, {
    // Does not match the contract's login name pattern, so it cannot be chosen as a name or used to sign in.
    loginName: `deleted#${number}`,
    displayName: '',
    email: null,
    emailVerifiedAt: null,
    pendingEmail: null,
    passwordHash: await hashPassword(makeToken()),
    secondFactor: false,
    // Queries that count owners or managers must not count deleted people.
    role: 'member',
    avatarVersion: null,
    deletedAt: now,
    deletedNumber: number,
  });
  return { number, endedSessions };
}
