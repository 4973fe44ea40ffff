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
export function resolveOptions(type: FieldType, options: FieldOptions, around: Surroundings, errors: DefinitionErrors): FieldOptions {
  const allowed: readonly string[] = optionsOf[type];
  for (const name of Object.keys(options)) if (!allowed.includes(name)) errors.add(name, 'unknown_field');
  for (const name of neededOptions[type]) if (options[name] === undefined) errors.add(name, 'required');
  checkBounds(type, options, errors);
  if (options.pattern !== undefined && compilePattern(options.pattern) === null) errors.add('pattern', 'pattern');
  if (options.patternMessage !== undefined && options.pattern === undefined) errors.add('pattern', 'required');
  if (options.currency !== undefined && !currencies.has(options.currency)) errors.add('currency', 'unknown');
  return { ...options, ...serverFieldTypeOf(type).resolveOptions?.(options, around, errors) };
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
