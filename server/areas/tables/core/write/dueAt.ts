import { eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { contentTables } from '../schema';

type Db = Pick<NodePgDatabase, 'update'>;

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
