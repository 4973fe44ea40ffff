import { canConvert, canConvertFrom } from '../../../../../contract/tables/fieldTypes';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { columnOf } from '../../../../../contract/tables/terms';
import type { FieldType } from '../../../../../contract/tables/terms';
import { DefinitionErrors } from '../definitionErrors';
import { resolveOptions } from '../options';
import { surroundings } from '../prepare';
import type { FieldModel, SiteModel, TableModel } from '../../core/model';
import { sideOf } from './pass';
import type { Goal } from './uses';

/** Validates the target of a conversion. Throws `invalid_fields`: `type` if the field cannot become that, `options.…` for errors in its options. */
export function goalOf(model: SiteModel, table: TableModel, field: FieldModel, request: { readonly type: FieldType; readonly options: FieldOptions }): Goal {
  const errors = new DefinitionErrors();
  if (!canConvertFrom(field.type) || !canConvert(field.type, request.type) || field.problem !== null || !sideOf(field)) errors.add('type', 'wrong_type');
  const selection = request.type === 'select' || request.type === 'multiSelect';
  const requestedOptions = selection && request.options.choices === undefined ? { ...request.options, choices: selects(field) } : request.options;
  const options = resolveOptions(request.type, requestedOptions, surroundings(model, table, table.fields, field.id), errors.within('options.'));
  if (field.type === request.type && options.to === field.options.to) errors.add('type', 'taken');
  errors.throwIfAny();
  return { type: request.type, options };
}
/** Selections keep their choices when converted into each other. */
const selects = (field: FieldModel): NonNullable<FieldOptions['choices']> => (columnOf[field.type] === 'none' ? [] : (field.options.choices ?? []));
