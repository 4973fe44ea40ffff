import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ResourceQuery } from '../../../contract/resources/schemas';
import { largeImageBytes } from '../../../contract/resources/terms';
import type { ResourceKind, ResourceSort } from '../../../contract/resources/terms';
import type { Comparable } from './duplicates';
import { blobs, resourceFolders, resourceReferences, resources, resourceUploads, resourceVersions } from './schema';
import { containing } from '../../stores/postgres/like';

export type Db = Pick<NodePgDatabase, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute'>;
export type BlobRow = typeof blobs.$inferSelect;
export type ResourceRow = typeof resources.$inferSelect;
export type FolderRow = typeof resourceFolders.$inferSelect;
export type UploadRow = typeof resourceUploads.$inferSelect;
export type ResourceWithBlob = { readonly row: ResourceRow; readonly blob: BlobRow; readonly uses: number };

const uses = sql<number>`(SELECT count(*) FROM ${resourceReferences} u WHERE u.site_id = ${resources.siteId} AND u.resource_id = ${resources.id})`.mapWith(
  Number,
);
const columns = { row: resources, blob: blobs, uses };
const withBlob = and(eq(blobs.siteId, resources.siteId), eq(blobs.sha256, resources.sha256));

export const findResource = async (db: Db, siteId: string, id: string): Promise<ResourceWithBlob | null> =>
  (
    await db
      .select(columns)
      .from(resources)
      .innerJoin(blobs, withBlob)
      .where(and(eq(resources.siteId, siteId), eq(resources.id, id), isNull(resources.pendingUntil)))
  )[0] ?? null;

export const findResources = async (db: Db, siteId: string, ids: readonly string[]): Promise<ResourceWithBlob[]> =>
  ids.length === 0
    ? []
    : db
        .select(columns)
        .from(resources)
        .innerJoin(blobs, withBlob)
        .where(and(among(siteId, ids), isNull(resources.pendingUntil)));

const outsideBin = (siteId: string, kind: ResourceKind): SQL | undefined =>
  and(eq(resources.siteId, siteId), eq(resources.kind, kind), isNull(resources.deletedAt), isNull(resources.pendingUntil));

/** Changes with every change of the resources of a kind outside the bin. */
export async function stateOf(db: Db, siteId: string, kind: ResourceKind): Promise<string> {
  const [found] = await db
    .select({ state: sql<string>`concat_ws(' ', count(*), max(${resources.updatedAt}), sum(${resources.revision}))` })
    .from(resources)
    .where(outsideBin(siteId, kind));
  return found?.state ?? '';
}

/** What the resources of a kind outside the bin are compared by, the oldest first; without confidential ones. */
export const comparableResources = (db: Db, siteId: string, kind: ResourceKind): Promise<Comparable[]> =>
  db
    .select({
      id: resources.id,
      sha256: resources.sha256,
      hash: blobs.perceptualHash,
      thumbhash: blobs.thumbhash,
      ratio: sql<number | null>`${blobs.width}::float8 / nullif(${blobs.height}, 0)`,
    })
    .from(resources)
    .innerJoin(blobs, withBlob)
    .where(and(outsideBin(siteId, kind), ne(resources.visibility, 'confidential')))
    .orderBy(resources.createdAt, resources.id);

/** Waits for writes that change some resources or are about to use them, and keeps new ones waiting until the end of the transaction. */
export const lockResources = async (tx: Db, siteId: string, ids: readonly string[]): Promise<void> =>
  void (await tx.select({ id: resources.id }).from(resources).where(among(siteId, ids)).orderBy(resources.id).for('update'));

/** Those of `ids` that nothing uses. */
export const unusedAmong = async (db: Db, siteId: string, ids: readonly string[]): Promise<string[]> =>
  idsOf(
    await db
      .select({ id: resources.id })
      .from(resources)
      .where(and(among(siteId, ids), isNull(resources.pendingUntil), sql`${uses} = 0`)),
  );

/** `confidential`: whether the reader sees resources that are confidential. */
type Filter = ResourceQuery & { readonly confidential: boolean };

