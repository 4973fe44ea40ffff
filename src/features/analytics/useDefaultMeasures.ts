import type { MeasureId } from '@contract/analytics/schemas';
import { publicLinkSecret } from '@/lib/publicLink';
import { useGoalsQuery } from './insights/insightsApi';

const conversions: readonly MeasureId[] = ['conversions', 'conversionRate'];

type Defaults = { readonly measures: readonly [MeasureId, ...MeasureId[]]; readonly more: readonly MeasureId[] };

/**
 * The columns of a table: once the site has a goal, conversions come second by default wherever the table offers them. `ready` is false until that is known,
 * so that no report is requested twice. The reader of a public link sees them only by choice: goals belong to the team.
 */
export function useDefaultMeasures(siteId: string, { measures, more }: Defaults): Defaults & { readonly ready: boolean } {
  const { data, isLoading } = useGoalsQuery({ siteId }, { skip: publicLinkSecret !== null });
  const hasGoals = data !== undefined && data.length > 0;
  const [first, ...others] = measures;
  const second = hasGoals ? conversions.filter((id) => id !== first && (others.includes(id) || more.includes(id))) : [];
  const rest = (ids: readonly MeasureId[]): MeasureId[] => ids.filter((id) => !second.includes(id));
  return { measures: [first, ...second, ...rest(others)], more: rest(more), ready: !isLoading };
}
