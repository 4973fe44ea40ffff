import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sharedScreens } from '../../../contract/shares';
import type { SharedScreen } from '../../../contract/shares';
import type { Context } from '../../context';
import type { AccessSource } from '../../http/access';
import { fail } from '../../http/failure';
import { localeOf } from '../../http/messages';
import { hashToken } from '../session';
import * as queries from './queries';
import type { OpenShare, ShareRecord } from './queries';
import { mayAsk } from './screens';

/** How long a password that was given once opens a link, in milliseconds. */
const passFor = 12 * 3_600_000;
const header = /^([A-Za-z0-9_-]{43})(?:\.(\d{1,15})\.([A-Za-z0-9_-]{43}))?$/;

/** A link of any kind, with its password. */
type Locked = Pick<ShareRecord, 'id' | 'passwordHash'>;
type Given = { readonly token: string; readonly until: number; readonly signature: string };

/** What the header `X-Share` says: `<secret>` or `<secret>.<pass>`. */
export function givenBy(request: FastifyRequest): Given | null {
  const value = request.headers['x-share'];
  const match = typeof value === 'string' ? header.exec(value) : null;
  return match?.[1] === undefined ? null : { token: match[1], until: Number(match[2] ?? 0), signature: match[3] ?? '' };
}

/** The link that a request came with, whether or not its password was given. */
export async function openShare(ctx: Context, request: FastifyRequest): Promise<OpenShare | null> {
  const given = givenBy(request);
  return given && queries.findOpenShare(ctx.postgres.db, hashToken(given.token), new Date(ctx.now()));
}

/** Signed by the installation over the password as it is now: another password ends every pass. */
const signatureOf = ({ secrets }: Pick<Context, 'secrets'>, { id, passwordHash }: Locked, until: number): string =>
  secrets.mac('share-pass', `${id}\n${passwordHash ?? ''}\n${until}`);

/** Opens this link for twelve hours. */
export function makePass(ctx: Context, share: Locked): string {
  const until = ctx.now() + passFor;
  return `${until}.${signatureOf(ctx, share, until)}`;
}

export function isUnlocked(ctx: Context, request: FastifyRequest, share: Locked): boolean {
  if (share.passwordHash === null) return true;
  const given = givenBy(request);
  if (given === null || given.until <= ctx.now()) return false;
  const [mine, theirs] = [Buffer.from(signatureOf(ctx, share, given.until)), Buffer.from(given.signature)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
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
