import type { FieldCode } from '../../../../../contract/errors';
import type { RecordFilter } from '../../../../../contract/tables/recordFilter';
import type { FieldError } from '../../../../http/failure';
import { fail } from '../../../../http/failure';
import { grantOf } from '../access';
import type { Grant } from '../access';
import { newRecordId } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { defaultOf, isWritable, unchanged, valueOf } from '../values/check';
import { ValueError } from '../values/valueErrors';
import { Hashed } from './passwords';
import type { Row } from './rows';
import type { TableContext } from '../tableContext';
import type { Change, WriteOptions, WriteTx, ChangeErrors } from './types';
import { tableLimits } from '../../../../../contract/tables/terms';
import type { Applied } from './apply';
import { hashPassword } from '../../../../kit/passwords';

export type ValuesChange = Extract<Change, { readonly values: unknown }>;
/** State of one record during a write. */
export type Item = {
  /** Index among the batch's changes. */
  readonly at: number;
  readonly change: ValuesChange;
  readonly id: string;
  readonly system: boolean;
  /** Field names for errors, as the caller wrote them. */
  readonly names: Map<string, string>;
  /** By key (`f_…`, `f_…@en`). */
  readonly set: Map<string, unknown>;
  readonly errors: Map<string, FieldError>;
  row: Row | null;
};

/** Manual origins; programs (tokens, imports, undo) may write fields that are read-only for people. */
const byHand = new Set<WriteOptions['origin']>(['console', 'paste', 'bulk', 'form']);

/** Maximum length of an indexed text in bytes: PostgreSQL allows a third of a page, part of which holds the row reference. */
const mostIndexed = 2500;

export const nameIn = (item: Item, field: FieldModel): string => item.names.get(field.id) ?? (usesIds(item) ? field.id : field.key);
const usesIds = (item: Item): boolean => {
  const [first] = Object.keys(item.change.values);
  return first?.startsWith('f_') === true && first.length === 14;
};
export const addError = (item: Item, field: FieldModel | null, code: FieldCode | FieldError, part = ''): undefined => {
  const name = field === null ? '' : nameIn(item, field);
  const path = part === '' ? name : `${name}.${part}`;
  if (!item.errors.has(path)) item.errors.set(path, typeof code === 'string' ? { code } : code);
};

/** The language whose translations a call writes; null: the table's main values. */
export function otherLocale(table: TableModel, locale: string | undefined): string | null {
  if (locale === undefined || locale === table.locales[0]) return null;
  return table.locales.includes(locale) ? locale : fail('invalid_fields', { fields: { locale: { code: 'unknown' } } });
}

/** Resolves names, checks field permissions, validates values as far as possible without the database, and fills in defaults. */
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
      errors: new Map(),
      row: null,
    };
    const grant = grantOf(table, context.reader, change.kind);
    for (const name of Object.keys(change.values)) {
      const hashing = take(context, table, item, { name, raw: change.values[name], grant, read, locale, origin: options.origin });
      // Awaiting only when needed: awaiting every one of a thousand records would dominate the cost.
      if (hashing) await hashing;
    }
    if (change.kind === 'create') fillDefaults(w, context, table, item);
    items.push(item);
  }
  return items;
}

type RawInput = {
  readonly name: string;
  readonly raw: unknown;
  readonly grant: Grant;
  readonly read: Grant;
  readonly locale: string | null;
  readonly origin: WriteOptions['origin'];
};

