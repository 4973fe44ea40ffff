import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import { shares } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type ShareRecord = typeof shares.$inferSelect;
export type ListedShare = { readonly share: ShareRecord; readonly by: string | null };

const listed = (db: Db) => db.select({ share: shares, by: users.displayName }).from(shares).leftJoin(users, eq(users.id, shares.createdBy));

export const sharesOf = (db: Db, siteId: string): Promise<ListedShare[]> =>
  listed(db).where(eq(shares.siteId, siteId)).orderBy(desc(shares.createdAt), shares.id);

export const findShare = async (db: Db, siteId: string, id: string): Promise<ListedShare | null> =>
  (await listed(db).where(and(eq(shares.siteId, siteId), eq(shares.id, id))))[0] ?? null;

/** Counts the site's shares and locks its row: of two created concurrently, the second counts the first. */
export async function countShares(db: Db, siteId: string): Promise<number> {
  await db.select({ id: sites.id }).from(sites).where(eq(sites.id, siteId)).for('update');
  const [row] = await db.select({ n: count() }).from(shares).where(eq(shares.siteId, siteId));
  return row?.n ?? 0;
}

export async function insertShare(db: Db, row: typeof shares.$inferInsert): Promise<ShareRecord> {
  const [created] = await db.insert(shares).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

/** Null if the row has another revision in the meantime or was deleted. */
export const changeShare = async (
  db: Db,
  siteId: string,
  id: string,
  revision: number,
  change: Partial<typeof shares.$inferInsert>,
): Promise<ShareRecord | null> =>
  (
    await db
      .update(shares)
      .set({ ...change, revision: revision + 1 })
      .where(and(eq(shares.siteId, siteId), eq(shares.id, id), eq(shares.revision, revision)))
      .returning()
  )[0] ?? null;

export const removeShare = async (db: Db, siteId: string, id: string): Promise<ShareRecord | null> =>
  (
    await db
      .delete(shares)
      .where(and(eq(shares.siteId, siteId), eq(shares.id, id)))
      .returning()
  )[0] ?? null;

export type OpenShare = { readonly share: ShareRecord; readonly site: typeof sites.$inferSelect };

/** A share that has not expired, of a site that is not in the bin. */
export async function findOpenShare(db: Db, tokenHash: string, now: Date): Promise<OpenShare | null> {
  const [row] = await db
    .select({ share: shares, site: sites })
    .from(shares)
    .innerJoin(sites, eq(sites.id, shares.siteId))
    .where(and(eq(shares.tokenHash, tokenHash), or(isNull(shares.expiresAt), gt(shares.expiresAt, now)), sql`${sites.state} != 'deleted'`));
  return row ?? null;
}

export const countOpening = (db: Db, id: string, now: Date) =>
  db
    .update(shares)
    .set({ opened: sql`${shares.opened} + 1`, lastUsedAt: now })
    .where(eq(shares.id, id));
