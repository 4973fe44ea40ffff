import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import { contentTables, contentViews } from '../core/schema';
import { contentViewShares } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type ShareRecord = typeof contentViewShares.$inferSelect;
export type ListedShare = {
  readonly share: ShareRecord;
  readonly view: typeof contentViews.$inferSelect;
  readonly table: { readonly id: string; readonly title: string };
  readonly by: string | null;
};

const listed = (db: Db) =>
  db
    .select({ share: contentViewShares, view: contentViews, table: { id: contentTables.id, title: contentTables.title }, by: users.displayName })
    .from(contentViewShares)
    .innerJoin(contentViews, eq(contentViews.id, contentViewShares.viewId))
    .innerJoin(contentTables, eq(contentTables.id, contentViews.tableId))
    .leftJoin(users, eq(users.id, contentViewShares.createdBy));

/** Links of tables outside the bin. */
export const sharesOf = (db: Db, siteId: string): Promise<ListedShare[]> =>
  listed(db)
    .where(and(eq(contentViewShares.siteId, siteId), isNull(contentTables.deletedAt)))
    .orderBy(desc(contentViewShares.createdAt), contentViewShares.id);

export const findShare = async (db: Db, siteId: string, id: string): Promise<ListedShare | null> =>
  (await listed(db).where(and(eq(contentViewShares.siteId, siteId), eq(contentViewShares.id, id))))[0] ?? null;

/** Counts the site's links while its row is locked, so that concurrent creations count each other. */
export async function countShares(db: Db, siteId: string): Promise<number> {
  await db.select({ id: sites.id }).from(sites).where(eq(sites.id, siteId)).for('update');
  const [row] = await db.select({ n: count() }).from(contentViewShares).where(eq(contentViewShares.siteId, siteId));
  return row?.n ?? 0;
}

/** A view of a table, locked until the end of the transaction; null if it is not visible to this person. */
export const findView = async (db: Db, tableId: string, id: string, userId: string) =>
  (
    await db
      .select()
      .from(contentViews)
      .where(and(eq(contentViews.tableId, tableId), eq(contentViews.id, id), or(sql`${contentViews.scope} != 'personal'`, eq(contentViews.owner, userId))))
      .for('key share')
  )[0] ?? null;

export async function insertShare(db: Db, row: typeof contentViewShares.$inferInsert): Promise<ShareRecord> {
  const [created] = await db.insert(contentViewShares).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

/** Null if the row has another revision by now or is gone. */
export const changeShare = async (
  db: Db,
  siteId: string,
  id: string,
  revision: number,
  change: Partial<typeof contentViewShares.$inferInsert>,
): Promise<ShareRecord | null> =>
  (
    await db
      .update(contentViewShares)
      .set({ ...change, revision: revision + 1 })
      .where(and(eq(contentViewShares.siteId, siteId), eq(contentViewShares.id, id), eq(contentViewShares.revision, revision)))
      .returning()
  )[0] ?? null;

export const removeShare = (db: Db, siteId: string, id: string) =>
  db.delete(contentViewShares).where(and(eq(contentViewShares.siteId, siteId), eq(contentViewShares.id, id)));

/** Whether a view is public: changing it then changes what the public sees. */
export const isShared = async (db: Db, viewId: string, now: Date): Promise<boolean> =>
  (
    await db
      .select({ id: contentViewShares.id })
      .from(contentViewShares)
      .where(and(eq(contentViewShares.viewId, viewId), or(isNull(contentViewShares.expiresAt), gt(contentViewShares.expiresAt, now))))
      .limit(1)
  ).length > 0;

/** Counts an answer of a form, in the transaction that writes it; false if the link has ended or is full. */
export const countAnswer = async (db: Db, id: string, now: Date): Promise<boolean> =>
  (
    await db
      .update(contentViewShares)
      .set({ answers: sql`${contentViewShares.answers} + 1`, lastUsedAt: now })
      .where(
        and(
          eq(contentViewShares.id, id),
          or(isNull(contentViewShares.expiresAt), gt(contentViewShares.expiresAt, now)),
          sql`(${contentViewShares.form} ->> 'limit' IS NULL OR ${contentViewShares.answers} < (${contentViewShares.form} ->> 'limit')::int)`,
        ),
      )
      .returning({ id: contentViewShares.id })
  ).length > 0;

export const countRefused = (db: Db, id: string) =>
  db
    .update(contentViewShares)
    .set({ refused: sql`${contentViewShares.refused} + 1` })
    .where(eq(contentViewShares.id, id));

/** Sites that may embed the form of a link; none if the link does not exist. */
export async function embedsOf(db: Db, tokenHash: string): Promise<readonly string[]> {
  const [row] = await db.select({ form: contentViewShares.form }).from(contentViewShares).where(eq(contentViewShares.tokenHash, tokenHash));
  return row?.form?.embeds ?? [];
}

export type FoundShare = {
  readonly share: ShareRecord;
  readonly view: typeof contentViews.$inferSelect;
  readonly site: { readonly timeZone: string; readonly state: string };
};
/** A link by its secret, ended or not. */
export async function findByToken(db: Db, tokenHash: string): Promise<FoundShare | null> {
  const [row] = await db
    .select({ share: contentViewShares, view: contentViews, site: { timeZone: sites.timeZone, state: sites.state } })
    .from(contentViewShares)
    .innerJoin(contentViews, eq(contentViews.id, contentViewShares.viewId))
    .innerJoin(sites, eq(sites.id, contentViewShares.siteId))
    .where(eq(contentViewShares.tokenHash, tokenHash));
  return row ?? null;
}

export const countOpening = (db: Db, id: string, now: Date) =>
  db
    .update(contentViewShares)
    .set({ opened: sql`${contentViewShares.opened} + 1`, lastUsedAt: now })
    .where(eq(contentViewShares.id, id));
