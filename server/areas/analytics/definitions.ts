import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { failField } from '../../http/failure';
// Reads the tables directly: the area of goals and segments imports this area for its reports, so importing it back would be circular.
import { goalsOf, segmentsOf } from '../insights/queries';
import type { GoalSpec } from './events';

/** Goals of a site, oldest first. */
export const goalsOfSite = async (ctx: Context, siteId: string): Promise<(GoalSpec & { readonly name: string })[]> =>
  (await goalsOf(ctx.postgres.db, siteId)).map(({ row }) => row);

/**
 * The filters of saved segments, which are combined with AND. Throws `invalid_fields` for a segment that does not exist, belongs to another site, or is private
 * to another person; a reader without a session (a public link or a mailed report) can use shared segments only.
 */
export async function segmentFilters(ctx: Context, siteId: string, ids: readonly string[], session: SessionInfo | null): Promise<string[]> {
  if (ids.length === 0) return [];
  const uniqueIds = [...new Set(ids)];
  const found = await segmentsOf(ctx.postgres.db, siteId, session?.userId ?? null, uniqueIds);
  return found.length === uniqueIds.length ? found.flatMap(({ row }) => row.filters) : failField('segment', 'unknown');
}
