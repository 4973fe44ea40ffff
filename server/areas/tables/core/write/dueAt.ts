import { and, eq, inArray, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { contentPublicationFailures, contentTables } from '../schema';

type Db = Pick<NodePgDatabase, 'update'>;
type Deletes = Pick<NodePgDatabase, 'delete'>;

/**
 * Lets a table know of moments at which records of it are to be published or taken back (ISO 8601; null and undefined are none), in the transaction that
 * plans them, whoever does: also who undoes. A moment that is given up stays noted until it has passed, which costs one question.
 */
export async function noteDue(tx: Db, tableId: string, moments: readonly unknown[]): Promise<void> {
  const [first] = moments.filter((moment): moment is string => typeof moment === 'string').toSorted();
  if (first === undefined) return;
  await tx
    .update(contentTables)
    .set({ dueAt: sql`least(coalesce(${contentTables.dueAt}, 'infinity'), ${first}::timestamptz)` })
    .where(eq(contentTables.id, tableId));
}

/** Forgets failed publications: of records that are published or planned anew, or deleted for good. */
export const deleteFailuresOf = (tx: Deletes, tableId: string, recordIds: readonly string[]) =>
  tx
    .delete(contentPublicationFailures)
    .where(and(eq(contentPublicationFailures.tableId, tableId), inArray(contentPublicationFailures.recordId, [...recordIds])));
