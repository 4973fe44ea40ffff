import type { Outcome } from './transferApi';

/** In the order in which they are told. */
export const outcomes = ['insert', 'update', 'skip', 'fail'] as const satisfies readonly Outcome[];
