import { fieldTypeOf } from '../../../../contract/tables/fieldTypes';
import type { FieldType } from '../../../../contract/tables/terms';

type Named = { readonly id: string; readonly type: FieldType };

/** Whether a field of this type can be the primary field. */
export const canName = (type: FieldType): boolean => fieldTypeOf(type).naming !== undefined;
const rankOf = ({ type }: Named): number => fieldTypeOf(type).naming ?? Infinity;
/** The first field that suits best as the primary field; null if there is none. */
export const nameField = (fields: readonly Named[]): string | null =>
  fields.filter((field) => rankOf(field) < Infinity).toSorted((a, b) => rankOf(a) - rankOf(b))[0]?.id ?? null;
