import { and, asc, eq, ilike, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Person, SiteGrant } from '../../../contract/people/schemas';
import type { InstanceRole, SiteRole } from '../../../contract/permissions';
import { users } from '../account/schema';
import { sessions } from '../session/schema';
import { siteGrants, sites } from '../sites/schema';
import { containing } from '../../stores/postgres/like';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type UserRecord = typeof users.$inferSelect;
export type SiteName = { readonly id: string; readonly name: string };

/** Serializes actions on people until the transaction ends, so that the rights checked are still valid at the commit. */
export const lockPeople = (db: Db) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended('people', 0))`);

/** A person who is not deleted, locked until the transaction ends. */
export async function lockPerson(db: Db, id: string): Promise<UserRecord | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
    .for('update');
  return row ?? null;
}

/** The later of the last use of an existing session and the last successful action of the person in the audit log. */
const lastSeenAt = sql<Date | null>`greatest(
  (select max(last_seen_at) from sessions where user_id = users.id),
  (select at from audit_log where actor_id = users.id and actor_kind = 'person' and result = 'done' order by id desc limit 1)
)`.mapWith(sessions.lastSeenAt);

export type PeopleFilter = { readonly q?: string | undefined; readonly role?: InstanceRole | undefined; readonly state?: Person['state'] | undefined };
export type SortKeys = Pick<UserRecord, 'id' | 'displayName' | 'role' | 'createdAt'> & { readonly lastSeenAt: Date | null };

/** Sort keys of all matching people. Names are collated in the reader's language, which PostgreSQL does not know, so sorting is done in the program. */
export function peopleMatching(db: Db, { q, role, state }: PeopleFilter): Promise<SortKeys[]> {
  const pattern = q === undefined || q.trim() === '' ? null : containing(q.trim());
  return db
    .select({ id: users.id, displayName: users.displayName, role: users.role, createdAt: users.createdAt, lastSeenAt })
    .from(users)
    .where(
      and(
        isNull(users.deletedAt),
        role === undefined ? undefined : eq(users.role, role),
        state === undefined ? undefined : eq(users.disabled, state === 'disabled'),
        pattern === null ? undefined : or(ilike(users.loginName, pattern), ilike(users.displayName, pattern), ilike(users.email, pattern)),
      ),
    );
}

export type PersonRecord = { readonly user: UserRecord; readonly sites: number; readonly tokens: number; readonly lastSeenAt: Date | null };

/** Unordered; without deleted people. */
export const peopleById = async (db: Db, ids: readonly string[], now: Date): Promise<PersonRecord[]> =>
  db
    .select({
      user: users,
      sites: sql<number>`(select count(*)::int from site_grants g join sites s on s.id = g.site_id where g.user_id = users.id and s.state <> 'deleted')`,
      tokens: sql<number>`(select count(*)::int from api_tokens where user_id = users.id and expires_at > ${now.toISOString()}::timestamptz)`,
      lastSeenAt,
    })
    .from(users)
    .where(and(inArray(users.id, [...ids]), isNull(users.deletedAt)));

export const setRole = (db: Db, id: string, role: InstanceRole) =>
  db
    .update(users)
    .set({ role, revision: sql`${users.revision} + 1` })
    .where(eq(users.id, id));

export const setDisabled = (db: Db, id: string, disabled: boolean) =>
  db
    .update(users)
    .set({ disabled, revision: sql`${users.revision} + 1` })
    .where(eq(users.id, id));

export const isEmailInUse = async (db: Db, email: string): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).where(eq(users.email, email)).limit(1)).length > 0;

export async function insertPerson(db: Db, row: typeof users.$inferInsert): Promise<UserRecord> {
  const [created] = await db.insert(users).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

/** Sites that are not in the bin, by name. `among` null: all. */
export const liveSites = (db: Db, among: readonly string[] | null): Promise<SiteName[]> =>
  db
    .select({ id: sites.id, name: sites.name })
    .from(sites)
    .where(and(ne(sites.state, 'deleted'), among === null ? undefined : inArray(sites.id, [...among])))
    .orderBy(asc(sites.name), asc(sites.id));

/** Grants of one person on sites that are not in the bin. */
export const grantsOf = (db: Db, userId: string): Promise<SiteGrant[]> =>
  db
    .select({ siteId: siteGrants.siteId, role: siteGrants.role })
    .from(siteGrants)
    .innerJoin(sites, eq(sites.id, siteGrants.siteId))
    .where(and(eq(siteGrants.userId, userId), ne(sites.state, 'deleted')))
    .orderBy(asc(sites.name), asc(sites.id));

export const allGrants = (db: Db): Promise<(SiteGrant & { userId: string })[]> =>
  db.select({ userId: siteGrants.userId, siteId: siteGrants.siteId, role: siteGrants.role }).from(siteGrants).orderBy(siteGrants.userId, siteGrants.siteId);

export const peopleWithRoles = (db: Db, roles: readonly InstanceRole[]): Promise<UserRecord[]> =>
  db
    .select()
    .from(users)
    .where(and(inArray(users.role, [...roles]), isNull(users.deletedAt)));

/** People who are not deleted, regardless of their role. */
export const findPeople = (db: Db, ids: readonly string[]): Promise<UserRecord[]> =>
  db
    .select()
    .from(users)
    .where(and(inArray(users.id, [...ids]), isNull(users.deletedAt)));

export const putGrant = (db: Db, userId: string, siteId: string, role: SiteRole, now: Date) =>
  db
    .insert(siteGrants)
    .values({ siteId, userId, role, createdAt: now })
    .onConflictDoUpdate({ target: [siteGrants.siteId, siteGrants.userId], set: { role } });

export const removeGrant = (db: Db, userId: string, siteId: string) =>
  db.delete(siteGrants).where(and(eq(siteGrants.userId, userId), eq(siteGrants.siteId, siteId)));
