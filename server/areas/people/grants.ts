import type { FastifyInstance } from 'fastify';
import { peopleEndpoints as endpoints } from '../../../contract/people/schemas';
import type { Grants } from '../../../contract/people/schemas';
import { instanceRoles, may, mayManage } from '../../../contract/permissions';
import type { SiteRole } from '../../../contract/permissions';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { FieldErrors } from '../../http/failure';
import { route } from '../../http/route';
import { queueMail } from '../../mail';
import { actorOf, record } from '../audit';
import { acting } from './acting';
import { accessMail } from './mails';
import * as queries from './queries';
import type { Db, SiteName, UserRecord } from './queries';
import { about, recipientOf } from './responses';

/** Roles that see all sites anyway need no grants. */
const grantedRoles = instanceRoles.filter((role) => !may(role, 'site.seeAll'));

type Change = { readonly userId: string; readonly siteId: string; readonly role: SiteRole | null };

/** Errors of changes: only people and sites in the matrix are allowed, each cell once. */
function grantErrors(changes: readonly Change[], people: ReadonlyMap<string, UserRecord>, sites: ReadonlyMap<string, SiteName>): FieldErrors {
  const fields: Record<string, FieldErrors[string]> = {};
  const cells = new Set<string>();
  for (const [n, { userId, siteId }] of changes.entries()) {
    const person = people.get(userId);
    if (!person || !grantedRoles.includes(person.role)) fields[`changes.${n}.userId`] = { code: 'unknown' };
    if (!sites.has(siteId)) fields[`changes.${n}.siteId`] = { code: 'unknown' };
    const cell = `${userId} ${siteId}`;
    if (cells.has(cell)) fields[`changes.${n}.siteId`] ??= { code: 'duplicate' };
    cells.add(cell);
  }
  return fields;
}

const byId = <T extends { readonly id: string }>(rows: readonly T[]): Map<string, T> => new Map(rows.map((row) => [row.id, row]));

/** The matrix of people and sites. */
export function registerGrants(app: FastifyInstance, ctx: Context): void {
  const act = acting(app, ctx);

  /** `among`: the sites that an API token is limited to. */
  async function matrix(db: Db, among: readonly string[] | null, locale: string): Promise<Grants> {
    const [people, sites, grants] = [await queries.peopleWithRoles(db, grantedRoles), await queries.liveSites(db, among), await queries.allGrants(db)];
    const shownPeople = new Set(people.map(({ id }) => id));
    const shownSites = new Set(sites.map(({ id }) => id));
    const { compare } = new Intl.Collator(locale, { numeric: true });
    return {
      people: people
        .map(({ id, loginName, displayName, role, disabled }) => ({
          id,
          loginName,
          displayName,
          role,
          state: disabled ? ('disabled' as const) : ('active' as const),
        }))
        .sort((a, b) => compare(a.displayName, b.displayName) || compare(a.loginName, b.loginName)),
      sites: sites.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id)),
      grants: grants.filter(({ userId, siteId }) => shownPeople.has(userId) && shownSites.has(siteId)),
    };
  }

  route(app, ctx, endpoints.grants, ({ session, locale }) => matrix(ctx.postgres.db, session.token?.siteIds ?? null, locale));

  route(app, ctx, endpoints.changeGrants, async (call) => {
    const { changes } = call.body;
    const changed = await act(endpoints.changeGrants, call, 'people.manage', async ({ tx, actor, refuse }) => {
      const people = byId(await queries.findPeople(tx, [...new Set(changes.map(({ userId }) => userId))]));
      const sites = byId(await queries.liveSites(tx, [...new Set(changes.map(({ siteId }) => siteId))]));
      const fields = grantErrors(changes, people, sites);
      if (Object.keys(fields).length > 0) fail('invalid_fields', { fields });
      if ([...people.values()].some(({ role }) => !mayManage(actor.role, role))) refuse();
      const before = new Map((await queries.allGrants(tx)).map(({ userId, siteId, role }) => [`${userId} ${siteId}`, role]));
      const changesByPerson = new Map<string, { name: string; role: SiteRole | null }[]>();
      for (const { userId, siteId, role } of changes) {
        const had = before.get(`${userId} ${siteId}`) ?? null;
        const [person, site] = [people.get(userId), sites.get(siteId)];
        if (had === role || !person || !site) continue;
        await (role === null ? queries.removeGrant(tx, userId, siteId) : queries.putGrant(tx, userId, siteId, role, new Date(ctx.now())));
        await record(ctx, tx, actorOf(call), { action: 'person.grants_changed', ...about(person), siteId, before: { role: had }, after: { role } });
        changesByPerson.set(userId, [...(changesByPerson.get(userId) ?? []), { name: site.name, role }]);
      }
      for (const [userId, list] of changesByPerson) {
        const person = people.get(userId);
        const to = person?.notices.access === true ? recipientOf(person) : null;
        if (to) await queueMail(ctx, tx, accessMail(to, actor.displayName, list, ctx.config.publicUrl), { kind: 'access' });
      }
      return [...changesByPerson.keys()];
    });
    // Their clients fetch the site list again, and their event streams check permissions again.
    for (const userId of changed) ctx.live.publish({ type: 'user', userId });
    return matrix(ctx.postgres.db, null, call.locale);
  });
}
