import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import { defineRemoval } from '../../kit/removals';
import { publicLinks } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type PublicLinkRecord = typeof publicLinks.$inferSelect;
export type ListedPublicLink = { readonly publicLink: PublicLinkRecord; readonly by: string | null };

export const removal = defineRemoval('report_link', publicLinks);

const listed = (db: Db) => db.select({ publicLink: publicLinks, by: users.displayName }).from(publicLinks).leftJoin(users, eq(users.id, publicLinks.createdBy));

export const publicLinksOf = (db: Db, siteId: string): Promise<ListedPublicLink[]> =>
  listed(db).where(eq(publicLinks.siteId, siteId)).orderBy(desc(publicLinks.createdAt), publicLinks.id);

export const findPublicLink = async (db: Db, siteId: string, id: string): Promise<ListedPublicLink | null> =>
  (await listed(db).where(and(eq(publicLinks.siteId, siteId), eq(publicLinks.id, id))))[0] ?? null;

/** Counts the site's public links and locks its row: of two created concurrently, the second counts the first. */
export async function countPublicLinks(db: Db, siteId: string): Promise<number> {
  await db.select({ id: sites.id }).from(sites).where(eq(sites.id, siteId)).for('update');
  const [row] = await db.select({ n: count() }).from(publicLinks).where(eq(publicLinks.siteId, siteId));
  return row?.n ?? 0;
}

export async function insertPublicLink(db: Db, row: typeof publicLinks.$inferInsert): Promise<PublicLinkRecord> {
  const [created] = await db.insert(publicLinks).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

/** Null if the row has another revision in the meantime or was deleted. */
export const changePublicLink = async (
  db: Db,
  siteId: string,
  id: string,
  revision: number,
  change: Partial<typeof publicLinks.$inferInsert>,
): Promise<PublicLinkRecord | null> =>
  (
    await db
      .update(publicLinks)
      .set({ ...change, revision: revision + 1 })
      .where(and(eq(publicLinks.siteId, siteId), eq(publicLinks.id, id), eq(publicLinks.revision, revision)))
      .returning()
  )[0] ?? null;

export const removePublicLink = async (db: Db, siteId: string, id: string): Promise<PublicLinkRecord | null> =>
  (
    await db
      .delete(publicLinks)
      .where(and(eq(publicLinks.siteId, siteId), eq(publicLinks.id, id)))
      .returning()
  )[0] ?? null;

export type FoundPublicLink = { readonly publicLink: PublicLinkRecord; readonly site: typeof sites.$inferSelect };

/** A public link that has not expired, of a site that is not in the bin. */
export async function findByToken(db: Db, tokenHash: string, now: Date): Promise<FoundPublicLink | null> {
  const [row] = await db
    .select({ publicLink: publicLinks, site: sites })
    .from(publicLinks)
    .innerJoin(sites, eq(sites.id, publicLinks.siteId))
    .where(and(eq(publicLinks.tokenHash, tokenHash), or(isNull(publicLinks.expiresAt), gt(publicLinks.expiresAt, now)), sql`${sites.state} != 'deleted'`));
  return row ?? null;
}

export const countOpening = (db: Db, id: string, now: Date) =>
  db
    .update(publicLinks)
    .set({ opened: sql`${publicLinks.opened} + 1`, lastUsedAt: now })
    .where(eq(publicLinks.id, id));
