import type { FastifyRequest } from 'fastify';
import { publicScreens } from '../../../contract/publicLinks/schemas';
import type { PublicScreen } from '../../../contract/publicLinks/schemas';
import type { Context } from '../../context';
import type { AccessSource } from '../../http/access';
import { fail } from '../../http/failure';
import { localeOf } from '../../http/messages';
import { makerOf } from '../sites';
import * as queries from './queries';
import type { FoundPublicLink, PublicLinkRecord } from './queries';
import { mayAsk } from './screens';
import { readLinkHeader, isUnlocked } from '../../kit/publicLinks';
import { hashToken } from '../../kit/tokens';

/** The public link of a request, whether or not its password was given. */
export async function requestedPublicLink(ctx: Context, request: FastifyRequest): Promise<FoundPublicLink | null> {
  const pass = readLinkHeader(request);
  return pass && findWorkingPublicLink(ctx, pass.token);
}

/** A public link that has not expired and whose creator still has the right to create it. */
export async function findWorkingPublicLink(ctx: Context, token: string): Promise<FoundPublicLink | null> {
  const { db } = ctx.postgres;
  const found = await queries.findByToken(db, hashToken(token), new Date(ctx.now()));
  return found && (await makerOf(db, found.site.id, found.publicLink.createdBy, 'analytics.configure')).stopped === null ? found : null;
}

/** Drops screens unknown to this version, written by an older or newer one. */
export const knownScreens = (screens: readonly string[]): PublicScreen[] => publicScreens.filter((screen) => screens.includes(screen));

/** What a public link shows, as far as this version knows it. */
export const contentOf = ({ screens, dimensions }: PublicLinkRecord) => ({ screens: knownScreens(screens), dimensions });

/**
 * Gives a public link access to an endpoint of the contract: `AccessSource.publicLink`. The reader is anonymous, sees the one site as a viewer, and can only make the
 * requests of the link's screens; the link's filters are passed as `site.filters`. Throws `unauthorized` and `forbidden`.
 */
export function publicLinkAccess(ctx: Context): AccessSource['publicLink'] {
  return async (request, endpoint) => {
    const found = await requestedPublicLink(ctx, request);
    if (!found || !isUnlocked(ctx, request, found.publicLink)) return fail('unauthorized');
    const { publicLink, site } = found;
    const { siteId } = request.params as { siteId?: string };
    if (siteId !== site.id) return fail('not_found');
    if (!mayAsk(contentOf(publicLink), endpoint.id, request.query as Record<string, unknown>)) return fail('forbidden');
    const now = ctx.now();
    return {
      session: {
        id: publicLink.id,
        token: null,
        userId: nobody,
        role: 'member',
        loginName: '',
        displayName: '',
        locale: localeOf(request),
        timeZone: site.timeZone,
        createdAt: now,
        idleUntil: now,
        absoluteUntil: now,
        provenAt: 0,
        enrolment: 'none',
        enrolBy: null,
      },
      site: { id: site.id, role: 'viewer', row: site, filters: publicLink.filters },
    };
  };
}

/** Not the id of any account. */
const nobody = '00000000-0000-0000-0000-000000000000';
