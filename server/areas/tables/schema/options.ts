import { compilePattern } from '../../../../contract/tables/pattern';
import { fieldTypeOf } from '../../../../contract/tables/fieldTypes';
import { neededOptions, optionsOf } from '../../../../contract/tables/schemas';
import type { FieldOptions } from '../../../../contract/tables/schemas';
import type { FieldType } from '../../../../contract/tables/terms';
import { serverFieldTypeOf } from '../core/fieldTypes';
import type { Surroundings } from '../core/fieldTypes';
import type { DefinitionErrors } from './definitionErrors';

export type { Candidate, Surroundings } from '../core/fieldTypes';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Validates and completes the options of a field of `type`: only those of its type, none missing, least not above most, names resolved to ids. Errors
 * are added to `errors` by path.
 */
export function resolveOptions(type: FieldType, given: FieldOptions, around: Surroundings, errors: DefinitionErrors): FieldOptions {
  const allowed: readonly string[] = optionsOf[type];
  for (const name of Object.keys(given)) if (!allowed.includes(name)) errors.add(name, 'unknown_field');
  for (const name of neededOptions[type]) if (given[name] === undefined) errors.add(name, 'required');
  checkBounds(type, given, errors);
  if (given.pattern !== undefined && compilePattern(given.pattern) === null) errors.add('pattern', 'pattern');
  if (given.patternMessage !== undefined && given.pattern === undefined) errors.add('pattern', 'required');
  if (given.currency !== undefined && !currencies.has(given.currency)) errors.add('currency', 'unknown');
  return { ...given, ...serverFieldTypeOf(type).resolveOptions?.(given, around, errors) };
}

function checkBounds(type: FieldType, { minLength, maxLength, min, max }: FieldOptions, errors: DefinitionErrors): void {
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) errors.add('maxLength', 'out_of_range', { min: minLength });
  const { family, column } = fieldTypeOf(type);
  const dates = family === 'date';
  const whole = column === 'bigint';
  for (const [name, bound] of [
    ['min', min],
    ['max', max],
  ] as const) {
    if (bound === undefined) continue;
    if ((typeof bound === 'string') !== dates || (whole && !Number.isSafeInteger(bound))) errors.add(name, 'wrong_type');
  }
  if (min !== undefined && max !== undefined && typeof min === typeof max && min > max) errors.add('max', 'out_of_range');
}
