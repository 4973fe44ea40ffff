import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { FilingState } from '../../../contract/filings/states';
import { filingStates, hasToFileChanges } from '../../../contract/filings/states';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import { defineRemoval } from '../../kit/removals';
import { filingChecks, filingDocuments, filingEvents, filingNotices, filings, filingSubjects } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute'>;
export type FilingRow = typeof filings.$inferSelect;
export type SubjectRow = typeof filingSubjects.$inferSelect;
export type NewSubject = typeof filingSubjects.$inferInsert;
export type CheckRow = typeof filingChecks.$inferSelect;
/** A filing with what its subject adds. */
export type ListedFiling = {
  readonly row: FilingRow;
  readonly subjectName: string | null;
  readonly subjectNature: SubjectRow['nature'] | null;
  readonly subjectExpires: string | null;
};
export type CheckedSite = Pick<typeof sites.$inferSelect, 'id' | 'name' | 'slug' | 'purpose' | 'url' | 'timeZone'>;

const f = filings;

export const removal = defineRemoval('filing', filings, [
  { table: filingEvents, of: filingEvents.filingId },
  { table: filingChecks, of: filingChecks.filingId },
  { table: filingNotices, of: filingNotices.filingId },
  { table: filingDocuments, of: filingDocuments.filingId },
]);

const listed = (db: Db) =>
  db
    .select({ row: f, subjectName: filingSubjects.name, subjectNature: filingSubjects.nature, subjectExpires: filingSubjects.certificateExpires })
    .from(f)
    .leftJoin(filingSubjects, eq(filingSubjects.id, f.subjectId));

export const filingsOf = (db: Db, siteIds: readonly string[]): Promise<ListedFiling[]> =>
  siteIds.length === 0
    ? Promise.resolve([])
    : listed(db)
        .where(inArray(f.siteId, [...siteIds]))
        .orderBy(asc(f.createdAt), asc(f.id));

export const findFiling = async (db: Db, siteId: string, id: string): Promise<ListedFiling | null> =>
  (await listed(db).where(and(eq(f.siteId, siteId), eq(f.id, id))))[0] ?? null;

/** Locks the filing until the caller's transaction ends. */
export const lockFiling = async (db: Db, siteId: string, id: string): Promise<FilingRow | null> =>
  (
    await db
      .select()
      .from(f)
      .where(and(eq(f.siteId, siteId), eq(f.id, id)))
      .for('update')
  )[0] ?? null;

export const countFilings = async (db: Db, siteId: string): Promise<number> => (await db.select({ n: count() }).from(f).where(eq(f.siteId, siteId)))[0]?.n ?? 0;

