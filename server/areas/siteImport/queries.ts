import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ImportOutcome } from '../../../contract/siteImport/terms';
import { jobs } from '../../worker/schema';
import { siteExports, siteImportItems, siteImports } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute' | 'selectDistinct'>;
export type ImportRow = typeof siteImports.$inferSelect;
export type ItemRow = typeof siteImportItems.$inferSelect;
type JobRow = Pick<typeof jobs.$inferSelect, 'state' | 'done' | 'total' | 'error'>;
export type ImportWithJob = { readonly row: ImportRow; readonly job: JobRow | null };

const jobColumns = { state: jobs.state, done: jobs.done, total: jobs.total, error: jobs.error };

export const importsOf = (db: Db, userId: string): Promise<ImportWithJob[]> =>
  db
    .select({ row: siteImports, job: jobColumns })
    .from(siteImports)
    .leftJoin(jobs, eq(jobs.id, siteImports.jobId))
    .where(eq(siteImports.createdBy, userId))
    .orderBy(desc(siteImports.createdAt))
    .limit(100);

export const findImport = async (db: Db, id: string): Promise<ImportWithJob | null> =>
  (await db.select({ row: siteImports, job: jobColumns }).from(siteImports).leftJoin(jobs, eq(jobs.id, siteImports.jobId)).where(eq(siteImports.id, id)))[0] ??
  null;

export async function addImport(db: Db, row: typeof siteImports.$inferInsert): Promise<ImportRow> {
  const [added] = await db.insert(siteImports).values(row).returning();
  if (!added) throw new Error('PostgreSQL returned no row');
  return added;
}
export const changeImport = async (db: Db, id: string, change: Partial<ImportRow>): Promise<void> =>
  void (await db.update(siteImports).set(change).where(eq(siteImports.id, id)));
export const deleteImport = async (db: Db, id: string): Promise<void> => void (await db.delete(siteImports).where(eq(siteImports.id, id)));
export const allImports = (db: Db): Promise<Pick<ImportRow, 'id' | 'state' | 'siteId' | 'createdAt' | 'finishedAt'>[]> =>
  db
    .select({ id: siteImports.id, state: siteImports.state, siteId: siteImports.siteId, createdAt: siteImports.createdAt, finishedAt: siteImports.finishedAt })
    .from(siteImports);

