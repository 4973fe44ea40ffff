import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Area } from '../area';
import { auditLog } from './schema';

/** Maximum number of entries in one file, the newest; the file states whether there were more. */
const mostActs = 20_000;

type Db = Pick<NodePgDatabase, 'select'>;

/**
 * The person's own actions and, as in their sign-in history, attempts of others to sign in as them; newest first. Entries by others about the person stay in
 * the log.
 */
const ownActs = (db: Db, userId: string, most: number) =>
  db
    .select({
      at: auditLog.at,
      action: auditLog.action,
      result: auditLog.result,
      targetKind: auditLog.targetKind,
      targetName: auditLog.targetName,
      siteId: auditLog.siteId,
      address: auditLog.address,
      userAgent: auditLog.userAgent,
      before: auditLog.before,
      after: auditLog.after,
    })
    .from(auditLog)
    .where(
      or(
        eq(auditLog.actorId, userId),
        and(isNull(auditLog.actorId), eq(auditLog.targetKind, 'person'), eq(auditLog.targetId, userId), inArray(auditLog.action, ['sign.in', 'sign.second'])),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(most);

export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId) => {
  const found = await ownActs(db, userId, mostActs + 1);
  const acts = found.slice(0, mostActs);
  return {
    signIns: acts.filter(({ action }) => action.startsWith('sign.')),
    acts: acts.filter(({ action }) => !action.startsWith('sign.')),
    actsComplete: found.length <= mostActs,
  };
};
