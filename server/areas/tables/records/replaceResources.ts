import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import { resourceLibraryEndpoints as endpoints } from '../../../../contract/resources/library';
import { usesOf } from '../../../../contract/tables/fieldTypes';
import { withReplacedResources } from '../../../../contract/tables/fieldTypes/fileValues';
import type { Context } from '../../../context';
import { Failure, fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf, ResponseOf } from '../../../http/route';
import { defineJob, enqueue } from '../../../worker';
import { actorOf } from '../../audit';
import { countRecordsUsing, countUses, recordsUsing, removeUnused, usableResources } from '../../resources';
import { grantOf } from '../core/access';
import { newRecordId } from '../core/ids';
import { siteModel } from '../core/model';
import type { FieldModel, TableModel } from '../core/model';
import { starterNow } from '../core/starter';
import type { StartedBy } from '../core/starter';
import type { TableContext } from '../core/tableContext';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { usesResources } from '../core/write/fileReferences';
import { permitted } from '../core/write/lookups';
import { Clashed } from '../core/write/merge';
import { lockRows } from '../core/write/rows';
import type { Row } from '../core/write/rows';
import type { Change, WriteTx } from '../core/write/types';

/** Records per transaction; more than that many become a job. */
const atOnce = 500;

type Replacement = { readonly siteId: string; readonly ids: readonly string[]; readonly by: string; readonly batchId: string; readonly viaToken: boolean };
type Who = Omit<TableContext, 'table' | 'model'>;

/** A value with the other resource in place of the replaced ones; null if it uses none of them. */
function replacedIn({ type }: FieldModel, value: unknown, { ids, by }: Replacement): unknown {
  const uses = usesOf(type);
  return uses === null ? null : withReplacedResources(uses, value, ids, by);
}

/** Updates that put the other resource into the main values and into every translation, one language after the other. */
function updatesOf(table: TableModel, fields: readonly FieldModel[], rows: Iterable<Row>, replacement: Replacement): Change[] {
  const all = [...rows];
  const translated = fields.filter(({ localized }) => localized);
  const updates = (locale: string, some: readonly FieldModel[], valueOf: (row: Row, field: FieldModel) => unknown): Change[] =>
    all.flatMap((row): Change[] => {
      const values = some.map((field) => [field.id, replacedIn(field, valueOf(row, field), replacement)] as const).filter(([, next]) => next !== null);
      return values.length === 0 ? [] : [{ kind: 'update', id: row.id, values: Object.fromEntries(values), locale }];
    });
  const [main = '', ...others] = table.locales;
  return [
    ...updates(main, fields, (row, field) => row.values.get(field.id)),
    ...others.flatMap((locale) => updates(locale, translated, (row, field) => row.tr[locale]?.[field.id])),
  ];
}

/**
 * Changes those of some records that the writer may change, in all languages. The published state follows where it is the current one and the writer may
 * publish. Returns the number of changed records.
 */
async function replaceInRecords(w: WriteTx, context: TableContext, recordIds: readonly string[], replacement: Replacement): Promise<number> {
  const { table, reader, model } = context;
  const [read, update, publish] = (['read', 'update', 'publish'] as const).map((action) => grantOf(table, reader, action));
  if (!read?.allowed || !update?.allowed) return 0;
  const fields = table.fields.filter((field) => usesResources(field) && read.covers(field) && update.covers(field));
  const ids = await permitted(w, context, table, recordIds, { grants: [read, update] });
  if (fields.length === 0 || ids.size === 0) return 0;
  const rows = await lockRows(w.tx, model.siteId, table, [...ids], { fields, tr: fields.some(({ localized }) => localized), published: false });
  const updates = updatesOf(table, fields, rows.values(), replacement);
  const current = [...new Set(updates.flatMap(({ id }) => (id !== undefined && rows.get(id)?.publishedRev === rows.get(id)?.rev ? [id] : [])))];
  const publishable = table.drafts && publish?.allowed ? await permitted(w, context, table, current, { grants: [read, publish] }) : new Set<string>();
  const changes = [...updates, ...Array.from(publishable, (id): Change => ({ kind: 'publish', id }))];
  if (changes.length === 0) return 0;
  const { batchId, viaToken } = replacement;
  const { results } = await writeBatch(w, context, changes, { origin: viaToken ? 'api' : 'bulk', errors: 'collect', batchId });
  return new Set(results.slice(0, updates.length).flatMap(({ id, outcome }) => (outcome === 'updated' ? [id] : []))).size;
}

