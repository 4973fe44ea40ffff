import { and, count, desc, eq } from 'drizzle-orm';
import type { Context } from '../../../context';
import { users } from '../../account/schema';
import { robotsVersions } from './schema';

type Db = Pick<Context['postgres']['db'], 'select' | 'insert' | 'delete'>;
export type RobotsRow = typeof robotsVersions.$inferSelect & { readonly author: string | null };

const select = (db: Db) =>
  db.select({ row: robotsVersions, author: users.displayName }).from(robotsVersions).leftJoin(users, eq(users.id, robotsVersions.createdBy));
const rowOf = ({ row, author }: { row: typeof robotsVersions.$inferSelect; author: string | null }): RobotsRow => ({ ...row, author });

/** The robots.txt that acts; null if it was never edited. */
export async function newestRobots(db: Db, siteId: string): Promise<RobotsRow | null> {
  const [found] = await select(db).where(eq(robotsVersions.siteId, siteId)).orderBy(desc(robotsVersions.version)).limit(1);
  return found ? rowOf(found) : null;
}

/** Only its text, for delivery; empty if it was never edited. */
export async function robotsTextOf(ctx: Pick<Context, 'postgres'>, siteId: string): Promise<string> {
  const { db } = ctx.postgres;
  const [found] = await db
    .select({ text: robotsVersions.text })
    .from(robotsVersions)
    .where(eq(robotsVersions.siteId, siteId))
    .orderBy(desc(robotsVersions.version))
    .limit(1);
  return found?.text ?? '';
}

export async function findVersion(db: Db, siteId: string, version: number): Promise<RobotsRow | null> {
  const [found] = await select(db).where(and(eq(robotsVersions.siteId, siteId), eq(robotsVersions.version, version)));
  return found ? rowOf(found) : null;
}

export async function listVersions(db: Db, siteId: string, page: number, size: number): Promise<{ rows: RobotsRow[]; total: number }> {
  const own = eq(robotsVersions.siteId, siteId);
  const [rows, [counted]] = await Promise.all([
    select(db)
      .where(own)
      .orderBy(desc(robotsVersions.version))
      .limit(size)
      .offset((page - 1) * size),
    db.select({ total: count() }).from(robotsVersions).where(own),
  ]);
  return { rows: rows.map(rowOf), total: counted?.total ?? 0 };
}

/** False if the version exists already: somebody else has saved one. */
export async function insertVersion(db: Db, row: typeof robotsVersions.$inferInsert): Promise<boolean> {
  const stored = await db.insert(robotsVersions).values(row).onConflictDoNothing().returning({ version: robotsVersions.version });
  return stored.length > 0;
}

export const deleteFirstVersion = async (db: Db, siteId: string): Promise<void> =>
  void (await db.delete(robotsVersions).where(and(eq(robotsVersions.siteId, siteId), eq(robotsVersions.version, 1))));
