import type { z } from 'zod';
import { tableLimits } from '../../../../contract/tables/terms';
import { LocaleTag } from '../../../../contract/text';
import { FieldInput } from '../../../../contract/tables/schemas';
import type { TableChange, TableInput } from '../../../../contract/tables/schemas';
import { fail } from '../../../http/failure';
import { createPublished, createTable, insertOnly, lockTable, makeSchema, publishAll, unpublishAll } from '../core/ddl';
import { newTableId } from '../core/ids';
import type { SiteModel, TableModel, TableRecord } from '../core/model';
import { contentFields, contentTables } from '../core/schema';
import { canonical } from '../../../kit/canonical';
import type { Design } from './design';
import { DefinitionErrors } from './definitionErrors';
import { binField, insertFields, logAdded, prepareInverse, restoreField } from './fields';
import { storedField } from './kinds';
import { freeKey, namesIn } from './keys';
import { checkLayout, storedLayout } from './layout';
import { canName, nameField } from './names';
import { checkKey, prepareFields, refuseProblems } from './prepare';
import type { NewField } from './prepare';
import * as queries from './queries';
import { draftsOfTemplate, fieldsOfTemplate, localesOfTemplate } from './templates';

type Input = z.output<typeof TableInput>;

/** Language of a new table's values: the site's. */
const firstLocale = (lang: string): string => LocaleTag.safeParse(lang).data ?? 'zh-Hans';

/** Creates a table with the given fields, or those of a template. Returns its id. */
export async function addTable(design: Design, input: Input): Promise<string> {
  const model = await design.model();
  const errors = new DefinitionErrors();
  if (model.tables.length >= tableLimits.tables) errors.add('tables', 'too_long', { max: tableLimits.tables });
  const usedNames = namesIn(model.tables);
  const key = input.key ?? freeKey(input.title, usedNames, 'table');
  checkKey(key, usedNames, 'table', errors);
  const first = firstLocale(design.lang);
  const locales = input.locales ?? (input.template ? localesOfTemplate(first) : [first]);
  if (new Set(locales).size < locales.length) errors.add('locales', 'duplicate');
  const drafts = input.drafts ?? (input.template !== undefined && draftsOfTemplate(input.template));
  const requestedFields = input.template && input.fields.length === 0 ? fieldsOfTemplate(input.template, design.locale, key, drafts) : input.fields;
  const inputs =
    requestedFields.length > 0 ? requestedFields : [FieldInput.parse({ type: 'text', title: design.locale === 'en' ? 'Name' : '名称', key: 'name' })];
  const home = { id: newTableId(), key, aliases: [], fields: [], drafts };
  const fields = prepareFields(model, home, inputs, 0, errors, (i) => `fields.${i}.`);
  const inverses = fields.flatMap(
    (field, i) => prepareInverse(model, { ...home, position: inputs.length + i }, field, inputs[i]?.inverseTitle, errors.within(`fields.${i}.`)) ?? [],
  );
  errors.throwIfAny();
  await storeTable(
    design,
    {
      id: home.id,
      siteId: design.siteId,
      key,
      title: input.title,
      icon: input.icon,
      note: input.note,
      kind: input.kind,
      primaryField: nameField(fields),
      drafts,
      locales: [...locales],
    },
    [...fields, ...inverses.filter(({ table }) => table.id === home.id).map(({ field }) => field)],
  );
  for (const { table, field } of inverses) {
    if (table.id === home.id) continue;
    await insertFields(design, table, [field]);
    await logAdded(design, table.id, field);
  }
  await refuseProblems(design, fields, (i) => `fields.${i}.`);
  return home.id;
}