/** Stores items; one with the same source is replaced, unless it was written already. */
export async function putItems(db: Db, rows: readonly (typeof siteImportItems.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(siteImportItems)
    .values([...rows])
    .onConflictDoUpdate({
      target: [siteImportItems.importId, siteImportItems.kind, siteImportItems.source],
      set: {
        collection: sql`excluded.collection`,
        title: sql`excluded.title`,
        oldPath: sql`excluded.old_path`,
        hash: sql`excluded.hash`,
        data: sql`excluded.data`,
      },
      setWhere: sql`${siteImportItems.outcome} = 'pending'`,
    });
}

export type ItemHead = Pick<ItemRow, 'kind' | 'source' | 'n' | 'collection' | 'title' | 'oldPath' | 'newPath'> & {
  readonly slug: string | null;
  readonly published: boolean;
  readonly aliases: readonly string[];
};
/** All records of an import, without their content. */
export const itemHeads = (db: Db, importId: string): Promise<ItemHead[]> =>
  db
    .select({
      kind: siteImportItems.kind,
      source: siteImportItems.source,
      n: siteImportItems.n,
      collection: siteImportItems.collection,
      title: siteImportItems.title,
      oldPath: siteImportItems.oldPath,
      newPath: siteImportItems.newPath,
      slug: sql<string | null>`${siteImportItems.data}->>'slug'`,
      published: sql<boolean>`(${siteImportItems.data}->>'published')::boolean`,
      aliases: sql<string[]>`coalesce(${siteImportItems.data}->'aliases', '[]'::jsonb)`,
    })
    .from(siteImportItems)
    .where(and(eq(siteImportItems.importId, importId), eq(siteImportItems.kind, 'record')))
    .orderBy(asc(siteImportItems.n));

export async function setNewPaths(db: Db, importId: string, paths: readonly { readonly source: string; readonly path: string | null }[]): Promise<void> {
  for (let at = 0; at < paths.length; at += 1000) {
    const some = paths.slice(at, at + 1000);
    await db.execute(sql`
      UPDATE ${siteImportItems} i SET new_path = x.path
      FROM unnest(${sql.param(some.map(({ source }) => source))}::text[], ${sql.param(some.map(({ path }) => path))}::text[]) AS x(source, path)
      WHERE i.import_id = ${importId}::uuid AND i.kind = 'record' AND i.source = x.source`);
  }
}

const isItem = (importId: string, kind: ItemRow['kind']) => and(eq(siteImportItems.importId, importId), eq(siteImportItems.kind, kind));
export const pendingItems = (db: Db, importId: string, kind: ItemRow['kind'], collection: string | null, most: number): Promise<ItemRow[]> =>
  db
    .select()
    .from(siteImportItems)
    .where(and(isItem(importId, kind), eq(siteImportItems.outcome, 'pending'), collection === null ? undefined : eq(siteImportItems.collection, collection)))
    .orderBy(asc(siteImportItems.n))
    .limit(most);

export const changeItem = async (db: Db, { importId, kind, source }: Pick<ItemRow, 'importId' | 'kind' | 'source'>, change: Partial<ItemRow>): Promise<void> =>
  void (await db
    .update(siteImportItems)
    .set(change)
    .where(and(isItem(importId, kind), eq(siteImportItems.source, source))));

/** What failed is tried again. */
export const retryFailed = async (db: Db, importId: string): Promise<void> =>
  void (await db
    .update(siteImportItems)
    .set({ outcome: 'pending', reason: null })
    .where(and(eq(siteImportItems.importId, importId), eq(siteImportItems.outcome, 'failed'))));

export const skipCollections = async (db: Db, importId: string, collections: readonly string[]): Promise<void> =>
  void (await db
    .update(siteImportItems)
    .set({ outcome: 'skipped', reason: 'not_chosen' })
    .where(and(isItem(importId, 'record'), eq(siteImportItems.outcome, 'pending'), inArray(siteImportItems.collection, [...collections, '']))));
/** Skips files that are pending, but for those that are used. */
export const skipMedia = async (db: Db, importId: string, used: readonly string[]): Promise<void> =>
  void (await db
    .update(siteImportItems)
    .set({ outcome: 'skipped', reason: 'not_chosen' })
    .where(and(isItem(importId, 'media'), eq(siteImportItems.outcome, 'pending'), sql`NOT ${siteImportItems.source} = ANY(${sql.param([...used])}::text[])`)));

export type Counted = { readonly kind: ItemRow['kind']; readonly outcome: ImportOutcome; readonly count: number };
export const countItems = (db: Db, importId: string): Promise<Counted[]> =>
  db
    .select({ kind: siteImportItems.kind, outcome: siteImportItems.outcome, count: count() })
    .from(siteImportItems)
    .where(eq(siteImportItems.importId, importId))
    .groupBy(siteImportItems.kind, siteImportItems.outcome);

/** Without the content: a thousand items can have gigabytes of it. */
const { data: _content, ...listedColumns } = getTableColumns(siteImportItems);
export type ListedItem = Omit<ItemRow, 'data'>;
export async function listItems(
  db: Db,
  importId: string,
  { outcome, skip, size }: { readonly outcome?: ImportOutcome | undefined; readonly skip: number; readonly size: number },
) {
  const which = and(eq(siteImportItems.importId, importId), outcome === undefined ? undefined : eq(siteImportItems.outcome, outcome));
  const rows: ListedItem[] = await db
    .select(listedColumns)
    .from(siteImportItems)
    .where(which)
    .orderBy(asc(siteImportItems.kind), asc(siteImportItems.n), asc(siteImportItems.source))
    .offset(skip)
    .limit(size);
  const [total] = await db.select({ count: count() }).from(siteImportItems).where(which);
  return { rows, total: total?.count ?? 0 };
}

/** What earlier imports into the site made of the same sources, the latest first. */
export const earlierItems = (db: Db, siteId: string, importId: string, kind: ItemRow['kind'], sources: readonly string[]) =>
  db
    .select({
      source: siteImportItems.source,
      hash: siteImportItems.hash,
      tableId: siteImportItems.tableId,
      recordId: siteImportItems.recordId,
      resourceId: siteImportItems.resourceId,
      newPath: siteImportItems.newPath,
    })
    .from(siteImportItems)
    .innerJoin(siteImports, eq(siteImports.id, siteImportItems.importId))
    .where(
      and(
        eq(siteImports.siteId, siteId),
        ne(siteImports.id, importId),
        ne(siteImports.state, 'undone'),
        eq(siteImportItems.kind, kind),
        inArray(siteImportItems.source, [...sources]),
        inArray(siteImportItems.outcome, ['created', 'updated', 'unchanged']),
      ),
    )
    .orderBy(desc(siteImports.createdAt));

/** Tables that earlier imports into the site have created, by collection. */
export const earlierTables = (db: Db, siteId: string, importId: string) =>
  db
    .select({ written: siteImports.written })
    .from(siteImports)
    .where(and(eq(siteImports.siteId, siteId), ne(siteImports.id, importId), isNotNull(siteImports.written), ne(siteImports.state, 'undone')))
    .orderBy(desc(siteImports.createdAt));

/** Batches of changes that an import has written, the latest first. */
export async function batchesOf(db: Db, importId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ batchId: siteImportItems.batchId })
    .from(siteImportItems)
    .where(and(eq(siteImportItems.importId, importId), isNotNull(siteImportItems.batchId)))
    .orderBy(desc(siteImportItems.batchId));
  return rows.flatMap(({ batchId }) => batchId ?? []);
}

