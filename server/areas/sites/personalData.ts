import { asc, eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Area } from '../area';
import { siteGrants, sitePins, sites } from './schema';

type Db = Pick<NodePgDatabase, 'select'>;

const ownGrants = (db: Db, userId: string) =>
  db
    .select({ siteId: sites.id, site: sites.name, role: siteGrants.role, since: siteGrants.createdAt })
    .from(siteGrants)
    .innerJoin(sites, eq(sites.id, siteGrants.siteId))
    .where(eq(siteGrants.userId, userId))
    .orderBy(asc(siteGrants.createdAt));

const ownPins = async (db: Db, userId: string): Promise<string[]> =>
  (await db.select({ siteId: sitePins.siteId }).from(sitePins).where(eq(sitePins.userId, userId)).orderBy(asc(sitePins.createdAt))).map((row) => row.siteId);

export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId) => ({
  grants: await ownGrants(db, userId),
  pinnedSites: await ownPins(db, userId),
});

export const erasePerson: NonNullable<Area['erasePerson']> = async (tx, userId) => {
  for (const table of [siteGrants, sitePins]) await tx.delete(table).where(eq(table.userId, userId));
};