function filterOf(siteId: string, { kind, folder, q, tag, filter, deleted, confidential }: Filter): SQL | undefined {
  // Each is computed once for all rows; a comparison of every row with every other one would not end with 100,000.
  const inSite = and(eq(resources.siteId, siteId), isNull(resources.deletedAt), isNull(resources.pendingUntil));
  const repeated = (column: SQL): SQL =>
    sql`SELECT ${column} FROM ${resources} JOIN ${blobs} ON ${withBlob} WHERE ${inSite} GROUP BY 1 HAVING count(*) > 1 AND ${column} IS NOT NULL`;
  return and(
    eq(resources.siteId, siteId),
    isNull(resources.pendingUntil),
    deleted ? isNotNull(resources.deletedAt) : isNull(resources.deletedAt),
    confidential ? undefined : ne(resources.visibility, 'confidential'),
    kind === undefined ? undefined : eq(resources.kind, kind),
    folder === undefined ? undefined : folder === 'root' ? isNull(resources.folderId) : eq(resources.folderId, folder),
    q
      ? sql`(${resources.name} ILIKE ${containing(q)} OR ${resources.alt}::text ILIKE ${containing(q)} OR ${resources.title}::text ILIKE ${containing(q)} OR ${q} = ANY(${resources.tags}))`
      : undefined,
    tag ? sql`${resources.tags} @> ARRAY[${tag}]::text[]` : undefined,
    filter === 'unused' ? sql`${uses} = 0` : undefined,
    filter === 'noAlt' ? sql`${resources.alt} = '{}'` : undefined,
    filter === 'large' ? sql`${blobs.bytes} > ${largeImageBytes}` : undefined,
    filter === 'gps' ? eq(blobs.hasGps, true) : undefined,
    filter === 'duplicates'
      ? sql`(${resources.sha256} IN (${repeated(sql`${resources.sha256}`)}) OR ${blobs.perceptualHash} IN (${repeated(sql`${blobs.perceptualHash}`)}))`
      : undefined,
  );
}

/** Columns of an order; the last is unique. `key`: the position of a row as text. */
const orders: Readonly<Record<ResourceSort, { readonly key: SQL<string>; readonly type: SQL; readonly descends: boolean }>> = {
  newest: { key: sql`${resources.createdAt}`, type: sql`timestamptz`, descends: true },
  oldest: { key: sql`${resources.createdAt}`, type: sql`timestamptz`, descends: false },
  name: { key: sql`lower(${resources.name})`, type: sql`text`, descends: false },
  largest: { key: sql`${blobs.bytes}`, type: sql`bigint`, descends: true },
};
export type Position = { readonly key: string; readonly id: string };

/** A page of resources, and the position behind it. `total`: all that match. */
export async function listResources(
  db: Db,
  siteId: string,
  query: Filter,
  after: Position | null,
): Promise<{ rows: ResourceWithBlob[]; next: Position | null; total: number }> {
  const { key, type, descends } = orders[query.sort];
  const filter = filterOf(siteId, query);
  const behind = after ? sql`(${key}, ${resources.id}) ${sql.raw(descends ? '<' : '>')} (${after.key}::${type}, ${after.id}::uuid)` : undefined;
  const order = descends ? desc : asc;
  const found = await db
    .select({ ...columns, key: sql<string>`${key}::text` })
    .from(resources)
    .innerJoin(blobs, withBlob)
    .where(and(filter, behind))
    .orderBy(order(key), order(resources.id))
    .limit(query.size + 1);
  const [counted] = await db.select({ total: count() }).from(resources).innerJoin(blobs, withBlob).where(filter);
  const rows = found.slice(0, query.size);
  const last = rows.at(-1);
  return { rows, next: found.length > rows.length && last ? { key: last.key, id: last.row.id } : null, total: counted?.total ?? 0 };
}

export const findBlob = async (db: Db, siteId: string, sha256: string): Promise<BlobRow | null> =>
  (
    await db
      .select()
      .from(blobs)
      .where(and(eq(blobs.siteId, siteId), eq(blobs.sha256, sha256)))
  )[0] ?? null;

/** Hashes of all contents of a site. */
export const contentsOf = async (db: Db, siteId: string): Promise<ReadonlySet<string>> =>
  new Set((await db.select({ sha256: blobs.sha256 }).from(blobs).where(eq(blobs.siteId, siteId))).map(({ sha256 }) => sha256));

export const addBlob = async (db: Db, row: typeof blobs.$inferInsert): Promise<void> => void (await db.insert(blobs).values(row).onConflictDoNothing());

export const changeBlob = async (db: Db, siteId: string, sha256: string, change: Partial<Omit<BlobRow, 'siteId' | 'sha256'>>): Promise<void> =>
  void (await db
    .update(blobs)
    .set(change)
    .where(and(eq(blobs.siteId, siteId), eq(blobs.sha256, sha256))));

