import { columnOf, isComputed } from '../../../../contract/tables/terms';
import type { FieldType } from '../../../../contract/tables/terms';
import type { FieldDefault, FieldOptions } from '../../../../contract/tables/schemas';
import { ValueFault } from '../core/values/faults';
import { valueOf } from '../core/values/check';
import type { Faults } from './faults';

/** What a new record gets where nobody says otherwise must itself be a value of the field. */
export function checkDefault(
  field: { readonly type: FieldType; readonly options: FieldOptions; readonly unique: boolean },
  given: FieldDefault | null,
  faults: Faults,
): void {
  if (given === null) return;
  const { type } = field;
  const without = isComputed(type) || columnOf[type] === 'none' || type === 'password';
  const fits =
    !without &&
    (given.kind === 'value' ||
      (given.kind === 'now' && ['date', 'datetime', 'time'].includes(type)) ||
      (given.kind === 'user' && type === 'user') ||
      (given.kind === 'uuid' && type === 'text'));
  if (!fits) faults.add('default', 'wrong_type');
  // The second record with it would be refused.
  else if (field.unique && given.kind === 'value') faults.add('default', 'duplicate');
  else if (given.kind === 'value') checkValue(field, given.value, faults);
}

function checkValue(field: { readonly type: FieldType; readonly options: FieldOptions }, value: unknown, faults: Faults): void {
  try {
    valueOf(field, value);
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    const { code, min, max } = error.fault;
    faults.add(error.at === '' ? 'default' : `default.value.${error.at}`, code, {
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
    });
  }
}
