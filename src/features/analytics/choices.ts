import type { CompareMode, Population } from '@contract/analytics/schemas';

/** In menu order; `calendar` follows from the range. Repeated here: importing the contract's own lists would bring zod into the page. */
export const compareModes = ['none', 'previous', 'weekday', 'year', 'custom'] as const satisfies readonly CompareMode[];
export const populations = ['humans', 'suspected', 'bots', 'all'] as const satisfies readonly Population[];
