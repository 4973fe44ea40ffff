import { mayOnSite } from '../../../../contract/permissions';
import type { SiteAction, SiteRole } from '../../../../contract/permissions';
import { fail } from '../../../http/failure';
import type { Actor } from '../../audit';
import { roleNow } from './write/lookups';
import type { Db } from './write/types';

/** Who asked for work that goes on behind the call, and how, as it is kept with the work. */
export type StartedBy = {
  readonly role: 'admin' | 'editor' | 'analyst' | 'support' | 'viewer';
  readonly userId: string;
  readonly designs: boolean;
  readonly viaToken: boolean;
  readonly timeZone: string;
  readonly lang: string;
  readonly locale: 'zh-CN' | 'en';
  readonly actor: Actor;
};

/**
 * The one rule for work that goes on behind the call that asked for it: it acts as who started it, with what they may do by now, asked anew for every piece.
 * Whoever has lost the site or the right since stops it there: `forbidden`, and what has been done so far stays as it is.
 */
export async function starterNow(db: Pick<Db, 'select'>, siteId: string, userId: string, needs?: SiteAction): Promise<SiteRole> {
  const role = (await roleNow(db, siteId, userId)) ?? fail('forbidden');
  return needs === undefined || mayOnSite(role, needs) ? role : fail('forbidden');
}
