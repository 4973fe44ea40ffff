import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Area } from '../area';
import { auditLog } from './schema';

/** Acts in one file at most, the latest; the file says so where there were more. */
const mostActs = 20_000;

type Db = Pick<NodePgDatabase, 'select'>;

/**
 * What they did themselves and, as their sign-in history shows it, who tried to sign in as them; latest first. What others write down
 * about a person stays in the log.
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
