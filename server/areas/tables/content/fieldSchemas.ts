import { isComputed } from '../../../../contract/tables/terms';
import type { ValueKind } from '../../../../contract/tables/terms';
import type { Grant } from '../core/access';
import { serverFieldTypeOf } from '../core/fieldTypes';
import type { Schema } from '../core/fieldTypes';
import { decimalSchema } from '../core/fieldTypes/numbers';
import type { FieldModel, TableModel } from '../core/model';
import { isLinks } from '../core/values/check';

export type { Schema } from '../core/fieldTypes';

const recordId: Schema = { type: 'string', format: 'uuid' };
const listOf = (items: Schema): Schema => ({ type: 'array', items });

const ofKind: Record<ValueKind, Schema> = {
  text: { type: 'string' },
  number: decimalSchema,
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  time: { type: 'string', pattern: String.raw`^\d{2}:\d{2}:\d{2}$` },
  list: listOf({ type: 'string' }),
  record: recordId,
  records: listOf(recordId),
  object: {},
};

/** For which calls a schema is: writing accepts more than reading returns, and the public content has values of its own. */
type Direction = 'written' | 'read' | 'public';
/** A non-empty value. */
function present({ type, options, yields }: FieldModel, direction: Direction): Schema {
  const { schema, publicSchema } = serverFieldTypeOf(type);
  return (direction === 'public' ? publicSchema?.(options) : undefined) ?? schema?.(options, direction === 'written') ?? ofKind[yields];
}

/** Allows null, except for lists of links, which are never null. */
function orNothing(schema: Schema): Schema {
  const { type, enum: choices, ...rest } = schema;
  if (type === undefined || choices !== undefined || 'const' in schema)
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
  return { type: [type, 'null'], ...rest };
}

/** Titles of choices, and the field's help text. */
const describe = (field: FieldModel): Schema => {
  const choices = (field.options.choices ?? []).map((choice) => `${choice.id}: ${choice.title}`).join('\n');
  const description = [field.help, choices].filter((text) => text !== '').join('\n\n');
  return { title: field.title, ...(description === '' ? {} : { description }) };
};

/** `needed`: cannot be written empty. Reads may still return empty values from before it was required. */
function schemaOf(field: FieldModel, direction: Direction, needed: boolean): Schema {
  const value = present(field, direction);
  return { ...(isLinks(field) || needed ? value : orNothing(value)), ...describe(field) };
}
const propertiesOf = (fields: readonly FieldModel[], direction: Direction): Schema =>
  Object.fromEntries(fields.map((field) => [field.key, schemaOf(field, direction, false)]));
/** In tables with drafts, required values are needed only for publishing. */
const isRequired = (table: TableModel, field: FieldModel): boolean => field.required && !table.drafts;
const writtenProperties = (table: TableModel, fields: readonly FieldModel[]): Schema =>
  Object.fromEntries(fields.map((field) => [field.key, schemaOf(field, 'written', isRequired(table, field))]));

/** Values as read: every field is present. */
export const valuesSchema = (table: TableModel, fields: readonly FieldModel[], direction: 'read' | 'public' = 'read'): Schema => ({
  type: 'object',
  title: table.title,
  properties: propertiesOf(fields, direction),
});

/** Fields that a caller may write: not computed, and covered by their rule. */
export const writtenFields = (table: TableModel, grant: Grant): FieldModel[] =>
  table.fields.filter((field) => !isComputed(field.type) && !field.readonly && grant.covers(field));

/** Values of a new record; omitted ones may be filled by a default or a generated slug. */
export function inputSchema(table: TableModel, fields: readonly FieldModel[]): Schema {
  const required = fields.filter((field) => isRequired(table, field) && field.default === null && field.type !== 'slug').map((field) => field.key);
  return { ...changeSchema(table, fields), ...(required.length > 0 ? { required } : {}) };
}

/** Values of a change; omitted ones stay. */
export const changeSchema = (table: TableModel, fields: readonly FieldModel[]): Schema => ({
  type: 'object',
  title: table.title,
  properties: writtenProperties(table, fields),
});
