import type { ResourceKind } from '../../resources/terms';
import { barcode } from './barcode';
import { multiSelect, select, tags } from './choices';
import { button, formula, lookup, rollup } from './computed';
import { date, datetime, switch as switchType, time } from './dates';
import type { DefaultKind, FieldTypeDefinition } from './definition';
import { file, image, svg, video } from './files';
import { resourcesIn, resourcesInHtml, resourcesInRows } from './fileValues';
import { inverse, relation, relations, user } from './links';
import { autonumber, currency, duration, integer, number, percent, rating } from './numbers';
import { geo, json, repeater } from './structures';
import { color, email, longText, markdown, password, phone, richText, slug, text, url } from './texts';

/** Every field type. The JSON form of its values is documented at its definition; empty is always null, and an empty text or list is empty. */
const definitions = {
  text,
  longText,
  markdown,
  richText,
  email,
  url,
  phone,
  slug,
  barcode,
  color,
  password,
  integer,
  rating,
  duration,
  autonumber,
  number,
  currency,
  percent,
  switch: switchType,
  date,
  time,
  datetime,
  select,
  multiSelect,
  tags,
  geo,
  user,
  file,
  image,
  svg,
  video,
  json,
  repeater,
  relation,
  relations,
  inverse,
  lookup,
  rollup,
  formula,
  button,
};
export type { DefaultKind };
export type FieldType = keyof typeof definitions;
export const fieldTypes = Object.keys(definitions) as [FieldType, ...FieldType[]];
export const fieldTypeOf = (type: FieldType): FieldTypeDefinition => definitions[type];

const each = <T>(part: (definition: FieldTypeDefinition) => T): Readonly<Record<FieldType, T>> =>
  Object.fromEntries(fieldTypes.map((type) => [type, part(definitions[type])])) as Record<FieldType, T>;
/** The column kind of every type. */
export const columnOf = each(({ column }) => column);
/** Options of each type; all others are refused. */
export const optionsOf = each(({ options }) => options);
/** Required options of each type. */
export const neededOptions = each(({ neededOptions: needed }) => needed ?? []);

/** Read-only: computed when read. `autonumber` is set when a record is created. */
export const isComputed = (type: FieldType): boolean => definitions[type].computed === true;
export const isLocalizable = (type: FieldType): boolean => definitions[type].localizable === true;
/** Whether its values are sentences, which people and machines translate. */
export const isProse = (type: FieldType): boolean => definitions[type].prose === true;
export const isSearchable = (type: FieldType): boolean => definitions[type].searchable === true;
export const canBeUnique = (type: FieldType): boolean => definitions[type].unique === true;
export const canBeIndexed = (type: FieldType): boolean => {
  const { column, secret } = definitions[type];
  return column !== 'none' && column !== 'jsonb' && secret !== true;
};
/** Its values are choices defined in the field. */
export const hasChoices = (type: FieldType): boolean => definitions[type].options.includes('choices');
export const isSlugSource = (type: FieldType): boolean => definitions[type].slugSource === true;
export const isImportable = (type: FieldType): boolean => definitions[type].importable === true;
/** Kinds of resources that a value may use; null for types that use none. */
export const resourceKindsOf = (type: FieldType): readonly ResourceKind[] | null => fieldTypeOf(type).resourceKinds ?? null;
/** How values of a type use resources; null: they use none. */
export const usesOf = (type: FieldType): NonNullable<FieldTypeDefinition['uses']> | null => fieldTypeOf(type).uses ?? null;
const usesIn = { items: resourcesIn, html: resourcesInHtml, rows: resourcesInRows } as const;
/** Ids of the resources that a value uses. */
export function resourcesOf(type: FieldType, value: unknown): readonly string[] {
  const uses = usesOf(type);
  return uses === null ? [] : usesIn[uses](value);
}
export const isPublicFormType = (type: FieldType): boolean => definitions[type].publicForm === true;
/** Kinds of defaults that a field of this type supports. */
export const defaultKindsOf = (type: FieldType): readonly DefaultKind[] => definitions[type].defaults ?? (isComputed(type) ? [] : ['value']);

export const canConvertFrom = (type: FieldType): boolean => definitions[type].convertible !== false;
/** Computed fields (and autonumbers) cannot receive values. */
const canConvertTo = (type: FieldType): boolean => canConvertFrom(type) && !isComputed(type);
/** Whether a field of one type can be converted to another. A new target for a link is a conversion too. */
export const canConvert = (from: FieldType, to: FieldType): boolean =>
  canConvertFrom(from) && canConvertTo(to) && (from !== to || definitions[from].family === 'link');
/** Most frequent target types first. */
export const nearTypes = (from: FieldType): readonly FieldType[] =>
  [...((definitions[from].near ?? ['text']) as readonly FieldType[]), ...fieldTypes.filter((to) => definitions[to].nearFrom?.includes(from) === true)].filter(
    (to) => canConvert(from, to),
  );