export async function addResource(db: Db, row: typeof resources.$inferInsert): Promise<ResourceRow> {
  const [created] = await db.insert(resources).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

/** Changes a resource that still has the revision; null if it has another one. */
export const changeResource = async (db: Db, siteId: string, id: string, revision: number, change: Partial<ResourceRow>): Promise<ResourceRow | null> =>
  (
    await db
      .update(resources)
      .set({ ...change, revision: revision + 1 })
      .where(and(eq(resources.siteId, siteId), eq(resources.id, id), eq(resources.revision, revision)))
      .returning()
  )[0] ?? null;

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
const among = (siteId: string, ids: readonly string[]): SQL | undefined => and(eq(resources.siteId, siteId), inArray(resources.id, [...ids]));
const nextRevision = sql`${resources.revision} + 1`;

/** Changes those of `ids` that are neither in the bin nor pending; their ids. */
export const changeResources = async (
  db: Db,
  siteId: string,
  ids: readonly string[],
  change: { readonly folderId?: string | null; readonly tags?: SQL; readonly deletedAt?: Date; readonly visibility?: 'confidential'; readonly updatedAt: Date },
): Promise<string[]> =>
  idsOf(
    await db
      .update(resources)
      .set({ ...change, revision: nextRevision })
      .where(and(among(siteId, ids), isNull(resources.deletedAt), isNull(resources.pendingUntil)))
      .returning({ id: resources.id }),
  );

/** Tags after adding and removing some, without repetitions, in alphabetical order. */
export const tagsAfter = (add: readonly string[], remove: readonly string[]): SQL =>
  sql`ARRAY(SELECT DISTINCT t FROM unnest(${resources.tags} || ${sql.param([...add])}::text[]) t WHERE t <> ALL(${sql.param([...remove])}::text[]) ORDER BY t)`;

export const restoreResources = async (db: Db, siteId: string, ids: readonly string[], now: Date): Promise<string[]> =>
  idsOf(
    await db
      .update(resources)
      .set({ deletedAt: null, updatedAt: now, revision: nextRevision })
      .where(and(among(siteId, ids), isNotNull(resources.deletedAt)))
      .returning({ id: resources.id }),
  );

/** Deletes those of `ids` that are in the bin, with their versions; the contents that they used. */
export async function purgeResources(db: Db, siteId: string, ids: readonly string[]): Promise<{ ids: string[]; contents: string[] }> {
  const versions = await db
    .selectDistinct({ sha256: resourceVersions.sha256 })
    .from(resourceVersions)
    .innerJoin(resources, eq(resources.id, resourceVersions.resourceId))
    .where(and(among(siteId, ids), isNotNull(resources.deletedAt)));
  const deleted = await db
    .delete(resources)
    .where(and(among(siteId, ids), isNotNull(resources.deletedAt)))
    .returning({ id: resources.id, sha256: resources.sha256, poster: resources.posterSha256 });
  const posters = deleted.flatMap(({ poster }) => poster ?? []);
  return { ids: idsOf(deleted), contents: [...new Set([...[...versions, ...deleted].map(({ sha256 }) => sha256), ...posters])] };
}

/** No resource and no version uses the content, not even as a poster. */
const isUnused = sql`NOT EXISTS (SELECT 1 FROM ${resources} r WHERE r.site_id = ${blobs.siteId} AND r.sha256 = ${blobs.sha256})
  AND NOT EXISTS (SELECT 1 FROM ${resources} r WHERE r.site_id = ${blobs.siteId} AND r.poster_sha256 = ${blobs.sha256})
  AND NOT EXISTS (SELECT 1 FROM ${resourceVersions} v WHERE v.site_id = ${blobs.siteId} AND v.sha256 = ${blobs.sha256})`;

/** Contents from before a time that nothing uses, at most `most`. */
export const unusedBlobs = (db: Db, before: Date, most: number): Promise<{ siteId: string; sha256: string }[]> =>
  db
    .select({ siteId: blobs.siteId, sha256: blobs.sha256 })
    .from(blobs)
    .where(and(lt(blobs.createdAt, before), isUnused))
    .limit(most);

/** Deletes those of `contents` that no resource and no version uses. */
export const deleteUnusedBlobs = async (db: Db, siteId: string, contents: readonly string[]): Promise<string[]> =>
  contents.length === 0
    ? []
    : (
        await db
          .delete(blobs)
          .where(and(eq(blobs.siteId, siteId), inArray(blobs.sha256, [...contents]), isUnused))
          .returning({ sha256: blobs.sha256 })
      ).map(({ sha256 }) => sha256);

/** Resources that were removed before a time, at most `most`, with their sites. */
export const removedBefore = (db: Db, before: Date, most: number): Promise<{ siteId: string; id: string }[]> =>
  db.select({ siteId: resources.siteId, id: resources.id }).from(resources).where(lt(resources.deletedAt, before)).limit(most);

export const addVersion = async (db: Db, row: typeof resourceVersions.$inferInsert): Promise<void> => void (await db.insert(resourceVersions).values(row));

export const tagsOf = (db: Db, siteId: string): Promise<{ tag: string; count: number }[]> =>
  db
    .select({ tag: sql<string>`tag`, count: count() })
    .from(sql`${resources}, unnest(${resources.tags}) AS tag`)
    .where(and(eq(resources.siteId, siteId), isNull(resources.deletedAt)))
    .groupBy(sql`tag`)
    .orderBy(desc(count()), sql`tag`)
    .limit(500);

/** Folders of a site, each with the number of its resources of a kind, or of all kinds. */
export const foldersOf = (db: Db, siteId: string, kind?: ResourceKind): Promise<(FolderRow & { count: number })[]> =>
  db
    .select({
      id: resourceFolders.id,
      siteId: resourceFolders.siteId,
      parentId: resourceFolders.parentId,
      name: resourceFolders.name,
      createdAt: resourceFolders.createdAt,
      // The column needs the name of its table: without it, it would be that of `r`.
      count: sql<number>`(SELECT count(*) FROM ${resources} r WHERE r.folder_id = ${resourceFolders}.id AND r.deleted_at IS NULL AND r.pending_until IS NULL
        AND (${kind ?? null}::text IS NULL OR r.kind = ${kind ?? null}))`.mapWith(Number),
    })
    .from(resourceFolders)
    .where(eq(resourceFolders.siteId, siteId))
    .orderBy(sql`lower(${resourceFolders.name})`);

export const findFolder = async (db: Db, siteId: string, id: string): Promise<FolderRow | null> =>
  (
    await db
      .select()
      .from(resourceFolders)
      .where(and(eq(resourceFolders.siteId, siteId), eq(resourceFolders.id, id)))
  )[0] ?? null;

export async function addFolder(db: Db, row: typeof resourceFolders.$inferInsert): Promise<FolderRow> {
  const [created] = await db.insert(resourceFolders).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}
export const changeFolder = async (db: Db, siteId: string, id: string, change: Partial<Pick<FolderRow, 'name' | 'parentId'>>): Promise<FolderRow | null> =>
  (
    await db
      .update(resourceFolders)
      .set(change)
      .where(and(eq(resourceFolders.siteId, siteId), eq(resourceFolders.id, id)))
      .returning()
  )[0] ?? null;

/** Deletes a folder; what it contains moves to its parent. */
export async function removeFolder(db: Db, { siteId, id, parentId }: FolderRow): Promise<void> {
  await db
    .update(resources)
    .set({ folderId: parentId })
    .where(and(eq(resources.siteId, siteId), eq(resources.folderId, id)));
  await db
    .update(resourceFolders)
    .set({ parentId })
    .where(and(eq(resourceFolders.siteId, siteId), eq(resourceFolders.parentId, id)));
  await db.delete(resourceFolders).where(and(eq(resourceFolders.siteId, siteId), eq(resourceFolders.id, id)));
}

export async function addUpload(db: Db, row: typeof resourceUploads.$inferInsert): Promise<UploadRow> {
  const [created] = await db.insert(resourceUploads).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}
export const findUpload = async (db: Db, siteId: string, id: string): Promise<UploadRow | null> =>
  (
    await db
      .select()
      .from(resourceUploads)
      .where(and(eq(resourceUploads.siteId, siteId), eq(resourceUploads.id, id)))
  )[0] ?? null;
export const setUploadResource = async (db: Db, id: string, resourceId: string): Promise<void> =>
  void (await db.update(resourceUploads).set({ resourceId }).where(eq(resourceUploads.id, id)));
export const setUploadBytes = async (db: Db, id: string, bytes: number): Promise<void> =>
  void (await db.update(resourceUploads).set({ bytes }).where(eq(resourceUploads.id, id)));
export const removeUpload = async (db: Db, id: string): Promise<void> => void (await db.delete(resourceUploads).where(eq(resourceUploads.id, id)));
export const allUploads = (db: Db): Promise<UploadRow[]> => db.select().from(resourceUploads);
