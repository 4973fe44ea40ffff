import type { ViewQuery } from '@contract/tables/views';
import type { Address } from './address';
import type { Question } from './useRecordSource';
import { sortText } from './viewState';

/** The maximum number of fields that a list is sorted by. */
const maxSorts = 5;

/** The order of the list: first by the groups, so that their rows are contiguous, then by the view's own order. */
export function listOrder({ sort, group }: Pick<ViewQuery, 'sort' | 'group'>): ViewQuery['sort'] {
  const byGroup = group.map((name) => sort.find(({ field }) => field === name) ?? { field: name, descending: false });
  return [...byGroup, ...sort.filter(({ field }) => !group.includes(field))].slice(0, maxSorts);
}

/** The query for the server. `locale` undefined: the first language of the table. */
export function questionOf(
  query: Pick<ViewQuery, 'filter' | 'sort' | 'group'>,
  { q, trash }: Pick<Address, 'q' | 'trash'>,
  locale: string | undefined,
): Question {
  const order = listOrder(query);
  return {
    ...(query.filter === null ? {} : { filter: JSON.stringify(query.filter) }),
    ...(q === '' ? {} : { q }),
    ...(order.length === 0 ? {} : { sort: sortText(order) }),
    ...(locale === undefined ? {} : { locale }),
    ...(trash ? { trash: 'true' } : {}),
  };
}
