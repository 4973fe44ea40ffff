import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { may } from '../../../contract/permissions';
import type { InstanceRole, SiteRole } from '../../../contract/permissions';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { prepared } from '../../stores/postgres/prepared';
import { users } from '../account/schema';
import { measuringSettings } from '../measuring/schema';
import { hostnames } from '../hostnames/schema';
import { supportSettings } from '../support/schema';
import { contentSites } from '../tables/core/schema';
import { formerSlugs, siteGrants, sitePins, sites } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type SiteRecord = typeof sites.$inferSelect;
/** A site as seen by one person. */
export type SeenSite = { readonly site: SiteRecord; readonly role: SiteRole; readonly pinned: boolean; readonly support: boolean };

const pinnedBy = (userId: string) => sql<boolean>`exists (select 1 from ${sitePins} where ${sitePins.siteId} = ${sites.id} and ${sitePins.userId} = ${userId})`;

/** Whether a site uses the customer service of this program. */
const hasSupport = sql<boolean>`exists (select 1 from ${supportSettings} where ${supportSettings.siteId} = ${sites.id} and ${supportSettings.settings} ->> 'mode' = 'builtin')`;

/** `seeAll`: the instance role sees every site, as its admin. `bin` selects sites in the bin instead of live ones. `among`: of these only. */
export async function visibleSites(db: Db, userId: string, seeAll: boolean, bin: boolean, among?: readonly string[]): Promise<SeenSite[]> {
  const state = and(bin ? eq(sites.state, 'deleted') : ne(sites.state, 'deleted'), among && inArray(sites.id, [...among]));
  const order = bin ? [desc(sites.deletedAt), asc(sites.id)] : [asc(sites.createdAt), asc(sites.id)];
  if (seeAll) {
    const rows = await db
      .select({ site: sites, pinned: pinnedBy(userId), support: hasSupport })
      .from(sites)
      .where(state)
      .orderBy(...order);
    return rows.map((row) => ({ ...row, role: 'admin' }));
  }
  return db
    .select({ site: sites, role: siteGrants.role, pinned: pinnedBy(userId), support: hasSupport })
    .from(sites)
    .innerJoin(siteGrants, and(eq(siteGrants.siteId, sites.id), eq(siteGrants.userId, userId)))
    .where(state)
    .orderBy(...order);
}

export async function visibleSite(db: Db, siteId: string, userId: string, seeAll: boolean): Promise<SeenSite | null> {
  const [row] = await db
    .select({ site: sites, granted: siteGrants.role, pinned: pinnedBy(userId), support: hasSupport })
    .from(sites)
    .leftJoin(siteGrants, and(eq(siteGrants.siteId, sites.id), eq(siteGrants.userId, userId)))
    .where(eq(sites.id, siteId));
  if (!row) return null;
  const role = seeAll ? 'admin' : row.granted;
  return role ? { site: row.site, role, pinned: row.pinned, support: row.support } : null;
}

/** A site with one person's grant and the revision of its content table definitions; each is null if there is no such row. */
export type FoundSite = { readonly site: SiteRecord; readonly granted: SiteRole | null; readonly contentRevision: number | null };

const siteQuery = prepared((db) =>
  db
    .select({ site: sites, granted: siteGrants.role, contentRevision: contentSites.revision })
    .from(sites)
    .leftJoin(siteGrants, and(eq(siteGrants.siteId, sites.id), eq(siteGrants.userId, sql.placeholder('userId'))))
    .leftJoin(contentSites, eq(contentSites.siteId, sites.id))
    .where(eq(sites.id, sql.placeholder('siteId')))
    .prepare('site_access'),
);
/** A person's grant on a site, with the revision of its content table definitions; the first query of every request about a site. */
export async function accessTo(db: Db, siteId: string, userId: string): Promise<FoundSite | null> {
  const [row] = await siteQuery(db).execute({ siteId, userId });
  return row ?? null;
}

/** A site with its measuring settings, null if they were never changed, and the earlier slugs that lead to it. */
export type MeasuredSite = {
  readonly site: SiteRecord;
  readonly settings: (typeof measuringSettings.$inferSelect)['settings'] | null;
  readonly formerSlugs: readonly string[];
};
/** All sites, or one. */
export const measuredSites = (db: Db, now: Date, id?: string): Promise<MeasuredSite[]> =>
  db
    .select({
      site: sites,
      settings: measuringSettings.settings,
      formerSlugs: sql<
        string[]
      >`ARRAY(SELECT ${formerSlugs.slug} FROM ${formerSlugs} WHERE ${formerSlugs.siteId} = ${sites.id} AND ${formerSlugs.until} > ${now.toISOString()}::timestamptz)`,
    })
    .from(sites)
    .leftJoin(measuringSettings, eq(measuringSettings.siteId, sites.id))
    .where(id === undefined ? undefined : eq(sites.id, id));

