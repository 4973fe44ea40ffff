import { barcodeOf, digitsOf, longestBarcode } from '../../../../../contract/tables/fieldTypes/barcode';
import { refuse } from '../values/valueErrors';
import type { Schema } from './definition';
import { textType } from './texts';

const codeSchema: Schema = { type: 'string', pattern: String.raw`^[\x20-\x7e]+$`, maxLength: longestBarcode };

export const barcode = textType((text, { symbology }) => barcodeOf(text, symbology) ?? refuse('pattern'), {
  indexedAsWritten: true,
  schema: ({ symbology = 'any' }) =>
    symbology in digitsOf ? { type: 'string', pattern: String.raw`^\d{${digitsOf[symbology as keyof typeof digitsOf]}}$` } : codeSchema,
});
