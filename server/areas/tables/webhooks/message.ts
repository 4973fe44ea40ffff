import { eq } from 'drizzle-orm';
import { matchFilter, matched, systemValues } from '../../../../contract/tables/matchFilter';
import { hookLimits } from '../../../../contract/tables/webhooks';
import type { DeliveryFault } from '../../../../contract/tables/webhooks';
import type { Context } from '../../../context';
import { siteModel } from '../core/model';
import type { FieldModel, TableModel } from '../core/model';
import { contentBatches } from '../core/schema';
import { kindOfEvent } from '../core/write/outbox';
import { peopleNames } from '../core/write/past';
import { asTold, filterHolds, hookReader, toldFields } from './model';
import type { DeliveryRecord, HookRecord } from './queries';
import { readTold } from './records';
import type { ToldRecord } from './records';

export type HookSite = { readonly id: string; readonly name: string; readonly timeZone: string };

/** A message that cannot be made, and never will be. */
export class Unsendable extends Error {
  override readonly name = 'Unsendable';
  readonly fault: DeliveryFault;

  constructor(fault: DeliveryFault) {
    super(fault);
    this.fault = fault;
  }
}

/** What the receiver knows a message by, also when it comes twice. Without a dot: it is a part of what is signed. */
export const messageId = (delivery: Pick<DeliveryRecord, 'id' | 'hookId'>): string => `msg_${delivery.hookId.slice(0, 8)}_${delivery.id}`;

/** Records that are read at once: a record may be a megabyte. */
const pieces = 20;

/**
 * The body of a delivery, made from the history of its records; the same again as long as that is there, but for names and calculated fields. null: the
 * filter leaves nothing. Throws `Unsendable`, and `too_slow` like every reading.
 */
export async function makeBody(ctx: Context, site: HookSite, hook: HookRecord, delivery: DeliveryRecord): Promise<string | null> {
  const known = await siteModel(ctx, site.id);
  const model = asTold(known);
  const isAsked = ({ id }: TableModel): boolean => id === delivery.tableId;
  const table = model.tables.find(isAsked) ?? model.deletedTables.find(isAsked);
  const kind = kindOfEvent.get(delivery.event);
  if (!table || kind === undefined) throw new Unsendable('table_gone');
  const { filter } = hook;
  if (filter && !filterHolds(model, table, filter)) throw new Unsendable('filter_broken');
  const fields = toldFields(table);
  const context = { model, table, reader: hookReader, timeZone: site.timeZone };
  const [batch] = delivery.batchId === null ? [] : await ctx.postgres.db.select().from(contentBatches).where(eq(contentBatches.id, delivery.batchId));
  const actor = batch?.actor ?? null;
  const names = await peopleNames(ctx.postgres.db, [actor]);

  const labels = { records: {} as Record<string, string>, people: {} as Record<string, string> };
  const records: object[] = [];
  let bytes = 0;
  for (let at = 0; at < delivery.recordIds.length; at += pieces) {
    const wanted = delivery.recordIds.slice(at, at + pieces).map((id, i) => {
      const [first, last] = delivery.spans[at + i] ?? [1, 1];
      return { id, first, last };
    });
    const full = bytes >= hookLimits.bodyBytes;
    // Beyond the limit only which records: but the filter has to be asked all the same.
    const read = full && !filter ? { records: wanted.map(nameOnly), labels: { records: {}, people: {} } } : await readTold(ctx, context, wanted, kind);
    for (const told of read.records) {
      if (filter && !passes(filter, fields, told, { now: delivery.at.getTime(), zone: site.timeZone })) continue;
      const whole = shownRecord(table, fields, told);
      const size = Buffer.byteLength(JSON.stringify(whole));
      if (told.record === null || bytes + size > hookLimits.bodyBytes) records.push({ id: told.id, revision: told.revision, omitted: true });
      else records.push(whole);
      bytes += size;
    }
    if (!full) {
      Object.assign(labels.records, read.labels.records);
      Object.assign(labels.people, read.labels.people);
    }
  }
  if (records.length === 0) return null;
  return JSON.stringify({
    id: messageId(delivery),
    event: delivery.event,
    at: delivery.at.toISOString(),
    site: { id: site.id, name: site.name },
    table: { id: table.id, key: table.key, title: table.title },
    batch: batch ? { id: batch.id, door: batch.door } : null,
    actor: actor === null ? null : { id: actor, name: names.get(actor) ?? '' },
    records,
    labels,
  });
}

const nameOnly = ({ id, last }: { readonly id: string; readonly last: number }): ToldRecord => ({
  id,
  revision: last,
  record: null,
  values: {},
  translations: {},
  changes: {},
});

/** As people know it: fields by key. */
function shownRecord(table: TableModel, fields: readonly FieldModel[], told: ToldRecord): object {
  const { record, values, translations, changes } = told;
  const keyOf = (name: string): string => {
    const [id = '', locale] = name.split('@');
    const key = table.byName.get(id)?.key ?? id;
    return locale === undefined ? key : `${key}@${locale}`;
  };
  const byKey = (all: Readonly<Record<string, unknown>>): [string, unknown][] =>
    Object.entries(all).flatMap(([id, value]) => (value === null || value === undefined ? [] : [[keyOf(id), value] as [string, unknown]]));
  return {
    id: told.id,
    n: record?.n ?? null,
    revision: told.revision,
    state: record?.state ?? null,
    createdAt: record?.createdAt ?? null,
    values: Object.fromEntries(fields.map((field) => [field.key, values[field.id] ?? null])),
    translations: Object.fromEntries(Object.entries(translations).map(([locale, all]) => [locale, Object.fromEntries(byKey(all))])),
    changes: Object.fromEntries(Object.entries(changes).map(([name, change]) => [keyOf(name), change])),
  };
}

function passes(
  filter: NonNullable<HookRecord['filter']>,
  fields: readonly FieldModel[],
  { record, values }: ToldRecord,
  at: { readonly now: number; readonly zone: string },
): boolean {
  if (record === null) return false;
  return matchFilter(filter, matched(fields, values, systemValues(record)), { ...at, userId: null });
}

/** What a test sends: a message of the same shape, of no record. */
export const testBody = (ctx: Context, site: HookSite, delivery: DeliveryRecord, actor: { readonly id: string; readonly name: string }): string =>
  JSON.stringify({
    id: messageId(delivery),
    event: 'test',
    at: new Date(ctx.now()).toISOString(),
    site: { id: site.id, name: site.name },
    table: null,
    batch: null,
    actor,
    records: [],
    labels: { records: {}, people: {} },
  });
