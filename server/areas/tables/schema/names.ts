import type { FieldType } from '../../../../contract/tables/terms';

const texts: readonly FieldType[] = ['text', 'longText', 'email', 'phone', 'url'];
/** Types whose value can be the name of a record, best first. */
const names: readonly FieldType[] = [...texts, 'slug', 'formula', 'autonumber', 'integer', 'number', 'select', 'date', 'datetime'];
export const canName = (type: FieldType): boolean => [...names, 'currency', 'percent', 'markdown'].includes(type);
/** The first text-like field, or the next best; null where nothing names a record. */
export const nameField = (fields: readonly { readonly id: string; readonly type: FieldType }[]): string | null =>
  (fields.find((field) => texts.includes(field.type)) ?? names.flatMap((type) => fields.find((field) => field.type === type) ?? [])[0])?.id ?? null;
