import type { ReactElement } from 'react';
import type { FieldType } from '@contract/tables/terms';
import type { Editing } from '../schema/fields/editing';
import { FormulaEditor } from '../schema/fields/FormulaEditor';
import { BarcodeOptions } from './barcode/BarcodeOptions';
import { InverseOptions, LookupOptions, RelationOptions } from '../schema/fields/LinkOptions';

/** Options that belong to a single type; `OptionsPart` renders those that several types share. Loaded with the field designer. */
export const optionPanels: Partial<Record<FieldType, (editing: Editing) => ReactElement | null>> = {
  relation: RelationOptions,
  relations: RelationOptions,
  inverse: InverseOptions,
  lookup: LookupOptions,
  rollup: LookupOptions,
  formula: FormulaEditor,
  barcode: BarcodeOptions,
};
