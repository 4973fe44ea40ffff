import { mayOnSite } from '../../../contract/permissions';
import type { SiteRole } from '../../../contract/permissions';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { findSite } from '../sites';
import type { SiteRecord } from '../sites/queries';
import { roleNow } from '../tables';
import type { ImportRow } from './queries';

/** The site that receives an import, and the person who writes into it, with what that person may do now. */
export type Receiver = {
  readonly site: SiteRecord;
  readonly userId: string;
  readonly role: SiteRole;
  readonly locale: ImportRow['by']['locale'];
  readonly actor: ImportRow['by']['actor'];
};

/** Throws `not_found` if the site is gone, and `forbidden` once the person may no longer change its tables, files and addresses. */
export async function receiverOf(ctx: Context, { siteId, by }: Pick<ImportRow, 'siteId' | 'by'>): Promise<Receiver> {
  const site = siteId === null ? null : await findSite(ctx, siteId);
  if (!site || site.state === 'deleted') return fail('not_found');
  const role = (await roleNow(ctx.postgres.db, site.id, by.userId)) ?? fail('forbidden');
  if (!mayReceive(role)) fail('forbidden');
  return { site, userId: by.userId, role, locale: by.locale, actor: by.actor };
}
export const mayReceive = (role: SiteRole): boolean =>
  mayOnSite(role, 'site.compose') && mayOnSite(role, 'tables.design') && mayOnSite(role, 'resources.write');
