import { asc, eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Area } from '../area';
import { apiTokens } from './schema';

type Db = Pick<NodePgDatabase, 'select'>;

const ownTokens = (db: Db, userId: string) =>
  db
    .select({
      name: apiTokens.name,
      ending: apiTokens.ending,
      scopes: apiTokens.scopes,
      siteIds: apiTokens.siteIds,
      addresses: apiTokens.addresses,
      createdAt: apiTokens.createdAt,
      expiresAt: apiTokens.expiresAt,
      lastUsedAt: apiTokens.lastUsedAt,
      lastAddress: apiTokens.lastAddress,
    })
    .from(apiTokens)
    .where(eq(apiTokens.userId, userId))
    .orderBy(asc(apiTokens.createdAt));

export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId) => ({ tokens: await ownTokens(db, userId) });

export const erasePerson: NonNullable<Area['erasePerson']> = async (tx, userId) => {
  await tx.delete(apiTokens).where(eq(apiTokens.userId, userId));
};