type NewTable = Omit<typeof contentTables.$inferInsert, 'position' | 'createdAt' | 'createdBy' | 'revision'>;
/** Metadata and storage of a new table, and the only record of a singleton unless `empty`. */
export async function storeTable(design: Design, table: NewTable, fields: readonly NewField[], empty = false): Promise<void> {
  const model = await design.model();
  await makeSchema(design.tx, design.siteId);
  await design.tx.insert(contentTables).values({
    ...table,
    position: Math.max(-1, ...[...model.tables, ...model.deletedTables].map((other) => other.position)) + 1,
    revision: 0,
    createdBy: design.userId,
    createdAt: design.at,
  });
  await lockTable(design.tx, table.id);
  if (fields.length > 0) await design.tx.insert(contentFields).values([...fields]);
  await createTable(design.tx, design.siteId, { id: table.id, published: table.drafts }, fields.map(storedField), design.collation);
  if (table.kind === 'singleton' && !empty) await insertOnly(design.tx, design.siteId, table.id, design);
  const after = { key: table.key, title: table.title, kind: table.kind, fields: fields.length };
  await design.log({ tableId: table.id, op: 'table_added', name: table.title, after }, 'table.added');
}

/** Puts a table before all others of its site: the tables screen opens it first. */
export async function putFirst(design: Design, id: string): Promise<void> {
  const { tables } = await design.model();
  await queries.setTable(design.tx, id, { position: Math.min(0, ...tables.map(({ position }) => position)) - 1 });
}

const parts = ['key', 'aliases', 'title', 'icon', 'note', 'primaryField', 'drafts', 'locales', 'pages', 'trashDays', 'layout'] as const;
type Parts = Partial<Pick<TableRecord, (typeof parts)[number]>>;

export async function changeTable(design: Design, table: TableModel, { dropAliases = [], ...properties }: z.output<typeof TableChange>): Promise<void> {
  const aliases = table.aliases.filter((alias) => !dropAliases.includes(alias) && alias !== properties.key);
  if (properties.key !== undefined && properties.key !== table.key) aliases.push(table.key);
  if (properties.layout) {
    const errors = new DefinitionErrors();
    checkLayout(properties.layout, idsOf(table.fields), errors.within('layout.'));
    errors.throwIfAny();
  }
  const definedProperties = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as Parts;
  await applyTableParts(design, table, { ...definedProperties, aliases });
}

/** Sets properties of a table; also used to revert changes. */
export async function applyTableParts(design: Design, table: TableModel, properties: Parts): Promise<void> {
  const model = await design.model();
  const next = { ...table, ...properties };
  const usedNames = namesIn(model.tables, table.id);
  next.aliases = next.aliases.filter((alias) => alias !== next.key && !usedNames.has(alias));
  if (properties.layout) next.layout = storedLayout(properties.layout, table.layout, idsOf(table.fields), idsOf(table.deletedFields));
  const changed = parts.filter((part) => canonical(next[part]) !== canonical(table[part]));
  if (changed.length === 0) return;
  checkTableParts(model, table, next, new Set(changed));
  const pick = (from: typeof next): Record<string, unknown> => Object.fromEntries(changed.map((part) => [part, from[part]]));
  await queries.setTable(design.tx, table.id, pick(next));
  if (changed.includes('drafts')) await switchDrafts(design, table, next.drafts);
  await design.log({ tableId: table.id, op: 'table_changed', name: next.title, before: pick(table), after: pick(next), fields: table.fields });
}

const idsOf = (fields: TableModel['fields']): ReadonlySet<string> => new Set(fields.map(({ id }) => id));

