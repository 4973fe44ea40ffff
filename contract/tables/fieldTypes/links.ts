import { listText, splitList, texts } from '../valueText';
import { defineFieldType, read } from './definition';
import type { FieldTypeDefinition, ReadContext, ReadText } from './definition';
import { isUuid } from '../../uuid';

const idNamed = (title: string, { find }: ReadContext): string | null => find?.(title) ?? (isUuid(title) ? title.toLowerCase() : null);

function readOne(text: string, context: ReadContext): ReadText {
  const id = idNamed(text, context);
  return id === null ? { ok: false, code: 'unknown', missing: [text] } : read(id);
}
function readMany(text: string, context: ReadContext): ReadText {
  const whole = idNamed(text, context);
  if (whole !== null) return read([whole]);
  const titles = splitList(text);
  const missing = titles.filter((title) => idNamed(title, context) === null);
  return missing.length > 0 ? { ok: false, code: 'unknown', missing } : read([...new Set(titles.flatMap((title) => idNamed(title, context) ?? []))]);
}
const toOne: Pick<FieldTypeDefinition, 'toText' | 'fromText'> = {
  toText: (value, _field, { records }) => (typeof value === 'string' ? (records?.[value] ?? value) : ''),
  fromText: (text, _field, context) => readOne(text, context),
};
const toMany: Pick<FieldTypeDefinition, 'toText' | 'fromText'> = {
  toText: (value, _field, { records }) => listText(texts(value).map((id) => records?.[id] ?? id)),
  fromText: (text, _field, context) => readMany(text, context),
};

/** The id of a person. */
export const user = defineFieldType({
  column: 'uuid',
  family: 'other',
  options: [],
  unique: true,
  defaults: ['value', 'user'],
  near: ['text', 'select', 'relation'],
  ...toOne,
  toText: (value, _field, { people }) => (typeof value === 'string' ? (people?.[value] ?? value) : ''),
});
/** The id of a record of another table (many to one). */
export const relation = defineFieldType({
  column: 'uuid',
  family: 'link',
  options: ['to', 'onDelete'],
  neededOptions: ['to'],
  unique: true,
  near: ['relations', 'text', 'select', 'user'],
  ...toOne,
});
/** Ids of records (many to many), in a link table. */
export const relations = defineFieldType({
  column: 'none',
  family: 'link',
  options: ['to', 'most'],
  neededOptions: ['to'],
  defaults: [],
  near: ['relation', 'text', 'tags', 'multiSelect'],
  ...toMany,
});
/** Ids of records that link here through `options.of`; writable only if `of` is a `relations` field. */
export const inverse = defineFieldType({
  column: 'none',
  family: 'other',
  options: ['of'],
  neededOptions: ['of'],
  defaults: [],
  convertible: false,
  ...toMany,
});
