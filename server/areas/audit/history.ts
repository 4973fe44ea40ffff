import { and, desc, eq, gte, inArray, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { AuditAction } from '../../../contract/audit/schemas';
import type { AuditRecord } from './queries';
import { auditLog } from './schema';

/** Entries about one person, or by them, of the given actions since a given time: newest first, one page and the total number. */
export async function entriesOfPerson(
  db: Pick<NodePgDatabase, 'select' | '$count'>,
  userId: string,
  query: { readonly actions: readonly AuditAction[]; readonly since: Date; readonly page: number; readonly size: number },
): Promise<{ rows: AuditRecord[]; total: number }> {
  const theirs = or(and(eq(auditLog.targetKind, 'person'), eq(auditLog.targetId, userId)), eq(auditLog.actorId, userId));
  // A password step that is followed by a second factor is not a completed attempt.
  const ended = sql`coalesce(${auditLog.after} ->> 'next', '') <> 'second'`;
  const where = and(theirs, inArray(auditLog.action, [...query.actions]), gte(auditLog.at, query.since), ended);
  const rows = await db
    .select()
    .from(auditLog)
    .where(where)
    .orderBy(desc(auditLog.id))
    .limit(query.size)
    .offset((query.page - 1) * query.size);
  return { rows, total: await db.$count(auditLog, where) };
}
