import type { z } from 'zod';
import { LocaleTag, tableLimits } from '../../../../contract/tableTerms';
import type { FieldType } from '../../../../contract/tableTerms';
import { FieldInput } from '../../../../contract/tables';
import type { TableInput } from '../../../../contract/tables';
import { createTable, insertOnly, lockTable, makeSchema } from '../ddl';
import { newTableId } from '../ids';
import { contentFields, contentTables } from '../schema';
import type { Design } from './design';
import { Faults } from './faults';
import { prepareInverse } from './fields';
import { storedField } from './kinds';
import { freeKey, namesIn } from './keys';
import { checkKey, prepareFields } from './prepare';
import type { NewField } from './prepare';

type Input = z.output<typeof TableInput>;

/** Types whose value can be the name of a record, best first. */
const names: readonly FieldType[] = [
  'text',
  'longText',
  'slug',
  'email',
  'phone',
  'url',
  'formula',
  'autonumber',
  'integer',
  'number',
  'select',
  'date',
  'datetime',
];
export const canName = (type: FieldType): boolean => [...names, 'currency', 'percent'].includes(type);
/** The first text-like field, or the next best. */
export const nameField = (fields: readonly { readonly id: string; readonly type: FieldType }[]): string | null => {
  const texts: readonly FieldType[] = ['text', 'longText', 'email', 'phone', 'url'];
  return (fields.find((field) => texts.includes(field.type)) ?? names.flatMap((type) => fields.find((field) => field.type === type) ?? [])[0])?.id ?? null;
};

/** Of the site, as a language of values: the script alone says nothing about the country. */
export const firstLocale = (lang: string): string => {
  const tag = lang === 'zh-Hans' ? 'zh-CN' : lang === 'zh-Hant' ? 'zh-TW' : lang;
  return LocaleTag.safeParse(tag).success ? tag : 'zh-CN';
};

/** Makes a table with its fields. Returns its id. */
export async function addTable(design: Design, input: Input): Promise<string> {
  const model = await design.model();
  const faults = new Faults();
  if (model.tables.length >= tableLimits.tables) faults.add('tables', 'too_long', { max: tableLimits.tables });
  const taken = namesIn(model.tables);
  const key = input.key ?? freeKey(input.title, taken, 'table');
  checkKey(key, taken, 'table', faults);
  const locales = input.locales ?? [firstLocale(design.lang)];
  if (new Set(locales).size < locales.length) faults.add('locales', 'duplicate');
  const inputs = input.fields.length > 0 ? input.fields : [FieldInput.parse({ type: 'text', title: design.locale === 'en' ? 'Name' : '名称', key: 'name' })];
  const home = { id: newTableId(), key, aliases: [], fields: [], deletedFields: [], drafts: input.drafts };
  const fields = prepareFields(model, home, inputs, 0, faults, (i) => `fields.${i}.`);
  const inverses = fields.flatMap((field, i) => prepareInverse(model, home, field, inputs[i]?.inverseTitle, faults.within(`fields.${i}.`)) ?? []);
  faults.settle();

  const own = [...fields, ...inverses.filter(({ table }) => table.id === home.id).map(({ field }, i) => ({ ...field, position: fields.length + i }))];
  await makeSchema(design.tx, design.siteId);
  await design.tx.insert(contentTables).values({
    id: home.id,
    siteId: design.siteId,
    key,
    title: input.title,
    icon: input.icon,
    note: input.note,
    kind: input.kind,
    primaryField: nameField(fields),
    drafts: input.drafts,
    locales: [...locales],
    position: Math.max(-1, ...[...model.tables, ...model.deletedTables].map((table) => table.position)) + 1,
    revision: 0,
    createdBy: design.userId,
    createdAt: design.at,
  });
  await insertTableFields(design, { id: home.id, drafts: input.drafts }, own);
  if (input.kind === 'singleton') await insertOnly(design.tx, design.siteId, home.id, design);
  await design.log({ tableId: home.id, op: 'table_added', name: input.title, after: { key, kind: input.kind, fields: own.length } }, 'table.added');
  for (const { table, field } of inverses) {
    if (table.id === home.id) continue;
    await lockTable(design.tx, table.id);
    await design.tx.insert(contentFields).values(field);
    await design.log({ tableId: table.id, fieldId: field.id, op: 'field_added', name: field.title, after: { key: field.key, type: field.type } });
  }
  design.forget();
  return home.id;
}

/** Fields of a table whose storage does not exist yet. */
export async function insertTableFields(design: Design, table: { readonly id: string; readonly drafts: boolean }, fields: readonly NewField[]): Promise<void> {
  await lockTable(design.tx, table.id);
  if (fields.length > 0) await design.tx.insert(contentFields).values([...fields]);
  await createTable(design.tx, design.siteId, { id: table.id, published: table.drafts }, fields.map(storedField), design.collation);
}
