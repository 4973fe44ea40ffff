import { and, desc, eq, gte, ilike, inArray, lt, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { auditResults } from '../../../contract/audit/schemas';
import { auditLog } from './schema';
import { containing } from '../../stores/postgres/like';

type Db = Pick<NodePgDatabase, 'select' | 'execute'>;
export type AuditRecord = typeof auditLog.$inferSelect;

export type Filter = {
  /** `from` is inclusive, `until` exclusive. */
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  readonly actor?: string | undefined;
  /** An action, or its first part. */
  readonly action?: string | undefined;
  /** First parts of actions: one of these. */
  readonly kinds?: readonly string[] | undefined;
  readonly result?: (typeof auditResults)[number] | undefined;
  readonly siteId?: string | undefined;
  readonly q?: string | undefined;
  /** null: all sites, and entries that concern no site. */
  readonly sites: readonly string[] | null;
};

function conditionsOf(filter: Filter, before: bigint | null): SQL | undefined {
  const { from, until, actor, action, kinds, result, siteId, q, sites } = filter;
  const pattern = q === undefined || q.trim() === '' ? null : containing(q.trim());
  return and(
    before === null ? undefined : lt(auditLog.id, before),
    from && gte(auditLog.at, from),
    until && lt(auditLog.at, until),
    actor === undefined ? undefined : eq(auditLog.actorId, actor),
    action === undefined ? undefined : or(sql`${auditLog.action} = ${action}`, sql`split_part(${auditLog.action}, '.', 1) = ${action}`),
    kinds && inArray(sql`split_part(${auditLog.action}, '.', 1)`, [...kinds]),
    result === undefined ? undefined : eq(auditLog.result, result),
    siteId === undefined ? undefined : eq(auditLog.siteId, siteId),
    sites === null ? undefined : inArray(auditLog.siteId, [...sites]),
    pattern === null
      ? undefined
      : or(
          ilike(auditLog.actorName, pattern),
          ilike(auditLog.targetName, pattern),
          ilike(auditLog.address, pattern),
          ilike(auditLog.targetId, pattern),
          sql`${auditLog.actorId}::text ilike ${pattern}`,
        ),
  );
}

/** Newest first. `before`: entries with a lower id. */
export const auditPage = (db: Db, filter: Filter, before: bigint | null, size: number): Promise<AuditRecord[]> =>
  db.select().from(auditLog).where(conditionsOf(filter, before)).orderBy(desc(auditLog.id)).limit(size);

/** Deletes at most `most` entries older than 400 days by the clock of PostgreSQL, which the trigger uses as well. Returns the number deleted. */
export async function deleteOldLines(db: Db, most: number): Promise<number> {
  const { rowCount } = await db.execute(
    sql`DELETE FROM ${auditLog} WHERE id IN (SELECT id FROM ${auditLog} WHERE at < now() - interval '400 days' ORDER BY id LIMIT ${most})`,
  );
  return rowCount ?? 0;
}
