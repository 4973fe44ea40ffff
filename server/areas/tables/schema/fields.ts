import type { z } from 'zod';
import { isSearchable, tableLimits } from '../../../../contract/tables/terms';
import { FieldInput } from '../../../../contract/tables/schemas';
import type { FieldChange } from '../../../../contract/tables/schemas';
import { fail } from '../../../http/failure';
import { addFields, hasValues, lockTable } from '../core/ddl';
import type { FieldModel, FieldRecord, SiteModel, TableModel } from '../core/model';
import { contentFields } from '../core/schema';
import { holdWriters } from '../core/write/choiceRows';
import { choiceCounts, scrub } from './choices/rows';
import { checkDefault } from './defaults';
import type { Design } from './design';
import { DefinitionErrors } from './definitionErrors';
import { resolveFilters } from './filters';
import { storedField } from './kinds';
import { freeKey, namesIn } from './keys';
import { resolveOptions } from './options';
import { checkFlags, checkKey, checkTitle, prepareFields, refuseProblems, surroundings } from './prepare';
import type { Home, Input, NewField } from './prepare';
import * as queries from './queries';
import { makeColumnSpace } from './columnSpace';
import { nameField } from './names';

/** Inserts metadata and storage of fields prepared by `prepareFields`. */
export async function insertFields(design: Design, table: Pick<TableModel, 'id' | 'drafts'>, fields: readonly NewField[]): Promise<void> {
  if (fields.length === 0) return;
  await lockTable(design.tx, table.id);
  await makeColumnSpace(design, table.id, fields.length);
  await design.tx.insert(contentFields).values([...fields]);
  await addFields(design.tx, design.siteId, { id: table.id, published: table.drafts }, fields.map(storedField), design.collation);
  const numbers = fields.filter((field) => field.type === 'autonumber').map((field) => field.id);
  if (numbers.length > 0) await queries.addPending(design.tx, table.id, { numbers });
  design.forget();
}

export const nextPosition = (table: { readonly fields: readonly { position: number }[]; readonly deletedFields: readonly { position: number }[] }): number =>
  Math.max(-1, ...[...table.fields, ...table.deletedFields].map((field) => field.position)) + 1;

/** Adds a field, and its inverse in the other table if `inverseTitle` is set. */
export async function addField(design: Design, table: TableModel, input: Input): Promise<NewField> {
  const model = await design.model();
  const errors = new DefinitionErrors();
  const [field] = prepareFields(model, table, [input], nextPosition(table), errors, () => '');
  if (!field) throw new Error('no field was prepared');
  const inverse = prepareInverse(model, { ...table, position: nextPosition(table) + 1 }, field, input.inverseTitle, errors);
  errors.throwIfAny();
  await insertFields(design, table, [field]);
  await logAdded(design, table.id, field);
  if (inverse) {
    await insertFields(design, inverse.table, [inverse.field]);
    await logAdded(design, inverse.table.id, inverse.field);
  }
  await refuseProblems(design, [field], () => '');
  if (table.primaryField === null && nameField([field]) !== null) await queries.setTable(design.tx, table.id, { primaryField: field.id });
  design.forget();
  return field;
}
export const logAdded = (design: Design, tableId: string, { id, key, type, title }: NewField): Promise<void> =>
  design.log({ tableId, fieldId: id, op: 'field_added', name: title, after: { key, type, title } });

/** The inverse of a new relation. `position`: its position if both are in one table. */
export function prepareInverse(
  model: SiteModel,
  home: Home & { readonly drafts: boolean; readonly position: number },
  relation: NewField,
  title: string | undefined,
  errors: DefinitionErrors,
): { readonly table: Pick<TableModel, 'id' | 'drafts'>; readonly field: NewField } | null {
  if (title === undefined) return null;
  if (relation.type !== 'relation' && relation.type !== 'relations') {
    errors.add('inverseTitle', 'wrong_type');
    return null;
  }
  const { to } = relation.options;
  const other = to === undefined ? undefined : model.byName.get(to);
  const table = to === home.id ? home : other;
  if (!table) return null;
  const beside = [...table.fields, ...(table === home ? [{ ...relation, aliases: [] }] : [])];
  if (beside.length >= tableLimits.fields) errors.add('inverseTitle', 'too_long', { max: tableLimits.fields });
  checkTitle(title, beside, errors, 'inverseTitle');
  // `of` is set afterwards, because the relation does not exist yet. Errors of the inverse would mean nothing to the caller.
  const input = FieldInput.parse({ type: 'inverse', title });
  const position = table === home || !other ? home.position : nextPosition(other);
  const [field] = prepareFields(model, { ...table, fields: beside }, [input], position, new DefinitionErrors(), () => '');
  return field ? { table, field: { ...field, options: { of: relation.id } } } : null;
}

