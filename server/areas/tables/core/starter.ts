import { mayOnSite } from '../../../../contract/permissions';
import type { SiteAction, SiteRole } from '../../../../contract/permissions';
import { fail } from '../../../http/failure';
import type { Actor } from '../../audit';
import { roleNow } from './write/lookups';
import type { Db } from './write/types';

/** Who started background work, and how, as stored with the work. */
export type StartedBy = {
  readonly role: 'admin' | 'editor' | 'analyst' | 'support' | 'viewer';
  readonly userId: string;
  readonly designs: boolean;
  /** Whether files behind addresses become resources. Missing in work of earlier releases. */
  readonly storesFiles?: boolean;
  readonly viaToken: boolean;
  readonly timeZone: string;
  readonly lang: string;
  readonly locale: 'zh-CN' | 'en';
  readonly actor: Actor;
};

/**
 * Role of the person who started a background job. Jobs call this before every batch: once that person has lost the site or the permission, the job
 * stops with `forbidden`, and completed batches remain.
 */
export async function starterNow(db: Pick<Db, 'select'>, siteId: string, userId: string, needs?: SiteAction): Promise<SiteRole> {
  const role = (await roleNow(db, siteId, userId)) ?? fail('forbidden');
  return needs === undefined || mayOnSite(role, needs) ? role : fail('forbidden');
}
