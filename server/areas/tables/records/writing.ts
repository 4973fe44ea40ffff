import { canonicalLanguage } from '../../../../contract/languages';
import { and, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Conflict, ContentRecord, Written } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { actorOf } from '../../audit';
import { grantOf, requireGrant } from '../core/access';
import { readerOf } from '../core/access';
import type { Caller, Reader } from '../core/access';
import { pastOf, presentForm } from '../core/write/conversions';
import { designerOf, designs } from '../schema/designer';
import type { DesignCall } from '../schema/designer';
import { historyTable, newRecordId } from '../core/ids';
import { undoChoices } from '../core/write/choices';
import { siteModel, tableOf } from '../core/model';
import type { FieldModel, SiteModel } from '../core/model';
import { onScene, recordsByIds } from '../core/read';
import { contentBatches } from '../core/schema';
import { dropMadeFields, madeFieldsBack, noteImport } from '../transfer/again';
import type { Made } from '../transfer/again';
import { latestBatches } from '../core/write/batches';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { Clashed } from '../core/write/merge';
import type { Clash } from '../core/write/merge';
import { historyOf, peopleNames, requireSeen, shownValue, valuesAfter, wholeRow } from '../core/write/past';
import { withHashes } from '../core/write/passwords';
import { lockRows, run } from '../core/write/rows';
import { seenLinks } from '../core/write/seenLinks';
import type { BatchResult, Change, Scene, WriteOptions, WriteTx } from '../core/write/types';
import { lockBatch, undoBatch } from '../core/write/undo';
import type { Undone } from '../core/write/undo';
import { upserts } from '../core/write/upsert';

/** Where a call writes, and by whom. */
export async function sceneOf(ctx: Context, call: Caller & { readonly params: { readonly table: string } }): Promise<Scene> {
  const model = await siteModel(ctx, call.site.id, call.site.contentRevision);
  return { model, table: tableOf(model, call.params.table), reader: readerOf(call), timeZone: call.site.row.timeZone };
}
/** People write by hand, tokens by program. */
export const doorOf = ({ session }: Caller): WriteOptions['door'] => (session.token ? 'api' : 'console');

/** The answer to a write; of records that were written more than once, as they are at last. */
export function written(result: BatchResult, most = result.results.length): Written {
  const last = new Map(result.results.map((one) => [one.id, one.revision]));
  const { batchId, created, updated, removed, unchanged } = result;
  return {
    batchId,
    created,
    updated: updated + removed,
    unchanged,
    records: result.results.slice(0, most).map(({ id, n, revision }) => ({ id, n, revision: last.get(id) ?? revision })),
  };
}

const shownSkips = 100;
const undoAnswer = ({ batchId, shown: { undone, skipped } }: Undone) => ({
  batchId,
  undone,
  skipped: skipped.slice(0, shownSkips),
  skippedCount: skipped.length,
});

