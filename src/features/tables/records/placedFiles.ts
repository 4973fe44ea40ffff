import { isLocalizable, isSlugSource, resourceKindsOf } from '@contract/tables/fieldTypes';
import type { FieldType } from '@contract/tables/fieldTypes';
import { fileItemsOf } from '@contract/tables/fieldTypes/fileValues';
import type { Resource } from '@contract/resources/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';

type FileField = Pick<TableField, 'id' | 'type' | 'options'>;

export const takes = ({ type }: Pick<TableField, 'type'>, { kind }: Pick<Resource, 'kind'>): boolean => resourceKindsOf(type)?.includes(kind) === true;
export const fileFields = ({ fields }: Pick<ContentTable, 'fields'>): TableField[] =>
  fields.filter(({ type, readonly }) => resourceKindsOf(type) !== null && !readonly);

/** The field that takes a resource: the first for its kind, so that a picture becomes a picture and not an attachment. */
export const fieldFor = <F extends FileField>(fields: readonly F[], resource: Pick<Resource, 'kind'>): F | undefined =>
  fields.filter((field) => takes(field, resource)).toSorted((a, b) => (resourceKindsOf(a.type)?.length ?? 0) - (resourceKindsOf(b.type)?.length ?? 0))[0];

/** The type of a new field that takes all of these resources. */
export const typeFor = (resources: readonly Pick<Resource, 'kind'>[]): Extract<FieldType, 'image' | 'video' | 'file'> =>
  (['image', 'video'] as const).find((type) => resources.every((one) => takes({ type }, one))) ?? 'file';

/** A value with resources added at its end; a field for one file holds the last of them. */
export function withResources({ options: { most } }: FileField, value: unknown, resources: readonly Pick<Resource, 'id'>[]): unknown {
  const uses = [...fileItemsOf(value), ...resources.map(({ id }) => ({ resource: id }))];
  return most === 1 ? uses.slice(-1) : uses;
}

/** Types that hold any text. */
const isFreeText = (type: FieldType): boolean => isSlugSource(type) && isLocalizable(type);
/** The name of a record for a file: that of the file without its extension, where the primary field takes any text. */
export function nameValues(table: Pick<ContentTable, 'fields' | 'primaryField'>, { name }: Pick<Resource, 'name'>): Readonly<Record<string, string>> {
  const primary = table.fields.find(({ id }) => id === table.primaryField);
  if (!primary || primary.readonly || !isFreeText(primary.type) || primary.options.pattern !== undefined) return {};
  const text = Array.from(name.replace(/(?<=.)\.[^.]{1,12}$/u, ''))
    .slice(0, primary.options.maxLength ?? 200)
    .join('');
  return { [primary.id]: text };
}
