import type { RecordLabels } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import { historyTable } from '../core/ids';
import type { FieldModel, TableModel } from '../core/model';
import { addLinks, addNames, addPeople } from '../core/read/labels';
import { linkEnds } from '../core/read/links';
import { asking } from '../core/read/run';
import type { Ask } from '../core/read/run';
import { fromTable } from '../core/read/readContext';
import type { TableContext } from '../core/tableContext';
import type { ReadContext } from '../core/read/readContext';
import { newReadContext } from '../core/read/statement';
import { recordOf, selectionOf } from '../core/read/values';
import type { ReadRecord } from '../core/read/values';
import { visibleValue } from '../core/write/past';
import { sentFields } from './model';

/** Values by field id. */
type Values = Record<string, unknown>;
export type SentRecord = {
  readonly id: string;
  readonly revision: number;
  /** null: permanently deleted meanwhile. */
  readonly record: ReadRecord | null;
  readonly values: Values;
  /** Translated values by language. */
  readonly translations: Readonly<Record<string, Values>>;
  /** By field id, or `<id>@<locale>`. */
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
};
export type RecordRange = { readonly id: string; readonly first: number; readonly last: number };

type Patch = Readonly<Record<string, unknown>>;
const jsonOf = (text: string | null | undefined): unknown => JSON.parse(text ?? 'null');

/**
 * Records as an event left them: current values minus later changes. Computed fields have their current values, because their inputs have separate
 * histories. `kind`: the event's kind in the history. Includes records in the bin.
 */
export async function readSentRecords(
  ctx: Context,
  context: TableContext,
  ranges: readonly RecordRange[],
  kind: string,
): Promise<{ readonly records: SentRecord[]; readonly labels: RecordLabels }> {
  const ask = asking(ctx);
  const { table, model } = context;
  const fields = sentFields(table);
  const ids = ranges.map(({ id }) => id);
  const scope = await newReadContext(ctx, context);
  const selection = selectionOf(scope, fields);
  const columns = [...selection.sql, `${scope.row}.tr`];
  const rows = await ask(
    `SELECT ${columns.join(', ')} FROM ${fromTable(scope)} WHERE ${scope.row}.id = ANY(${scope.params.bind(ids, 'uuid[]')})`,
    scope.params.values,
  );
  const read = rows.map((row) => ({ record: recordOf(selection, row), tr: (jsonOf(row.at(-1)) ?? {}) as Record<string, Values> }));
  const labels = await addLinks(
    ask,
    scope,
    read.map(({ record }) => record),
    fields,
  );
  // After the records, so that changes in between are reverted here.
  const [later, lines] = [await laterOf(ask, model.siteId, table, ranges), await linesOf(ask, model.siteId, table, ranges, kind)];
  const byId = new Map(read.map((one) => [one.record.id, one]));
  const known = new Map(fields.map((field) => [field.id, field]));
  const records = ranges.map(({ id, last }): SentRecord => {
    const found = byId.get(id);
    const values: Values = { ...found?.record.values };
    const translations: Record<string, Values> = Object.fromEntries(
      Object.entries(found?.tr ?? {}).map(([locale, all]) => [locale, Object.fromEntries(Object.entries(all).filter(([field]) => known.has(field)))]),
    );
    for (const [key, value] of later.get(id) ?? []) {
      const [field = '', locale] = key.split('@');
      if (!known.has(field)) continue;
      if (locale === undefined) values[field] = value;
      else translations[locale] = { ...translations[locale], [field]: value };
    }
    return { id, revision: last, record: found?.record ?? null, values, translations, changes: changesOf(known, lines.get(id) ?? []) };
  });
  await addMissing(ask, scope, fields, records, labels);
  return { records, labels };
}

/** Values of fields before the first change after the requested revision. */
async function laterOf(ask: Ask, siteId: string, table: TableModel, ranges: readonly RecordRange[]): Promise<Map<string, [string, unknown][]>> {
  const found = await ask(
    `SELECT DISTINCT ON (h.record_id, i.key) h.record_id, i.key, i.value FROM unnest($2::uuid[], $3::int[]) AS w(id, rev)
     JOIN ${historyTable(siteId)} h ON h.table_id = $1::text AND h.record_id = w.id AND h.rev > w.rev
     CROSS JOIN LATERAL jsonb_each(h.inverse) i WHERE NOT starts_with(i.key, '$') ORDER BY h.record_id, i.key, h.rev`,
    [table.id, ranges.map(({ id }) => id), ranges.map(({ last }) => last)],
  );
  const byRecord = new Map<string, [string, unknown][]>();
  for (const [id = null, key = null, value = null] of found) {
    if (id === null || key === null) continue;
    byRecord.set(id, [...(byRecord.get(id) ?? []), [key, jsonOf(value)]]);
  }
  return byRecord;
}

type HistoryPatch = { readonly patch: Patch; readonly inverse: Patch };
async function linesOf(ask: Ask, siteId: string, table: TableModel, ranges: readonly RecordRange[], kind: string): Promise<Map<string, HistoryPatch[]>> {
  const found = await ask(
    `SELECT h.record_id, h.patch, h.inverse FROM unnest($2::uuid[], $3::int[], $4::int[]) AS w(id, first, last)
     JOIN ${historyTable(siteId)} h ON h.table_id = $1::text AND h.record_id = w.id AND h.rev BETWEEN w.first AND w.last
     WHERE h.kind = $5::text ORDER BY h.record_id, h.rev`,
    [table.id, ranges.map(({ id }) => id), ranges.map(({ first }) => first), ranges.map(({ last }) => last), kind],
  );
  const byRecord = new Map<string, HistoryPatch[]>();
  for (const [id = null, patch = null, inverse = null] of found)
    if (id !== null) byRecord.set(id, [...(byRecord.get(id) ?? []), { patch: jsonOf(patch) as Patch, inverse: jsonOf(inverse) as Patch }]);
  return byRecord;
}

/** Combines several changes of one event: values before the first, and after the last. */
function changesOf(fields: ReadonlyMap<string, FieldModel>, lines: readonly HistoryPatch[]): SentRecord['changes'] {
  const changes: Record<string, { before: unknown; after: unknown }> = {};
  for (const { patch, inverse } of lines) {
    for (const [key, after] of Object.entries(patch)) {
      const field = fields.get(key.split('@')[0] ?? '');
      if (!field) continue;
      const before = key in changes ? changes[key]?.before : visibleValue(field, inverse[key]);
      changes[key] = { before, after: visibleValue(field, after) };
    }
  }
  return changes;
}

/** Names of records that were linked then but are not now. */
async function addMissing(ask: Ask, scope: ReadContext, fields: readonly FieldModel[], records: readonly SentRecord[], labels: RecordLabels): Promise<void> {
  for (const field of fields) {
    const ends = field.type === 'relation' || field.type === 'relations' ? linkEnds(scope, field) : null;
    if (!ends && field.type !== 'user') continue;
    const ids = new Set<string>();
    for (const { values, changes } of records)
      for (const value of [values[field.id], changes[field.id]?.before, changes[field.id]?.after])
        for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) if (typeof one === 'string') ids.add(one);
    if (!ends) {
      const missing = [...ids].filter((id) => labels.people[id] === undefined);
      await addPeople(ask, labels, new Set(missing));
      continue;
    }
    await addNames(
      ask,
      scope,
      ends.table,
      [...ids].filter((id) => labels.records[id] === undefined),
      labels,
    );
  }
}
