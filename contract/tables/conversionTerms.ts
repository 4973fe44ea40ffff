import { isComputed } from './terms';
import type { FieldType } from './terms';

/** Which types of fields become which others; no schema of a call stands here. */

/** What a field cannot be converted from: a hash is not readable, a mirror and a button hold nothing of their own. */
const never = ['password', 'inverse', 'button'] as const satisfies readonly FieldType[];
export const canConvertFrom = (type: FieldType): boolean => !(never as readonly FieldType[]).includes(type);
/** What is made when reading (or numbered when a record is made) is nothing that values could be put into. */
const canConvertTo = (type: FieldType): boolean => canConvertFrom(type) && !isComputed(type);
/** Whether a field of one type can become one of the other. Relations can be led to another table: that is a conversion too. */
export const canConvert = (from: FieldType, to: FieldType): boolean =>
  canConvertFrom(from) && canConvertTo(to) && (from !== to || from === 'relation' || from === 'relations');

/** Types whose values become those of the other one as they are, or nearly so, best first: what people look for when they change a type. */
const near: Partial<Record<FieldType, readonly FieldType[]>> = {
  text: ['longText', 'select', 'multiSelect', 'number', 'integer', 'date', 'datetime', 'relation', 'tags', 'url', 'email', 'markdown', 'richText'],
  longText: ['text', 'markdown', 'richText', 'tags', 'multiSelect', 'json'],
  markdown: ['longText', 'richText', 'text'],
  richText: ['longText', 'markdown', 'text'],
  email: ['text', 'user', 'url'],
  url: ['text', 'image', 'file', 'video'],
  phone: ['text', 'integer'],
  slug: ['text'],
  color: ['text'],
  integer: ['number', 'currency', 'percent', 'rating', 'duration', 'text', 'switch'],
  rating: ['integer', 'number', 'text'],
  duration: ['integer', 'number', 'text'],
  autonumber: ['integer', 'text'],
  number: ['integer', 'currency', 'percent', 'text'],
  currency: ['number', 'integer', 'text'],
  percent: ['number', 'integer', 'text'],
  switch: ['select', 'integer', 'text'],
  date: ['datetime', 'text'],
  time: ['text', 'duration'],
  datetime: ['date', 'time', 'text'],
  select: ['multiSelect', 'tags', 'text', 'relation', 'switch'],
  multiSelect: ['tags', 'select', 'relations', 'text'],
  tags: ['multiSelect', 'relations', 'select', 'text'],
  geo: ['text', 'json'],
  user: ['text', 'select', 'relation'],
  file: ['image', 'video', 'svg', 'url', 'text'],
  image: ['file', 'url', 'text'],
  svg: ['image', 'file', 'url', 'text'],
  video: ['file', 'url', 'text'],
  json: ['longText', 'text', 'repeater', 'tags'],
  repeater: ['json', 'longText'],
  relation: ['relations', 'text', 'select', 'user'],
  relations: ['relation', 'text', 'tags', 'multiSelect'],
  formula: ['text', 'number', 'integer', 'date', 'switch'],
  lookup: ['text', 'tags', 'number', 'date'],
  rollup: ['number', 'integer', 'text', 'date'],
};
/** Types that a field is most often made into, first of all. */
export const nearTypes = (from: FieldType): readonly FieldType[] => (near[from] ?? ['text']).filter((to) => canConvert(from, to));
