import type { FastifyInstance } from 'fastify';
import { canonicalLanguage } from '../../../../contract/languages';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { grantOf, readerOf } from '../core/access';
import { historyTable } from '../core/ids';
import { siteModel, tableOf } from '../core/model';
import type { FieldModel } from '../core/model';
import { latestBatches } from '../core/write/batches';
import { inWrite } from '../core/write/call';
import { pastOf, presentForm } from '../core/write/conversions';
import { writeBatch } from '../core/write/engine';
import { historyOf, requireSeen, valuesAfter, wholeRow } from '../core/write/past';
import { lockRows, run } from '../core/write/rows';
import { doorAt, contextOf } from '../core/write/callContext';
import { seenLinks } from '../core/write/seenLinks';
import type { TableContext } from '../core/tableContext';
import type { WriteOptions, WriteTx } from '../core/write/types';
import { shownRecord } from './shown';

/** What became of records: their history, going back in it, and the latest batches. */
export function registerHistory(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.recordHistory, async (call) => {
    const context = await contextOf(ctx, call);
    await db.transaction((tx) => requireSeen({ ctx, tx }, context, call.params.id));
    return historyOf(ctx, context, call.params.id, call.query.before);
  });

  route(app, ctx, endpoints.revertRecord, async (call) => {
    const context = await contextOf(ctx, call);
    const { id } = call.params;
    await inWrite(ctx, call, async (w) => {
      const wanted = await pastValues(w, context, id, call.body);
      let batchId: string | null = null;
      for (const [locale, values] of wanted) {
        const options: WriteOptions = {
          door: doorAt(call.session, 'console'),
          path: () => '',
          ...(locale === '' ? {} : { locale }),
          ...(batchId === null ? {} : { batchId }),
        };
        batchId = (await writeBatch(w, context, [{ kind: 'update', id, values }], options)).batchId ?? batchId;
      }
      return null;
    });
    return shownRecord(ctx, context, id, call.query.names);
  });

  route(app, ctx, endpoints.batches, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    const reader = readerOf(call);
    const asked = call.query.table === undefined ? model.tables : [tableOf(model, call.query.table)];
    const tables = asked.filter((table) => grantOf(table, reader, 'read').allowed).map((table) => table.id);
    if (tables.length === 0) return [];
    const who = { model, reader, timeZone: call.site.row.timeZone };
    return latestBatches(ctx, who, tables, call.query.own ? call.session.userId : null);
  });
}

type Wanted = { readonly revision: number; readonly fields: readonly string[] };
/** What fields of a record were after a revision, as values to be written: by language (`''`: the table's own values). */
async function pastValues(w: WriteTx, context: TableContext, id: string, { revision, fields }: Wanted): Promise<Map<string, Record<string, unknown>>> {
  const { table, model, reader } = context;
  await requireSeen(w, context, id);
  const read = grantOf(table, reader, 'read');
  await lockRows(w.tx, model.siteId, table, [id], { fields: [], tr: false, published: false });
  const known = await run(w.tx, `SELECT 1 AS known FROM ${historyTable(model.siteId)} WHERE table_id = $1::text AND record_id = $2::uuid AND rev = $3::int`, [
    table.id,
    id,
    revision,
  ]);
  if (known.length === 0) return fail('not_found');
  const at = new Map<string, Date>();
  const past = await valuesAfter(w.tx, model.siteId, table, await wholeRow(w.tx, model.siteId, table, id), revision, at);
  const conversions = await pastOf(w.tx, table.id);
  const found: { readonly locale: string; readonly name: string; readonly field: FieldModel; readonly value: unknown }[] = [];
  for (const name of fields) {
    const [fieldName = '', language = ''] = name.split('@');
    const locale = canonicalLanguage(language);
    const field = table.byName.get(fieldName);
    if (!field || !read.covers(field) || (locale !== '' && !field.localized)) return fail('invalid_fields', { fields: { [name]: { code: 'unknown_field' } } });
    // A hash cannot be written as a password.
    // The other side of links has its own history.
    if (field.type === 'password' || field.type === 'inverse') return fail('invalid_fields', { fields: { [name]: { code: 'readonly' } } });
    const key = locale === '' ? field.id : `${field.id}@${locale}`;
    const then = at.get(key);
    // History holds values as they were then; the field may have become another type since.
    const value = then === undefined ? past.get(key) : presentForm(conversions, field, past.get(key), then, context.timeZone);
    if (then !== undefined && value === undefined && past.get(key) !== undefined) return fail('invalid_fields', { fields: { [name]: { code: 'wrong_type' } } });
    found.push({ locale, name: fieldName, field, value: value ?? null });
  }
  const seen = await seenLinks(w, context, found);
  const wanted = new Map<string, Record<string, unknown>>();
  for (const { locale, name, field, value } of found) wanted.set(locale, { ...wanted.get(locale), [name]: seen(field, value) });
  return wanted;
}
