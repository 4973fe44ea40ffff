import { withIds } from '../../../../contract/tables/formula';
import { rightsPart } from '../../../../contract/tables/schemas';
import type { FieldOptions, SchemaDifference } from '../../../../contract/tables/schemas';
import { isComputed } from '../../../../contract/tables/terms';
import { tableLimits } from '../../../../contract/tables/terms';
import { newTableId } from '../core/ids';
import type { FieldRecord, TableModel } from '../core/model';
import type { Design } from './design';
import { DefinitionErrors } from './definitionErrors';
import { applyParts, insertFields, logAdded, nextPosition } from './fields';
import { renamedLayout } from './layout';
import { nameField } from './names';
import { differences } from './portable';
import type { FileField, FileTable } from './portable';
import { prepareFields, refuseProblems } from './prepare';
import type { Input } from './prepare';
import * as queries from './queries';
import { applyPlaces } from './rights';
import { applyTableParts, storeTable } from './tables';

type TableEntry = { readonly table: FileTable; readonly at: number };
type New = { readonly tableKey: string; readonly field: FileField; readonly path: string };

/**
 * Creates what the file has and the site lacks, and changes what differs; removes nothing, changes no type, and leaves indexes of existing fields alone,
 * because building them is a separate operation. `only`: tables (`articles`), fields (`articles.title`) and rules (`articles.$rights`); without it,
 * everything except the rules of existing tables. All or nothing. Returns what was done.
 */
export async function applySchema(design: Design, fileTables: readonly FileTable[], only: readonly string[] | undefined): Promise<SchemaDifference[]> {
  // Rules of an existing table change only if requested explicitly.
  const chosen = (one: SchemaDifference): boolean =>
    only ? only.includes(one.field === null ? one.table : `${one.table}.${one.field}`) : one.field !== rightsPart || one.change === 'add';
  const all = differences(await design.model(), fileTables)
    .filter((one) => (one.change === 'add' || one.change === 'change') && chosen(one))
    .flatMap(withoutIndexes);
  const tables = new Map(fileTables.map((table, at): [string, TableEntry] => [table.key, { table, at }]));
  const added: New[] = [];
  for (const { table: key, field: fieldKey, change } of all) {
    const found = tables.get(key);
    if (!found || change !== 'add') continue;
    if (fieldKey === null) await addBare(design, found);
    for (const [i, field] of found.table.fields.entries())
      if (fieldKey === null || field.key === fieldKey) added.push({ tableKey: key, field, path: `file.tables.${found.at}.fields.${i}.` });
  }
  await addAll(design, added);
  for (const one of all) {
    const found = tables.get(one.table);
    if (found && one.field === null) await settleTable(design, found, one.change === 'add' ? null : Object.keys(one.after));
    else if (found && one.field === rightsPart) await settleRights(design, found, one);
    else if (found && one.change === 'change') await settleField(design, one.table, found.table, one);
  }
  return all;
}

const withoutIndexes = (one: SchemaDifference): SchemaDifference[] => {
  if (one.change !== 'change' || one.field === null) return [one];
  const withoutFlags = (parts: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => name !== 'unique' && name !== 'indexed'));
  const after = withoutFlags(one.after);
  return Object.keys(after).length === 0 ? [] : [{ ...one, before: withoutFlags(one.before), after }];
};

async function addBare(design: Design, { table, at }: TableEntry): Promise<void> {
  const model = await design.model();
  const errors = new DefinitionErrors();
  if (model.tables.length >= tableLimits.tables) errors.add('tables', 'too_long', { max: tableLimits.tables });
  if (model.tables.some((other) => other.aliases.includes(table.key))) errors.add(`file.tables.${at}.key`, 'taken');
  errors.throwIfAny();
  const { key, title, icon, note, kind, drafts, locales, trashDays } = table;
  await storeTable(design, { id: newTableId(), siteId: design.siteId, key, title, icon, note, kind, drafts, locales, trashDays, primaryField: null }, []);
}

const home = async (design: Design, key: string): Promise<TableModel> => design.table(key);
const asIds = (table: TableModel, options: FieldOptions): FieldOptions => {
  // In a file, a name in braces is a key, even if it equals another field's title.
  const named = table.fields.map((field) => ({ ...field, title: field.key }));
  return {
    ...options,
    ...(options.formula === undefined ? {} : { formula: withIds(options.formula, named) }),
    ...(options.label === undefined ? {} : { label: withIds(options.label, named, true) }),
    ...(options.url === undefined ? {} : { url: withIds(options.url, named, true) }),
  };
};

