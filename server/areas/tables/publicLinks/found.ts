import type { FastifyRequest } from 'fastify';
import { isOpen } from '../../../../contract/sites/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import * as queries from './queries';
import type { FoundPublicLink } from './queries';
import { readLinkHeader } from '../../../kit/publicLinks';
import { hashToken } from '../../../kit/tokens';

/**
 * The active link of a request: `not_found` for one that was removed, whose view or site is gone, or that never existed; `link_ended` for one that has
 * expired.
 */
export async function findLink(ctx: Context, request: FastifyRequest): Promise<FoundPublicLink> {
  const pass = readLinkHeader(request);
  const one = (pass && (await queries.findByToken(ctx.postgres.db, hashToken(pass.token)))) ?? fail('not_found');
  if (!isOpen(one.site.state)) return fail('not_found');
  return one.publicLink.expiresAt !== null && one.publicLink.expiresAt.getTime() <= ctx.now() ? fail('link_ended') : one;
}
