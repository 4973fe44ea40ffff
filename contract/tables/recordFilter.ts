import { z } from 'zod';
import { filterOps, tableLimits } from './terms';
import type { FilterOp } from './terms';

/**
 * A filter on records, as JSON: conditions on fields (by id, key or alias; `$state` and other `systemFields`), combined with `and`, `or`, `not`. `some`
 * and `none` test linked records, with a filter of the other table as value. At most 50 conditions, 4 levels deep.
 */
export type RecordFilter =
  | { readonly and: readonly RecordFilter[] }
  | { readonly or: readonly RecordFilter[] }
  | { readonly not: RecordFilter }
  | { readonly field: string; readonly op: FilterOp; readonly value?: unknown };

const Scalar = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);
const Node: z.ZodType<RecordFilter> = z
  .lazy(() =>
    z.union([
      z.strictObject({ and: z.array(Node).max(tableLimits.conditions) }),
      z.strictObject({ or: z.array(Node).max(tableLimits.conditions) }),
      z.strictObject({ not: Node }),
      z.strictObject({ field: z.string().max(64), op: z.enum(filterOps), value: z.union([Scalar, z.array(Scalar).max(1000), Node]).optional() }),
    ]),
  )
  .meta({ id: 'RecordFilter' });

/** Depth of a filter (a condition is one level) and number of its conditions. */
export function measureFilter(filter: unknown, depth = 1): { depth: number; conditions: number } {
  if (typeof filter !== 'object' || filter === null || depth > 64) return { depth, conditions: 1 };
  const inner = 'and' in filter ? filter.and : 'or' in filter ? filter.or : 'not' in filter ? [filter.not] : null;
  if (Array.isArray(inner)) {
    const parts = inner.map((one) => measureFilter(one, depth + 1));
    return { depth: Math.max(depth, ...parts.map((part) => part.depth)), conditions: parts.reduce((sum, part) => sum + part.conditions, 0) };
  }
  const value: unknown = 'value' in filter ? filter.value : undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const part = measureFilter(value, depth + 1);
    return { depth: part.depth, conditions: part.conditions + 1 };
  }
  return { depth, conditions: 1 };
}

const withinLimits = (filter: unknown): boolean => {
  const { depth, conditions } = measureFilter(filter);
  return depth <= tableLimits.depth && conditions <= tableLimits.conditions;
};

/** Depth is checked first: the schema must not recurse into unlimited nesting. */
export const RecordFilterSchema = z.unknown().refine(withinLimits, { message: 'too_long' }).pipe(Node);

/** The filter as a JSON query parameter. */
export const FilterParam = z
  .string()
  .max(20_000)
  .transform((text, ctx) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      ctx.addIssue({ code: 'custom', message: 'pattern' });
      return z.NEVER;
    }
  })
  .pipe(RecordFilterSchema);

/** `-f_abc,title`: a minus means descending. */
export const SortParam = z
  .string()
  .max(400)
  .regex(/^-?[$\w]+(,-?[$\w]+)*$/)
  .transform((text) => text.split(',').map((part) => (part.startsWith('-') ? { field: part.slice(1), descending: true } : { field: part, descending: false })))
  .pipe(z.array(z.object({ field: z.string(), descending: z.boolean() })).max(tableLimits.sorts));
export type RecordSort = { readonly field: string; readonly descending: boolean };
export const RecordSortSchema = z.object({ field: z.string().max(64), descending: z.boolean() });
