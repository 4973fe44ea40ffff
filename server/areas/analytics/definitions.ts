import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { failField } from '../../http/failure';
// Straight from the tables: the area of goals and segments asks this one for its reports.
import { goalsOf, segmentsOf } from '../insights/queries';
import type { GoalSpec } from './events';

/** Goals of a site, oldest first. */
export const goalsOfSite = async (ctx: Context, siteId: string): Promise<(GoalSpec & { readonly name: string })[]> =>
  (await goalsOf(ctx.postgres.db, siteId)).map(({ row }) => row);

/**
 * The filters of saved segments, all of which hold. Throws `invalid_fields` for one that is gone, of another site, or somebody else's own; whoever
 * has no session (a shared link, a report by mail) has what is shared.
 */
export async function segmentFilters(ctx: Context, siteId: string, ids: readonly string[], session: SessionInfo | null): Promise<string[]> {
  if (ids.length === 0) return [];
  const uniqueIds = [...new Set(ids)];
  const found = await segmentsOf(ctx.postgres.db, siteId, session?.userId ?? null, uniqueIds);
  return found.length === uniqueIds.length ? found.flatMap(({ row }) => row.filters) : failField('segment', 'unknown');
}