export type SiteHostname = Pick<
  typeof hostnames.$inferSelect,
  'id' | 'siteId' | 'host' | 'apex' | 'role' | 'redirectCode' | 'keepPath' | 'redirectTo' | 'forceHttps' | 'hsts' | 'tls'
>;
/** The hostnames under which visitors get a site: of all sites, or of one. */
export const servedHostnames = (db: Db, siteId?: string): Promise<SiteHostname[]> =>
  db
    .select({
      id: hostnames.id,
      siteId: hostnames.siteId,
      host: hostnames.host,
      apex: hostnames.apex,
      role: hostnames.role,
      redirectCode: hostnames.redirectCode,
      keepPath: hostnames.keepPath,
      redirectTo: hostnames.redirectTo,
      forceHttps: hostnames.forceHttps,
      hsts: hostnames.hsts,
      tls: hostnames.tls,
    })
    .from(hostnames)
    .where(and(isNotNull(hostnames.activeAt), eq(hostnames.ownership, 'verified'), siteId === undefined ? undefined : eq(hostnames.siteId, siteId)));
export const findSite = async (db: Db, id: string): Promise<SiteRecord | null> => (await db.select().from(sites).where(eq(sites.id, id)))[0] ?? null;

/** The site, locked until the transaction ends. */
export const lockSite = async (db: Db, id: string): Promise<SiteRecord | null> =>
  (await db.select().from(sites).where(eq(sites.id, id)).for('update'))[0] ?? null;

export async function insertSite(db: Db, row: typeof sites.$inferInsert): Promise<SiteRecord> {
  const [created] = await db.insert(sites).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

export const grant = (db: Db, siteId: string, userId: string, role: SiteRole, now: Date) =>
  db
    .insert(siteGrants)
    .values({ siteId, userId, role, createdAt: now })
    .onConflictDoUpdate({ target: [siteGrants.siteId, siteGrants.userId], set: { role } });

/** Null if the row has another revision in the meantime. */
export async function updateSite(db: Db, id: string, revision: number, change: Partial<SiteRecord>): Promise<SiteRecord | null> {
  const [row] = await db
    .update(sites)
    .set({ ...change, revision: revision + 1 })
    .where(and(eq(sites.id, id), eq(sites.revision, revision)))
    .returning();
  return row ?? null;
}

/** A person with respect to one site; null if there is no such account, or it was deleted. */
export async function findReader(db: Db, siteId: string, userId: string): Promise<{ role: InstanceRole; disabled: boolean; granted: boolean } | null> {
  const [row] = await db
    .select({ role: users.role, disabled: users.disabled, grant: siteGrants.role })
    .from(users)
    .leftJoin(siteGrants, and(eq(siteGrants.siteId, siteId), eq(siteGrants.userId, users.id)))
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  return row ? { role: row.role, disabled: row.disabled, granted: row.grant !== null } : null;
}

/** The other sites of the demo, whatever their state. */
export const otherDemoSites = (db: Db, id: string): Promise<SiteRecord[]> =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.demo, true), ne(sites.id, id)));

/** Changes the state of a locked site. */
export async function moveSite(
  db: Db,
  id: string,
  change: Pick<SiteRecord, 'state' | 'archivedAt' | 'deletedAt' | 'suspendedAt' | 'suspendedReason'> & Partial<Pick<SiteRecord, 'openState'>>,
): Promise<SiteRecord> {
  const [row] = await db
    .update(sites)
    .set({ ...change, revision: sql`${sites.revision} + 1` })
    .where(eq(sites.id, id))
    .returning();
  if (!row) throw new Error('a locked site does not exist');
  return row;
}

/** A release makes a draft published, also while the draft is archived or suspended. Whether it was a draft. */
/** Follows the languages of a release: the default language of a site is the first of them. */
export const setDefaultLanguage = (db: Db, id: string, defaultLang: string) =>
  db
    .update(sites)
    .set({ defaultLang, revision: sql`${sites.revision} + 1` })
    .where(and(eq(sites.id, id), ne(sites.defaultLang, defaultLang)));

export async function publishDraft(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db
    .update(sites)
    .set({
      state: sql`CASE WHEN ${sites.state} = 'draft' THEN 'published' ELSE ${sites.state} END`,
      openState: 'published',
      revision: sql`${sites.revision} + 1`,
    })
    .where(and(eq(sites.id, id), eq(sites.openState, 'draft')));
  return rowCount === 1;
}

/** The slug belongs to another site, or leads to one that had it until lately. */
export class SlugInUse extends Error {}

