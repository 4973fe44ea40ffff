import { and, count, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { prepared } from '../../stores/postgres/prepared';
import { users } from '../account/schema';
import { siteGrants, sites } from '../sites/schema';
import { contentSites } from '../tables/core/schema';
import { apiTokens } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type TokenRecord = typeof apiTokens.$inferSelect;
export type OwnerRecord = typeof users.$inferSelect;

const tokenFound = prepared((db) => {
  const { id, scopes, siteIds, addresses, createdAt, expiresAt, lastUsedAt } = apiTokens;
  const { loginName, displayName, role, locale, timeZone, secondFactor, passwordLong } = users;
  return db
    .select({
      token: { id, scopes, siteIds, addresses, createdAt, expiresAt, lastUsedAt },
      owner: { id: users.id, loginName, displayName, role, locale, timeZone, secondFactor, passwordLong, createdAt: users.createdAt },
      site: sites,
      granted: siteGrants.role,
      contentRevision: contentSites.revision,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .leftJoin(sites, eq(sites.id, sql.placeholder('siteId')))
    .leftJoin(siteGrants, and(eq(siteGrants.siteId, sites.id), eq(siteGrants.userId, users.id)))
    .leftJoin(contentSites, eq(contentSites.siteId, sites.id))
    .where(
      and(
        eq(apiTokens.tokenHash, sql.placeholder('tokenHash')),
        gt(apiTokens.expiresAt, sql.placeholder('now')),
        eq(users.disabled, false),
        isNull(users.deletedAt),
      ),
    )
    .prepare('find_token');
});
/** An unexpired token with its owner, who may sign in, and a site (null: none requested) with the owner's grant: everything that most requests need first. */
export async function findToken(db: Db, tokenHash: string, now: Date, siteId: string | null) {
  const [row] = await tokenFound(db).execute({ tokenHash, now, siteId: siteId ?? '' });
  return row ?? null;
}

/** Records the last use, unless one was recorded after `unlessAfter`. */
export const touchToken = (db: Db, id: string, now: Date, address: string, unlessAfter: Date) =>
  db
    .update(apiTokens)
    .set({ lastUsedAt: now, lastAddress: address })
    .where(and(eq(apiTokens.id, id), or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, unlessAfter))));

export const tokensOf = (db: Db, userId: string): Promise<TokenRecord[]> =>
  db.select().from(apiTokens).where(eq(apiTokens.userId, userId)).orderBy(desc(apiTokens.createdAt), apiTokens.id);

/** The owner, locked until the transaction ends: of two tokens created concurrently, the second counts the first. */
export async function lockOwner(db: Db, userId: string): Promise<OwnerRecord | null> {
  const [row] = await db.select().from(users).where(eq(users.id, userId)).for('update');
  return row ?? null;
}

export async function countTokens(db: Db, userId: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), gt(apiTokens.expiresAt, now)));
  return row?.n ?? 0;
}

export async function insertToken(db: Db, row: typeof apiTokens.$inferInsert): Promise<TokenRecord> {
  const [created] = await db.insert(apiTokens).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

const own = (userId: string, id: string) => and(eq(apiTokens.id, id), eq(apiTokens.userId, userId));

export const lockToken = async (db: Db, userId: string, id: string): Promise<TokenRecord | null> =>
  (await db.select().from(apiTokens).where(own(userId, id)).for('update'))[0] ?? null;

export const renameToken = async (db: Db, userId: string, id: string, name: string): Promise<TokenRecord | null> =>
  (await db.update(apiTokens).set({ name }).where(own(userId, id)).returning())[0] ?? null;

export const removeToken = async (db: Db, userId: string, id: string): Promise<TokenRecord | null> =>
  (await db.delete(apiTokens).where(own(userId, id)).returning())[0] ?? null;

export const removeEndedBefore = (db: Db, before: Date) => db.delete(apiTokens).where(lt(apiTokens.expiresAt, before));
