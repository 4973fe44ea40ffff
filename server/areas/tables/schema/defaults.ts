import { defaultKindsOf } from '../../../../contract/tables/fieldTypes';
import type { FieldType } from '../../../../contract/tables/terms';
import type { FieldDefault, FieldOptions } from '../../../../contract/tables/schemas';
import { ValueError } from '../core/values/valueErrors';
import { valueOf } from '../core/values/check';
import type { DefinitionErrors } from './definitionErrors';

/** The default of new records must be a valid value of the field. */
export function checkDefault(
  field: { readonly type: FieldType; readonly options: FieldOptions; readonly unique: boolean },
  fieldDefault: FieldDefault | null,
  errors: DefinitionErrors,
): void {
  if (fieldDefault === null) return;
  if (!defaultKindsOf(field.type).includes(fieldDefault.kind)) errors.add('default', 'wrong_type');
  // The second record with it would be refused.
  else if (field.unique && fieldDefault.kind === 'value') errors.add('default', 'duplicate');
  else if (fieldDefault.kind === 'value') checkValue(field, fieldDefault.value, errors);
}

function checkValue(field: { readonly type: FieldType; readonly options: FieldOptions }, value: unknown, errors: DefinitionErrors): void {
  try {
    valueOf(field, value);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const { code, min, max } = error.error;
    errors.add(error.at === '' ? 'default' : `default.value.${error.at}`, code, {
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
    });
  }
}
