import { measures } from '../../contract/analytics/schemas';
import type { Values } from '../../contract/analytics/schemas';
import type { OracleFilter } from './values';

/** A filter as written in an address: `|` and `\` in values are escaped. */
export const filterText = ({ dimension, op, values }: OracleFilter): string =>
  `${dimension}:${op}:${values.map((v) => v.replaceAll(/[\\|]/g, (c) => `\\${c}`)).join('|')}`;

/** For failure messages. */
export const describeFilters = (filters: readonly OracleFilter[]): string => (filters.length === 0 ? 'no filter' : filters.map(filterText).join(' and '));

/** Ratios and means divide the same integers; 1e-12 allows for the order of operations. */
export function same(actual: Values, expected: Values, what: string): void {
  const off = measures.filter((id) => {
    const [a, b] = [actual[id], expected[id]];
    return a === null || b === null ? a !== b : Math.abs(a - b) > 1e-12 * Math.max(1, Math.abs(b));
  });
  if (off.length > 0) throw new Error(`${what}: ${off.map((id) => `${id} is ${actual[id]}, should be ${expected[id]}`).join('; ')}`);
}