type Change = z.output<typeof FieldChange>;
type Parts = Partial<Pick<FieldRecord, (typeof parts)[number]>>;
const parts = [
  ...(['key', 'aliases', 'title', 'help', 'required', 'localized', 'searchable', 'hidden', 'readonly', 'sensitive'] as const),
  ...(['options', 'rules', 'conditions', 'default'] as const),
] as const;

/** Changes any property of a field except its type. Values of its records stay. */
export async function changeField(design: Design, table: TableModel, field: FieldModel, change: Change): Promise<void> {
  const { dropAliases = [], ...properties } = change;
  const aliases = field.aliases.filter((alias) => !dropAliases.includes(alias) && alias !== properties.key);
  if (properties.key !== undefined && properties.key !== field.key) aliases.push(field.key);
  const next: Parts = { ...withoutUndefined(properties), aliases };
  // The search index does not distinguish readers, so sensitive fields must not be searchable.
  if (properties.sensitive === true && properties.searchable === undefined) next.searchable = false;
  await applyParts(design, table, field, next);
}
const withoutUndefined = (properties: Omit<Change, 'dropAliases'>): Parts =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as Parts;

/** Sets properties of a field; also used to revert changes. Throws `invalid_fields` if they are not possible (any more). */
export async function applyParts(design: Design, table: TableModel, field: FieldModel, properties: Parts): Promise<void> {
  const model = await design.model();
  const errors = new DefinitionErrors();
  const others = table.fields.filter((other) => other.id !== field.id);
  const next = { ...field, ...properties };
  // An alias that another field has taken since is dropped.
  next.aliases = next.aliases.filter((alias) => alias !== next.key && !namesIn(others).has(alias));
  if (next.key !== field.key) checkKey(next.key, namesIn(others), 'field', errors);
  if (next.title !== field.title) checkTitle(next.title, others, errors);
  checkFlags(field.type, { ...next, unique: field.isUnique, searchable: next.searchable }, errors);
  if (properties.options) {
    const own = errors.within('options.');
    next.options = resolveOptions(field.type, properties.options, surroundings(model, table, table.fields, field.id), own);
    // They determine storage: another target makes it another field.
    for (const name of ['to', 'of'] as const) if (next.options[name] !== field.options[name]) own.add(name, 'reserved');
    await refuseUsedChoices(design, table, field, next.options, own);
  }
  if (properties.options || properties.default !== undefined)
    checkDefault({ type: field.type, options: next.options, unique: field.isUnique }, next.default, errors);
  if (properties.rules || properties.conditions) Object.assign(next, resolveFilters(model, table, next, errors));
  errors.throwIfAny();

  const changed = parts.filter((part) => JSON.stringify(next[part]) !== JSON.stringify(field[part]));
  if (changed.length === 0) return;
  const pick = (from: typeof next): Record<string, unknown> => Object.fromEntries(changed.map((part) => [part, from[part]]));
  await queries.setField(design.tx, field.id, pick(next));
  design.forget();
  if (changed.includes('searchable') && (await hasRecords(design, table.id, field))) await queries.addPending(design.tx, table.id, { search: design.revision });
  await design.log({ tableId: table.id, fieldId: field.id, op: 'field_changed', name: next.title, before: pick(field), after: pick(next) });
  if (properties.options) await refuseProblems(design, [next], () => '');
}
/** A choice can be removed only when no record has it (`choices/`): otherwise later changes of such a record would fail. */
async function refuseUsedChoices(design: Design, table: TableModel, field: FieldModel, next: FieldModel['options'], errors: DefinitionErrors): Promise<void> {
  if (field.type !== 'select' && field.type !== 'multiSelect') return;
  const gone = (field.options.choices ?? []).filter(({ id }) => !next.choices?.some((choice) => choice.id === id));
  if (gone.length === 0) return;
  // Otherwise a concurrent writer could still use the choice.
  await holdWriters(design.tx, design.siteId, table);
  const used = await choiceCounts(design.tx, design.siteId, table, field);
  const records = gone.reduce((most, { id }) => Math.max(most, used.get(id) ?? 0), 0);
  if (records > 0) errors.add('choices', 'in_use', { max: records });
  else for (const { id } of gone) await scrub(design.tx, design.siteId, table, field, id);
}
const hasRecords = (design: Design, tableId: string, field: FieldModel): Promise<boolean> => hasValues(design.tx, design.siteId, tableId, field.id);

/** Live fields of the site that depend on this one: inverses of a relation. */
const mirrorsOf = (model: SiteModel, field: FieldModel): { readonly table: TableModel; readonly field: FieldModel }[] =>
  field.type === 'relation' || field.type === 'relations'
    ? [...model.fieldById.values()].filter((one) => one.field.type === 'inverse' && one.field.options.of === field.id)
    : [];

