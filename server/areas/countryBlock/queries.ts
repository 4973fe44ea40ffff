import { count, desc, eq, and } from 'drizzle-orm';
import type { Context } from '../../context';
import { users } from '../account/schema';
import { countryRules } from './schema';

type Db = Pick<Context['postgres']['db'], 'select' | 'insert'>;
export type RuleRow = typeof countryRules.$inferSelect;
/** A version with the name of its author; null if the account no longer exists. */
export type FoundRule = { readonly row: RuleRow; readonly author: string | null };

const select = (db: Db) => db.select({ row: countryRules, author: users.displayName }).from(countryRules).leftJoin(users, eq(users.id, countryRules.createdBy));

/** The version that counts; null if the site has no rule. */
export async function currentRule(db: Db, siteId: string): Promise<FoundRule | null> {
  const [found] = await select(db).where(eq(countryRules.siteId, siteId)).orderBy(desc(countryRules.version)).limit(1);
  return found ?? null;
}

export async function findRule(db: Db, siteId: string, version: number): Promise<FoundRule | null> {
  const [found] = await select(db).where(and(eq(countryRules.siteId, siteId), eq(countryRules.version, version)));
  return found ?? null;
}

/** The newest first. */
export async function listRules(db: Db, siteId: string, page: number, size: number): Promise<{ rows: FoundRule[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    select(db)
      .where(eq(countryRules.siteId, siteId))
      .orderBy(desc(countryRules.version))
      .limit(size)
      .offset((page - 1) * size),
    db.select({ total: count() }).from(countryRules).where(eq(countryRules.siteId, siteId)),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** False if somebody else wrote this version first. */
export async function insertRule(db: Db, row: RuleRow): Promise<boolean> {
  return (await db.insert(countryRules).values(row).onConflictDoNothing().returning({ version: countryRules.version })).length === 1;
}
