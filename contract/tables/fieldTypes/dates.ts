import { momentText, narrow, no, readDate, readMoment, readTime, yes } from '../valueText';
import { defineFieldType, read, readOrNot, unreadable } from './definition';
import type { FieldTypeDefinition } from './definition';

const moment = (definition: Omit<FieldTypeDefinition, 'family' | 'short' | 'publicForm' | 'importable' | 'defaults'>): FieldTypeDefinition =>
  defineFieldType({ family: 'date', short: true, publicForm: true, importable: true, defaults: ['value', 'now'], ...definition });

/** `YYYY-MM-DD`. */
export const date = moment({
  column: 'date',
  options: ['min', 'max'],
  unique: true,
  naming: 7,
  slugSource: true,
  near: ['datetime', 'text'],
  fromText: (text) => readOrNot(readDate(text)),
});
/** `HH:MM:SS`. */
export const time = moment({ column: 'time', options: [], near: ['text', 'duration'], fromText: (text) => readOrNot(readTime(text)) });
/** ISO 8601 in UTC. */
export const datetime = moment({
  column: 'timestamptz',
  options: ['min', 'max'],
  unique: true,
  naming: 8,
  near: ['date', 'time', 'text'],
  toText: (value, _field, names) => (typeof value === 'string' ? momentText(value, names.timeZone) : ''),
  fromText: (text, _field, { timeZone }) => readOrNot(readMoment(text, timeZone)),
});

const switchType = defineFieldType({
  column: 'boolean',
  family: 'other',
  options: [],
  short: true,
  publicForm: true,
  importable: true,
  near: ['select', 'integer', 'text'],
  toText: (value) => (value === true ? '是' : '否'),
  fromText: (text) => {
    const word = narrow(text).toLowerCase();
    return yes.has(word) ? read(true) : no.has(word) ? read(false) : unreadable;
  },
});
export { switchType as switch };