/**
 * Moves a field into the bin; its values are kept for 30 days. The inverse goes with its relation, but a relation stays without its inverse. If the
 * field was the primary field, the next suitable one replaces it.
 */
export async function removeField(design: Design, table: TableModel, field: FieldModel): Promise<void> {
  const mirrors = mirrorsOf(await design.model(), field);
  for (const mirror of mirrors) await binField(design, mirror.table, mirror.field, {});
  await binField(
    design,
    table,
    field,
    mirrors.length > 0 ? { $with: mirrors.map((mirror) => mirror.field.id) } : {},
    mirrors.map((mirror) => mirror.field.id),
  );
}

export async function binField(
  design: Design,
  table: TableModel,
  field: FieldModel,
  besides: Record<string, unknown>,
  gone: readonly string[] = [],
): Promise<void> {
  const primary = table.primaryField === field.id;
  await queries.setField(design.tx, field.id, { deletedAt: design.at });
  if (primary)
    await queries.setTable(design.tx, table.id, { primaryField: nameField(table.fields.filter((other) => other.id !== field.id && !gone.includes(other.id))) });
  if (field.searchable && isSearchable(field.type) && (await hasRecords(design, table.id, field)))
    await queries.addPending(design.tx, table.id, { search: design.revision });
  const { key, type, title } = field;
  const before = { key, type, title, ...besides, ...(primary ? { $primary: true } : {}) };
  await design.log({ tableId: table.id, fieldId: field.id, op: 'field_removed', name: field.title, before });
}

/**
 * Restores a field from the bin, with its values and the inverses that went with it. A key that has been taken since is replaced. Throws `conflict` if
 * its target is gone.
 */
export async function restoreField(design: Design, table: TableModel, field: FieldModel): Promise<void> {
  const model = await design.model();
  if (table.fields.length >= tableLimits.fields) fail('invalid_fields', { fields: { fields: { code: 'too_long', max: tableLimits.fields } } });
  const { to, of } = field.options;
  const leads = field.type === 'inverse' ? of !== undefined && model.fieldById.has(of) : to === undefined || model.byName.has(to);
  if (!leads) fail('conflict');
  if (field.type === 'inverse' && [...model.fieldById.values()].some((other) => other.field.type === 'inverse' && other.field.options.of === of))
    fail('conflict');
  const usedNames = namesIn(table.fields);
  const key = usedNames.has(field.key) ? freeKey(field.title, usedNames, 'field') : field.key;
  const aliases = field.aliases.filter((alias) => !usedNames.has(alias));
  await queries.setField(design.tx, field.id, { deletedAt: null, key, aliases });
  const removal = await queries.lastChange(design.tx, table.id, 'field_removed', field.id);
  if (removal?.before['$primary'] === true || (table.primaryField === null && nameField([field]) !== null))
    await queries.setTable(design.tx, table.id, { primaryField: field.id });
  if (field.searchable && isSearchable(field.type) && (await hasRecords(design, table.id, field)))
    await queries.addPending(design.tx, table.id, { search: design.revision });
  await design.log({ tableId: table.id, fieldId: field.id, op: 'field_restored', name: field.title, after: { key, type: field.type, title: field.title } });
  const mirrors = removal?.before['$with'];
  if (!Array.isArray(mirrors)) return;
  for (const id of mirrors as unknown[]) {
    const home = (await design.model()).tables.find((one) => one.deletedFields.some((other) => other.id === id));
    const mirror = home?.deletedFields.find((other) => other.id === id);
    if (home && mirror) await restoreField(design, home, mirror);
  }
}

/** Sets the field order; fields missing from `ids` follow in their previous order. */
export async function orderFields(design: Design, table: TableModel, ids: readonly string[]): Promise<void> {
  const errors = new DefinitionErrors();
  for (const [i, id] of ids.entries()) {
    if (ids.indexOf(id) !== i) errors.add(`fields.${i}`, 'duplicate');
    else if (!table.fields.some((field) => field.id === id)) errors.add(`fields.${i}`, 'unknown');
  }
  errors.throwIfAny();
  await applyOrder(design, table, ids);
}
export async function applyOrder(design: Design, table: TableModel, ids: readonly string[]): Promise<void> {
  const before = table.fields.map((field) => field.id);
  const after = [...ids.filter((id) => before.includes(id)), ...before.filter((id) => !ids.includes(id))];
  if (after.join() === before.join()) return;
  await queries.setPositions(design.tx, table.id, [...after, ...table.deletedFields.map((field) => field.id)]);
  await design.log({ tableId: table.id, op: 'fields_ordered', name: table.title, before: { order: before }, after: { order: after }, fields: table.fields });
}
