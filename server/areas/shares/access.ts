import type { FastifyRequest } from 'fastify';
import { sharedScreens } from '../../../contract/shares/schemas';
import type { SharedScreen } from '../../../contract/shares/schemas';
import type { Context } from '../../context';
import type { AccessSource } from '../../http/access';
import { fail } from '../../http/failure';
import { localeOf } from '../../http/messages';
import { makerOf } from '../sites';
import * as queries from './queries';
import type { OpenShare, ShareRecord } from './queries';
import { mayAsk } from './screens';
import { readLinkHeader, isUnlocked } from '../../kit/publicLinks';
import { hashToken } from '../../kit/tokens';

/** The share of a request, whether or not its password was given. */
export async function openShare(ctx: Context, request: FastifyRequest): Promise<OpenShare | null> {
  const pass = readLinkHeader(request);
  return pass && findWorkingShare(ctx, pass.token);
}

/** A share that has not expired and whose creator still has the right to create it. */
export async function findWorkingShare(ctx: Context, token: string): Promise<OpenShare | null> {
  const { db } = ctx.postgres;
  const found = await queries.findOpenShare(db, hashToken(token), new Date(ctx.now()));
  return found && (await makerOf(db, found.site.id, found.share.createdBy, 'analytics.configure')).stopped === null ? found : null;
}

/** Drops screens unknown to this version, written by an older or newer one. */
export const knownScreens = (screens: readonly string[]): SharedScreen[] => sharedScreens.filter((screen) => screens.includes(screen));

/** What a share shows, as far as this version knows it. */
export const contentOf = ({ screens, dimensions }: ShareRecord) => ({ screens: knownScreens(screens), dimensions });

/**
 * Gives a share access to an endpoint of the contract: `AccessSource.share`. The reader is anonymous, sees the one site as a viewer, and can only make the
 * requests of the share's screens; the share's filters are passed as `site.filters`. Throws `unauthorized` and `forbidden`.
 */
export function shareAccess(ctx: Context): AccessSource['share'] {
  return async (request, endpoint) => {
    const found = await openShare(ctx, request);
    if (!found || !isUnlocked(ctx, request, found.share)) return fail('unauthorized');
    const { share, site } = found;
    const { siteId } = request.params as { siteId?: string };
    if (siteId !== site.id) return fail('not_found');
    if (!mayAsk(contentOf(share), endpoint.id, request.query as Record<string, unknown>)) return fail('forbidden');
    const now = ctx.now();
    return {
      session: {
        id: share.id,
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
      site: { id: site.id, role: 'viewer', row: site, filters: share.filters },
    };
  };
}

/** Not the id of any account. */
const nobody = '00000000-0000-0000-0000-000000000000';
