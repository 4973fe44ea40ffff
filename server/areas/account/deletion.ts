import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { deleteSessions, hashPassword, makeToken } from '../session';
import type { Area } from '../area';
import * as deletions from './deletionQueries';
import { holdName } from './queries';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/** An old login name stays with its person for so long, so that nobody can pass for them, in milliseconds. */
export const heldFor = 90 * 24 * 3_600_000;

/**
 * At least one owner who may sign in must remain. Everything that demotes, disables or deletes somebody asks here first, in its own
 * transaction: a lock that lasts until the transaction ends makes two at once wait for each other. Throws `last_owner`.
 */
export async function assertNotLastOwner(tx: Db, userId: string): Promise<void> {
  await deletions.lockOwners(tx);
  const owners = await deletions.activeOwners(tx);
  if (owners.includes(userId) && owners.length === 1) fail('last_owner');
}

type DeletedPerson = {
  /** The n of “deleted user n”. */
  readonly number: number;
  /** To be given to `announceEnd` once the transaction is committed. */
  readonly endedSessions: readonly string[];
};

/**
 * Deletes somebody in the caller's transaction. The row stays without a name, so that what they made keeps a maker; everything that
 * opens the account, or is about the person alone, goes. Their login name stays held. Throws `last_owner`, or `not_found` for
 * somebody who is deleted already. Who calls it writes the line of the audit log.
 */
export async function deletePerson(ctx: Pick<Context, 'now'>, tx: Db, userId: string, areas: readonly Area[]): Promise<DeletedPerson> {
  await assertNotLastOwner(tx, userId);
  const user = (await deletions.lockPerson(tx, userId)) ?? fail('not_found');
  const now = new Date(ctx.now());
  for (const { erasePerson } of areas) await erasePerson?.(tx, userId, now);
  const endedSessions = await deleteSessions(tx, userId);
  await holdName(tx, user.loginName, userId, new Date(now.getTime() + heldFor));
  const number = await deletions.nextNumber(tx);
  await deletions.emptyPerson(tx, userId, {
    // Not a login name by the pattern of the contract: nobody can take it, nor sign in by it.
    loginName: `deleted#${number}`,
    displayName: '',
    email: null,
    emailVerifiedAt: null,
    pendingEmail: null,
    passwordHash: await hashPassword(makeToken()),
    secondFactor: false,
    // Whoever counts owners or managers must not count the deleted.
    role: 'member',
    avatarVersion: null,
    deletedAt: now,
    deletedNumber: number,
  });
  return { number, endedSessions };
}
