import { flag, oneOf, text } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';

/** Steps of an import, in order. */
export const steps = ['file', 'read', 'map', 'check', 'run', 'done'] as const;
export type Step = (typeof steps)[number];

/**
 * State of imports and exports in the URL. `import`: id of the open import, `new` for one into the table on the screen, `table` for one that creates a table;
 * `step` only where it differs from the step of the import's state.
 */
export const transferFields = { import: text('', 40), step: oneOf(['', ...steps], ''), export: flag() };
export type TransferAddress = StateOf<typeof transferFields>;
