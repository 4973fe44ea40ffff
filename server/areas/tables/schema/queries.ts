import { and, arrayContains, asc, desc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import type { Db } from '../core/ddl';
import type { FieldRecord, TableRecord } from '../core/model';
import { contentChanges, contentFields, contentWebhooks, contentSites, contentTables, contentViews } from '../core/schema';
import type { PendingWork } from '../core/schema';

/** The site's time zone, which decides days. */
export const timeZoneOf = async (db: Db, siteId: string): Promise<string> =>
  (await db.select({ timeZone: sites.timeZone }).from(sites).where(eq(sites.id, siteId)))[0]?.timeZone ?? 'UTC';

export type ChangeRecord = typeof contentChanges.$inferSelect;

export const setTable = async (db: Db, id: string, parts: Partial<TableRecord>): Promise<void> =>
  void (await db.update(contentTables).set(parts).where(eq(contentTables.id, id)));
export const setField = async (db: Db, id: string, parts: Partial<FieldRecord>): Promise<void> =>
  void (await db.update(contentFields).set(parts).where(eq(contentFields.id, id)));
export const setPositions = async (db: Db, tableId: string, ids: readonly string[]): Promise<void> =>
  void (await db.execute(sql`
    UPDATE ${contentFields} SET position = given.position - 1
    FROM unnest(${sql.param([...ids])}::text[]) WITH ORDINALITY AS given (id, position)
    WHERE ${contentFields.id} = given.id AND ${contentFields.tableId} = ${tableId}`));
export const forgetFields = async (db: Db, ids: readonly string[]): Promise<void> =>
  void (await db.delete(contentFields).where(inArray(contentFields.id, [...ids])));
export const forgetTable = async (db: Db, id: string): Promise<void> => void (await db.delete(contentTables).where(eq(contentTables.id, id)));

/** Changes of a table's definition, newest first, with the name of their author. */
export const changesOf = (db: Db, siteId: string, tableId: string, most: number): Promise<{ change: ChangeRecord; by: string | null }[]> =>
  db
    .select({ change: contentChanges, by: users.displayName })
    .from(contentChanges)
    .leftJoin(users, eq(users.id, contentChanges.by))
    .where(and(eq(contentChanges.siteId, siteId), eq(contentChanges.tableId, tableId)))
    .orderBy(desc(contentChanges.id))
    .limit(most);
export const findChange = async (db: Db, siteId: string, tableId: string, id: number): Promise<ChangeRecord | null> =>
  (
    await db
      .select()
      .from(contentChanges)
      .where(and(eq(contentChanges.siteId, siteId), eq(contentChanges.tableId, tableId), eq(contentChanges.id, id)))
  )[0] ?? null;
/** The last change of one kind to one object. */
export const lastChange = async (db: Db, tableId: string, op: ChangeRecord['op'], fieldId: string | null): Promise<ChangeRecord | null> =>
  (
    await db
      .select()
      .from(contentChanges)
      .where(
        and(
          eq(contentChanges.tableId, tableId),
          eq(contentChanges.op, op),
          fieldId === null ? isNull(contentChanges.fieldId) : eq(contentChanges.fieldId, fieldId),
        ),
      )
      .orderBy(desc(contentChanges.id))
      .limit(1)
  )[0] ?? null;
/** `by`: the latest change, which reverted this one. */
export const markReverted = async (db: Db, id: number, siteId: string): Promise<void> =>
  void (await db
    .update(contentChanges)
    .set({ revertedBy: sql`(SELECT max(id) FROM ${contentChanges} WHERE site_id = ${siteId})` })
    .where(eq(contentChanges.id, id)));

/** Adds to the pending work on a table's records. */
export async function addPending(db: Db, id: string, work: PendingWork): Promise<void> {
  const [row] = await db.select({ pending: contentTables.pending }).from(contentTables).where(eq(contentTables.id, id));
  const numbers = [...(row?.pending?.numbers ?? []), ...(work.numbers ?? [])];
  await db
    .update(contentTables)
    .set({ pending: { ...row?.pending, ...work, ...(numbers.length > 0 ? { numbers } : {}) } })
    .where(eq(contentTables.id, id));
}
/** Tables with pending work, of one site or all. */
export const pendingTables = async (db: Db, siteId?: string): Promise<{ id: string; siteId: string; title: string; pending: PendingWork }[]> => {
  const rows = await db
    .select({ id: contentTables.id, siteId: contentTables.siteId, title: contentTables.title, pending: contentTables.pending })
    .from(contentTables)
    .where(and(isNotNull(contentTables.pending), isNull(contentTables.deletedAt), siteId === undefined ? undefined : eq(contentTables.siteId, siteId)))
    .orderBy(asc(contentTables.id));
  return rows.flatMap((row) => (row.pending ? [{ ...row, pending: row.pending }] : []));
};

/** Makes every process reload the definitions of a site, and makes other changes wait for this transaction. */
export async function touchSite(db: Db, siteId: string): Promise<true> {
  await db
    .insert(contentSites)
    .values({ siteId })
    .onConflictDoUpdate({ target: contentSites.siteId, set: { revision: sql`${contentSites.revision} + 1` } });
  return true;
}

/** Fields and languages whose translations were disabled before `before`; the latest time of disabling counts. */
export async function switchedOff(db: Db, tableId: string, before: Date): Promise<{ fields: ReadonlySet<string>; locales: ReadonlySet<string> }> {
  const rows = await db
    .select()
    .from(contentChanges)
    .where(and(eq(contentChanges.tableId, tableId), inArray(contentChanges.op, ['field_changed', 'table_changed'])))
    .orderBy(asc(contentChanges.id));
  const fields = new Set<string>();
  const locales = new Set<string>();
  for (const { fieldId, before: was, after: is, at } of rows) {
    if (fieldId !== null && 'localized' in is) {
      if (is['localized'] === false && at < before) fields.add(fieldId);
      else fields.delete(fieldId);
    }
    if (!Array.isArray(was['locales']) || !Array.isArray(is['locales'])) continue;
    for (const locale of was['locales'] as string[]) if (!is['locales'].includes(locale) && at < before) locales.add(locale);
    for (const locale of is['locales'] as string[]) locales.delete(locale);
    for (const locale of was['locales'] as string[]) if (!is['locales'].includes(locale) && at >= before) locales.delete(locale);
  }
  return { fields, locales };
}
/** Condition on `contentTables`: something was disabled a month ago, in the last days, and has not been handled yet. */
export const hasOldTranslations = (before: Date) => sql`EXISTS (
  SELECT 1 FROM ${contentChanges} WHERE ${contentChanges.tableId} = ${contentTables.id} AND ${contentChanges.op} IN ('field_changed', 'table_changed')
  AND (${contentChanges.after} ? 'localized' OR ${contentChanges.after} ? 'locales')
  AND ${contentChanges.at} < ${before.toISOString()}::timestamptz AND ${contentChanges.at} > ${before.toISOString()}::timestamptz - interval '7 days')`;

/** Webhooks limited to some records of a table. */
export const filteredWebhooks = (db: Db, siteId: string, tableId: string): Promise<{ id: string; name: string; filter: unknown }[]> =>
  db
    .select({ id: contentWebhooks.id, name: contentWebhooks.name, filter: contentWebhooks.filter })
    .from(contentWebhooks)
    .where(and(eq(contentWebhooks.siteId, siteId), isNotNull(contentWebhooks.filter), arrayContains(contentWebhooks.tableIds, [tableId])));
/** Shared views of a table, and the reader's own. */
export const viewsOf = (db: Db, tableId: string, userId: string | null): Promise<{ id: string; title: string; query: unknown }[]> =>
  db
    .select({ id: contentViews.id, title: contentViews.title, query: contentViews.query })
    .from(contentViews)
    .where(
      and(
        eq(contentViews.tableId, tableId),
        userId === null ? ne(contentViews.scope, 'personal') : or(ne(contentViews.scope, 'personal'), eq(contentViews.owner, userId)),
      ),
    )
    .orderBy(asc(contentViews.position), asc(contentViews.id));