/** Sets one value; returns a promise if hashing is needed. */
function take({ model }: TableContext, table: TableModel, item: Item, { name, raw, grant, read, locale, origin }: RawInput): Promise<void> | undefined {
  const field = table.byName.get(name);
  if (!field || !(item.system || read.covers(field))) {
    item.errors.set(name, { code: 'unknown_field' });
    return undefined;
  }
  // The same field under two of its names.
  if (item.names.has(field.id)) return addError(item, field, 'duplicate');
  item.names.set(field.id, name);
  const mayWrite = item.system || (grant.covers(field) && !(field.readonly && byHand.has(origin)));
  if (!isWritable(model, field) || !mayWrite) return addError(item, field, 'readonly');
  try {
    const value = valueOf(field, raw instanceof Hashed ? raw.text : raw);
    if (value === unchanged) return undefined;
    const translates = locale !== null && field.localized;
    const isIndexed = (field.isUnique || field.indexed) && !translates;
    if (isIndexed && typeof value === 'string' && Buffer.byteLength(value) > mostIndexed) return addError(item, field, 'too_long');
    const key = translates ? `${field.id}@${locale}` : field.id;
    if (field.type === 'password' && !(raw instanceof Hashed) && typeof value === 'string')
      return hashPassword(value).then((hash) => void item.set.set(key, hash));
    item.set.set(key, raw instanceof Hashed ? raw.hash : value);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    addError(item, field, error.error, error.at);
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
      // A removed choice must not prevent new records.
      if (!(error instanceof ValueError)) throw error;
    }
  }
}

/** Names of fields that a filter uses. */
export function namesIn(filter: RecordFilter): string[] {
  if ('and' in filter) return filter.and.flatMap(namesIn);
  if ('or' in filter) return filter.or.flatMap(namesIn);
  return 'not' in filter ? namesIn(filter.not) : [filter.field];
}
/** Stored fields that rules and conditions of a table depend on, and required fields. */
export function judgedFields(table: TableModel): FieldModel[] {
  const filters = table.fields.flatMap((field) => [...field.rules, ...field.conditions].map((one) => one.filter));
  const named = filters.flatMap(namesIn).flatMap((name) => table.byName.get(name) ?? []);
  return [...new Set([...named, ...table.fields.filter((field) => field.required || field.rules.length > 0 || field.conditions.length > 0)])];
}

/** Result of one part of a batch for one change: `applied` is null if it was refused or had no effect. */
export type Outcome = {
  readonly at: number;
  readonly id: string;
  readonly n: number;
  readonly revision: number;
  readonly applied: Applied | null;
  readonly errors: ChangeErrors | null;
};
/** Result of one part of a batch; `others`: records that its changes also changed (the other side of links). */
export type PartResult = {
  readonly outcomes: readonly Outcome[];
  readonly others: readonly { readonly table: TableModel; readonly applied: readonly Applied[] }[];
};

/** Path of the errors of one change in the request body. */
export function pathTo(options: Pick<WriteOptions, 'path'>, at: number, name: string): string {
  const base = options.path ? options.path(at) : `records.${at}`;
  if (name === '') return base === '' ? 'id' : `${base}.id`;
  return base === '' ? name : `${base}.${name}`;
}
const mostErrors = 200;
/** Throws `invalid_fields` if any change has errors. */
export function throwErrors(options: WriteOptions, changes: readonly { readonly at: number; readonly errors: ReadonlyMap<string, FieldError> }[]): void {
  const all = changes.flatMap(({ at, errors }) => Array.from(errors, ([name, error]): [string, FieldError] => [pathTo(options, at, name), error]));
  if (all.length === 0) return;
  // If the URL names a single record that does not exist, the response is 404.
  if (options.path?.(0) === '' && changes.some(({ errors }) => errors.has(''))) fail('not_found');
  fail('invalid_fields', { fields: Object.fromEntries(all.slice(0, mostErrors)) });
}

/** Whether a change exceeds the size limit in bytes. */
export const isTooLarge = (set: ReadonlyMap<string, unknown>): boolean => {
  let size = 0;
  for (const value of set.values()) {
    size += typeof value === 'string' ? Buffer.byteLength(value) : value !== null && typeof value === 'object' ? JSON.stringify(value).length : 8;
    if (size > tableLimits.recordBytes) return true;
  }
  return false;
};
