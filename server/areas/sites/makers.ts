import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { LinkStop } from '../../../contract/links';
import { instanceRoles, may, mayOnSite, siteRoles } from '../../../contract/permissions';
import type { SiteAction, SiteRole } from '../../../contract/permissions';
import { users } from '../account/schema';
import { siteGrants } from './schema';

/** The current role on a site of the creator of a link, if they still have the required permission; otherwise the reason why the link no longer works. */
export async function makerOf(
  db: Pick<NodePgDatabase, 'select'>,
  siteId: string,
  createdBy: string | null,
  needs: SiteAction,
): Promise<{ readonly role: SiteRole; readonly stopped: null } | { readonly role: null; readonly stopped: LinkStop }> {
  if (createdBy === null) return { role: null, stopped: 'account' };
  const [person] = await db
    .select({ role: users.role, granted: siteGrants.role })
    .from(users)
    .leftJoin(siteGrants, and(eq(siteGrants.userId, users.id), eq(siteGrants.siteId, siteId)))
    .where(and(eq(users.id, createdBy), isNull(users.deletedAt), eq(users.disabled, false)));
  if (!person) return { role: null, stopped: 'account' };
  const role = may(person.role, 'site.seeAll') ? 'admin' : person.granted;
  if (role === null) return { role: null, stopped: 'access' };
  return mayOnSite(role, needs) ? { role, stopped: null } : { role: null, stopped: 'role' };
}

/** The ids of everybody who currently has a permission on a site. */
export async function peopleWith(db: Pick<NodePgDatabase, 'select'>, siteId: string, needs: SiteAction): Promise<string[]> {
  const people = await db
    .select({ id: users.id, role: users.role, granted: siteGrants.role })
    .from(users)
    .leftJoin(siteGrants, and(eq(siteGrants.userId, users.id), eq(siteGrants.siteId, siteId)))
    .where(and(isNull(users.deletedAt), eq(users.disabled, false)))
    .orderBy(asc(users.createdAt));
  const hasIt = ({ role, granted }: (typeof people)[number]): boolean => may(role, 'site.seeAll') || (granted !== null && mayOnSite(granted, needs));
  return people.filter(hasIt).map(({ id }) => id);
}

/** Condition of rows that name a person and a site: the person currently has a permission on the site. */
export function hasPermission(person: PgColumn, site: PgColumn, needs: SiteAction): SQL {
  const everywhere = instanceRoles.filter((role) => may(role, 'site.seeAll'));
  const granted = siteRoles.filter((role) => mayOnSite(role, needs));
  return sql`exists (select from ${users} u left join ${siteGrants} g on g.user_id = u.id and g.site_id = ${site}
    where u.id = ${person} and u.deleted_at is null and not u.disabled and (u.role in ${everywhere} or g.role in ${granted}))`;
}
