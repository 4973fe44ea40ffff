import { and, asc, eq, ne, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { defineRemoval } from '../../../kit/removals';
import { contentViews } from '../core/schema';
import { linksOfView } from '../publicLinks';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type ViewRecord = typeof contentViews.$inferSelect;

export const removal = defineRemoval('view', contentViews, [linksOfView]);

/** Shared views, and the person's own. */
const seenBy = (userId: string) => or(ne(contentViews.scope, 'personal'), eq(contentViews.owner, userId));
const inOrder = [asc(contentViews.position), asc(contentViews.createdAt), asc(contentViews.id)] as const;

export const viewsOf = (db: Db, tableId: string, userId: string): Promise<ViewRecord[]> =>
  db
    .select()
    .from(contentViews)
    .where(and(eq(contentViews.tableId, tableId), seenBy(userId)))
    .orderBy(...inOrder);
/** Shared views in order, locked until the end of the transaction. */
export const lockViews = (db: Db, tableId: string): Promise<ViewRecord[]> =>
  db
    .select()
    .from(contentViews)
    .where(eq(contentViews.tableId, tableId))
    .orderBy(...inOrder)
    .for('update');
/** Serializes changes, so that limits and positions are exact. */
export const oneAtATime = (db: Db, tableId: string): Promise<unknown> =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`views ${tableId}`}, 0))`);
export const insertView = async (db: Db, row: typeof contentViews.$inferInsert): Promise<ViewRecord> => {
  const [created] = await db.insert(contentViews).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
};
export const updateView = async (db: Db, id: string, change: Partial<ViewRecord>): Promise<ViewRecord> => {
  const [changed] = await db
    .update(contentViews)
    .set({ ...change, revision: sql`${contentViews.revision} + 1` })
    .where(eq(contentViews.id, id))
    .returning();
  if (!changed) throw new Error('PostgreSQL returned no row');
  return changed;
};
/** Reordering is not an edit: the revision stays. */
export const placeView = (db: Db, id: string, position: number) => db.update(contentViews).set({ position }).where(eq(contentViews.id, id));
export const deleteView = (db: Db, id: string) => db.delete(contentViews).where(eq(contentViews.id, id));