/**
 * Reserves a slug for a site (null: a new one) until the transaction ends. Throws `SlugInUse` if its address still leads to another site; current slugs are
 * unique by constraint.
 */
export async function claimSlug(db: Db & Pick<NodePgDatabase, 'execute'>, slug: string, siteId: string | null, now: Date): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`slug ${slug}`}, 0))`);
  const [former] = await db.select().from(formerSlugs).where(eq(formerSlugs.slug, slug));
  if (former && former.siteId !== siteId && former.until > now) throw new SlugInUse();
  if (former) await db.delete(formerSlugs).where(eq(formerSlugs.slug, slug));
}

/** Makes the address of an earlier slug lead to its site. */
export async function leaveSlug(db: Db & Pick<NodePgDatabase, 'execute'>, slug: string, siteId: string, until: Date): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`slug ${slug}`}, 0))`);
  await db.insert(formerSlugs).values({ slug, siteId, until }).onConflictDoUpdate({ target: formerSlugs.slug, set: { siteId, until } });
}

export const slugsLeft = (db: Db, siteId: string, now: Date): Promise<(typeof formerSlugs.$inferSelect)[]> =>
  db
    .select()
    .from(formerSlugs)
    .where(and(eq(formerSlugs.siteId, siteId), gt(formerSlugs.until, now)))
    .orderBy(desc(formerSlugs.until));

export const pin = (db: Db, siteId: string, userId: string, now: Date) => db.insert(sitePins).values({ siteId, userId, createdAt: now }).onConflictDoNothing();
export const unpin = (db: Db, siteId: string, userId: string) => db.delete(sitePins).where(and(eq(sitePins.siteId, siteId), eq(sitePins.userId, userId)));

export async function usedSlugs(db: Db, among: readonly string[]): Promise<Set<string>> {
  const current = await db
    .select({ slug: sites.slug })
    .from(sites)
    .where(inArray(sites.slug, [...among]));
  const former = await db
    .select({ slug: formerSlugs.slug })
    .from(formerSlugs)
    .where(inArray(formerSlugs.slug, [...among]));
  return new Set([...current, ...former].map((row) => row.slug));
}

/** Sites whose retention in the bin has ended. */
export const expiredSites = (db: Db, before: Date): Promise<SiteRecord[]> =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.state, 'deleted'), isNotNull(sites.deletedAt), lt(sites.deletedAt, before)));

/** Deletes a site permanently, with everything that refers to its row. */
export const eraseSite = (db: Db, id: string) => db.delete(sites).where(eq(sites.id, id));

/** ClickHouse tables that have rows by site. Read from ClickHouse itself, so that tables of later releases are included. */
export async function measuredTables(clickhouse: ClickHouse): Promise<string[]> {
  const rows = await clickhouse.query<{ name: string }>(
    `SELECT name FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
       AND name IN (SELECT table FROM system.columns WHERE database = currentDatabase() AND name = 'site_id')
     ORDER BY name`,
  );
  return rows.map((row) => row.name);
}

/** `table` must come from `measuredTables`. Completed when it returns, not asynchronously. */
export const eraseMeasured = (clickhouse: ClickHouse, table: string, siteId: string): Promise<void> =>
  clickhouse.command('ALTER TABLE {table:Identifier} DELETE WHERE site_id = {siteId:String}', { params: { table, siteId }, settings: { mutations_sync: 1 } });

/** Whether two people have a grant on the same site; sites in the bin do not count. */
export async function shareSite(db: Db, a: string, b: string): Promise<boolean> {
  const theirs = db.select({ siteId: siteGrants.siteId }).from(siteGrants).where(eq(siteGrants.userId, b));
  return (
    (
      await db
        .select({ siteId: siteGrants.siteId })
        .from(siteGrants)
        .innerJoin(sites, eq(sites.id, siteGrants.siteId))
        .where(and(eq(siteGrants.userId, a), ne(sites.state, 'deleted'), sql`${siteGrants.siteId} in ${theirs}`))
        .limit(1)
    ).length > 0
  );
}

/** Names of a person's sites, newest first; their password must not consist of them. */
export async function siteNamesFor(db: Db, user: { readonly id: string; readonly role: InstanceRole }): Promise<string[]> {
  const granted = sql`exists (select 1 from ${siteGrants} where ${siteGrants.siteId} = ${sites.id} and ${siteGrants.userId} = ${user.id})`;
  const rows = await db
    .select({ name: sites.name })
    .from(sites)
    .where(may(user.role, 'site.seeAll') ? undefined : granted)
    .orderBy(desc(sites.createdAt))
    .limit(200);
  return rows.map((row) => row.name);
}
