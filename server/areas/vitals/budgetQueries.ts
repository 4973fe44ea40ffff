import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { VitalBudgetInput } from '../../../contract/vitals/schemas';
import { mostBudgets } from '../../../contract/vitals/terms';
import type { BudgetState } from '../../../contract/vitals/terms';
import { openStates } from '../../../contract/sites/terms';
import { sites } from '../sites/schema';
import { vitalBudgets as b } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type BudgetRecord = typeof b.$inferSelect;
export type BudgetSite = Pick<typeof sites.$inferSelect, 'id' | 'name' | 'timeZone'>;

export const budgetsOf = (db: Db, siteId: string): Promise<BudgetRecord[]> =>
  db.select().from(b).where(eq(b.siteId, siteId)).orderBy(asc(b.createdAt), asc(b.id));

export const findBudget = async (db: Db, siteId: string, id: string): Promise<BudgetRecord | null> =>
  (
    await db
      .select()
      .from(b)
      .where(and(eq(b.siteId, siteId), eq(b.id, id)))
  )[0] ?? null;

/** null if the site has as many as it may have. The site's row serializes concurrent calls. */
export async function insertBudget(db: Db, siteId: string, id: string, input: VitalBudgetInput, now: Date): Promise<BudgetRecord | null> {
  await db.execute(sql`select 1 from ${sites} where ${sites.id} = ${siteId} for update`);
  if ((await budgetsOf(db, siteId)).length >= mostBudgets) return null;
  const [row] = await db
    .insert(b)
    .values({ id, siteId, ...input, createdAt: now })
    .returning();
  return row ?? null;
}

/** Replaces a budget if it has `revision`; its state is that of no evaluation. */
export async function replaceBudget(db: Db, siteId: string, id: string, input: VitalBudgetInput, revision: number): Promise<BudgetRecord | null> {
  const anew = { state: 'unknown', value: null, count: 0, evaluatedAt: null, changedAt: null } as const;
  const [row] = await db
    .update(b)
    .set({ ...input, ...anew, revision: revision + 1 })
    .where(and(eq(b.siteId, siteId), eq(b.id, id), eq(b.revision, revision)))
    .returning();
  return row ?? null;
}

export async function deleteBudget(db: Db, siteId: string, id: string): Promise<BudgetRecord | null> {
  const [row] = await db
    .delete(b)
    .where(and(eq(b.siteId, siteId), eq(b.id, id)))
    .returning();
  return row ?? null;
}

/** All budgets of sites that are in use. */
export const budgetsToEvaluate = (db: Db): Promise<{ budget: BudgetRecord; site: BudgetSite }[]> =>
  db
    .select({ budget: b, site: { id: sites.id, name: sites.name, timeZone: sites.timeZone } })
    .from(b)
    .innerJoin(sites, eq(sites.id, b.siteId))
    .where(inArray(sites.state, [...openStates]))
    .orderBy(asc(b.siteId), asc(b.id));

export type Evaluation = { readonly state: BudgetState; readonly value: number | null; readonly count: number };
/** Stores an evaluation of the budget as it was read; false if it has changed or was evaluated by another process meanwhile. */
export async function storeEvaluation(db: Db, { id, revision, state: before }: BudgetRecord, found: Evaluation, now: Date): Promise<boolean> {
  const rows = await db
    .update(b)
    .set({ ...found, evaluatedAt: now, ...(found.state === before ? {} : { changedAt: now }) })
    .where(and(eq(b.id, id), eq(b.revision, revision), eq(b.state, before)))
    .returning({ id: b.id });
  return rows.length > 0;
}
