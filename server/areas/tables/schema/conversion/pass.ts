import { columnOf, isLocalizable } from '../../../../../contract/tables/terms';
import type { FieldType } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { Failure } from '../../../../http/failure';
import type { FieldError } from '../../../../http/failure';
import { lookupFor } from '../../core/write/textLookups';
import type { FieldModel } from '../../core/model';
import { addNames, addPeople, noLabels } from '../../core/read/labels';
import type { Labels } from '../../core/read/labels';
import { linkEnds } from '../../core/read/links';
import type { Ask } from '../../core/read/run';
import { asSql, newReadContext } from '../../core/read/statement';
import { isEmpty } from '../../core/values/check';
import type { Tx } from '../../core/write/types';
import { convertValue, displayText } from '../../core/values/convert';
import type { Choices, Converted, Names, Side } from '../../core/values/convert';
import type { SourceRow, Translations, Work, WrittenRow } from './rows';

/** Maximum bytes of an indexed text, as in `core/write/item.ts`. */
const mostIndexed = 2500;

/** Converts as an administrator: whoever designs tables may read them completely. */
const reader = { role: 'admin', userId: null } as const;

const yieldsAs: Partial<Record<FieldModel['yields'], FieldType>> = {
  text: 'longText',
  number: 'number',
  boolean: 'switch',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  list: 'tags',
};
const isComputedValue = (type: FieldType): boolean => type === 'formula' || type === 'lookup' || type === 'rollup';
/** How the values of a field are interpreted: for a computed field, by what it yields. null: nothing that can be stored. */
export function sideOf(field: Pick<FieldModel, 'type' | 'options' | 'yields'>): Side | null {
  if (!isComputedValue(field.type)) return { type: field.type, options: field.options };
  const type = yieldsAs[field.yields];
  return type === undefined ? null : { type, options: field.type === 'rollup' || type !== 'number' ? {} : { decimals: field.options.decimals } };
}

/** Names for the values of a chunk, and ids by name for the new type; one query each, whatever the number of values. */
export async function namesFor(ctx: Context, tx: Tx, work: Work, from: Side, rows: readonly SourceRow[]): Promise<Names> {
  const { model, table, field, spec, timeZone } = work;
  // On this connection: another one would wait for the table that this one has locked.
  const ask: Ask = async (text, params) =>
    (await tx.execute(asSql(text, params))).rows.map((row) => Object.values(row).map((one) => (typeof one === 'string' ? one : null)));
  const labels: Labels = noLabels();
  const values = rows.flatMap(({ value }) => (isEmpty(value) ? [] : [value]));
  const ids = [...new Set(values.flatMap((value) => (Array.isArray(value) ? (value as readonly unknown[]) : [value])))].filter(
    (one): one is string => typeof one === 'string',
  );
  const context = { model, table, reader, timeZone };
  if (from.type === 'user') await addPeople(ask, labels, new Set(ids));
  if (from.type === 'relation' || from.type === 'relations') {
    const scope = await newReadContext(ctx, context);
    const ends = linkEnds(scope, { ...field, type: from.type, options: from.options });
    if (ends) await addNames(ask, scope, ends.table, ids, labels);
  }
  const names = { ...labels, timeZone };
  const leads = ['user', 'relation', 'relations'].includes(spec.to.type);
  const texts = leads ? new Set(values.map((value) => displayText(from, value, names))) : new Set<string>();
  const to = { ...field, type: spec.to.type, options: spec.to.options };
  const found = await lookupFor({ ctx, tx, now: new Date(ctx.now()), after: () => undefined }, context, to, texts);
  return { timeZone, names, find: found.find };
}

/** A value that the new type cannot hold, if that stops the conversion. */
class Misfit extends Failure {
  constructor(error: FieldError) {
    super('invalid_fields', { fields: { values: error } });
  }
}

/** Converts one value, limited to what an index of the new column can hold. */
export function convertedAs(work: Work, from: Side, value: unknown, names: Names, choices: Choices | null): Converted {
  const { spec } = work;
  const outcome = convertValue(from, spec.to, value, names, choices);
  const indexed = spec.to.isUnique || spec.to.indexed;
  if (indexed && 'value' in outcome && typeof outcome.value === 'string' && Buffer.byteLength(outcome.value) > mostIndexed)
    return { kind: 'failing', error: { code: 'too_long', max: mostIndexed } };
  return outcome;
}
export type Tally = { lossy: number; emptied: number; edited: number };

/** Converts the values of a chunk. Throws `Misfit` if one does not fit and such values are not to be cleared. */
export async function convertRows(
  ctx: Context,
  tx: Tx,
  work: Work,
  rows: readonly SourceRow[],
  choices: Choices | null,
): Promise<{ readonly written: WrittenRow[]; readonly tally: Tally }> {
  const { spec, undoes, field } = work;
  const from = sideOf(field);
  if (!from) throw new Error('a field that yields nothing is not converted');
  const names = await namesFor(ctx, tx, work, from, rows);
  const tally: Tally = { lossy: 0, emptied: 0, edited: 0 };
  const next = (value: unknown, previousValue: unknown): unknown => {
    const outcome = convertedAs(work, from, value, names, choices);
    if (outcome.kind === 'failing') {
      if (spec.misfits === 'refuse') throw new Misfit(outcome.error);
      tally.emptied++;
      return previousValue ?? null;
    }
    if (outcome.kind === 'lossy') tally.lossy++;
    return outcome.value;
  };
  const written = rows.map((row): WrittenRow => {
    const isRestored = undoes !== null && !row.edited;
    if (undoes && row.edited && !isEmpty(row.value)) tally.edited++;
    const value = isRestored ? row.previousValue : next(row.value, row.previousValue);
    return { id: row.id, rev: row.rev, value, tr: spec.translated ? translations(work, row, next) : null };
  });
  return { written, tally };
}

/** All translations of a record, with those of the field converted. */
function translations(
  { field, undoes }: Work,
  { tr, previousTr, editedIn }: SourceRow,
  next: (value: unknown, previousValue: unknown) => unknown,
): Translations | null {
  const locales = new Set([...Object.keys(tr ?? {}), ...(undoes ? Object.keys(previousTr ?? {}) : [])]);
  const translationsByLocale: Record<string, Record<string, unknown>> = {};
  for (const locale of locales) {
    const { [field.id]: own, ...others } = tr?.[locale] ?? {};
    const previousValue = previousTr?.[locale]?.[field.id];
    const value = undoes && !editedIn.includes(locale) ? previousValue : isEmpty(own) ? null : next(own, previousValue);
    const all = isEmpty(value) ? others : { ...others, [field.id]: value };
    if (Object.keys(all).length > 0) translationsByLocale[locale] = all;
  }
  return translationsByLocale;
}

const alike: readonly FieldType[] = ['text', 'longText', 'markdown'];
/** Whether a conversion changes translations; texts that only get a higher limit stay the same. */
export const changesTranslations = (from: { readonly type: FieldType; readonly localized: boolean }, to: FieldType): boolean =>
  from.localized && isLocalizable(to) && !(alike.includes(from.type) && (to === 'longText' || to === 'markdown'));
/** Whether a type stores values in the database. */
export const isStored = (type: FieldType): boolean => columnOf[type] !== 'none' || type === 'relations';