export async function insertFiling(db: Db, row: typeof filings.$inferInsert): Promise<FilingRow> {
  const [created] = await db.insert(f).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

export async function updateFiling(db: Db, id: string, change: Partial<FilingRow>): Promise<FilingRow> {
  const [written] = await db.update(f).set(change).where(eq(f.id, id)).returning();
  if (!written) throw new Error('PostgreSQL returned no row');
  return written;
}

export const deleteFiling = (db: Db, id: string) => db.delete(f).where(eq(f.id, id));

/** Which of these numbers filings of other sites have. */
export async function numbersElsewhere(db: Db, siteId: string, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await db
    .selectDistinct({ number: f.number })
    .from(f)
    .where(and(ne(f.siteId, siteId), inArray(f.number, [...numbers])));
  return new Set(rows.map(({ number }) => number));
}

export const insertEvent = (db: Db, row: typeof filingEvents.$inferInsert) => db.insert(filingEvents).values(row);

export const eventsOf = (db: Db, filingId: string, { page, size }: { readonly page: number; readonly size: number }) =>
  db
    .select({ event: filingEvents, by: users.displayName })
    .from(filingEvents)
    .leftJoin(users, eq(users.id, filingEvents.createdBy))
    .where(eq(filingEvents.filingId, filingId))
    .orderBy(desc(filingEvents.at), desc(filingEvents.id))
    .limit(size)
    .offset((page - 1) * size);

export const countEvents = async (db: Db, filingId: string): Promise<number> =>
  (await db.select({ n: count() }).from(filingEvents).where(eq(filingEvents.filingId, filingId)))[0]?.n ?? 0;

/** Results of checks of these sites, by filing. */
export async function checksOf(db: Db, siteIds: readonly string[]): Promise<ReadonlyMap<string, readonly CheckRow[]>> {
  if (siteIds.length === 0) return new Map();
  const rows = await db
    .select({ check: filingChecks })
    .from(filingChecks)
    .innerJoin(f, eq(f.id, filingChecks.filingId))
    .where(inArray(f.siteId, [...siteIds]));
  const found = new Map<string, CheckRow[]>();
  for (const { check } of rows) found.set(check.filingId, [...(found.get(check.filingId) ?? []), check]);
  return found;
}

/** Replaces what checks of a filing found; states that stay keep the time since when they have been found. */
export async function putChecks(db: Db, filingId: string, rows: readonly Omit<CheckRow, 'since'>[]): Promise<void> {
  const before = await db.select().from(filingChecks).where(eq(filingChecks.filingId, filingId));
  await db.delete(filingChecks).where(eq(filingChecks.filingId, filingId));
  if (rows.length === 0) return;
  const sinceOf = ({ url, state, at }: Omit<CheckRow, 'since'>): Date => before.find((one) => one.url === url && one.state === state)?.since ?? at;
  await db.insert(filingChecks).values(rows.map((row) => ({ ...row, since: sinceOf(row) })));
}

/** Sites with a filing of which the pages are due for a check. */
export const sitesToCheck = async (db: Db, now: Date, most: number): Promise<string[]> =>
  (
    await db
      .selectDistinct({ siteId: f.siteId })
      .from(f)
      .innerJoin(sites, and(eq(sites.id, f.siteId), ne(sites.state, 'deleted')))
      .where(lte(f.checkAt, now))
      .limit(most)
  ).map(({ siteId }) => siteId);

/** The filings of a site that its pages show are checked next at `at`. */
export const scheduleChecks = (db: Db, siteId: string, at: Date) =>
  db
    .update(f)
    .set({ checkAt: at })
    .where(and(eq(f.siteId, siteId), isNotNull(f.checkAt)));

/** Sites that are not in the bin and have a filing. */
export const sitesWithFilings = (db: Db): Promise<CheckedSite[]> =>
  db
    .selectDistinct({ id: sites.id, name: sites.name, slug: sites.slug, purpose: sites.purpose, url: sites.url, timeZone: sites.timeZone })
    .from(sites)
    .innerJoin(f, eq(f.siteId, sites.id))
    .where(ne(sites.state, 'deleted'));

export const checkedSite = async (db: Db, siteId: string): Promise<CheckedSite | null> =>
  (
    await db
      .select({ id: sites.id, name: sites.name, slug: sites.slug, purpose: sites.purpose, url: sites.url, timeZone: sites.timeZone })
      .from(sites)
      .where(eq(sites.id, siteId))
  )[0] ?? null;

/** True for the process that must send this reminder. */
export const takeNotice = async (db: Db, row: typeof filingNotices.$inferInsert): Promise<boolean> =>
  (await db.insert(filingNotices).values(row).onConflictDoNothing().returning()).length > 0;

/** Filings of the subject of the row. The names say their table: a query of one table leaves it out of columns, and `id` would be that of the filing. */
const ofSubject = sql`from ${f} where ${f}.subject_id = ${filingSubjects}.id`;
const counted = {
  filings: sql<number>`(select count(*)::int ${ofSubject})`,
  active: sql<number>`(select count(*)::int ${ofSubject} and ${f}.state <> 'cancelled')`,
};
export type CountedSubject = { readonly row: SubjectRow; readonly filings: number; readonly active: number };

export const subjectsOf = (db: Db, { page, size }: { readonly page: number; readonly size: number }): Promise<CountedSubject[]> =>
  db
    .select({ row: filingSubjects, ...counted })
    .from(filingSubjects)
    .orderBy(asc(filingSubjects.name), asc(filingSubjects.id))
    .limit(size)
    .offset((page - 1) * size);

export const countSubjects = async (db: Db): Promise<number> => (await db.select({ n: count() }).from(filingSubjects))[0]?.n ?? 0;

export const findSubject = async (db: Db, id: string): Promise<CountedSubject | null> =>
  (
    await db
      .select({ row: filingSubjects, ...counted })
      .from(filingSubjects)
      .where(eq(filingSubjects.id, id))
  )[0] ?? null;

export const insertSubject = async (db: Db, row: NewSubject): Promise<string> => {
  const [created] = await db.insert(filingSubjects).values(row).returning({ id: filingSubjects.id });
  if (!created) throw new Error('PostgreSQL returned no row');
  return created.id;
};

/** False if somebody else has changed it. */
export const updateSubject = async (db: Db, id: string, revision: number, change: Partial<SubjectRow>): Promise<boolean> =>
  (
    await db
      .update(filingSubjects)
      .set({ ...change, revision: revision + 1 })
      .where(and(eq(filingSubjects.id, id), eq(filingSubjects.revision, revision)))
      .returning({ id: filingSubjects.id })
  ).length > 0;

export const deleteSubject = (db: Db, id: string) => db.delete(filingSubjects).where(eq(filingSubjects.id, id));

/** Notes that filings of the subject differ from what was filed, where the change has yet to be filed. The day is that of the site. */
export const markChangedOf = (db: Db, subjectId: string, at: Date) =>
  db
    .update(f)
    .set({ dataChangedOn: sql`(${at}::timestamptz at time zone (select ${sites.timeZone} from ${sites} where ${sites.id} = ${f.siteId}))::date` })
    .where(and(eq(f.subjectId, subjectId), inArray(f.state, filingStates.filter(hasToFileChanges)), isNull(f.dataChangedOn)))
    .returning({ siteId: f.siteId });

/** Documents of a filing, the oldest first, with who attached them. */
export const documentsOf = (db: Db, filingId: string) =>
  db
    .select({ document: filingDocuments, by: users.displayName })
    .from(filingDocuments)
    .leftJoin(users, eq(users.id, filingDocuments.createdBy))
    .where(eq(filingDocuments.filingId, filingId))
    .orderBy(asc(filingDocuments.at), asc(filingDocuments.resourceId));

export const putDocument = (db: Db, row: typeof filingDocuments.$inferInsert) =>
  db
    .insert(filingDocuments)
    .values(row)
    .onConflictDoUpdate({ target: [filingDocuments.filingId, filingDocuments.resourceId], set: { item: row.item } });

export const deleteDocument = async (db: Db, filingId: string, resourceId: string): Promise<boolean> =>
  (
    await db
      .delete(filingDocuments)
      .where(and(eq(filingDocuments.filingId, filingId), eq(filingDocuments.resourceId, resourceId)))
      .returning()
  ).length > 0;

const endStates = ['approved', 'cancelled'] as const satisfies readonly FilingState[];
const lastEvent = (db: Db) =>
  db
    .select({ filingId: filingEvents.filingId, at: sql<Date>`max(${filingEvents.at})`.mapWith(filingEvents.at).as('ended_at') })
    .from(filingEvents)
    .where(inArray(filingEvents.toState, [...endStates]))
    .groupBy(filingEvents.filingId)
    .as('ended');

/** When a filing was approved or cancelled, if it is; null: its documents are still needed. */
export async function endedSince(db: Db, { id, state }: Pick<FilingRow, 'id' | 'state'>): Promise<Date | null> {
  if (!endStates.some((one) => one === state)) return null;
  const ended = lastEvent(db);
  return (await db.select({ at: ended.at }).from(ended).where(eq(ended.filingId, id)))[0]?.at ?? null;
}

/** Documents of filings that have been approved or cancelled since `before`, and that were attached before. */
export function endedDocuments(db: Db, before: Date, most: number): Promise<{ filing: FilingRow; resourceId: string }[]> {
  const ended = lastEvent(db);
  return db
    .select({ filing: f, resourceId: filingDocuments.resourceId })
    .from(filingDocuments)
    .innerJoin(f, eq(f.id, filingDocuments.filingId))
    .innerJoin(ended, eq(ended.filingId, f.id))
    .where(and(inArray(f.state, [...endStates]), lte(ended.at, before), lte(filingDocuments.at, before)))
    .limit(most);
}
