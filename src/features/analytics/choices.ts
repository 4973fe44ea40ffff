import type { CompareMode, Population } from '@contract/analytics/schemas';

/** In the order in which menus offer them. Written out: the contract's own lists would bring its validator into the page. */
export const compareModes = ['none', 'previous', 'weekday', 'year', 'custom'] as const satisfies readonly CompareMode[];
export const populations = ['humans', 'suspected', 'bots', 'all'] as const satisfies readonly Population[];
