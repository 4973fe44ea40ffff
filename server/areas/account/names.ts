import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { loginNameFault, skeletonOf } from '../session';
import * as queries from './queries';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/**
 * Makes sure that somebody may have a login name: by its own shape, and beside the names, addresses and held names of everybody else
 * (`userId` null: somebody who is yet to be made). To be asked in the transaction that then writes the name: the lock lasts until
 * its end, so that of two who want one name at once one gets it. `loginName` comes as the contract's `LoginName` makes it.
 * Throws `name_taken`, or `invalid_fields` for the field `loginName`.
 */
export async function claimLoginName(ctx: Pick<Context, 'now'>, tx: Db, loginName: string, userId: string | null): Promise<void> {
  const error = loginNameFault(loginName);
  if (error) failField('loginName', error);
  await queries.lockNames(tx);
  const others = await queries.namesOfOthers(tx, userId, new Date(ctx.now()));
  if (others.includes(loginName)) fail('name_taken', { fields: { loginName: { code: 'taken' } } });
  const skeleton = skeletonOf(loginName);
  // A few thousand names at most, and a rename is rare: nothing is gained by keeping skeletons in the database.
  if (others.some((name) => skeletonOf(name) === skeleton)) failField('loginName', 'confusable');
}
