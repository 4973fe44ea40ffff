import { resourceFilters, resourceLimits, resourceSorts } from '@contract/resources/terms';
import { flag, oneOf, text, whole } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';

/**
 * The state of a resource screen in its address. `folder`: an id, `root` for resources in no folder, empty for all; `item`: the resource that is open; `page` and
 * `size`: of the groups of duplicates.
 */
export const resourceAddress = {
  q: text(''),
  folder: text('', 36),
  tag: text('', resourceLimits.tag),
  filter: oneOf(['any', ...resourceFilters], 'any'),
  sort: oneOf(resourceSorts, 'newest'),
  bin: flag(),
  item: text('', 36),
  page: whole(1),
  size: whole(20, 20, 50),
};
export type ResourceAddress = StateOf<typeof resourceAddress>;
