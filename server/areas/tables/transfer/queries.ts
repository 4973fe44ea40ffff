import { and, asc, desc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { jobs } from '../../../worker/schema';
import { tableImportParts, tableImports } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete'>;
export type ImportRow = typeof tableImports.$inferSelect;
export type PartRow = typeof tableImportParts.$inferSelect;
export type ImportWithJob = { readonly row: ImportRow; readonly job: { readonly id: string; readonly state: string; readonly error: string | null } | null };

const job = { id: jobs.id, state: jobs.state, error: jobs.error };
const open = inArray(jobs.state, ['queued', 'running']);

/** Imports of a site, newest first; `by`: only one person's. */
export const importsOf = (
  db: Db,
  siteId: string,
  which: { readonly tableId?: string; readonly by?: string; readonly most: number },
): Promise<ImportWithJob[]> =>
  db
    .select({ row: tableImports, job })
    .from(tableImports)
    .leftJoin(jobs, eq(jobs.id, tableImports.jobId))
    .where(
      and(
        eq(tableImports.siteId, siteId),
        which.tableId === undefined ? undefined : eq(tableImports.tableId, which.tableId),
        which.by === undefined ? undefined : eq(tableImports.createdBy, which.by),
      ),
    )
    .orderBy(desc(tableImports.createdAt), desc(tableImports.id))
    .limit(which.most);

export const findImport = async (db: Db, siteId: string, id: string): Promise<ImportWithJob | null> =>
  (
    await db
      .select({ row: tableImports, job })
      .from(tableImports)
      .leftJoin(jobs, eq(jobs.id, tableImports.jobId))
      .where(and(eq(tableImports.siteId, siteId), eq(tableImports.id, id)))
  )[0] ?? null;

export async function addImport(db: Db, row: typeof tableImports.$inferInsert): Promise<ImportRow> {
  const [created] = await db.insert(tableImports).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}
export const changeImport = (db: Db, id: string, change: Partial<typeof tableImports.$inferInsert>) =>
  db.update(tableImports).set(change).where(eq(tableImports.id, id));
/** Updates an import, unless another request was made meanwhile. */
export const askImport = async (
  db: Db,
  { id, requestedAt }: Pick<ImportRow, 'id' | 'requestedAt'>,
  change: Partial<typeof tableImports.$inferInsert>,
): Promise<boolean> =>
  (
    await db
      .update(tableImports)
      .set(change)
      .where(and(eq(tableImports.id, id), requestedAt === null ? isNull(tableImports.requestedAt) : eq(tableImports.requestedAt, requestedAt)))
      .returning({ id: tableImports.id })
  ).length > 0;
export const deleteImport = (db: Db, id: string) => db.delete(tableImports).where(eq(tableImports.id, id));

/** Unfinished imports of a site, whose files occupy disk space: one person's, and all. */
export const countUnfinished = async (db: Db, siteId: string, userId: string): Promise<{ readonly own: number; readonly all: number }> =>
  (
    await db
      .select({ own: sql<number>`(count(*) filter (where ${tableImports.createdBy} = ${userId}))::int`, all: sql<number>`count(*)::int` })
      .from(tableImports)
      .where(and(eq(tableImports.siteId, siteId), isNull(tableImports.finishedAt)))
  )[0] ?? { own: 0, all: 0 };

/** Imports that wait for a job, oldest request first. */
export const waitingImports = (db: Db): Promise<ImportRow[]> =>
  db
    .select()
    .from(tableImports)
    .where(and(sql`${tableImports.requested} is not null`, isNull(tableImports.jobId)))
    .orderBy(asc(tableImports.requestedAt), asc(tableImports.id));

/** Whether another import works on a table; `except`: a job that is ending. */
export const isBusy = async (db: Db, tableId: string, except?: string): Promise<boolean> =>
  (
    await db
      .select({ id: jobs.id })
      .from(jobs)
      .innerJoin(tableImports, eq(tableImports.jobId, jobs.id))
      .where(and(eq(tableImports.tableId, tableId), open, except === undefined ? undefined : ne(jobs.id, except)))
      .limit(1)
  ).length > 0;

/** Plans of earlier imports into a table, with their column names; latest first. */
export const earlierPlans = (db: Db, tableId: string, but: string): Promise<Pick<ImportRow, 'plan' | 'spool' | 'createdFields'>[]> =>
  db
    .select({ plan: tableImports.plan, spool: tableImports.spool, createdFields: tableImports.createdFields })
    .from(tableImports)
    .where(and(eq(tableImports.tableId, tableId), ne(tableImports.id, but), sql`${tableImports.startedAt} is not null`))
    .orderBy(desc(tableImports.startedAt))
    .limit(5);

export const keepPart = (db: Db, part: typeof tableImportParts.$inferInsert) =>
  db
    .insert(tableImportParts)
    .values(part)
    .onConflictDoUpdate({ target: [tableImportParts.importId, tableImportParts.part], set: { outcomes: part.outcomes, ids: part.ids, errors: part.errors } });
export const dropParts = (db: Db, id: string) => db.delete(tableImportParts).where(eq(tableImportParts.importId, id));
export const partOf = async (db: Db, id: string, part: number): Promise<PartRow | null> =>
  (
    await db
      .select()
      .from(tableImportParts)
      .where(and(eq(tableImportParts.importId, id), eq(tableImportParts.part, part)))
  )[0] ?? null;
/** The next parts, from one on, with a given letter in any row. */
export const partsFrom = (db: Db, id: string, part: number, letter: string | null, most: number): Promise<PartRow[]> =>
  db
    .select()
    .from(tableImportParts)
    .where(
      and(
        eq(tableImportParts.importId, id),
        sql`${tableImportParts.part} >= ${part}`,
        letter === null ? undefined : sql`strpos(${tableImportParts.outcomes}, ${letter}) > 0`,
      ),
    )
    .orderBy(asc(tableImportParts.part))
    .limit(most);

/** Expired imports without a running job: those that wrote nothing and were created before `unstarted`, and all others created or ended before `ended`. */
export const oldImports = async (db: Db, unstarted: Date, ended: Date): Promise<ImportRow[]> =>
  (
    await db
      .select({ row: tableImports })
      .from(tableImports)
      .leftJoin(jobs, eq(jobs.id, tableImports.jobId))
      .where(
        and(
          or(isNull(tableImports.requested), sql`(${tableImports.jobId} is not null and coalesce(${jobs.state}, 'failed') not in ('queued', 'running'))`),
          or(
            and(isNull(tableImports.startedAt), lt(tableImports.createdAt, unstarted)),
            lt(sql`coalesce(${tableImports.finishedAt}, ${tableImports.createdAt})`, ended),
          ),
        ),
      )
  ).map(({ row }) => row);
export const allIds = async (db: Db): Promise<Set<string>> => new Set((await db.select({ id: tableImports.id }).from(tableImports)).map((row) => row.id));
