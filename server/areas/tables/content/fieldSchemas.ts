import { isComputed } from '../../../../contract/tables/terms';
import type { ValueKind } from '../../../../contract/tables/terms';
import type { Grant } from '../core/access';
import type { FieldModel, TableModel } from '../core/model';

export type Schema = Readonly<Record<string, unknown>>;

const decimal: Schema = { type: 'string', pattern: String.raw`^-?\d+(\.\d+)?$`, description: 'Exact decimal number' };
const wholeNumber: Schema = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const recordId: Schema = { type: 'string', format: 'uuid' };
const time: Schema = { type: 'string', pattern: String.raw`^\d{2}:\d{2}:\d{2}$` };
const listOf = (items: Schema, most?: number): Schema => ({ type: 'array', items, ...(most === undefined ? {} : { maxItems: most }) });
const file: Schema = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string' }, name: { type: 'string' }, alt: { type: 'string' } },
};

const ofKind: Record<ValueKind, Schema> = {
  text: { type: 'string' },
  number: decimal,
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  time,
  list: listOf({ type: 'string' }),
  record: recordId,
  records: listOf(recordId),
  object: {},
};

const numbers = ({ min, max }: FieldModel['options']): Schema => ({
  ...(typeof min === 'number' ? { minimum: min } : {}),
  ...(typeof max === 'number' ? { maximum: max } : {}),
});

/** A value that is there. `written`: as it may be sent, where that is more than what comes back. */
function present(field: FieldModel, written: boolean): Schema {
  const { options, type } = field;
  switch (type) {
    case 'text':
    case 'longText':
    case 'markdown':
    case 'slug':
      return {
        type: 'string',
        ...(options.minLength === undefined ? {} : { minLength: options.minLength }),
        ...(options.maxLength === undefined ? {} : { maxLength: options.maxLength }),
        // It is a pattern for the whole text here.
        ...(options.pattern === undefined ? {} : { pattern: `^(?:${options.pattern})$` }),
      };
    case 'richText':
      return { type: 'string', contentMediaType: 'text/html' };
    case 'email':
      return { type: 'string', format: 'email' };
    case 'url':
      return { type: 'string', format: 'uri' };
    case 'color':
      return { type: 'string', pattern: '^#[0-9a-f]{6}$' };
    case 'password':
      return written ? { type: 'string', writeOnly: true } : { type: 'boolean', const: true };
    case 'integer':
    case 'rating':
    case 'duration':
      return { ...wholeNumber, ...numbers(options) };
    case 'autonumber':
      return wholeNumber;
    case 'number':
    case 'currency':
    case 'percent':
      return written ? { anyOf: [decimal, { type: 'number', ...numbers(options) }] } : decimal;
    case 'select':
      return { type: 'string', enum: (options.choices ?? []).map((choice) => choice.id) };
    case 'multiSelect':
      return listOf({ type: 'string', enum: (options.choices ?? []).map((choice) => choice.id) }, options.most);
    case 'tags':
      return listOf({ type: 'string' }, options.most);
    case 'geo':
      return {
        type: 'object',
        required: ['lat', 'lng'],
        properties: { lat: { type: 'number', minimum: -90, maximum: 90 }, lng: { type: 'number', minimum: -180, maximum: 180 } },
      };
    case 'file':
    case 'image':
    case 'svg':
    case 'video':
      return listOf(file, options.most);
    case 'repeater':
      return listOf({ type: 'object', properties: Object.fromEntries((options.items ?? []).map((item) => [item.key, { title: item.title }])) }, options.most);
    default:
      return ofKind[field.yields];
  }
}

/** With a choice of nothing to say: lists of links are never null, everything else may be. */
function orNothing(schema: Schema): Schema {
  const { type, enum: choices, ...rest } = schema;
  if (type === undefined || choices !== undefined || 'const' in schema)
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
  return { type: [type, 'null'], ...rest };
}

/** Titles of choices, and what people are told of the field. */
const words = (field: FieldModel): Schema => {
  const choices = (field.options.choices ?? []).map((choice) => `${choice.id}: ${choice.title}`).join('\n');
  const description = [field.help, choices].filter((text) => text !== '').join('\n\n');
  return { title: field.title, ...(description === '' ? {} : { description }) };
};
const isLinks = (field: FieldModel): boolean => field.type === 'relations' || field.type === 'inverse';

/** `needed`: cannot be written empty. What is read may be empty all the same, where it was so before that was asked. */
function schemaOf(field: FieldModel, written: boolean, needed: boolean): Schema {
  const value = present(field, written);
  return { ...(isLinks(field) || needed ? value : orNothing(value)), ...words(field) };
}
const propertiesOf = (fields: readonly FieldModel[]): Schema => Object.fromEntries(fields.map((field) => [field.key, schemaOf(field, false, false)]));
/** Of tables with drafts, what is required has to be there when a record is published. */
const isRequired = (table: TableModel, field: FieldModel): boolean => field.required && !table.drafts;
const writtenProperties = (table: TableModel, fields: readonly FieldModel[]): Schema =>
  Object.fromEntries(fields.map((field) => [field.key, schemaOf(field, true, isRequired(table, field))]));

/** Values as they are read: every field is there. */
export const valuesSchema = (table: TableModel, fields: readonly FieldModel[]): Schema => ({
  type: 'object',
  title: table.title,
  properties: propertiesOf(fields),
});

/** What a caller may write: nothing that is made when reading, and what their rule covers. */
export const writtenFields = (table: TableModel, grant: Grant): FieldModel[] =>
  table.fields.filter((field) => !isComputed(field.type) && !field.readonly && grant.covers(field));

/** Values of a new record; a default or the text that a slug is made of may stand in for what is left out. */
export function inputSchema(table: TableModel, fields: readonly FieldModel[]): Schema {
  const required = fields.filter((field) => isRequired(table, field) && field.default === null && field.type !== 'slug').map((field) => field.key);
  return { ...changeSchema(table, fields), ...(required.length > 0 ? { required } : {}) };
}

/** Values of a change: what is left out stays as it is. */
export const changeSchema = (table: TableModel, fields: readonly FieldModel[]): Schema => ({
  type: 'object',
  title: table.title,
  properties: writtenProperties(table, fields),
});
