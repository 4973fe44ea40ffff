import { and, inArray, isNotNull, sql } from 'drizzle-orm';
import type { RecordChange } from '../../../../../contract/tables/records';
import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import { users } from '../../../account/schema';
import { grantOf } from '../access';
import { pastOf, pointedAt, readableForm } from './conversions';
import type { OldNames, Past } from './conversions';
import { historyTable } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { addNames, noLabels } from '../read/labels';
import { asking } from '../read/run';
import { contentBatches } from '../schema';
import { newReadContext } from '../read/statement';
import { isEmpty } from '../values/check';
import { readKey } from './apply';
import { permitted } from './lookups';
import { isoSql, isStored, lockRows, run } from './rows';
import { visibleLinks } from './visibleLinks';
import type { Row } from './rows';
import type { TableContext } from '../tableContext';
import type { Db, WriteTx } from './types';

type HistoryRow = {
  readonly rev: number;
  readonly at: string;
  readonly actor: string | null;
  readonly origin: RecordChange['origin'];
  readonly kind: RecordChange['kind'];
  readonly batch: string | null;
  readonly patch: Record<string, unknown>;
  readonly inverse: Record<string, unknown>;
};
/** Entries per response. */
const page = 50;

/** Names of people by id; '' for deleted accounts. */
export async function peopleNames(db: Db, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const known = [...new Set(ids.filter((id): id is string => id !== null))];
  if (known.length === 0) return new Map();
  const found = await db
    .select({ id: users.id, name: sql<string>`coalesce(${users.displayName}, '')` })
    .from(users)
    .where(inArray(users.id, known));
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** Sources of anonymous writes, by batch. */
async function sourcesOf(db: Db, batches: readonly (string | null)[]): Promise<Map<string, string>> {
  const ids = batches.filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: contentBatches.id, source: contentBatches.source })
    .from(contentBatches)
    .where(and(inArray(contentBatches.id, ids), isNotNull(contentBatches.source)));
  return new Map(found.map(({ id, source }) => [id, source ?? '']));
}

/** Of a password, readers only learn whether it is set. */
export const visibleValue = (field: FieldModel | undefined, value: unknown): unknown =>
  field?.type === 'password' ? (isEmpty(value) ? null : true) : (value ?? null);

/** Throws `not_found` unless the reader may see the record, in the bin or not. */
export async function requireVisible(w: Pick<WriteTx, 'ctx' | 'tx'>, context: TableContext, id: string): Promise<void> {
  const grant = grantOf(context.table, context.reader, 'read');
  if (!grant.allowed) return fail('not_found');
  for (const inBin of [false, true]) {
    const visibleIds = await permitted(w, context, context.table, [id], { grants: [grant], inBin });
    if (visibleIds.has(id)) return;
  }
  return fail('not_found');
}

/** Every value of a record by key, without a lock. */
export async function wholeRow(db: Db, siteId: string, table: TableModel, id: string): Promise<Row> {
  const fields = table.fields.filter((field) => isStored(field) || field.type === 'relations');
  return (await lockRows(db, siteId, table, [id], { fields, tr: true, published: false, lock: false })).get(id) ?? fail('not_found');
}
const keysOf = (row: Row): string[] => [
  ...row.values.keys(),
  ...Object.entries(row.tr).flatMap(([locale, values]) => Object.keys(values).map((field) => `${field}@${locale}`)),
];

/** Values of a record after a revision: current values minus later changes. */
export async function valuesAfter(
  db: Db,
  siteId: string,
  table: TableModel,
  row: Row,
  revision: number,
  /** Receives, by key, the time until which a value had this form; unchanged values have no entry. */ at = new Map<string, Date>(),
): Promise<Map<string, unknown>> {
  const values = new Map(keysOf(row).map((key) => [key, readKey(row, key)]));
  // Only the first change of each key: a long text edited a thousand times is not read a thousand times.
  const later = await run<{ key: string; value: unknown; at: string }>(
    db,
    `SELECT DISTINCT ON (i.key) i.key, i.value, ${isoSql('h.at')} AS at FROM ${historyTable(siteId)} h CROSS JOIN LATERAL jsonb_each(h.inverse) i
     WHERE h.table_id = $1::text AND h.record_id = $2::uuid AND h.rev > $3::int AND NOT starts_with(i.key, '$') ORDER BY i.key, h.rev`,
    [table.id, row.id, revision],
  );
  for (const { key, value, at: then } of later) {
    values.set(key, value);
    at.set(key, new Date(then));
  }
  return values;
}

