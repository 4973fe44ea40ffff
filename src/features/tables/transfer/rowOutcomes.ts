import type { Outcome } from './transferApi';

/** In display order. */
export const outcomes = ['insert', 'update', 'skip', 'fail'] as const satisfies readonly Outcome[];
