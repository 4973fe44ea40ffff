import { and, count, desc, eq, inArray, ne, notInArray, sql } from 'drizzle-orm';
import type { Context } from '../../context';
import type { Crawler, DatabaseProblem } from '../../../contract/countryBlock/terms';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import { countryNotices, countryRules, crawlerRanges } from './schema';

type Db = Pick<Context['postgres']['db'], 'select' | 'selectDistinctOn' | 'insert' | 'update' | 'delete'>;
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

/** Deletes the messages of all versions in a language. */
export const forgetMessages = (db: Db, siteId: string, tag: string) =>
  db
    .update(countryRules)
    .set({ rule: sql`jsonb_set(${countryRules.rule}, '{message}', (${countryRules.rule} -> 'message') - ${tag}::text)` })
    .where(and(eq(countryRules.siteId, siteId), sql`jsonb_exists(${countryRules.rule} -> 'message', ${tag})`));

/** Sites in use whose current rule is switched on. */
export async function sitesWithRules(db: Db): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .selectDistinctOn([countryRules.siteId], {
      id: sites.id,
      name: sites.name,
      enabled: sql<boolean>`coalesce((${countryRules.rule}->>'enabled')::boolean, false)`,
    })
    .from(countryRules)
    .innerJoin(sites, and(eq(sites.id, countryRules.siteId), ne(sites.state, 'deleted')))
    .orderBy(countryRules.siteId, desc(countryRules.version));
  return rows.filter(({ enabled }) => enabled).map(({ id, name }) => ({ id, name }));
}

/** True for the one process that has to notify the people of the site; false: they were notified of this problem. */
export const takeNotice = async (db: Db, siteId: string, problem: DatabaseProblem, at: Date): Promise<boolean> =>
  (
    await db
      .insert(countryNotices)
      .values({ siteId, problem, at })
      .onConflictDoUpdate({ target: countryNotices.siteId, set: { problem, at }, setWhere: ne(countryNotices.problem, problem) })
      .returning({ siteId: countryNotices.siteId })
  ).length > 0;

/** Forgets the notices of all other sites, where the problem is over. */
export const endNotices = (db: Db, except: readonly string[]) => db.delete(countryNotices).where(notInArray(countryNotices.siteId, [...except]));

export type StoredRanges = typeof crawlerRanges.$inferSelect;

export const rangesOf = (db: Db, sources: readonly string[]): Promise<StoredRanges[]> =>
  db
    .select()
    .from(crawlerRanges)
    .where(inArray(crawlerRanges.source, [...sources]));

export const putRanges = (db: Db, row: { source: string; crawler: Crawler; networks: string[]; at: Date }) =>
  db.insert(crawlerRanges).values(row).onConflictDoUpdate({ target: crawlerRanges.source, set: row });

export const deleteOtherRanges = (db: Db, sources: readonly string[]) => db.delete(crawlerRanges).where(notInArray(crawlerRanges.source, [...sources]));
