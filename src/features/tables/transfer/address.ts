import { flag, oneOf, text } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';

/** Steps of an import, in their order. */
export const steps = ['file', 'read', 'map', 'check', 'run', 'done'] as const;
export type Step = (typeof steps)[number];

/**
 * Importing and exporting, in the address. `import`: id of the import that is worked on, `new` for one into the table on the screen, `table` for one
 * that makes a table; `step` where it is not the one that its state says.
 */
export const transferFields = { import: text('', 40), step: oneOf(['', ...steps], ''), export: flag() };
export type TransferAddress = StateOf<typeof transferFields>;
