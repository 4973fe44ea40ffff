import type { FastifyRequest } from 'fastify';
import { may } from '../../../contract/permissions';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { fail } from '../../http/failure';
import { verifyPassword } from '../../kit/passwords';
import { createThrottle } from '../../kit/throttle';
import { sameSecret } from '../../secrets';
import { DAY } from '../../zone';
import * as queries from './queries';
import type { SiteRecord } from './queries';

/**
 * Passes of visitors to sites that are not open to everybody. Every signature covers the id of its site, so that a pass of one site is worth nothing on
 * another, and what makes it invalid: a new password, a renewed link, a lost grant.
 */

type Signing = Pick<Context, 'secrets' | 'now'>;

/** How long each pass is valid, in milliseconds. */
export const passFor = { password: 7 * DAY, bypass: DAY, person: DAY / 2 } as const;
/** Time in which a person's browser follows the redirect from the console, in milliseconds. */
const handOverFor = 60_000;

/** `<end>.<signature>` over `text` and the end, for `lifetime` milliseconds. */
function signed({ secrets, now }: Signing, purpose: string, text: string, lifetime: number): string {
  const until = now() + lifetime;
  return `${until}.${secrets.mac(purpose, `${text}\n${until}`)}`;
}
function isSigned({ secrets, now }: Signing, purpose: string, text: string, value: string): boolean {
  const [, until = '', signature = ''] = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/.exec(value) ?? [];
  return Number(until) > now() && sameSecret(secrets.mac(purpose, `${text}\n${until}`), signature);
}

type Maintained = Pick<SiteRecord, 'id' | 'bypassNumber'>;
const bypassText = ({ id, bypassNumber }: Maintained): string => `${id}\n${bypassNumber}`;

/** The secret of the link past the maintenance message. */
export const bypassKey = ({ secrets }: Pick<Context, 'secrets'>, site: Maintained): string => secrets.mac('site-bypass-link', bypassText(site));
export const isBypassKey = (ctx: Pick<Context, 'secrets'>, site: Maintained, key: string): boolean => sameSecret(bypassKey(ctx, site), key);
export const bypassPass = (ctx: Signing, site: Maintained): string => signed(ctx, 'site-bypass', bypassText(site), passFor.bypass);
export const isBypassPass = (ctx: Signing, site: Maintained, pass: string): boolean => isSigned(ctx, 'site-bypass', bypassText(site), pass);

type Locked = Pick<SiteRecord, 'id' | 'passwordHash'>;
const passwordText = ({ id, passwordHash }: Locked): string => `${id}\n${passwordHash ?? ''}`;
export const isPasswordPass = (ctx: Signing, site: Locked, pass: string): boolean => isSigned(ctx, 'site-password', passwordText(site), pass);

/** Limits of password attempts for one site, per network and in total. */
const triesPerNetwork = { points: 10, seconds: 600 } as const;
const triesInTotal = { points: 300, seconds: 3600 } as const;

/** Issues a pass for the password of a site. Throws `bad_credentials`, and `too_many_requests` after too many attempts. */
export function createSiteUnlock(ctx: Context) {
  const throttle = createThrottle(ctx);
  return async (request: FastifyRequest, site: Locked, password: string): Promise<string> => {
    await throttle.limit(`site ${site.id} ${addressGroup(clientAddress(request))}`, triesPerNetwork.points, triesPerNetwork.seconds);
    await throttle.limit(`site ${site.id}`, triesInTotal.points, triesInTotal.seconds);
    if (site.passwordHash === null || !(await verifyPassword(site.passwordHash, password))) fail('bad_credentials');
    return signed(ctx, 'site-password', passwordText(site), passFor.password);
  };
}

const userIdIn = (value: string): string => /^[0-9a-f-]{36}/.exec(value)?.[0] ?? '';
const personal = (ctx: Signing, purpose: string, siteId: string, userId: string, lifetime: number): string =>
  `${userId}.${signed(ctx, purpose, `${siteId}\n${userId}`, lifetime)}`;
/** The person whom a signed value names; null if it is invalid or expired. */
function personIn(ctx: Signing, purpose: string, siteId: string, value: string): string | null {
  const userId = userIdIn(value);
  return userId !== '' && isSigned(ctx, purpose, `${siteId}\n${userId}`, value.slice(userId.length + 1)) ? userId : null;
}

/** What the console gives a person's browser, so that the site lets it in. */
export const handOver = (ctx: Signing, siteId: string, userId: string): string => personal(ctx, 'site-visit', siteId, userId, handOverFor);
export const personHandedOver = (ctx: Signing, siteId: string, token: string): string | null => personIn(ctx, 'site-visit', siteId, token);
export const personPass = (ctx: Signing, siteId: string, userId: string): string => personal(ctx, 'site-person', siteId, userId, passFor.person);
export const personOfPass = (ctx: Signing, siteId: string, pass: string): string | null => personIn(ctx, 'site-person', siteId, pass);

/** Whether a person, who need not be signed in at this moment, has access to a site. */
export async function maySee(ctx: Context, siteId: string, userId: string): Promise<boolean> {
  const person = await queries.findReader(ctx.postgres.db, siteId, userId);
  return person !== null && !person.disabled && (person.granted || may(person.role, 'site.seeAll'));
}
