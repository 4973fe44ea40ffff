import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import { isKeepable } from '../core/values/texts';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { offeredPeople } from '../core/write/lookups';

/** `GET …/people`: people whom a field may name, searched by name. Login names match only in full and are never returned, so that they cannot be enumerated. */
export function registerPeople(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.tablePeople, async ({ site, query }) => {
    const search = query.q?.trim() ?? '';
    const people = isKeepable(search) ? await offeredPeople(ctx.postgres.db, site.id, search, query.limit) : [];
    return people.map(({ id, name }) => ({ id, name }));
  });
}
