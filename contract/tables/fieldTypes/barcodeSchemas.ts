import { z } from 'zod';
import { symbologies } from './barcode';

export const barcodeOptions = {
  /** Barcode: the symbology; `any` if omitted. */
  symbology: z.enum(symbologies).optional(),
};
