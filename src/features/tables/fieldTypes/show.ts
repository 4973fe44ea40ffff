import { numberText } from '@contract/tables/numberText';
import { consoleFieldTypeOf } from '.';
import type { FieldEnv, ShownField } from './env';
import { asText, displayKind } from './env';

/** A value as a line of text in the reader's language, for cells, client-side search and screen readers. An empty value is an empty text. */
export function showValue(field: ShownField, value: unknown, env: FieldEnv): string {
  if (value === null || value === undefined || value === '') return '';
  const { text: ownText } = consoleFieldTypeOf(field.type);
  if (ownText) return ownText(value, field, env);
  if (Array.isArray(value)) return value.map((one) => showValue(field, one, env)).join('、');
  if (typeof value === 'object') return JSON.stringify(value);
  const text = asText(value);
  switch (displayKind(field)) {
    case 'number':
      return numberText(field, asText(value), env.format.locale);
    case 'datetime':
      return Number.isNaN(Date.parse(text)) ? text : env.format.dateTime(text, { timeZone: env.timeZone });
    case 'time':
      return text.replace(/^(\d\d:\d\d):00$/, '$1');
    default:
      return text;
  }
}
