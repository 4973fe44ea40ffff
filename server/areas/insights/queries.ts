import { and, asc, count, eq, gte, inArray, lte, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import { defineRemoval } from '../../kit/removals';
import { annotations, funnels, goals, segments } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
/** A row with the name of its creator; '' after the account was deleted. */
export type Authored<T> = { readonly row: T; readonly author: string };
export type GoalRecord = typeof goals.$inferSelect;
export type FunnelRecord = typeof funnels.$inferSelect;
export type SegmentRecord = typeof segments.$inferSelect;
export type AnnotationRecord = typeof annotations.$inferSelect;

/** Undo of the deletion of each kind of definition. */
export const removals = {
  goals: defineRemoval('goal', goals),
  funnels: defineRemoval('funnel', funnels),
  segments: defineRemoval('segment', segments),
  annotations: defineRemoval('annotation', annotations),
} as const;

const author = sql<string>`coalesce(${users.displayName}, '')`;
/** The next revision. */
const next = sql<number>`revision + 1`;

/** Goals of a site, oldest first; `id`: only this one. */
export const goalsOf = (db: Db, siteId: string, id?: string): Promise<Authored<GoalRecord>[]> =>
  db
    .select({ row: goals, author })
    .from(goals)
    .leftJoin(users, eq(users.id, goals.author))
    .where(and(eq(goals.siteId, siteId), id === undefined ? undefined : eq(goals.id, id)))
    .orderBy(asc(goals.createdAt), asc(goals.id));
export const insertGoal = async (db: Db, row: typeof goals.$inferInsert): Promise<GoalRecord | undefined> =>
  (await db.insert(goals).values(row).returning())[0];
/** Undefined if the goal has another revision in the meantime or was deleted. */
export const updateGoal = async (db: Db, siteId: string, id: string, revision: number, change: Pick<GoalRecord, 'name' | 'condition' | 'worth'>) =>
  (
    await db
      .update(goals)
      .set({ ...change, revision: next })
      .where(and(eq(goals.siteId, siteId), eq(goals.id, id), eq(goals.revision, revision)))
      .returning()
  )[0];
export const deleteGoal = async (db: Db, siteId: string, id: string): Promise<GoalRecord | undefined> =>
  (
    await db
      .delete(goals)
      .where(and(eq(goals.siteId, siteId), eq(goals.id, id)))
      .returning()
  )[0];

export const funnelsOf = (db: Db, siteId: string, id?: string): Promise<Authored<FunnelRecord>[]> =>
  db
    .select({ row: funnels, author })
    .from(funnels)
    .leftJoin(users, eq(users.id, funnels.author))
    .where(and(eq(funnels.siteId, siteId), id === undefined ? undefined : eq(funnels.id, id)))
    .orderBy(asc(funnels.createdAt), asc(funnels.id));
export const insertFunnel = async (db: Db, row: typeof funnels.$inferInsert): Promise<FunnelRecord | undefined> =>
  (await db.insert(funnels).values(row).returning())[0];
export const updateFunnel = async (
  db: Db,
  siteId: string,
  id: string,
  revision: number,
  change: Pick<FunnelRecord, 'name' | 'steps' | 'within' | 'scope'>,
): Promise<FunnelRecord | undefined> =>
  (
    await db
      .update(funnels)
      .set({ ...change, revision: next })
      .where(and(eq(funnels.siteId, siteId), eq(funnels.id, id), eq(funnels.revision, revision)))
      .returning()
  )[0];
export const deleteFunnel = async (db: Db, siteId: string, id: string): Promise<FunnelRecord | undefined> =>
  (
    await db
      .delete(funnels)
      .where(and(eq(funnels.siteId, siteId), eq(funnels.id, id)))
      .returning()
  )[0];

/** Visible segments: shared ones and the person's own; without a person (`null`) only shared ones. */
const seenBy = (userId: string | null) => (userId === null ? segments.shared : or(segments.shared, eq(segments.author, userId)));
export const segmentsOf = (db: Db, siteId: string, userId: string | null, ids?: readonly string[]): Promise<Authored<SegmentRecord>[]> =>
  db
    .select({ row: segments, author })
    .from(segments)
    .leftJoin(users, eq(users.id, segments.author))
    .where(and(eq(segments.siteId, siteId), seenBy(userId), ids === undefined ? undefined : inArray(segments.id, [...ids])))
    .orderBy(asc(segments.createdAt), asc(segments.id));
export const insertSegment = async (db: Db, row: typeof segments.$inferInsert): Promise<SegmentRecord | undefined> =>
  (await db.insert(segments).values(row).returning())[0];
export const updateSegment = async (
  db: Db,
  siteId: string,
  id: string,
  revision: number,
  change: Pick<SegmentRecord, 'name' | 'filters' | 'shared'>,
): Promise<SegmentRecord | undefined> =>
  (
    await db
      .update(segments)
      .set({ ...change, revision: next })
      .where(and(eq(segments.siteId, siteId), eq(segments.id, id), eq(segments.revision, revision)))
      .returning()
  )[0];
export const deleteSegment = async (db: Db, siteId: string, userId: string, id: string): Promise<SegmentRecord | undefined> =>
  (
    await db
      .delete(segments)
      .where(and(eq(segments.siteId, siteId), seenBy(userId), eq(segments.id, id)))
      .returning()
  )[0];

/** Annotations of a range of days, oldest first. */
export const annotationsOf = (db: Db, siteId: string, from: string, to: string): Promise<Authored<AnnotationRecord>[]> =>
  db
    .select({ row: annotations, author })
    .from(annotations)
    .leftJoin(users, eq(users.id, annotations.author))
    .where(and(eq(annotations.siteId, siteId), gte(annotations.day, from), lte(annotations.day, to)))
    .orderBy(asc(annotations.day), sql`${annotations.time} asc nulls first`, asc(annotations.createdAt), asc(annotations.id));
export const annotationById = async (db: Db, siteId: string, id: string): Promise<Authored<AnnotationRecord> | undefined> =>
  (
    await db
      .select({ row: annotations, author })
      .from(annotations)
      .leftJoin(users, eq(users.id, annotations.author))
      .where(and(eq(annotations.siteId, siteId), eq(annotations.id, id)))
  )[0];
export const hasFirstHit = async (db: Db, siteId: string): Promise<boolean> =>
  (
    await db
      .select({ id: annotations.id })
      .from(annotations)
      .where(and(eq(annotations.siteId, siteId), eq(annotations.kind, 'first_hit')))
      .limit(1)
  ).length > 0;
/** A second first-hit annotation of a site is ignored. */
export const insertAnnotation = async (db: Pick<Db, 'insert'>, row: typeof annotations.$inferInsert): Promise<AnnotationRecord | undefined> =>
  (await db.insert(annotations).values(row).onConflictDoNothing().returning())[0];
export const updateAnnotation = async (
  db: Db,
  siteId: string,
  id: string,
  revision: number,
  change: Pick<AnnotationRecord, 'day' | 'time' | 'text'>,
): Promise<AnnotationRecord | undefined> =>
  (
    await db
      .update(annotations)
      .set({ ...change, revision: next })
      .where(and(eq(annotations.siteId, siteId), eq(annotations.id, id), eq(annotations.kind, 'note'), eq(annotations.revision, revision)))
      .returning()
  )[0];
export const deleteAnnotation = async (db: Db, siteId: string, id: string): Promise<boolean> =>
  (
    await db
      .delete(annotations)
      .where(and(eq(annotations.siteId, siteId), eq(annotations.id, id), eq(annotations.kind, 'note')))
      .returning({ id: annotations.id })
  ).length > 0;
/** Deletes the automatic annotations of a goal's removal. */
export const deleteGoalRemovalNotes = (db: Pick<Db, 'delete'>, siteId: string, goalId: string) =>
  db.delete(annotations).where(and(eq(annotations.siteId, siteId), eq(annotations.kind, 'goal_removed'), eq(sql`${annotations.values} ->> 'goal'`, goalId)));

const tables = { goals, funnels, segments, annotations } as const;
/** Number of definitions of a kind on a site; of annotations only those written by people. */
export async function countOf(db: Db, kind: keyof typeof tables, siteId: string): Promise<number> {
  const table = tables[kind];
  const typed = kind === 'annotations' ? eq(annotations.kind, 'note') : undefined;
  const [row] = await db
    .select({ n: count() })
    .from(table)
    .where(and(eq(table.siteId, siteId), typed));
  return row?.n ?? 0;
}

export const sitesById = (db: Db, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: sites.id, name: sites.name })
    .from(sites)
    .where(inArray(sites.id, [...ids]));
