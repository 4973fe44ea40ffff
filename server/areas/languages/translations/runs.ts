import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import type { TranslationRun } from '../../../../contract/languages/translations';
import type { RunKind } from '../../../../contract/languages/translationTerms';
import type { Context } from '../../../context';
import { users } from '../../account/schema';
import { translationRunItems, translationRuns } from '../schema';
import type { ItemRow, RunRow } from '../schema';
import type { TextItem, TextOutcome } from './write';

type Db = Pick<Context['postgres']['db'], 'select' | 'insert' | 'update'>;
const listed = 30;
const atOnce = 2000;

type Found = { readonly row: RunRow; readonly author: string | null };
const select = (db: Db) =>
  db.select({ row: translationRuns, author: users.displayName }).from(translationRuns).leftJoin(users, eq(users.id, translationRuns.by));

export const listRuns = (db: Db, siteId: string): Promise<Found[]> =>
  select(db).where(eq(translationRuns.siteId, siteId)).orderBy(desc(translationRuns.at)).limit(listed);
export async function findRun(db: Db, siteId: string, id: string): Promise<Found | null> {
  const [found] = await select(db).where(and(eq(translationRuns.siteId, siteId), eq(translationRuns.id, id)));
  return found ?? null;
}

export const runResponse = ({ row, author }: Found): TranslationRun => ({
  id: row.id,
  kind: row.kind,
  tag: row.language,
  label: row.label,
  changed: row.changed,
  refused: row.refused,
  by: author,
  at: row.at.toISOString(),
  undoneAt: row.undoneAt?.toISOString() ?? null,
  jobId: row.jobId,
});

type NewRun = { readonly siteId: string; readonly kind: RunKind; readonly language: string; readonly label: string; readonly by: string; readonly at: Date };
export async function insertRun(db: Db, run: NewRun): Promise<RunRow> {
  const [row] = await db
    .insert(translationRuns)
    .values({ id: randomUUID(), batchId: randomUUID(), undoBatchId: randomUUID(), ...run })
    .returning();
  if (!row) throw new Error('a run was not stored');
  return row;
}
export const changeRun = async (db: Db, id: string, change: Partial<Pick<RunRow, 'jobId' | 'undoneAt'>>): Promise<void> =>
  void (await db.update(translationRuns).set(change).where(eq(translationRuns.id, id)));

/** Stores what an import is about to write, in order. */
export async function insertItems(db: Db, rows: readonly (typeof translationRunItems.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < rows.length; from += atOnce) await db.insert(translationRunItems).values(rows.slice(from, from + atOnce));
}

/** A text of a run, with its number in it. */
export type RunItem = TextItem & { readonly n: number };

/** Stores what a run has done, in the transaction that wrote it, and counts it. */
export async function noteOutcomes(db: Db, runId: string, outcomes: readonly TextOutcome<RunItem>[]): Promise<void> {
  const rows = outcomes.map(({ item, result, mark, stored }) => ({
    runId,
    n: item.n,
    ...item.key,
    before: item.before,
    after: result === 'changed' ? stored : item.text,
    state: item.state,
    mark,
    result: result === 'stale' ? ('refused' as const) : result,
  }));
  const { result, after, mark, before } = translationRunItems;
  for (let from = 0; from < rows.length; from += atOnce)
    await db
      .insert(translationRunItems)
      .values(rows.slice(from, from + atOnce))
      .onConflictDoUpdate({
        target: [translationRunItems.runId, translationRunItems.n],
        set: {
          result: sql`excluded.${sql.identifier(result.name)}`,
          after: sql`excluded.${sql.identifier(after.name)}`,
          mark: sql`excluded.${sql.identifier(mark.name)}`,
          before: sql`excluded.${sql.identifier(before.name)}`,
        },
      });
  const changed = rows.filter((row) => row.result === 'changed').length;
  const refused = rows.filter((row) => row.result === 'refused' || row.result === 'unknown').length;
  const { changed: allChanged, refused: allRefused, id } = translationRuns;
  await db
    .update(translationRuns)
    .set({ changed: sql`${allChanged} + ${changed}`, refused: sql`${allRefused} + ${refused}` })
    .where(eq(id, runId));
}

/** Items behind a number, in order; those that wait, or those that were changed. */
export function itemsAfter(db: Db, runId: string, n: number, which: 'waiting' | 'changed', most: number): Promise<ItemRow[]> {
  const { runId: of, n: number, result } = translationRunItems;
  return db
    .select()
    .from(translationRunItems)
    .where(and(eq(of, runId), gt(number, n), which === 'waiting' ? isNull(result) : eq(result, 'changed')))
    .orderBy(asc(number))
    .limit(most);
}
export async function countItems(db: Db, runId: string, which: 'all' | 'changed'): Promise<{ readonly count: number; readonly last: number }> {
  const { runId: of, n, result } = translationRunItems;
  const [row] = await db
    .select({ count: sql<string>`count(*)`, last: sql<number | null>`max(${n})` })
    .from(translationRunItems)
    .where(and(eq(of, runId), which === 'all' ? undefined : eq(result, 'changed')));
  return { count: Number(row?.count ?? 0), last: row?.last ?? -1 };
}