/** Resources that an import has added. */
export async function addedResources(db: Db, importId: string): Promise<string[]> {
  const rows = await db
    .select({ id: siteImportItems.resourceId })
    .from(siteImportItems)
    .where(and(isItem(importId, 'media'), eq(siteImportItems.outcome, 'created'), isNotNull(siteImportItems.resourceId)));
  return rows.flatMap(({ id }) => id ?? []);
}

/** Where files and records are that were imported: resources and records by source. */
export const placedItems = (db: Db, importId: string, kind: ItemRow['kind'], sources: readonly string[]) =>
  db
    .select({ source: siteImportItems.source, resourceId: siteImportItems.resourceId, recordId: siteImportItems.recordId, title: siteImportItems.title })
    .from(siteImportItems)
    .where(and(isItem(importId, kind), inArray(siteImportItems.source, [...sources, ''])));

export type ExportRow = typeof siteExports.$inferSelect;
export const exportsOf = (db: Db, siteId: string) =>
  db
    .select({ row: siteExports, job: jobColumns })
    .from(siteExports)
    .leftJoin(jobs, eq(jobs.id, siteExports.jobId))
    .where(eq(siteExports.siteId, siteId))
    .orderBy(desc(siteExports.createdAt))
    .limit(20);
export const findExport = async (db: Db, siteId: string, id: string): Promise<ExportRow | null> =>
  (
    await db
      .select()
      .from(siteExports)
      .where(and(eq(siteExports.siteId, siteId), eq(siteExports.id, id)))
  )[0] ?? null;
/** Jobs that copy a site, or will: the archive of a copy has the id of its job. */
export const copyingJobs = (db: Db): Promise<{ id: string }[]> =>
  db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.kind, 'site.starter'), inArray(jobs.state, ['queued', 'running'])));
export const allExports = (db: Db): Promise<{ id: string; createdAt: Date }[]> =>
  db.select({ id: siteExports.id, createdAt: siteExports.createdAt }).from(siteExports);
export const deleteExport = async (db: Db, id: string): Promise<void> => void (await db.delete(siteExports).where(eq(siteExports.id, id)));

/** Titles and descriptions for search engines by new address, of what was written. */
export async function seoTexts(db: Db, importId: string): Promise<{ path: string; title: string; description: string }[]> {
  const rows = await db
    .select({
      path: siteImportItems.newPath,
      title: sql<string>`${siteImportItems.data}->'seo'->>'title'`,
      description: sql<string>`${siteImportItems.data}->'seo'->>'description'`,
    })
    .from(siteImportItems)
    .where(and(isItem(importId, 'record'), inArray(siteImportItems.outcome, ['created', 'updated', 'unchanged']), isNotNull(siteImportItems.newPath)))
    .orderBy(asc(siteImportItems.n));
  const listed = new Set<string>();
  return rows.flatMap(({ path, title, description }) => {
    if (path === null || listed.has(path) || (!title && !description)) return [];
    listed.add(path);
    return [{ path, title: title.slice(0, 200), description: description.slice(0, 500) }];
  });
}

export const isExport = (id: string) => eq(siteExports.id, id);

/** Records of an import behind a place in their order. */
export const itemsAfter = (db: Db, importId: string, after: { readonly n: number; readonly source: string }, most: number): Promise<ItemRow[]> =>
  db
    .select()
    .from(siteImportItems)
    .where(and(isItem(importId, 'record'), sql`(${siteImportItems.n}, ${siteImportItems.source}) > (${after.n}::int, ${after.source}::text)`))
    .orderBy(asc(siteImportItems.n), asc(siteImportItems.source))
    .limit(most);

/** Forgets what an earlier attempt has read. */
export const clearItems = async (db: Db, importId: string): Promise<void> =>
  void (await db.delete(siteImportItems).where(eq(siteImportItems.importId, importId)));

/** Stores what became of an item that is pending; false if it no longer is. */
export async function settleItem(
  db: Pick<Db, 'update'>,
  { importId, kind, source }: Pick<ItemRow, 'importId' | 'kind' | 'source'>,
  change: Partial<ItemRow>,
): Promise<boolean> {
  const moved = await db
    .update(siteImportItems)
    .set(change)
    .where(and(isItem(importId, kind), eq(siteImportItems.source, source), eq(siteImportItems.outcome, 'pending')))
    .returning({ source: siteImportItems.source });
  return moved.length > 0;
}
