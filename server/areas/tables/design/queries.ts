import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { users } from '../../account/schema';
import type { Db } from '../ddl';
import type { FieldRecord, TableRecord } from '../model';
import { contentChanges, contentFields, contentTables } from '../schema';
import type { PendingWork } from '../schema';

export type ChangeRecord = typeof contentChanges.$inferSelect;

export const setTable = async (db: Db, id: string, parts: Partial<TableRecord>): Promise<void> =>
  void (await db.update(contentTables).set(parts).where(eq(contentTables.id, id)));
export const setField = async (db: Db, id: string, parts: Partial<FieldRecord>): Promise<void> =>
  void (await db.update(contentFields).set(parts).where(eq(contentFields.id, id)));
export const setPositions = async (db: Db, tableId: string, ids: readonly string[]): Promise<void> =>
  void (await db.execute(sql`
    UPDATE ${contentFields} SET position = given.position - 1
    FROM unnest(${sql.param([...ids])}::text[]) WITH ORDINALITY AS given (id, position)
    WHERE ${contentFields.id} = given.id AND ${contentFields.tableId} = ${tableId}`));
export const forgetFields = async (db: Db, ids: readonly string[]): Promise<void> =>
  void (await db.delete(contentFields).where(inArray(contentFields.id, [...ids])));
export const forgetTable = async (db: Db, id: string): Promise<void> => void (await db.delete(contentTables).where(eq(contentTables.id, id)));

/** Changes of a table's definition, newest first, with the name of who made them. */
export const changesOf = (db: Db, siteId: string, tableId: string, most: number): Promise<{ change: ChangeRecord; by: string | null }[]> =>
  db
    .select({ change: contentChanges, by: users.displayName })
    .from(contentChanges)
    .leftJoin(users, eq(users.id, contentChanges.by))
    .where(and(eq(contentChanges.siteId, siteId), eq(contentChanges.tableId, tableId)))
    .orderBy(desc(contentChanges.id))
    .limit(most);
export const findChange = async (db: Db, siteId: string, tableId: string, id: number): Promise<ChangeRecord | null> =>
  (
    await db
      .select()
      .from(contentChanges)
      .where(and(eq(contentChanges.siteId, siteId), eq(contentChanges.tableId, tableId), eq(contentChanges.id, id)))
  )[0] ?? null;
/** The last change of one kind of one thing. */
export const lastChange = async (db: Db, tableId: string, op: ChangeRecord['op'], fieldId: string | null): Promise<ChangeRecord | null> =>
  (
    await db
      .select()
      .from(contentChanges)
      .where(
        and(
          eq(contentChanges.tableId, tableId),
          eq(contentChanges.op, op),
          fieldId === null ? isNull(contentChanges.fieldId) : eq(contentChanges.fieldId, fieldId),
        ),
      )
      .orderBy(desc(contentChanges.id))
      .limit(1)
  )[0] ?? null;
/** `by`: the last change so far, which took this one back. */
export const markReverted = async (db: Db, id: number, siteId: string): Promise<void> =>
  void (await db
    .update(contentChanges)
    .set({ revertedBy: sql`(SELECT max(id) FROM ${contentChanges} WHERE site_id = ${siteId})` })
    .where(eq(contentChanges.id, id)));

/** Adds to what is still to be done with the records of a table. */
export const addPending = async (db: Db, id: string, work: PendingWork): Promise<void> =>
  void (await db
    .update(contentTables)
    .set({ pending: sql`coalesce(${contentTables.pending}, '{}'::jsonb) || ${JSON.stringify(work)}::jsonb` })
    .where(eq(contentTables.id, id)));
export const pendingTables = (db: Db): Promise<{ id: string; siteId: string; title: string; pending: PendingWork | null }[]> =>
  db
    .select({ id: contentTables.id, siteId: contentTables.siteId, title: contentTables.title, pending: contentTables.pending })
    .from(contentTables)
    .where(and(sql`${contentTables.pending} IS NOT NULL`, isNull(contentTables.deletedAt)))
    .orderBy(asc(contentTables.id));
