import { and, desc, eq, inArray } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { openStates } from '../../../contract/sites/terms';
import { sites } from '../sites/schema';
import { digestSettings, digestsSent } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update'>;
export type SettingsRecord = typeof digestSettings.$inferSelect;
export type SentRecord = typeof digestsSent.$inferSelect;
export type DigestSite = { readonly id: string; readonly name: string; readonly timeZone: string };

export const findSettings = async (db: Db, siteId: string): Promise<SettingsRecord | null> =>
  (await db.select().from(digestSettings).where(eq(digestSettings.siteId, siteId)))[0] ?? null;

/** Null if the row has another revision in the meantime. Revision 0 means that no settings have been stored yet. */
export async function putSettings(db: Db, row: Omit<SettingsRecord, 'revision'>, revision: number): Promise<SettingsRecord | null> {
  if (revision === 0) return (await db.insert(digestSettings).values(row).onConflictDoNothing().returning())[0] ?? null;
  const [changed] = await db
    .update(digestSettings)
    .set({ ...row, revision: revision + 1 })
    .where(and(eq(digestSettings.siteId, row.siteId), eq(digestSettings.revision, revision)))
    .returning();
  return changed ?? null;
}

/** Settings of all sites in use. */
export const allSettings = (db: Db): Promise<{ settings: SettingsRecord; site: DigestSite }[]> =>
  db
    .select({ settings: digestSettings, site: { id: sites.id, name: sites.name, timeZone: sites.timeZone } })
    .from(digestSettings)
    .innerJoin(sites, eq(sites.id, digestSettings.siteId))
    .where(inArray(sites.state, [...openStates]))
    .orderBy(sites.id);

export const wasSent = async (db: Db, siteId: string, kind: SentRecord['kind'], period: string): Promise<boolean> =>
  (
    await db
      .select({ id: digestsSent.id })
      .from(digestsSent)
      .where(and(eq(digestsSent.siteId, siteId), eq(digestsSent.kind, kind), eq(digestsSent.period, period), eq(digestsSent.byHand, false)))
      .limit(1)
  ).length > 0;

/** Null if the schedule already sent it, in another process. */
export const insertSent = async (db: Db, row: typeof digestsSent.$inferInsert): Promise<SentRecord | null> =>
  (await db.insert(digestsSent).values(row).onConflictDoNothing().returning())[0] ?? null;

export const setSent = (db: Db, id: number, sent: number) => db.update(digestsSent).set({ sent }).where(eq(digestsSent.id, id));

export const latestSent = (db: Db, siteId: string, limit: number): Promise<SentRecord[]> =>
  db.select().from(digestsSent).where(eq(digestsSent.siteId, siteId)).orderBy(desc(digestsSent.id)).limit(limit);
