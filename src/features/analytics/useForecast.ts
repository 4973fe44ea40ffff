import type { MeasureId, Outlook } from '@contract/analytics/schemas';
import type { BlockProps } from './blocks';
import { useOutlookQuery } from './blocksApi';
import { reportQuery } from './urlState';

const forecastable = ['visitors', 'visits', 'views'] as const satisfies readonly MeasureId[];
const isForecastable = (id: MeasureId): id is (typeof forecastable)[number] => (forecastable as readonly MeasureId[]).includes(id);

/** The range in which today is expected to end; null if the range does not contain today, or the measure or the traffic does not allow a forecast. */
export function useForecast({
  site,
  state,
  today,
  measure,
}: Pick<BlockProps, 'site' | 'state' | 'today'> & { readonly measure: MeasureId }): Outlook['forecast'] {
  const { filter, who, segment } = reportQuery(state);
  const known = isForecastable(measure);
  const skip = !known || state.range.to < today || state.range.from === state.range.to;
  const { currentData } = useOutlookQuery(
    { siteId: site.id, filter, who, ...(known ? { measure } : {}), ...(segment === undefined ? {} : { segment }) },
    { skip },
  );
  return skip ? null : (currentData?.forecast ?? null);
}