function checkTableParts(model: SiteModel, table: TableModel, next: TableModel, changed: ReadonlySet<string>): void {
  const errors = new DefinitionErrors();
  const others = model.tables.filter((other) => other.id !== table.id);
  if (changed.has('key')) checkKey(next.key, namesIn(others), 'table', errors);
  if (changed.has('primaryField') && next.primaryField !== null) {
    const field = table.fields.find((one) => one.id === next.primaryField);
    if (!field) errors.add('primaryField', 'unknown');
    else if (!canName(field.type)) errors.add('primaryField', 'wrong_type');
  }
  if (changed.has('locales')) {
    if (new Set(next.locales).size < next.locales.length) errors.add('locales', 'duplicate');
    // Values of the first language are stored apart from translations: it may be renamed, but not swapped with another.
    const [first = ''] = next.locales;
    if (first !== table.locales[0] && table.locales.includes(first) && table.fields.some((field) => field.localized)) fail('conflict');
  }
  if (changed.has('pages') && next.pages) {
    const { pattern, titleField } = next.pages;
    for (const [, name = ''] of pattern.matchAll(/\{(\w+)\}/g)) if (!table.byName.has(name)) errors.add('pages.pattern', 'unknown');
    if (others.some((other) => other.pages?.pattern === pattern)) errors.add('pages.pattern', 'taken');
    if (titleField !== null && !table.fields.some((field) => field.id === titleField)) errors.add('pages.titleField', 'unknown');
  }
  errors.throwIfAny();
}

async function switchDrafts(design: Design, table: TableModel, on: boolean): Promise<void> {
  const { tx, siteId } = design;
  await lockTable(tx, table.id);
  if (!on) return unpublishAll(tx, siteId, table.id);
  const fields = [...table.fields, ...table.deletedFields].map(storedField);
  await createPublished(tx, siteId, table.id, fields, design.collation);
  await publishAll(tx, siteId, table.id, fields, design.at);
}

/** Moves a table into the bin for 30 days, with relations to it and its inverses in other tables. */
export async function removeTable(design: Design, table: TableModel): Promise<void> {
  const model = await design.model();
  const own = new Set(table.fields.map((field) => field.id));
  const dependants = [...model.fieldById.values()]
    .filter(
      ({ table: other, field }) => other.id !== table.id && (field.options.to === table.id || (field.type === 'inverse' && own.has(field.options.of ?? ''))),
    )
    // Inverses are listed after their relations, so they are restored first.
    .sort((a, b) => Number(a.field.type === 'inverse') - Number(b.field.type === 'inverse'));
  for (const { table: other, field } of dependants) {
    const home = (await design.model()).tables.find((one) => one.id === other.id);
    if (home) await binField(design, home, field, {});
  }
  await queries.setTable(design.tx, table.id, { deletedAt: design.at });
  const before = { key: table.key, title: table.title, ...(dependants.length > 0 ? { $with: dependants.map(({ field }) => field.id) } : {}) };
  await design.log({ tableId: table.id, op: 'table_removed', name: table.title, before }, 'table.removed');
}

/** Restores a table from the bin, with what went with it. A key that another table has taken since is replaced. */
export async function restoreTable(design: Design, table: TableModel): Promise<void> {
  const model = await design.model();
  if (model.tables.length >= tableLimits.tables) fail('invalid_fields', { fields: { tables: { code: 'too_long', max: tableLimits.tables } } });
  const usedNames = namesIn(model.tables);
  const key = usedNames.has(table.key) ? freeKey(table.title, usedNames, 'table') : table.key;
  await queries.setTable(design.tx, table.id, { deletedAt: null, key, aliases: table.aliases.filter((alias) => !usedNames.has(alias)) });
  await design.log({ tableId: table.id, op: 'table_restored', name: table.title, after: { key, title: table.title } }, 'table.restored');
  const removal = await queries.lastChange(design.tx, table.id, 'table_removed', null);
  const ids = removal?.before['$with'];
  if (!Array.isArray(ids)) return;
  for (const id of ids as unknown[]) {
    const now = await design.model();
    const home = now.tables.find((one) => one.deletedFields.some((other) => other.id === id));
    const field = home?.deletedFields.find((other) => other.id === id);
    if (!home || !field) continue;
    // Its target may be gone for another reason.
    const leads = field.type === 'inverse' ? now.fieldById.has(field.options.of ?? '') : now.byName.has(field.options.to ?? '');
    if (leads) await restoreField(design, home, field);
  }
}
