import { barcodeOptions } from './barcodeSchemas';

/** Schemas of options that belong to a single type; shared ones are in `FieldOptions`. */
export const ownOptions = { ...barcodeOptions };
