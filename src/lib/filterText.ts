import type { DimensionId, FilterOp } from '@contract/analytics/schemas';

export type Filter = { readonly by: DimensionId; readonly op: FilterOp; readonly values: readonly string[] };

const escape = (value: string): string => value.replace(/[\\|]/g, (mark) => `\\${mark}`);

/** `dimension:op:value|value`, as in the contract: `|` and `\` inside a value are escaped by `\`. */
export const filterText = ({ by, op, values }: Filter): string => `${by}:${op}:${values.map(escape).join('|')}`;
