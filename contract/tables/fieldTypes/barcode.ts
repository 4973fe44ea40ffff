import { narrow } from '../valueText';
import { defineFieldType, read } from './definition';

/** Kinds of barcodes; `any` accepts all of them. */
export const symbologies = ['any', 'ean13', 'ean8', 'upcA', 'code128'] as const;
export type Symbology = (typeof symbologies)[number];
type Drawn = Exclude<Symbology, 'any'>;

/** Number of digits of codes that end with a check digit. */
export const digitsOf = { ean13: 13, ean8: 8, upcA: 12 } as const;
const isNumbered = (symbology: Symbology): symbology is keyof typeof digitsOf => symbology in digitsOf;
/** Maximum length of a Code 128; scanners cannot read longer ones. */
export const longestBarcode = 80;
const printable = /^[\u0020-\u007e]+$/;

/** Whether the last digit is the GS1 check digit of the others, weighted 3 and 1 alternately from the right. */
export function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits.slice(0, -1))
    .toReversed()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1));
}

/** The symbology to draw a code with; null if it is invalid. Digits with the length of an EAN or UPC must be valid as such. */
export function symbologyOf(code: string): Drawn | null {
  const numbered = (['ean13', 'upcA', 'ean8'] as const).find((one) => /^\d+$/.test(code) && code.length === digitsOf[one]);
  if (numbered !== undefined) return hasCheckDigit(code) ? numbered : null;
  return code.length <= longestBarcode && printable.test(code) ? 'code128' : null;
}

/** A code as stored: EAN and UPC without the blanks and hyphens that are printed in them. Null if it does not fit the symbology. */
export function barcodeOf(text: string, symbology: Symbology = 'any'): string | null {
  const code = narrow(text).trim();
  if (isNumbered(symbology)) {
    const digits = code.replaceAll(/[\s-]/g, '');
    return /^\d+$/.test(digits) && digits.length === digitsOf[symbology] && hasCheckDigit(digits) ? digits : null;
  }
  if (symbology === 'any') return symbologyOf(code) === null ? null : code;
  return code !== '' && code.length <= longestBarcode && printable.test(code) ? code : null;
}

/** The text of a code, as a scanner enters it. */
export const barcode = defineFieldType({
  column: 'text',
  family: 'text',
  options: ['symbology', 'placeholder'],
  searchable: true,
  unique: true,
  naming: Infinity,
  importable: true,
  near: ['text'],
  nearFrom: ['text', 'integer'],
  // Invalid codes are left to validation, which reports the reason.
  fromText: (text, { options }) => read(barcodeOf(text, options.symbology) ?? text),
});
