import { mayOnSite } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { SessionInfo, SiteAccess } from '../../http/access';
import * as queries from './queries';
import { moveSite } from './sites';

/** Sites of the demo that moved to the bin within this time, in milliseconds, were removed by one click. */
const removedTogether = 60_000;

type Caller = Parameters<typeof moveSite>[3] & {
  readonly session: SessionInfo;
  readonly accessTo: (session: SessionInfo, siteId: string) => Promise<SiteAccess | null>;
};
/** To the bin, or out of it: `binned` is when the requested site was moved there. */
type Move = { readonly to: 'deleted' } | { readonly to: 'open'; readonly binned: Date | null };

/** Moves the other sites of the demo too, as far as the caller may, because people see the demo as one thing. */
export async function moveOtherDemoSites(ctx: Context, siteId: string, move: Move, { session, accessTo, ...by }: Caller): Promise<void> {
  const { to } = move;
  for (const other of await queries.otherDemoSites(ctx.postgres.db, siteId)) {
    const moves =
      move.to === 'deleted'
        ? other.state !== 'deleted'
        : move.binned !== null && other.deletedAt !== null && Math.abs(other.deletedAt.getTime() - move.binned.getTime()) < removedTogether;
    // Only managers may move a suspended site.
    if (!moves || (other.state === 'suspended' && !by.maySuspend)) continue;
    const access = await accessTo(session, other.id);
    if (access !== null && mayOnSite(access.role, to === 'deleted' ? 'site.delete' : 'site.archive')) await moveSite(ctx, other.id, to, by);
  }
}
