import { narrow } from '../valueText';
import { hasCheckDigit } from './barcode';
import { defineFieldType, read } from './definition';

/** The thirteen digits of an ISBN (ISO 2108), without hyphens and blanks; null if it is not one. */
export function isbnOf(text: string): string | null {
  const digits = narrow(text).replaceAll(/[\s-]/g, '');
  return /^97[89]\d{10}$/.test(digits) && hasCheckDigit(digits) ? digits : null;
}

export const isbn = defineFieldType({
  column: 'text',
  family: 'text',
  options: [],
  searchable: true,
  unique: true,
  importable: true,
  near: ['text'],
  nearFrom: ['text'],
  // Invalid numbers are left to validation, which reports the reason.
  fromText: (text) => read(isbnOf(text) ?? text),
});
