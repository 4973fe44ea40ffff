import { compilePattern } from '../../../../contract/tables/pattern';
import { withIds } from '../../../../contract/tables/formula';
import { columnOf } from '../../../../contract/tables/terms';
import { neededOptions, optionsOf } from '../../../../contract/tables/schemas';
import type { FieldOptions } from '../../../../contract/tables/schemas';
import type { FieldType } from '../../../../contract/tables/terms';
import type { Faults } from './faults';

/** A field as options may speak of it, also one that is only being made. */
export type Candidate = {
  readonly id: string;
  readonly key: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly type: FieldType;
  readonly options: FieldOptions;
};
/** What names in options stand for. */
export type Surroundings = {
  /** The field itself. */
  readonly self: string;
  readonly tableId: string;
  /** Of its table: all of them, and one by name. */
  readonly all: readonly Candidate[];
  readonly own: (ref: string) => Candidate | null;
  readonly tableIdOf: (ref: string) => string | null;
  /** Of another table, or this one. */
  readonly fieldOf: (tableId: string, ref: string) => Candidate | null;
  readonly fieldById: (id: string) => { readonly tableId: string; readonly field: Candidate } | null;
  /** Inverses that a relation has already. */
  readonly inverseOf: (relationId: string) => Candidate | null;
};

const isOneOf = (type: FieldType, types: readonly FieldType[]): boolean => types.includes(type);
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Options of a field of `type`, complete and possible: only those of its type, none missing, least not above most, names resolved to ids.
 * What is wrong goes into `faults` by its path.
 */
export function resolveOptions(type: FieldType, given: FieldOptions, around: Surroundings, faults: Faults): FieldOptions {
  const allowed: readonly string[] = optionsOf[type];
  for (const name of Object.keys(given)) if (!allowed.includes(name)) faults.add(name, 'unknown_field');
  for (const name of neededOptions[type] ?? []) if (given[name] === undefined) faults.add(name, 'required');
  checkBounds(type, given, faults);
  checkChoices(type, given, faults);
  if (given.pattern !== undefined && compilePattern(given.pattern) === null) faults.add('pattern', 'pattern');
  if (given.patternMessage !== undefined && given.pattern === undefined) faults.add('pattern', 'required');
  if (given.currency !== undefined && !currencies.has(given.currency)) faults.add('currency', 'unknown');
  if (type === 'button' && given.url !== undefined && !/^(https?:\/\/|mailto:|tel:|\/(?!\/)|\{.+\})/i.test(given.url)) faults.add('url', 'not_a_url');
  return { ...given, ...references(type, given, around, faults) };
}

function checkBounds(type: FieldType, { minLength, maxLength, min, max }: FieldOptions, faults: Faults): void {
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) faults.add('maxLength', 'out_of_range', { min: minLength });
  const dates = isOneOf(type, ['date', 'datetime']);
  const whole = columnOf[type] === 'bigint';
  for (const [name, bound] of [
    ['min', min],
    ['max', max],
  ] as const) {
    if (bound === undefined) continue;
    if ((typeof bound === 'string') !== dates || (whole && !Number.isSafeInteger(bound))) faults.add(name, 'wrong_type');
  }
  if (type === 'rating' && typeof max === 'number' && (max < 1 || max > 10)) faults.add('max', 'out_of_range', { min: 1, max: 10 });
  if (min !== undefined && max !== undefined && typeof min === typeof max && min > max) faults.add('max', 'out_of_range');
}

const twice = (all: readonly string[]): number => all.findIndex((one, i) => all.indexOf(one) !== i);
function checkChoices(type: FieldType, { choices, items }: FieldOptions, faults: Faults): void {
  const check = (some: NonNullable<FieldOptions['choices']>, path: string): void => {
    const id = twice(some.map((choice) => choice.id));
    if (id >= 0) faults.add(`${path}.${id}.id`, 'duplicate');
    const title = twice(some.map((choice) => choice.title.normalize('NFKC').toLowerCase()));
    if (title >= 0) faults.add(`${path}.${title}.title`, 'duplicate');
  };
  if (choices) check(choices, 'choices');
  if (type !== 'repeater' || !items) return;
  const key = twice(items.map((item) => item.key));
  if (key >= 0) faults.add(`items.${key}.key`, 'duplicate');
  for (const [i, item] of items.entries()) {
    if (item.type === 'select' && !item.choices?.length) faults.add(`items.${i}.choices`, 'required');
    if (item.type !== 'select' && item.choices) faults.add(`items.${i}.choices`, 'unknown_field');
    if (item.choices) check(item.choices, `items.${i}.choices`);
  }
}

