import type { FastifyInstance } from 'fastify';
import { peopleEndpoints as endpoints } from '../../../contract/people/schemas';
import { instanceRoles } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { route } from '../../http/route';
import { registerActs } from './acts';
import { registerGrants } from './grants';
import { registerInvites } from './invites';
import { registerJoining } from './joining';
import { erasePerson, exportPerson } from './personalData';
import * as queries from './queries';
import type { SortKeys } from './queries';
import { personNow, personResponse } from './responses';
import type { Area } from '../area';

/** `displayName`, or `-displayName` for descending order. Names are collated in the reader's language; people who were never seen come last. */
function sorted(people: readonly SortKeys[], sort: string, locale: Locale): SortKeys[] {
  const sign = sort.startsWith('-') ? -1 : 1;
  const key = sort.replace('-', '');
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const byName = (a: SortKeys, b: SortKeys): number => compare(a.displayName, b.displayName) || (a.id < b.id ? -1 : 1);
  const by = (a: SortKeys, b: SortKeys): number => {
    if (key === 'createdAt') return sign * (a.createdAt.getTime() - b.createdAt.getTime());
    if (key === 'role') return sign * (instanceRoles.indexOf(a.role) - instanceRoles.indexOf(b.role));
    if (key === 'displayName') return sign * compare(a.displayName, b.displayName);
    if (a.lastSeenAt === null || b.lastSeenAt === null) return Number(a.lastSeenAt === null) - Number(b.lastSeenAt === null);
    return sign * (a.lastSeenAt.getTime() - b.lastSeenAt.getTime());
  };
  return people.toSorted((a, b) => by(a, b) || byName(a, b));
}

function register(app: FastifyInstance, ctx: Context, areas: readonly Area[]): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.people, async ({ query, locale }) => {
    const { page, size, sort, ...filter } = query;
    const matching = sorted(await queries.peopleMatching(db, filter), sort, locale);
    const ids = matching.slice((page - 1) * size, page * size).map(({ id }) => id);
    const rows = new Map((await queries.peopleById(db, ids, new Date(ctx.now()))).map((row) => [row.user.id, row]));
    return { rows: ids.flatMap((id) => rows.get(id) ?? []).map(personResponse), total: matching.length };
  });

  route(app, ctx, endpoints.person, async ({ params, session }) => {
    const grants = await queries.grantsOf(db, params.id);
    const among = session.token?.siteIds ?? null;
    return { ...(await personNow(ctx, db, params.id)), grants: grants.filter(({ siteId }) => among === null || among.includes(siteId)) };
  });

  registerActs(app, ctx, areas);
  registerGrants(app, ctx);
  registerInvites(app, ctx);
  registerJoining(app, ctx);
}

export const area: Area = { register, erasePerson, exportPerson };