/** Names of targets of fields that now hold text, limited to what the reader may see. */
async function oldNamesOf(ctx: Context, context: TableContext, past: Past, values: readonly (readonly [string, unknown])[]): Promise<OldNames> {
  const { people, records } = pointedAt(past, values);
  const labels = noLabels();
  for (const [tableId, ids] of records) {
    const table = context.model.tables.find((one) => one.id === tableId);
    if (table) await addNames(asking(ctx), await newReadContext(ctx, context), table, [...new Set(ids)], labels);
  }
  return { records: labels.records, people: Object.fromEntries(await peopleNames(ctx.postgres.db, people)) };
}

/** Changes of a record, newest first, 50 per page, limited to fields that the reader may see. */
export async function historyOf(ctx: Context, context: TableContext, id: string, before: number | undefined): Promise<RecordChange[]> {
  const { db } = ctx.postgres;
  const { table, model, reader } = context;
  const lines = await run<HistoryRow>(
    db,
    `SELECT rev, ${isoSql('at')} AS at, actor, door AS origin, kind, batch, patch, inverse FROM ${historyTable(model.siteId)}
     WHERE table_id = $1::text AND record_id = $2::uuid AND rev < $3::int ORDER BY rev DESC LIMIT ${page}`,
    [table.id, id, before ?? 2 ** 31 - 1],
  );
  const names = await peopleNames(
    db,
    lines.map((line) => line.actor),
  );
  const sources = await sourcesOf(
    db,
    lines.map((line) => (line.actor === null ? line.batch : null)),
  );
  const grant = grantOf(table, reader, 'read');
  const creation = lines.find((line) => line.kind === 'create');
  const changedAt = new Map<string, Date>();
  const first = creation ? await valuesAfter(db, model.siteId, table, await wholeRow(db, model.siteId, table, id), creation.rev, changedAt) : null;
  const past = await pastOf(db, table.id);
  const oldNames = await oldNamesOf(ctx, context, past, [
    ...lines.flatMap((line) => [...Object.entries(line.patch), ...Object.entries(line.inverse)]),
    ...(first ?? []),
  ]);
  const changes = lines.map((line) => {
    const after: [string, unknown][] = line === creation && first ? [...first].filter(([, value]) => !isEmpty(value)) : Object.entries(line.patch);
    const fields = after.flatMap(([key, value]) => {
      const field = table.byName.get(key.split('@')[0] ?? '');
      if (!field || !grant.covers(field)) return [];
      // Values from before a conversion are shown in the present form.
      const readable = (one: unknown, then: Date | undefined): { readonly value: unknown; readonly isText: boolean } =>
        then === undefined || past.length === 0 ? { value: one, isText: false } : readableForm(past, field, one, then, context.timeZone, oldNames);
      const then = line === creation ? changedAt.get(key) : new Date(line.at);
      const sides = { before: readable(line.inverse[key], then), after: readable(value, then) };
      const texts = (['before', 'after'] as const).filter((side) => sides[side].isText);
      const displayed = { before: visibleValue(field, sides.before.value), after: visibleValue(field, sides.after.value) };
      return [{ key, field, displayed, texts }];
    });
    return { line, fields };
  });
  const links = changes.flatMap(({ fields }) =>
    fields.flatMap(({ field, displayed, texts }) => (texts.length > 0 ? [] : [displayed.before, displayed.after].map((value) => ({ field, value })))),
  );
  const visiblePart = await db.transaction((tx) => visibleLinks({ ctx, tx }, context, links, { binned: true }));
  return changes.map(({ line, fields }) => {
    const { rev, at, actor, origin, kind, batch } = line;
    return {
      revision: rev,
      at,
      by: (actor === null ? sources.get(batch ?? '') : names.get(actor)) ?? '',
      ...(actor !== null && !names.get(actor) ? { byDeleted: true as const } : {}),
      origin,
      kind,
      batchId: batch,
      fields: Object.fromEntries(
        fields.map(({ key, field, displayed, texts }) => [
          key,
          texts.length > 0 ? { ...displayed, texts } : { before: visiblePart(field, displayed.before), after: visiblePart(field, displayed.after) },
        ]),
      ),
    };
  });
}
