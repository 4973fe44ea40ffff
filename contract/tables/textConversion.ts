import { read, unreadable } from './fieldTypes/definition';
import type { FieldTypeDefinition, ReadContext, ReadText, TextNames } from './fieldTypes/definition';
import type { FieldType } from './fieldTypes';
import type { FieldOptions } from './schemas';
import { listText, longestRead, texts } from './valueText';

export type TextField = { readonly type: FieldType; readonly options: FieldOptions };
type TextConversion = {
  /** A value as plain text, for the clipboard and files; '' if empty. Passwords are never converted. */
  readonly textOf: (field: TextField, value: unknown, names?: TextNames) => string;
  /** Parses typed, pasted or imported text as a value. `find`: ids of records or people by title (or by id). */
  readonly readText: (field: TextField, text: string, context?: ReadContext) => ReadText;
};

/** Conversion between values and text by the definitions of a registry: all field types, or those that a small page needs. */
export const textConversion = (definitionOf: (type: FieldType) => FieldTypeDefinition): TextConversion => ({
  textOf(field, value, names = {}) {
    if (value === null || value === undefined) return '';
    const { toText } = definitionOf(field.type);
    if (toText) return toText(value, field, names);
    // The value of a lookup or formula.
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return listText(texts(value));
    return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
  },
  readText(field, text, context = {}) {
    const trimmed = text.trim();
    if (trimmed === '') return read(null);
    const { column, fromText, short } = definitionOf(field.type);
    if (trimmed.length > longestRead && short === true) return unreadable;
    if (fromText) return fromText(trimmed, field, context, text);
    // Addresses, telephone numbers and colours are validated when written.
    return column === 'text' ? read(trimmed) : unreadable;
  },
});
