import type { FieldCode } from '../../../../../contract/errors';
import type { RecordFilter } from '../../../../../contract/tables/recordFilter';
import type { FieldFault } from '../../../../http/failure';
import { fail } from '../../../../http/failure';
import { grantOf } from '../access';
import type { Grant } from '../access';
import { newRecordId } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { hashPassword } from '../../../session';
import { defaultOf, isWritable, unchanged, valueOf } from '../values/check';
import { ValueFault } from '../values/faults';
import { Hashed } from './passwords';
import type { Row } from './rows';
import type { TableContext } from '../tableContext';
import type { Change, WriteOptions, WriteTx } from './types';

export type ValuesChange = Extract<Change, { readonly values: unknown }>;
/** One record of a write, on its way. */
export type Item = {
  /** Among the changes of the batch. */
  readonly at: number;
  readonly change: ValuesChange;
  readonly id: string;
  readonly system: boolean;
  /** What fields are called in faults: as the caller wrote them. */
  readonly names: Map<string, string>;
  /** By key (`f_…`, `f_…@en`). */
  readonly set: Map<string, unknown>;
  readonly faults: Map<string, FieldFault>;
  row: Row | null;
};

/** What people write by hand; programs (tokens, imports, undoing) may write fields that are read-only for people. */
const byHand = new Set<WriteOptions['door']>(['console', 'paste', 'bulk', 'form']);

/** Bytes of a text that an index holds: PostgreSQL takes a third of a page, of which some is for the place of the record. */
const mostIndexed = 2500;

export const nameIn = (item: Item, field: FieldModel): string => item.names.get(field.id) ?? (usesIds(item) ? field.id : field.key);
const usesIds = (item: Item): boolean => {
  const [first] = Object.keys(item.change.values);
  return first?.startsWith('f_') === true && first.length === 14;
};
export const fault = (item: Item, field: FieldModel | null, code: FieldCode | FieldFault, part = ''): undefined => {
  const name = field === null ? '' : nameIn(item, field);
  const path = part === '' ? name : `${name}.${part}`;
  if (!item.faults.has(path)) item.faults.set(path, typeof code === 'string' ? { code } : code);
};

/** The language whose translations a call writes; null: the table's own values. */
export function otherLocale(table: TableModel, locale: string | undefined): string | null {
  if (locale === undefined || locale === table.locales[0]) return null;
  return table.locales.includes(locale) ? locale : fail('invalid_fields', { fields: { locale: { code: 'unknown' } } });
}

/** Names resolved, rights on fields asked, values checked as far as that needs no database, defaults filled in. */
export async function makeItems(
  w: WriteTx,
  context: TableContext,
  table: TableModel,
  changes: readonly { readonly at: number; readonly change: ValuesChange }[],
  options: WriteOptions,
): Promise<Item[]> {
  const locale = otherLocale(table, options.locale);
  const read = grantOf(table, context.reader, 'read');
  const items: Item[] = [];
  for (const { at, change } of changes) {
    const system = change.system ?? false;
    const item: Item = {
      at,
      change,
      id: change.id ?? newRecordId(w.now.getTime()),
      system,
      names: new Map(),
      set: new Map(),
      faults: new Map(),
      row: null,
    };
    const grant = grantOf(table, context.reader, change.kind);
    for (const name of Object.keys(change.values)) {
      const hashing = take(context, table, item, { name, raw: change.values[name], grant, read, locale, door: options.door });
      // Nearly nothing has to be waited for, and waiting for each of a thousand records' values is most of the work on them.
      if (hashing) await hashing;
    }
    if (change.kind === 'create') fillDefaults(w, context, table, item);
    items.push(item);
  }
  return items;
}

type Given = {
  readonly name: string;
  readonly raw: unknown;
  readonly grant: Grant;
  readonly read: Grant;
  readonly locale: string | null;
  readonly door: WriteOptions['door'];
};

/** One value; what it returns is to be waited for. */
function take({ model }: TableContext, table: TableModel, item: Item, { name, raw, grant, read, locale, door }: Given): Promise<void> | undefined {
  const field = table.byName.get(name);
  if (!field || !(item.system || read.covers(field))) {
    item.faults.set(name, { code: 'unknown_field' });
    return undefined;
  }
  // The same field by two of its names.
  if (item.names.has(field.id)) return fault(item, field, 'duplicate');
  item.names.set(field.id, name);
  const mayWrite = item.system || (grant.covers(field) && !(field.readonly && byHand.has(door)));
  if (!isWritable(model, field) || !mayWrite) return fault(item, field, 'readonly');
  try {
    const value = valueOf(field, raw instanceof Hashed ? raw.text : raw);
    if (value === unchanged) return undefined;
    const translates = locale !== null && field.localized;
    const isIndexed = (field.isUnique || field.indexed) && !translates;
    if (isIndexed && typeof value === 'string' && Buffer.byteLength(value) > mostIndexed) return fault(item, field, 'too_long');
    const key = translates ? `${field.id}@${locale}` : field.id;
    if (field.type === 'password' && !(raw instanceof Hashed) && typeof value === 'string')
      return hashPassword(value).then((hash) => void item.set.set(key, hash));
    item.set.set(key, raw instanceof Hashed ? raw.hash : value);
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    fault(item, field, error.fault, error.at);
  }
  return undefined;
}

function fillDefaults(w: WriteTx, { timeZone, reader }: TableContext, table: TableModel, item: Item): void {
  const at = { now: w.now, timeZone, userId: reader.userId, newId: () => newRecordId(w.now.getTime()) };
  for (const field of table.fields) {
    if (field.default === null || item.names.has(field.id)) continue;
    try {
      const raw = defaultOf(field, at);
      const value = raw === unchanged ? unchanged : valueOf(field, raw);
      if (value !== unchanged && value !== null) item.set.set(field.id, value);
    } catch (error) {
      // A choice that is not there any more is no reason to make no records.
      if (!(error instanceof ValueFault)) throw error;
    }
  }
}

/** Names of fields that a filter asks about. */
export function namesIn(filter: RecordFilter): string[] {
  if ('and' in filter) return filter.and.flatMap(namesIn);
  if ('or' in filter) return filter.or.flatMap(namesIn);
  return 'not' in filter ? namesIn(filter.not) : [filter.field];
}
/** Stored fields on which rules and conditions of a table depend, and which must be filled in. */
export function judgedFields(table: TableModel): FieldModel[] {
  const filters = table.fields.flatMap((field) => [...field.rules, ...field.conditions].map((one) => one.filter));
  const named = filters.flatMap(namesIn).flatMap((name) => table.byName.get(name) ?? []);
  return [...new Set([...named, ...table.fields.filter((field) => field.required || field.rules.length > 0 || field.conditions.length > 0)])];
}
