import { keywordDimensions, keywordEngines, keywordSorts } from '@contract/imports/keywordTerms';
import type { Site } from '@contract/sites/schemas';
import { addDays, dayCount, isDay } from '@/lib/days';
import type { DayRange } from '@/lib/days';
import { oneOf, text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { useToday } from '@/lib/useToday';
import { useSeoKeywordsQuery } from './keywordsApi';

/** Days of the offered ranges, which end today. */
export const lengths = [28, 90, 365] as const;
const usualLength = 90;

const address = {
  q: text('', 200),
  by: oneOf(keywordDimensions, 'query'),
  engine: oneOf(['all', ...keywordEngines], 'all'),
  landing: text('', 2000),
  from: text('', 10),
  to: text('', 10),
  sort: oneOf(keywordSorts, 'clicks'),
  dir: oneOf(['asc', 'desc'], 'desc'),
  page: whole(1, 1, 10_000),
  size: whole(20, 1, 50),
};

/** The keywords of the address, as the server returns them. */
export function useKeywords(site: Site) {
  const today = useToday(site.timeZone);
  const list = useListAddress(address, ['q', 'engine', 'landing']);
  const { state } = list;
  const isChosen = isDay(state.from) && isDay(state.to) && state.from <= state.to;
  const days: DayRange = isChosen ? { from: state.from, to: state.to } : { from: addDays(today, 1 - usualLength), to: today };
  const { by, sort, dir, page, size } = state;
  const result = useSeoKeywordsQuery(
    {
      siteId: site.id,
      ...days,
      by,
      sort,
      dir,
      page,
      size,
      ...(state.q.trim() !== '' && { q: state.q.trim() }),
      ...(state.engine !== 'all' && { engine: state.engine }),
      ...(state.landing !== '' && { landing: state.landing }),
    },
    { refetchOnMountOrArgChange: true },
  );
  const length = days.to === today ? dayCount(days) : 0;
  return { ...list, result, days, /** Id of the offered range, or `custom`. */ length: lengths.some((one) => one === length) ? String(length) : 'custom' };
}
export type KeywordList = ReturnType<typeof useKeywords>;
