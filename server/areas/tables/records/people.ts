import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import { isKeepable } from '../core/values/texts';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { offeredPeople } from '../core/write/lookups';

/**
 * `GET …/people`: whom fields of people may name, by their names. Login names are found by who knows them whole, and never told: what somebody
 * signs in with is not read off a list.
 */
export function registerPeople(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.tablePeople, ({ site, query }) => {
    const words = query.q?.trim() ?? '';
    return isKeepable(words) ? offeredPeople(ctx.postgres.db, site.id, words, query.limit) : Promise.resolve([]);
  });
}
