import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { findLoginNameError, skeletonOf } from '../session';
import * as queries from './queries';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/**
 * Checks that a person may use a login name: its form, and its similarity to the names, e-mail addresses and reserved names of all other people (`userId` null:
 * a person not yet created). Call it in the transaction that writes the name: the lock lasts until the transaction ends, so that only one of two concurrent
 * claims succeeds. `loginName` must already be normalized by the contract's `LoginName`. Throws `name_taken`, or `invalid_fields` for the field `loginName`.
 */
export async function claimLoginName(ctx: Pick<Context, 'now'>, tx: Db, loginName: string, userId: string | null): Promise<void> {
  const error = findLoginNameError(loginName);
  if (error) failField('loginName', error);
  await queries.lockNames(tx);
  const others = await queries.namesOfOthers(tx, userId, new Date(ctx.now()));
  if (others.includes(loginName)) fail('name_taken', { fields: { loginName: { code: 'taken' } } });
  const skeleton = skeletonOf(loginName);
  // There are a few thousand names at most and renames are rare, so skeletons need not be stored in the database.
  if (others.some((name) => skeletonOf(name) === skeleton)) failField('loginName', 'confusable');
}
