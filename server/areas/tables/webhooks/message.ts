import { eq } from 'drizzle-orm';
import { matchFilter, matched, systemValues } from '../../../../contract/tables/matchFilter';
import { webhookLimits } from '../../../../contract/tables/webhooks';
import type { DeliveryError } from '../../../../contract/tables/webhooks';
import type { Context } from '../../../context';
import { siteModel } from '../core/model';
import type { FieldModel, TableModel } from '../core/model';
import { contentBatches } from '../core/schema';
import { kindOfEvent } from '../core/write/outbox';
import { peopleNames } from '../core/write/past';
import { withoutRules, filterHolds, webhookReader, sentFields } from './model';
import type { DeliveryRecord, WebhookRecord } from './queries';
import { readSentRecords } from './records';
import type { SentRecord } from './records';

export type WebhookSite = { readonly id: string; readonly name: string; readonly timeZone: string };

/** A message that can never be built. */
export class Unsendable extends Error {
  override readonly name = 'Unsendable';
  readonly error: DeliveryError;

  constructor(error: DeliveryError) {
    super(error);
    this.error = error;
  }
}

/** Id by which the receiver recognizes a repeated message. Contains no dot, because it is part of the signed text. */
export const messageId = (delivery: Pick<DeliveryRecord, 'id' | 'hookId'>): string => `msg_${delivery.hookId.slice(0, 8)}_${delivery.id}`;

/** Records read at once: a record may be a megabyte. */
const recordsAtOnce = 20;

/**
 * Body of a delivery, built from the history of its records; reproducible while that exists, except for names and computed fields. null: the filter
 * matches none. Throws `Unsendable`, and `too_slow` like any read.
 */
export async function makeBody(ctx: Context, site: WebhookSite, hook: WebhookRecord, delivery: DeliveryRecord): Promise<string | null> {
  const known = await siteModel(ctx, site.id);
  const model = withoutRules(known);
  const isDelivered = ({ id }: TableModel): boolean => id === delivery.tableId;
  const table = model.tables.find(isDelivered) ?? model.deletedTables.find(isDelivered);
  const kind = kindOfEvent.get(delivery.event);
  if (!table || kind === undefined) throw new Unsendable('table_gone');
  const { filter } = hook;
  if (filter && !filterHolds(model, table, filter)) throw new Unsendable('filter_broken');
  const fields = sentFields(table);
  const context = { model, table, reader: webhookReader, timeZone: site.timeZone };
  const [batch] = delivery.batchId === null ? [] : await ctx.postgres.db.select().from(contentBatches).where(eq(contentBatches.id, delivery.batchId));
  const actor = batch?.actor ?? null;
  const names = await peopleNames(ctx.postgres.db, [actor]);

  const labels = { records: {} as Record<string, string>, people: {} as Record<string, string> };
  const records: object[] = [];
  let bytes = 0;
  for (let at = 0; at < delivery.recordIds.length; at += recordsAtOnce) {
    const ranges = delivery.recordIds.slice(at, at + recordsAtOnce).map((id, i) => {
      const [first, last] = delivery.spans[at + i] ?? [1, 1];
      return { id, first, last };
    });
    const full = bytes >= webhookLimits.bodyBytes;
    // Beyond the limit only ids are sent, but the filter still needs the values.
    const read = full && !filter ? { records: ranges.map(nameOnly), labels: { records: {}, people: {} } } : await readSentRecords(ctx, context, ranges, kind);
    for (const sent of read.records) {
      if (filter && !passes(filter, fields, sent, { now: delivery.at.getTime(), zone: site.timeZone })) continue;
      const whole = recordMessage(table, fields, sent);
      const size = Buffer.byteLength(JSON.stringify(whole));
      if (sent.record === null || bytes + size > webhookLimits.bodyBytes) records.push({ id: sent.id, revision: sent.revision, omitted: true });
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
    batch: batch ? { id: batch.id, door: batch.origin } : null,
    actor: actor === null ? null : { id: actor, name: names.get(actor) ?? '' },
    records,
    labels,
  });
}

const nameOnly = ({ id, last }: { readonly id: string; readonly last: number }): SentRecord => ({
  id,
  revision: last,
  record: null,
  values: {},
  translations: {},
  changes: {},
});

/** Fields by key. */
function recordMessage(table: TableModel, fields: readonly FieldModel[], sentRecord: SentRecord): object {
  const { record, values, translations, changes } = sentRecord;
  const keyOf = (name: string): string => {
    const [id = '', locale] = name.split('@');
    const key = table.byName.get(id)?.key ?? id;
    return locale === undefined ? key : `${key}@${locale}`;
  };
  const byKey = (all: Readonly<Record<string, unknown>>): [string, unknown][] =>
    Object.entries(all).flatMap(([id, value]) => (value === null || value === undefined ? [] : [[keyOf(id), value] as [string, unknown]]));
  return {
    id: sentRecord.id,
    n: record?.n ?? null,
    revision: sentRecord.revision,
    state: record?.state ?? null,
    createdAt: record?.createdAt ?? null,
    values: Object.fromEntries(fields.map((field) => [field.key, values[field.id] ?? null])),
    translations: Object.fromEntries(Object.entries(translations).map(([locale, all]) => [locale, Object.fromEntries(byKey(all))])),
    changes: Object.fromEntries(Object.entries(changes).map(([name, change]) => [keyOf(name), change])),
  };
}

function passes(
  filter: NonNullable<WebhookRecord['filter']>,
  fields: readonly FieldModel[],
  { record, values }: SentRecord,
  at: { readonly now: number; readonly zone: string },
): boolean {
  if (record === null) return false;
  return matchFilter(filter, matched(fields, values, systemValues(record)), { ...at, userId: null });
}

/** Body of a test delivery: the same shape, without a real record. */
export const testBody = (ctx: Context, site: WebhookSite, delivery: DeliveryRecord, actor: { readonly id: string; readonly name: string }): string =>
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
