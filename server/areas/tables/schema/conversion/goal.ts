import { canConvert, canConvertFrom } from '../../../../../contract/tables/conversionTerms';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { columnOf } from '../../../../../contract/tables/terms';
import type { FieldType } from '../../../../../contract/tables/terms';
import { Faults } from '../faults';
import { resolveOptions } from '../options';
import { surroundings } from '../prepare';
import type { FieldModel, SiteModel, TableModel } from '../../core/model';
import { sideOf } from './pass';
import type { Goal } from './uses';

/** What a field is asked to become, checked. Throws `invalid_fields`: `type` where that is nothing it can become, `options.…` for what is wrong with those. */
export function goalOf(model: SiteModel, table: TableModel, field: FieldModel, asked: { readonly type: FieldType; readonly options: FieldOptions }): Goal {
  const faults = new Faults();
  if (!canConvertFrom(field.type) || !canConvert(field.type, asked.type) || field.problem !== null || !sideOf(field)) faults.add('type', 'wrong_type');
  const selection = asked.type === 'select' || asked.type === 'multiSelect';
  const given = selection && asked.options.choices === undefined ? { ...asked.options, choices: selects(field) } : asked.options;
  const options = resolveOptions(asked.type, given, surroundings(model, table, table.fields, field.id), faults.within('options.'));
  if (field.type === asked.type && options.to === field.options.to) faults.add('type', 'taken');
  faults.settle();
  return { type: asked.type, options };
}
/** One kind of selection becomes the other with its choices. */
const selects = (field: FieldModel): NonNullable<FieldOptions['choices']> => (columnOf[field.type] === 'none' ? [] : (field.options.choices ?? []));
