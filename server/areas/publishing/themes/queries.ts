import { and, asc, desc, eq, lt, lte, sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import { users } from '../../account/schema';
import { partContents, releases, themeChanges, themeFiles, themeFileVersions } from '../schema';

type Tx = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];
type Db = Pick<Tx, 'select' | 'selectDistinctOn' | 'insert' | 'delete' | 'execute'>;
export type FileRow = typeof themeFiles.$inferSelect;
export type VersionRow = typeof themeFileVersions.$inferSelect;
export type ChangeRow = typeof themeChanges.$inferSelect;

export const filesOf = (db: Db, siteId: string): Promise<FileRow[]> =>
  db.select().from(themeFiles).where(eq(themeFiles.siteId, siteId)).orderBy(asc(themeFiles.path));

/** The latest change of a theme; null if the site has none yet. */
export async function latestChange(db: Db, siteId: string): Promise<ChangeRow | null> {
  const [row] = await db.select().from(themeChanges).where(eq(themeChanges.siteId, siteId)).orderBy(desc(themeChanges.number)).limit(1);
  return row ?? null;
}

export async function findChange(db: Db, siteId: string, number: number): Promise<ChangeRow | null> {
  const [row] = await db
    .select()
    .from(themeChanges)
    .where(and(eq(themeChanges.siteId, siteId), eq(themeChanges.number, number)));
  return row ?? null;
}

/** The newest first, below a number; with the name of the person, null if the account no longer exists. */
export const changesOf = (db: Db, siteId: string, before: number | undefined, most: number) =>
  db
    .select({ row: themeChanges, name: users.displayName })
    .from(themeChanges)
    .leftJoin(users, eq(users.id, themeChanges.updatedBy))
    .where(and(eq(themeChanges.siteId, siteId), before === undefined ? undefined : lt(themeChanges.number, before)))
    .orderBy(desc(themeChanges.number))
    .limit(most);

/** Versions of a file, the newest first. */
export const versionsOf = (db: Db, siteId: string, path: string, most: number) =>
  db
    .select({ row: themeFileVersions, name: users.displayName })
    .from(themeFileVersions)
    .leftJoin(users, eq(users.id, themeFileVersions.updatedBy))
    .where(and(eq(themeFileVersions.siteId, siteId), eq(themeFileVersions.path, path)))
    .orderBy(desc(themeFileVersions.revision))
    .limit(most);

export async function findVersion(db: Db, siteId: string, path: string, revision: number): Promise<VersionRow | null> {
  const [row] = await db
    .select()
    .from(themeFileVersions)
    .where(and(eq(themeFileVersions.siteId, siteId), eq(themeFileVersions.path, path), eq(themeFileVersions.revision, revision)));
  return row ?? null;
}

/** The highest revision of every path that the theme has ever had. */
export async function lastRevisions(db: Db, siteId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ path: themeFileVersions.path, revision: sql<number>`max(${themeFileVersions.revision})` })
    .from(themeFileVersions)
    .where(eq(themeFileVersions.siteId, siteId))
    .groupBy(themeFileVersions.path);
  return new Map(rows.map(({ path, revision }) => [path, revision]));
}

/** The files as they were after a change. */
export async function filesAfter(db: Db, siteId: string, change: number): Promise<VersionRow[]> {
  const rows = await db
    .selectDistinctOn([themeFileVersions.path])
    .from(themeFileVersions)
    .where(and(eq(themeFileVersions.siteId, siteId), lte(themeFileVersions.change, change)))
    .orderBy(asc(themeFileVersions.path), desc(themeFileVersions.revision));
  return rows.filter(({ removed }) => !removed);
}

export async function upsertFiles(db: Db, rows: readonly FileRow[]): Promise<void> {
  if (rows.length === 0) return;
  const excluded = (column: string) => sql.raw(`excluded.${column}`);
  await db
    .insert(themeFiles)
    .values([...rows])
    .onConflictDoUpdate({
      target: [themeFiles.siteId, themeFiles.path],
      set: {
        sha256: excluded('sha256'),
        bytes: excluded('bytes'),
        revision: excluded('revision'),
        updatedBy: excluded('updated_by'),
        updatedAt: excluded('updated_at'),
      },
    });
}

export const deleteFiles = async (db: Db, siteId: string, paths: readonly string[]): Promise<void> =>
  void (await db.delete(themeFiles).where(and(eq(themeFiles.siteId, siteId), sql`${themeFiles.path} = ANY(${sql.param([...paths])}::text[])`)));

export async function insertChange(db: Db, change: ChangeRow, versions: readonly VersionRow[]): Promise<void> {
  await db.insert(themeChanges).values(change);
  await db.insert(themeFileVersions).values([...versions]);
}

/** Content hashes that the theme, its history or a release of the site names. */
export async function namedContents(db: Db, siteId: string): Promise<Set<string>> {
  const { rows } = await db.execute<{ sha256: string }>(sql`
    SELECT sha256 FROM ${themeFiles} WHERE site_id = ${siteId}
    UNION SELECT sha256 FROM ${themeFileVersions} WHERE site_id = ${siteId}
    UNION SELECT file.value FROM ${partContents} part, jsonb_each_text(part.content->'files') file
      WHERE part.site_id = ${siteId} AND part.sha256 IN (SELECT r.parts->>'theme' FROM ${releases} r WHERE r.site_id = ${siteId})`);
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** Forgets changes before the newest `most`, and versions that were replaced before them. Removed files keep their last row, so that revisions never repeat. */
export async function forgetChanges(db: Db, siteId: string, most: number): Promise<void> {
  await db.execute(sql`
    WITH oldest AS (SELECT number FROM ${themeChanges} WHERE site_id = ${siteId} ORDER BY number DESC OFFSET ${most - 1} LIMIT 1),
      forgotten AS (DELETE FROM ${themeChanges} c USING oldest WHERE c.site_id = ${siteId} AND c.number < oldest.number)
    DELETE FROM ${themeFileVersions} v USING oldest WHERE v.site_id = ${siteId} AND EXISTS (
      SELECT 1 FROM ${themeFileVersions} later WHERE later.site_id = v.site_id AND later.path = v.path AND later.revision > v.revision AND later.change <= oldest.number)`);
}
