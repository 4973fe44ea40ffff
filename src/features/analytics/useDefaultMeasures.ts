import type { MeasureId } from '@contract/analytics/schemas';
import { sharedSecret } from '@/lib/sharedLink';
import { useGoalsQuery } from './insights/insightsApi';

const conversions: readonly MeasureId[] = ['conversions', 'conversionRate'];

type Defaults = { readonly measures: readonly [MeasureId, ...MeasureId[]]; readonly more: readonly MeasureId[] };

/**
 * The columns of a table: once the site has a goal, conversions are among the default ones wherever the table offers them. `ready` is false until that is known,
 * so that no report is requested twice. The reader of a share sees them only by choice: goals belong to the team.
 */
export function useDefaultMeasures(siteId: string, { measures, more }: Defaults): Defaults & { readonly ready: boolean } {
  const { data, isLoading } = useGoalsQuery({ siteId }, { skip: sharedSecret !== null });
  const added = data === undefined || data.length === 0 ? [] : conversions.filter((id) => more.includes(id));
  const [first, ...others] = measures;
  return { measures: [first, ...added, ...others], more: more.filter((id) => !added.includes(id)), ready: !isLoading };
}
