import type { Locale } from '../../../../http/access';
import type { ConversionUse } from '../../../../../contract/tables/conversion';
import type { RecordFilter } from '../../../../../contract/tables/recordFilter';
import { canBeIndexed, canBeUnique, columnOf, isLocalizable, isSearchable, kindOf, opsOf } from '../../../../../contract/tables/terms';
import type { FieldType, ValueKind } from '../../../../../contract/tables/terms';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import type { Reader } from '../../core/access';
import { checkDefault } from '../defaults';
import { DefinitionErrors } from '../definitionErrors';
import { canName } from '../names';
import { usageOf } from '../usage';
import type { Db } from '../../core/ddl';
import { tryComputed } from '../../core/formula/shapes';
import { visibleQuery } from '../../core/viewQuery';
import type { FieldModel, SiteModel, TableModel } from '../../core/model';
import { viewsOf } from '../queries';
import type { ViewQuery } from '../../../../../contract/tables/views';
import type { ConversionSpec, ConvertedPart } from '../../core/schema';
import { convertValue } from '../../core/values/convert';
import { sideOf } from './pass';

/** The field after a conversion. */
export type Goal = { readonly type: FieldType; readonly options: FieldOptions };

/** Whether a filter on a field keeps its meaning: the same kind of value, or an operator that every kind supports. */
function stillHolds(filter: RecordFilter, field: FieldModel, kind: ValueKind): boolean {
  if ('and' in filter) return filter.and.every((one) => stillHolds(one, field, kind));
  if ('or' in filter) return filter.or.every((one) => stillHolds(one, field, kind));
  if ('not' in filter) return stillHolds(filter.not, field, kind);
  const names = new Set([field.id, field.key, ...field.aliases]);
  if (!names.has(filter.field)) return true;
  if (filter.op === 'empty' || filter.op === 'notEmpty') return true;
  // Texts cannot equal the id of a choice or record.
  const plain = field.type !== 'select' && field.type !== 'multiSelect';
  return kind === field.yields && plain && opsOf[kind].includes(filter.op);
}

const mirrorsOf = (model: SiteModel, field: FieldModel): { readonly table: TableModel; readonly field: FieldModel }[] =>
  [...model.fieldById.values()].filter((one) => one.field.type === 'inverse' && one.field.options.of === field.id);
const isLink = (type: FieldType): boolean => type === 'relation' || type === 'relations';

/** A model with the field in its new form. */
function modelWith(model: SiteModel, tableId: string, field: FieldModel): SiteModel {
  const change = (one: TableModel): TableModel =>
    one.id === tableId
      ? {
          ...one,
          fields: one.fields.map((other) => (other.id === field.id ? field : other)),
          byName: new Map([...one.byName].map(([name, other]) => [name, other.id === field.id ? field : other])),
        }
      : one;
  const fieldById = new Map([...model.fieldById].map(([id, one]) => [id, { table: change(one.table), field: id === field.id ? field : one.field }]));
  return { ...model, tables: model.tables.map(change), byName: new Map([...model.byName].map(([name, one]) => [name, change(one)])), fieldById };
}

const keepsMirrors = (field: FieldModel, goal: Goal): boolean => isLink(field.type) && isLink(goal.type) && field.options.to === goal.options.to;

/** The default in the new type, or null if it does not fit. */
function defaultAs(field: FieldModel, goal: Goal, unique: boolean, timeZone: string): ConvertedPart['default'] {
  const currentDefault = field.default;
  const from = sideOf(field);
  if (currentDefault === null || !from) return null;
  let next: ConvertedPart['default'] = currentDefault;
  if (currentDefault.kind === 'value') {
    const outcome = convertValue(from, goal, currentDefault.value, { timeZone, names: {}, find: () => null }, null);
    if (outcome.kind === 'failing' || outcome.value === null) return null;
    next = { kind: 'value', value: outcome.value };
  }
  const errors = new DefinitionErrors();
  checkDefault({ ...goal, unique }, next, errors);
  try {
    errors.throwIfAny();
    return next;
  } catch {
    return null;
  }
}

/** The field's other properties, as far as the new type supports them. */
export function partsAs(field: FieldModel, goal: Goal, keepUnique: boolean, timeZone: string): ConvertedPart {
  const isUnique = field.isUnique && keepUnique && canBeUnique(goal.type);
  const holds = (filter: RecordFilter): boolean => stillHolds(filter, field, kindOf(goal.type));
  return {
    type: goal.type,
    options: goal.options,
    isUnique,
    indexed: field.indexed && canBeIndexed(goal.type),
    localized: field.localized && isLocalizable(goal.type),
    searchable: isSearchable(goal.type) && !field.sensitive && (field.searchable || !isSearchable(field.type)),
    default: defaultAs(field, goal, isUnique, timeZone),
    rules: field.rules.filter((rule) => holds(rule.filter)),
    conditions: field.conditions.filter((condition) => holds(condition.filter)),
  };
}
export const partsNow = (field: FieldModel): ConvertedPart => ({
  type: field.type,
  options: field.options,
  isUnique: field.isUnique,
  indexed: field.indexed,
  localized: field.localized,
  searchable: field.searchable,
  default: field.default,
  rules: field.rules,
  conditions: field.conditions,
});

