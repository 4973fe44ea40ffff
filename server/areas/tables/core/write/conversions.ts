import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Db } from './types';
import type { FieldModel } from '../model';
import { contentConversions } from '../schema';
import { Choices, convertValue, displayText } from '../values/convert';
import { isUuid } from '../../../../../contract/uuid';

/** Conversions of a table's fields, oldest first: history keeps values in their old form. */
export type Past = readonly Pick<typeof contentConversions.$inferSelect, 'fieldId' | 'doneAt' | 'spec'>[];
export const pastOf = (db: Db, tableId: string): Promise<Past> =>
  db
    .select({ fieldId: contentConversions.fieldId, doneAt: contentConversions.doneAt, spec: contentConversions.spec })
    .from(contentConversions)
    .where(and(eq(contentConversions.tableId, tableId), isNotNull(contentConversions.doneAt), inArray(contentConversions.state, ['done', 'undone', 'purged'])))
    .orderBy(asc(contentConversions.doneAt));

const byName = ['user', 'relation', 'relations'];
/** Types that show any text verbatim. */
const isPlain: ReadonlySet<string> = new Set(['text', 'longText', 'password']);
const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

/** Names of records and people that fields referred to before a conversion, for one reader. */
export type OldNames = { readonly records: Readonly<Record<string, string>>; readonly people: Readonly<Record<string, string>> };
/** Targets of old values in history whose field now holds text: ids of people, and of records by table. */
export function pointedAt(past: Past, values: readonly (readonly [field: string, value: unknown])[]): { people: string[]; records: Map<string, string[]> } {
  const people: string[] = [];
  const records = new Map<string, string[]>();
  for (const { fieldId, spec } of past) {
    const { type, options } = spec.from;
    if (!byName.includes(type) || byName.includes(spec.to.type)) continue;
    const ids = values.filter(([field]) => field === fieldId).flatMap(([, value]) => idsIn(value).filter(isUuid));
    if (type === 'user') people.push(...ids);
    else if (options.to !== undefined) records.set(options.to, [...(records.get(options.to) ?? []), ...ids]);
  }
  return { people, records };
}

/**
 * A historical value for display: in the field's present form, or, if that is impossible, as the text shown then (`isText`). Names that are unavailable
 * become `…`.
 */
export function readableForm(
  past: Past,
  field: Pick<FieldModel, 'id' | 'type' | 'options'>,
  value: unknown,
  at: Date,
  timeZone: string,
  names: OldNames,
): { readonly value: unknown; readonly isText: boolean } {
  if (value === null || value === undefined) return { value: null, isText: false };
  const now = presentForm(past, field, value, at, timeZone);
  const first = past.find((one) => one.fieldId === field.id && one.doneAt !== null && one.doneAt > at);
  if (now !== undefined || !first) return { value: now, isText: false };
  const ids = idsIn(value);
  const named = (known: Readonly<Record<string, string>>) => Object.fromEntries(ids.map((id) => [id, known[id] || '…']));
  return {
    value: displayText(first.spec.from, value, { timeZone, records: named(names.records), people: named(names.people) }),
    isText: !isPlain.has(field.type),
  };
}

/**
 * A historical value in the field's present form, through every conversion since; `undefined` if the field can no longer hold it. Other types cannot
 * resolve ids of records and people to names.
 */
export function presentForm(past: Past, field: Pick<FieldModel, 'id' | 'options'>, value: unknown, at: Date, timeZone: string): unknown {
  if (value === null || value === undefined) return value;
  const since = past.filter((one) => one.fieldId === field.id && one.doneAt !== null && one.doneAt > at);
  let now: unknown = value;
  for (const [nth, { spec }] of since.entries()) {
    const [from, to] = [spec.from, spec.to];
    if (byName.includes(from.type) !== byName.includes(to.type)) return undefined;
    // Choices may have been added since.
    const options = nth === since.length - 1 ? { ...to.options, choices: field.options.choices } : to.options;
    const choices = to.type === 'select' || to.type === 'multiSelect' ? new Choices(options.choices ?? [], false) : null;
    const conversion = convertValue(from, to, now, { timeZone, names: {}, find: () => null }, choices);
    if (conversion.kind === 'failing') return undefined;
    now = conversion.value;
  }
  return now;
}
