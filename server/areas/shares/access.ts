import type { FastifyRequest } from 'fastify';
import { sharedScreens } from '../../../contract/shares/schemas';
import type { SharedScreen } from '../../../contract/shares/schemas';
import type { Context } from '../../context';
import type { AccessSource } from '../../http/access';
import { fail } from '../../http/failure';
import { givenBy, isUnlocked } from '../../http/linkPass';
import { localeOf } from '../../http/messages';
import { hashToken } from '../session';
import { makerOf } from '../sites';
import * as queries from './queries';
import type { OpenShare } from './queries';
import { mayAsk } from './screens';

/** The link that a request came with, whether or not its password was given. */
export async function openShare(ctx: Context, request: FastifyRequest): Promise<OpenShare | null> {
  const pass = givenBy(request);
  return pass && findWorkingShare(ctx, pass.token);
}

/** A link that has not ended, and whose maker may still make it. */
export async function findWorkingShare(ctx: Context, token: string): Promise<OpenShare | null> {
  const { db } = ctx.postgres;
  const found = await queries.findOpenShare(db, hashToken(token), new Date(ctx.now()));
  return found && (await makerOf(db, found.site.id, found.share.createdBy, 'analytics.configure')).stopped === null ? found : null;
}

/** Screens that an older or newer program wrote and this one does not know are left out. */
export const knownScreens = (screens: readonly string[]): SharedScreen[] => sharedScreens.filter((screen) => screens.includes(screen));

/**
 * Opens an endpoint of the contract to a link: `AccessSource.share`. Its reader is nobody in particular, sees the one site as a viewer, and
 * only what the link's screens ask; the link's own filters go along as `site.filters`. Throws `unauthorized` and `forbidden`.
 */
export function shareAccess(ctx: Context): AccessSource['share'] {
  return async (request, endpoint) => {
    const found = await openShare(ctx, request);
    if (!found || !isUnlocked(ctx, request, found.share)) return fail('unauthorized');
    const { share, site } = found;
    const { siteId } = request.params as { siteId?: string };
    if (siteId !== site.id) return fail('not_found');
    if (!mayAsk(knownScreens(share.screens), endpoint.id, request.query as Record<string, unknown>)) return fail('forbidden');
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

/** No account has it. */
const nobody = '00000000-0000-0000-0000-000000000000';