/** Rules and conditions of other fields that use this one, without those that would change their meaning. */
export function othersAs(
  table: TableModel,
  field: FieldModel,
  goal: Goal,
): { readonly id: string; readonly before: ConversionSpec['others'][string]; readonly after: ConversionSpec['others'][string] }[] {
  const holds = (filter: RecordFilter): boolean => stillHolds(filter, field, kindOf(goal.type));
  return table.fields.flatMap((other) => {
    if (other.id === field.id) return [];
    const after = { rules: other.rules.filter((rule) => holds(rule.filter)), conditions: other.conditions.filter((one) => holds(one.filter)) };
    const same = after.rules.length === other.rules.length && after.conditions.length === other.conditions.length;
    return same ? [] : [{ id: other.id, before: { rules: other.rules, conditions: other.conditions }, after }];
  });
}

/** Whether a role's row filter uses the field in a way that the new type does not support: a conversion must not expose records. */
export const rightsBreak = (model: SiteModel, table: TableModel, field: FieldModel, goal: Goal): boolean =>
  [table, ...model.tables.filter((one) => one.id !== table.id)].some((home) =>
    home.rules.some(
      (rule) =>
        rule.filter !== null && JSON.stringify(rule.filter).includes(field.id) && !(home.id === table.id && stillHolds(rule.filter, field, kindOf(goal.type))),
    ),
  ) || table.rules.some((rule) => rule.filter !== null && !stillHolds(rule.filter, field, kindOf(goal.type)));
/** A field that names records must still be able to. */
export const namesRecords = (table: TableModel, field: FieldModel, goal: Goal): boolean => table.primaryField !== field.id || canName(goal.type);
export const losesMirrors = (model: SiteModel, field: FieldModel, goal: Goal): { readonly table: TableModel; readonly field: FieldModel }[] =>
  keepsMirrors(field, goal) ? [] : mirrorsOf(model, field);

/** What uses a field, and what would happen to it. */
export async function usesOf(
  db: Db,
  model: SiteModel,
  table: TableModel,
  field: FieldModel,
  goal: Goal,
  next: ConvertedPart,
  reader: Reader,
  locale: Locale,
): Promise<ConversionUse[]> {
  const found: ConversionUse[] = [];
  const after = modelWith(model, table.id, { ...field, ...goal, yields: kindOf(goal.type), problem: null });
  const there = after.tables.find((one) => one.id === table.id) ?? table;
  const views = new Map((await viewsOf(db, table.id, reader.userId)).map((view) => [view.id, view.query as ViewQuery]));
  const lostRules = new Set(othersAs(table, field, goal).map((one) => one.id));
  for (const use of await usageOf(db, model, table, field, reader, locale)) {
    const add = (effect: ConversionUse['effect']): void => void found.push({ ...use, effect });
    const other = model.fieldById.get(use.id);
    if (use.kind === 'view') {
      const query = views.get(use.id);
      const whole = !query || JSON.stringify(visibleQuery(model, table, query, reader)) === JSON.stringify(visibleQuery(after, there, query, reader));
      add(whole && (!query?.filter || stillHolds(query.filter, field, kindOf(goal.type))) ? 'keeps' : 'changes');
    } else if (use.kind === 'formula' || use.kind === 'lookup') {
      const home = other && after.tables.find((one) => one.id === other.table.id);
      const broken = other && home ? tryComputed(after, home, other.field).error !== null : false;
      add(broken ? 'breaks' : 'keeps');
    } else if (use.kind === 'relation') add(keepsMirrors(field, goal) ? 'keeps' : 'lost');
    else if (use.kind === 'rule') add(lostRules.has(use.id) ? 'lost' : 'keeps');
    // Conversions that would break an access rule are refused earlier.
    else if (use.kind === 'right') add('keeps');
    else add(columnOf[goal.type] === 'text' || columnOf[goal.type] === 'bigint' ? 'keeps' : 'changes');
  }
  const own = (kind: ConversionUse['kind'], effect: ConversionUse['effect']): void =>
    void found.push({ kind, id: field.id, name: field.title, tableId: table.id, effect });
  if (field.isUnique) own('unique', next.isUnique ? 'keeps' : 'lost');
  if (field.indexed) own('index', next.indexed ? 'keeps' : 'lost');
  if (field.default !== null)
    own('default', next.default === null ? 'lost' : JSON.stringify(next.default) === JSON.stringify(field.default) ? 'keeps' : 'changes');
  if (field.rules.length + field.conditions.length > 0)
    own('validation', next.rules.length + next.conditions.length < field.rules.length + field.conditions.length ? 'lost' : 'keeps');
  if (field.localized) own('translations', next.localized ? 'keeps' : 'lost');
  if (field.searchable) own('search', next.searchable ? 'keeps' : 'lost');
  return found;
}