/** Replaces resources in records of one table; if one record makes the whole set fail, halves are tried until it is alone and skipped. */
async function replaceInTable(ctx: Context, context: TableContext, ids: readonly string[], replacement: Replacement): Promise<number> {
  try {
    return await inWrite(ctx, null, (w) => replaceInRecords(w, context, ids, replacement));
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Clashed)) throw error;
  }
  if (ids.length === 1) return 0;
  const half = Math.ceil(ids.length / 2);
  return (await replaceInTable(ctx, context, ids.slice(0, half), replacement)) + (await replaceInTable(ctx, context, ids.slice(half), replacement));
}

type Position = { readonly owner: string; readonly sourceId: string };
type Chunk = { readonly last: Position; readonly changed: number; readonly tableId: string | null; readonly looked: number };

/** The next records that use one of the resources; null at the end. `tableId`: the first table that was changed. */
async function replaceChunk(ctx: Context, who: Who, replacement: Replacement, after: Position | null): Promise<Chunk | null> {
  const { siteId } = replacement;
  const found = await recordsUsing(ctx.postgres.db, siteId, replacement.ids, after, atOnce);
  const last = found.at(-1);
  if (!last) return null;
  const model = await siteModel(ctx, siteId);
  let changed = 0;
  let tableId: string | null = null;
  for (const owner of new Set(found.map((one) => one.owner))) {
    const table = model.tables.find(({ id }) => id === owner);
    if (!table) continue;
    const ids = found.filter((one) => one.owner === owner).map(({ sourceId }) => sourceId);
    const count = await replaceInTable(ctx, { ...who, model, table }, ids, replacement);
    if (count > 0) tableId ??= owner;
    changed += count;
  }
  return { last, changed, tableId, looked: found.length };
}

type JobInput = {
  readonly replacement: Replacement;
  readonly remove: boolean;
  readonly siteName: string;
  readonly startedBy: Pick<StartedBy, 'userId' | 'timeZone' | 'actor'>;
};

/** Replaces resources in all records. Safe to repeat: what is replaced already is not found again. */
export const resourcesJob = defineJob('tables.resources', async (job, ctx) => {
  // Written by `replaceResources`.
  const { replacement, remove, siteName, startedBy } = job.input as JobInput;
  const { siteId, ids } = replacement;
  const { db } = ctx.postgres;
  const total = await countRecordsUsing(db, siteId, ids);
  let done = 0;
  for (let after: Position | null = null; ;) {
    await job.progress(done, total);
    const role = await starterNow(db, siteId, startedBy.userId, 'resources.write');
    const chunk: Chunk | null = await replaceChunk(ctx, { reader: { role, userId: startedBy.userId }, timeZone: startedBy.timeZone }, replacement, after);
    if (!chunk) break;
    after = chunk.last;
    done += chunk.looked;
  }
  if (remove) await removeUnused(ctx, { id: siteId, name: siteName }, ids, startedBy.actor);
});

async function replaceResources(ctx: Context, call: CallOf<typeof endpoints.replaceResources>): Promise<ResponseOf<typeof endpoints.replaceResources>> {
  const { site, session, body } = call;
  const { db } = ctx.postgres;
  if (session.token && !session.token.scopes.includes('tables:write')) fail('token_scope');
  if (!mayOnSite(site.role, 'tables.use')) fail('forbidden');
  const target = (await usableResources(db, site.id, [body.by])).get(body.by) ?? fail('not_found');
  if (target.removed || target.confidential) failField('by', 'unknown');
  const ids = [...new Set(body.ids)].filter((id) => id !== body.by);
  const named = { id: site.id, name: site.row.name };
  const replacement: Replacement = { siteId: site.id, ids, by: body.by, batchId: newRecordId(ctx.now()), viaToken: session.token !== null };
  const who: Who = { reader: { role: site.role, userId: session.userId }, timeZone: site.row.timeZone };
  const nothing = { batchId: null, tableId: null, changed: 0, remaining: 0, removed: [], jobId: null };
  if (ids.length === 0) return nothing;
  if ((await countRecordsUsing(db, site.id, ids)) > atOnce) {
    const startedBy = { userId: session.userId, timeZone: site.row.timeZone, actor: actorOf(call) };
    const input: JobInput = { replacement, remove: body.remove, siteName: site.row.name, startedBy };
    const job = await enqueue(ctx, 'tables.resources', { siteId: site.id, label: site.row.name, input, createdBy: session.userId });
    return { ...nothing, jobId: job.id };
  }
  const chunk = await replaceChunk(ctx, who, replacement, null);
  const removed = body.remove ? await removeUnused(ctx, named, ids, actorOf(call)) : [];
  const changed = chunk?.changed ?? 0;
  const batchId = changed > 0 ? replacement.batchId : null;
  return { batchId, tableId: chunk?.tableId ?? null, changed, remaining: await countUses(db, site.id, ids), removed, jobId: null };
}

export function registerReplacing(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.replaceResources, (call) => replaceResources(ctx, call));
}
