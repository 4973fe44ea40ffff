import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { SiteState } from '../../../../contract/sites/terms';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import { contentTables, contentViews } from '../core/schema';
import { defineRemoval } from '../../../kit/removals';
import type { Dependants } from '../../../kit/removals';
import { contentPublicLinks } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type PublicLinkRecord = typeof contentPublicLinks.$inferSelect;
export type ListedPublicLink = {
  readonly publicLink: PublicLinkRecord;
  readonly view: typeof contentViews.$inferSelect;
  readonly table: { readonly id: string; readonly title: string };
  readonly by: string | null;
};

/** The links of a view, which are removed and restored with it. */
export const linksOfView: Dependants = { table: contentPublicLinks, of: contentPublicLinks.viewId };
export const removal = defineRemoval('view_link', contentPublicLinks);

const listed = (db: Db) =>
  db
    .select({ publicLink: contentPublicLinks, view: contentViews, table: { id: contentTables.id, title: contentTables.title }, by: users.displayName })
    .from(contentPublicLinks)
    .innerJoin(contentViews, eq(contentViews.id, contentPublicLinks.viewId))
    .innerJoin(contentTables, eq(contentTables.id, contentViews.tableId))
    .leftJoin(users, eq(users.id, contentPublicLinks.createdBy));

/** Links of tables outside the bin. */
export const publicLinksOf = (db: Db, siteId: string): Promise<ListedPublicLink[]> =>
  listed(db)
    .where(and(eq(contentPublicLinks.siteId, siteId), isNull(contentTables.deletedAt)))
    .orderBy(desc(contentPublicLinks.createdAt), contentPublicLinks.id);

export const findPublicLink = async (db: Db, siteId: string, id: string): Promise<ListedPublicLink | null> =>
  (await listed(db).where(and(eq(contentPublicLinks.siteId, siteId), eq(contentPublicLinks.id, id))))[0] ?? null;

/** Counts the site's links while its row is locked, so that concurrent creations count each other. */
export async function countPublicLinks(db: Db, siteId: string): Promise<number> {
  await db.select({ id: sites.id }).from(sites).where(eq(sites.id, siteId)).for('update');
  const [row] = await db.select({ n: count() }).from(contentPublicLinks).where(eq(contentPublicLinks.siteId, siteId));
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

export async function insertPublicLink(db: Db, row: typeof contentPublicLinks.$inferInsert): Promise<PublicLinkRecord> {
  const [created] = await db.insert(contentPublicLinks).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

/** Null if the row has another revision by now or is gone. */
export const changePublicLink = async (
  db: Db,
  siteId: string,
  id: string,
  revision: number,
  change: Partial<typeof contentPublicLinks.$inferInsert>,
): Promise<PublicLinkRecord | null> =>
  (
    await db
      .update(contentPublicLinks)
      .set({ ...change, revision: revision + 1 })
      .where(and(eq(contentPublicLinks.siteId, siteId), eq(contentPublicLinks.id, id), eq(contentPublicLinks.revision, revision)))
      .returning()
  )[0] ?? null;

export const removePublicLink = (db: Db, siteId: string, id: string) =>
  db.delete(contentPublicLinks).where(and(eq(contentPublicLinks.siteId, siteId), eq(contentPublicLinks.id, id)));

/** Whether a view is public: changing it then changes what the public sees. */
export const hasPublicLink = async (db: Db, viewId: string, now: Date): Promise<boolean> =>
  (
    await db
      .select({ id: contentPublicLinks.id })
      .from(contentPublicLinks)
      .where(and(eq(contentPublicLinks.viewId, viewId), or(isNull(contentPublicLinks.expiresAt), gt(contentPublicLinks.expiresAt, now))))
      .limit(1)
  ).length > 0;

/** Counts an answer of a form, in the transaction that writes it; false if the link has ended or is full. */
export const countAnswer = async (db: Db, id: string, now: Date): Promise<boolean> =>
  (
    await db
      .update(contentPublicLinks)
      .set({ answers: sql`${contentPublicLinks.answers} + 1`, lastUsedAt: now })
      .where(
        and(
          eq(contentPublicLinks.id, id),
          or(isNull(contentPublicLinks.expiresAt), gt(contentPublicLinks.expiresAt, now)),
          sql`(${contentPublicLinks.form} ->> 'limit' IS NULL OR ${contentPublicLinks.answers} < (${contentPublicLinks.form} ->> 'limit')::int)`,
        ),
      )
      .returning({ id: contentPublicLinks.id })
  ).length > 0;

export const countRefused = (db: Db, id: string) =>
  db
    .update(contentPublicLinks)
    .set({ refused: sql`${contentPublicLinks.refused} + 1` })
    .where(eq(contentPublicLinks.id, id));

/** Sites that may embed the form of a link; none if the link does not exist. */
export async function embedsOf(db: Db, tokenHash: string): Promise<readonly string[]> {
  const [row] = await db.select({ form: contentPublicLinks.form }).from(contentPublicLinks).where(eq(contentPublicLinks.tokenHash, tokenHash));
  return row?.form?.embeds ?? [];
}

export type FoundPublicLink = {
  readonly publicLink: PublicLinkRecord;
  readonly view: typeof contentViews.$inferSelect;
  readonly site: { readonly timeZone: string; readonly state: SiteState };
};
/** A link by its secret, ended or not. */
export async function findByToken(db: Db, tokenHash: string): Promise<FoundPublicLink | null> {
  const [row] = await db
    .select({ publicLink: contentPublicLinks, view: contentViews, site: { timeZone: sites.timeZone, state: sites.state } })
    .from(contentPublicLinks)
    .innerJoin(contentViews, eq(contentViews.id, contentPublicLinks.viewId))
    .innerJoin(sites, eq(sites.id, contentPublicLinks.siteId))
    .where(eq(contentPublicLinks.tokenHash, tokenHash));
  return row ?? null;
}

export const countOpening = (db: Db, id: string, now: Date) =>
  db
    .update(contentPublicLinks)
    .set({ opened: sql`${contentPublicLinks.opened} + 1`, lastUsedAt: now })
    .where(eq(contentPublicLinks.id, id));