const rank = ({ field: { type } }: New): number =>
  type === 'relation' || type === 'relations' ? 1 : type === 'inverse' ? 2 : isComputed(type) && type !== 'autonumber' ? 3 : 0;
/** Whether a field refers to another one of `others`, by key. */
const speaksOf = ({ field }: New, others: readonly New[]): boolean => {
  const { formula = '', label = '', url = '', relation = '', target = '', from = '' } = field.options;
  const names = new Set([...[formula, label, url].flatMap((text) => [...text.matchAll(/\{([^{}]+)\}/g)].map((found) => found[1])), relation, target, from]);
  return others.some((other) => other.field !== field && names.has(other.field.key));
};

/** Dependencies first: plain fields, relations, inverses, then computed fields, each after those that it refers to. */
async function addAll(design: Design, all: readonly New[]): Promise<void> {
  for (const step of [0, 1, 2, 3]) {
    let left = all.filter((one) => rank(one) === step);
    while (left.length > 0) {
      const ready = step === 3 ? left.filter((one) => !speaksOf(one, left)) : left;
      // A cycle does not stop here: the error of its fields reports it.
      const now = ready.length > 0 ? ready : left;
      for (const key of new Set(now.map((one) => one.tableKey)))
        await addSome(
          design,
          key,
          now.filter((one) => one.tableKey === key),
        );
      left = left.filter((one) => !now.includes(one));
    }
  }
  for (const one of all) {
    if (one.field.rules.length + one.field.conditions.length === 0) continue;
    const table = await home(design, one.tableKey);
    const field = table.byName.get(one.field.key);
    if (field) await applyParts(design, table, field, { rules: one.field.rules, conditions: one.field.conditions });
  }
}
async function addSome(design: Design, tableKey: string, some: readonly New[]): Promise<void> {
  const table = await home(design, tableKey);
  const inputs = some.map(({ field }): Input => ({ ...field, options: asIds(table, field.options), rules: [], conditions: [], inverseTitle: undefined }));
  const errors = new DefinitionErrors();
  const fields = prepareFields(await design.model(), table, inputs, nextPosition(table), errors, (i) => some[i]?.path ?? '');
  errors.throwIfAny();
  await insertFields(design, table, fields);
  for (const field of fields) await logAdded(design, table.id, field);
  await refuseProblems(design, fields, (i) => some[i]?.path ?? '');
}

/** Adds parts of a table that refer to its fields, once these exist. `parts`: null for all. */
async function settleTable(design: Design, { table }: TableEntry, parts: readonly string[] | null): Promise<void> {
  const now = await home(design, table.key);
  const idOf = (key: string | null): string | null => (key === null ? null : (now.byName.get(key)?.id ?? null));
  const all = {
    title: table.title,
    icon: table.icon,
    note: table.note,
    drafts: table.drafts,
    locales: table.locales,
    trashDays: table.trashDays,
    primaryField: idOf(table.primaryField) ?? now.primaryField ?? nameField(now.fields),
    pages: table.pages && { pattern: table.pages.pattern, titleField: idOf(table.pages.titleField) },
    layout: table.layout && renamedLayout(table.layout, idOf),
  };
  await applyTableParts(design, now, Object.fromEntries(Object.entries(all).filter(([name]) => parts === null || parts.includes(name))));
  if (parts !== null) return;
  // Fields were created by kind; restores the order of the file.
  await queries.setPositions(
    design.tx,
    now.id,
    table.fields.flatMap((field) => now.byName.get(field.key)?.id ?? []),
  );
  design.forget();
}
/** Rules that differ; others stay, including those that name people of this site. */
async function settleRights(design: Design, { table: { key }, at }: TableEntry, { after }: SchemaDifference): Promise<void> {
  const table = (await design.model()).byName.get(key);
  if (table) await applyPlaces(design, table, after as Parameters<typeof applyPlaces>[2], `file.tables.${at}.rights.`);
}
async function settleField(design: Design, tableKey: string, fileTable: FileTable, one: SchemaDifference): Promise<void> {
  const table = await home(design, tableKey);
  const field = table.byName.get(one.field ?? '');
  const fileField = fileTable.fields.find((other) => other.key === one.field);
  if (!field || !fileField) return;
  const parts = Object.fromEntries(Object.entries(fileField).filter(([name]) => name in one.after)) as Partial<FieldRecord>;
  await applyParts(design, table, field, { ...parts, ...(parts.options ? { options: asIds(table, parts.options) } : {}) });
}