/** Writing of records: making, changing, their history, and undoing of whatever was done. */
export function registerWriting(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  async function shownRecord(scene: Scene, id: string, names: 'key' | 'id'): Promise<ContentRecord> {
    // What was written stands: if a change of definitions came right behind it, it is shown by those.
    const { rows } = await onScene(ctx, scene, (now) => recordsByIds(ctx, now, [id], { names }));
    return rows[0] ?? fail('not_found');
  }
  /** Both sides of a clash, by the names that the writer used. */
  async function conflictOf(scene: Scene, clash: Clash, values: Readonly<Record<string, unknown>>, names: 'key' | 'id'): Promise<Conflict> {
    const record = await shownRecord(scene, clash.id, names);
    const by = (await peopleNames(db, [clash.by])).get(clash.by ?? '') ?? null;
    const fields = Array.from(clash.keys, ([key, sides]) => {
      const field = scene.table.byName.get(key.split('@')[0] ?? '');
      const name = Object.keys(values).find((one) => scene.table.byName.get(one)?.id === field?.id) ?? key;
      return [name, { base: shownValue(field, sides.base), theirs: shownValue(field, sides.theirs), yours: shownValue(field, sides.yours) }] as const;
    });
    return { revision: record.revision, record, fields: Object.fromEntries(fields), by };
  }
  const mostConflicts = 20;

  route(app, ctx, endpoints.addRecords, async (call) => {
    const scene = await sceneOf(ctx, call);
    const { locale, upsertOn, publish } = call.body;
    const records = await withHashes(scene, 'create', call.body.records);
    return inWrite(ctx, call, async (w) => {
      const makes: Change[] = records.map((values) => ({ kind: 'create', values, id: newRecordId(w.now.getTime()) }));
      const changes = upsertOn === undefined ? makes : await upserts(w, scene, records, upsertOn);
      const made = await writeAll(w, scene, changes, { door: doorOf(call), locale }, publish && scene.table.drafts);
      return written(made, records.length);
    });
  });

  route(app, ctx, endpoints.changeRecords, async (call) => {
    const scene = await sceneOf(ctx, call);
    const { changes, locale, door } = call.body;
    const options: WriteOptions = { door: call.session.token ? 'api' : (door ?? 'console'), locale, path: (at) => `changes.${at}` };
    const hashed = await withHashes(
      scene,
      'update',
      changes.map(({ values }) => values),
    );
    try {
      return await inWrite(ctx, call, async (w) =>
        written(
          await writeBatch(
            w,
            scene,
            changes.map(({ id, values, revision }, at): Change => ({
              kind: 'update',
              id,
              values: hashed[at] ?? values,
              ...(revision === undefined ? {} : { revision }),
            })),
            options,
          ),
        ),
      );
    } catch (error) {
      if (!(error instanceof Clashed)) throw error;
      const shown = error.clashes.slice(0, mostConflicts);
      const names = changes.some(({ values }) => Object.keys(values).some((name) => name.startsWith('f_'))) ? 'id' : 'key';
      return fail('stale_revision', { current: await Promise.all(shown.map((clash) => conflictOf(scene, clash, changes[clash.at]?.values ?? {}, names))) });
    }
  });

  route(app, ctx, endpoints.changeRecord, async (call) => {
    const scene = await sceneOf(ctx, call);
    const { id } = call.params;
    const { values, locale } = call.body;
    const revision = call.ifMatch();
    const [hashed = values] = await withHashes(scene, 'update', [values]);
    try {
      await inWrite(ctx, call, async (w) =>
        written(await writeBatch(w, scene, [{ kind: 'update', id, values: hashed, revision }], { door: doorOf(call), locale, path: () => '' })),
      );
    } catch (error) {
      const [clash] = error instanceof Clashed ? error.clashes : [];
      if (!clash) throw error;
      return fail('stale_revision', { current: await conflictOf(scene, clash, values, call.query.names) });
    }
    return shownRecord(scene, id, call.query.names);
  });

  route(app, ctx, endpoints.recordHistory, async (call) => {
    const scene = await sceneOf(ctx, call);
    await db.transaction((tx) => requireSeen({ ctx, tx }, scene, call.params.id));
    return historyOf(ctx, scene, call.params.id, call.query.before);
  });

  route(app, ctx, endpoints.revertRecord, async (call) => {
    const scene = await sceneOf(ctx, call);
    const { id } = call.params;
    await inWrite(ctx, call, async (w) => {
      const wanted = await pastValues(w, scene, id, call.body);
      let batchId: string | null = null;
      for (const [locale, values] of wanted) {
        const options: WriteOptions = { door: doorOf(call), path: () => '', ...(locale === '' ? {} : { locale }), ...(batchId === null ? {} : { batchId }) };
        batchId = (await writeBatch(w, scene, [{ kind: 'update', id, values }], options)).batchId ?? batchId;
      }
      return null;
    });
    return shownRecord(scene, id, call.query.names);
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

  /** The batch of a table that the caller may read; all others are not there. */
  async function batchOf(w: WriteTx, model: SiteModel, reader: Reader, id: string): ReturnType<typeof lockBatch> {
    const batch = await lockBatch(w, model.siteId, id);
    requireGrant(model.tables.find((table) => table.id === batch.tableId) ?? fail('not_found'), reader, 'read');
    return batch;
  }
  type Undoing = Caller & DesignCall & { readonly params: { readonly batch: string } };
  /** Undoes a batch, or (`redo`) the batch that has undone it. What an import made besides records goes and comes back with them. */
  async function undo(call: Undoing, redo: boolean): Promise<ReturnType<typeof undoAnswer>> {
    const siteId = call.site.id;
    const reader = readerOf(call);
    const [asked] = await ctx.postgres.db
      .select()
      .from(contentBatches)
      .where(and(eq(contentBatches.siteId, siteId), eq(contentBatches.id, call.params.batch)));
    const again = redo ? asked?.undoneBy !== null : asked?.door === 'undo' && asked.undoneBy === null;
    const back = asked && again && designs(call) ? await madeFieldsBack(ctx, designerOf(call), asked.of ?? asked.id) : null;
    const model = await siteModel(ctx, siteId);
    const who = { model, reader, timeZone: call.site.row.timeZone };
    const taken = inWrite(ctx, call, async (w): Promise<ReturnType<typeof undoAnswer> & { readonly made: Made | null }> => {
      const named = await batchOf(w, model, reader, call.params.batch);
      const batch = !redo ? named : await lockBatch(w, siteId, named.undoneBy ?? fail('bad_transition'));
      const result = await undoBatch(w, who, batch);
      await undoChoices(w, who, actorOf(call), batch, result.batchId);
      const goes = batch.door !== 'undo';
      const change = { undone: goes, left: goes ? result.skipped.length : null };
      const noted = result.batchId === null ? null : await noteImport(w, siteId, batch.of ?? batch.id, change);
      return { ...undoAnswer(result), made: goes ? noted : null };
    });
    // Fields that came back for nothing go again.
    const { made, ...answer } = await taken.catch(async (error: unknown) => {
      if (back) await dropMadeFields(ctx, designerOf(call), back).catch(() => undefined);
      throw error;
    });
    if (made && designs(call)) await dropMadeFields(ctx, designerOf(call), made);
    return answer;
  }
  route(app, ctx, endpoints.undoBatch, (call) => undo(call, false));
  route(app, ctx, endpoints.redoBatch, (call) => undo(call, true));
}

/** Changes, and where asked for the publishing of what they made, as one batch. */
function writeAll(w: WriteTx, scene: Scene, changes: readonly Change[], options: WriteOptions, publish: boolean): Promise<BatchResult> {
  const published = publish ? changes.flatMap((change): Change[] => (change.id === undefined ? [] : [{ kind: 'publish', id: change.id }])) : [];
  return writeBatch(w, scene, [...changes, ...published], { ...options, path: (at) => `records.${at % changes.length}` });
}

type Wanted = { readonly revision: number; readonly fields: readonly string[] };
/** What fields of a record were after a revision, as values to be written: by language (`''`: the table's own values). */
async function pastValues(w: WriteTx, scene: Scene, id: string, { revision, fields }: Wanted): Promise<Map<string, Record<string, unknown>>> {
  const { table, model, reader } = scene;
  await requireSeen(w, scene, id);
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
    const value = then === undefined ? past.get(key) : presentForm(conversions, field, past.get(key), then, scene.timeZone);
    if (then !== undefined && value === undefined && past.get(key) !== undefined) return fail('invalid_fields', { fields: { [name]: { code: 'wrong_type' } } });
    found.push({ locale, name: fieldName, field, value: value ?? null });
  }
  const seen = await seenLinks(w, scene, found);
  const wanted = new Map<string, Record<string, unknown>>();
  for (const { locale, name, field, value } of found) wanted.set(locale, { ...wanted.get(locale), [name]: seen(field, value) });
  return wanted;
}
