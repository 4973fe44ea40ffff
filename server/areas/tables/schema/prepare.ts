import { canBeIndexed, canBeUnique, isComputed, isLocalizable, isSearchable, tableLimits } from '../../../../contract/tables/terms';
import type { FieldType } from '../../../../contract/tables/terms';
import type { FieldInput, FieldOptions } from '../../../../contract/tables/schemas';
import type { z } from 'zod';
import type { SiteModel } from '../core/model';
import type { contentFields } from '../core/schema';
import { newFieldId } from '../core/ids';
import { tryComputed } from '../core/formula/shapes';
import type { Problem } from '../core/formula/shapes';
import type { FieldCode } from '../../../../contract/errors';
import type { DefinitionErrors } from './definitionErrors';
import { freeKey, isReservedKey, namesIn } from './keys';
import { resolveOptions } from './options';
import type { Candidate, Surroundings } from './options';
import { checkDefault } from './defaults';
import type { Design } from './design';
import { resolveFiltersIn } from './filters';
import { fail } from '../../../http/failure';

export type NewField = typeof contentFields.$inferInsert & { readonly options: FieldOptions };
export type Input = z.output<typeof FieldInput>;
/** The table that fields belong to; it may not exist yet. */
export type Home = { readonly id: string; readonly key: string; readonly aliases: readonly string[]; readonly fields: readonly Candidate[] };

const sameTitle = (a: string, b: string): boolean => a.normalize('NFKC').toLowerCase() === b.normalize('NFKC').toLowerCase();

/** Resolves names in options: the site's definitions, plus a table with its new fields. */
export function surroundings(model: SiteModel, home: Home, fields: readonly Candidate[], self: string): Surroundings {
  const named = (all: readonly Candidate[], ref: string): Candidate | null =>
    all.find((one) => one.id === ref) ?? all.find((one) => one.key === ref) ?? all.find((one) => one.aliases.includes(ref)) ?? null;
  const tableIdOf = (ref: string): string | null => (ref === home.id || ref === home.key ? home.id : (model.byName.get(ref)?.id ?? null));
  return {
    self,
    tableId: home.id,
    all: fields,
    own: (ref) => named(fields, ref),
    tableIdOf,
    fieldOf: (tableId, ref) => (tableId === home.id ? named(fields, ref) : (model.byName.get(tableId)?.byName.get(ref) ?? null)),
    fieldById(id) {
      const own = fields.find((field) => field.id === id);
      if (own) return { tableId: home.id, field: own };
      const other = model.fieldById.get(id);
      return other ? { tableId: other.table.id, field: other.field } : null;
    },
    inverseOf: (relationId) =>
      [...fields, ...model.tables.filter((table) => table.id !== home.id).flatMap((table) => table.fields)].find(
        (field) => field.type === 'inverse' && field.options.of === relationId,
      ) ?? null,
  };
}

type Flags = Pick<Input, 'required' | 'unique' | 'indexed' | 'localized' | 'sensitive'> & { readonly searchable: boolean | undefined };
/** Checks a field's flags against its type. */
export function checkFlags(type: FieldType, flags: Flags, errors: DefinitionErrors): void {
  const writable = !isComputed(type) && type !== 'inverse';
  if (flags.required && !writable) errors.add('required', 'wrong_type');
  if (flags.unique && !canBeUnique(type)) errors.add('unique', 'wrong_type');
  if (flags.indexed && !canBeIndexed(type)) errors.add('indexed', 'wrong_type');
  if (flags.localized && !isLocalizable(type)) errors.add('localized', 'wrong_type');
  // The search index does not distinguish readers, so sensitive fields must not be searchable.
  if (flags.searchable === true && (!isSearchable(type) || flags.sensitive)) errors.add('searchable', 'wrong_type');
}

export function checkKey(key: string, usedNames: ReadonlySet<string>, of: 'field' | 'table', errors: DefinitionErrors): void {
  if (isReservedKey(key, of)) errors.add('key', 'reserved');
  else if (usedNames.has(key)) errors.add('key', 'taken');
}
export const checkTitle = (title: string, others: readonly { readonly title: string }[], errors: DefinitionErrors, path = 'title'): void => {
  if (others.some((other) => sameTitle(other.title, title))) errors.add(path, 'taken');
};

/**
 * Complete, validated rows of new fields; `prefix` is the path of the inputs in the body. Fields of one call may refer to each other. Errors are
 * collected, not thrown.
 */
export function prepareFields(
  model: SiteModel,
  home: Home,
  inputs: readonly Input[],
  firstPosition: number,
  errors: DefinitionErrors,
  prefix: (i: number) => string,
): NewField[] {
  if (home.fields.length + inputs.length > tableLimits.fields) errors.add('fields', 'too_long', { max: tableLimits.fields });
  const usedNames = namesIn(home.fields);
  const requestedKeys = new Set(inputs.flatMap((input) => input.key ?? []));
  const candidates = inputs.map((input, i): Candidate => {
    const own = errors.within(prefix(i));
    const key = input.key ?? freeKey(input.title, new Set([...usedNames, ...requestedKeys]), 'field');
    checkKey(key, usedNames, 'field', own);
    checkTitle(input.title, [...home.fields, ...inputs.slice(0, i)], own);
    usedNames.add(key);
    return { id: newFieldId(), key, aliases: [], title: input.title, type: input.type, options: input.options };
  });
  const all = [...home.fields, ...candidates];
  return inputs.map((input, i): NewField => {
    const own = errors.within(prefix(i));
    const { id, key } = candidates[i] ?? { id: newFieldId(), key: '' };
    checkFlags(input.type, { ...input, searchable: input.searchable }, own);
    const around = surroundings(model, home, all, id);
    const options = resolveOptions(input.type, input.options, around, own.within('options.'));
    checkDefault({ type: input.type, options, unique: input.unique }, input.default, own);
    return {
      id,
      tableId: home.id,
      key,
      title: input.title,
      type: input.type,
      help: input.help,
      required: input.required,
      isUnique: input.unique,
      indexed: input.indexed,
      localized: input.localized,
      searchable: input.searchable ?? (isSearchable(input.type) && !input.sensitive),
      hidden: input.hidden,
      readonly: input.readonly,
      sensitive: input.sensitive,
      options,
      ...resolveFiltersIn(model, { find: around.own }, input, own),
      default: input.default,
      position: firstPosition + i,
    };
  });
}

const problemCodes: Record<Problem, FieldCode> = {
  missing_field: 'unknown',
  wrong_type: 'wrong_type',
  cycle: 'duplicate',
  too_deep: 'too_long',
  too_costly: 'too_long',
  syntax: 'pattern',
};
/** Refuses a computed field that cannot be read when it is saved; what breaks it later shows as its problem. Called once it is stored. */
export async function refuseProblems(
  design: Design,
  fields: readonly { readonly id: string; readonly type: FieldType }[],
  prefix: (i: number) => string,
): Promise<void> {
  if (!fields.some((field) => isComputed(field.type))) return;
  const model = await design.model();
  for (const [i, field] of fields.entries()) {
    const found = isComputed(field.type) ? model.fieldById.get(field.id) : undefined;
    if (!found?.field.problem) continue;
    const { error } = tryComputed(model, found.table, found.field);
    if (error) fail('invalid_fields', { fields: { [`${prefix(i)}options.${error.option}`]: { code: problemCodes[error.problem] } } });
  }
}