/** Fields from whose text a slug can be made. */
const slugSources: readonly FieldType[] = ['text', 'longText', 'formula', 'email', 'integer', 'autonumber', 'date', 'select'];
const leading: readonly FieldType[] = ['relation', 'relations', 'inverse'];

/** Ids of what the options name. */
function references(type: FieldType, given: FieldOptions, around: Surroundings, faults: Faults): Partial<FieldOptions> {
  const found: { -readonly [K in keyof FieldOptions]?: FieldOptions[K] } = {};
  // Kept by id, so that fields may be renamed; what names none is found when the formula is read.
  if (type === 'formula' && given.formula !== undefined) found.formula = withIds(given.formula, around.all);
  if (type === 'button') {
    if (given.label !== undefined) found.label = withIds(given.label, around.all, true);
    if (given.url !== undefined) found.url = withIds(given.url, around.all, true);
  }
  if (type === 'slug' && given.from !== undefined) {
    const from = around.own(given.from);
    if (!from) faults.add('from', 'unknown');
    else if (!isOneOf(from.type, slugSources)) faults.add('from', 'wrong_type');
    else found.from = from.id;
  }
  if ((type === 'relation' || type === 'relations') && given.to !== undefined) {
    const to = around.tableIdOf(given.to);
    if (to === null) faults.add('to', 'unknown');
    else found.to = to;
  }
  if (type === 'inverse' && given.of !== undefined) {
    const relation = relationNamed(given.of, around)?.field;
    if (!relation) faults.add('of', 'unknown');
    else if (!isOneOf(relation.type, ['relation', 'relations']) || around.tableIdOf(relation.options.to ?? '') !== around.tableId)
      faults.add('of', 'wrong_type');
    else if ((around.inverseOf(relation.id)?.id ?? around.self) !== around.self) faults.add('of', 'taken');
    else found.of = relation.id;
  }
  if ((type === 'lookup' || type === 'rollup') && given.relation !== undefined) {
    const relation = around.own(given.relation);
    const there = relation ? tableThere(relation, around) : null;
    if (!relation) faults.add('relation', 'unknown');
    else if (!isOneOf(relation.type, leading) || there === null) faults.add('relation', 'wrong_type');
    else {
      found.relation = relation.id;
      const target = given.target === undefined ? null : around.fieldOf(there, given.target);
      if (target) found.target = target.id;
      else if (given.target !== undefined) faults.add('target', 'unknown');
      else if (type === 'rollup' && given.how !== undefined && given.how !== 'count') faults.add('target', 'required');
      if (target && (target.id === around.self || isOneOf(target.type, ['password', 'button']))) faults.add('target', 'wrong_type');
    }
  }
  return found;
}

function relationNamed(ref: string, around: Surroundings): { readonly tableId: string; readonly field: Candidate } | null {
  const [table = '', name] = ref.split('.');
  if (name === undefined) {
    const own = around.own(ref);
    return around.fieldById(ref) ?? (own && { tableId: around.tableId, field: own });
  }
  const tableId = around.tableIdOf(table);
  const field = tableId === null ? null : around.fieldOf(tableId, name);
  return tableId !== null && field ? { tableId, field } : null;
}

/** The table that a relation or inverse leads to. */
function tableThere(relation: Candidate, around: Surroundings): string | null {
  if (relation.type === 'inverse') return relation.options.of === undefined ? null : (relationNamed(relation.options.of, around)?.tableId ?? null);
  return around.tableIdOf(relation.options.to ?? '');
}
