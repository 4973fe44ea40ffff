import { z } from 'zod';
import { resourceKindsOf } from '../../../../contract/tables/fieldTypes';
import { fileItemsOf, isFileLink, resourceIdIn } from '../../../../contract/tables/fieldTypes/fileValues';
import type { FileItem } from '../../../../contract/tables/fieldTypes/fileValues';
import type { Context } from '../../../context';
import { Failure } from '../../../http/failure';
import { ConnectRefused } from '../../../net/publicAddress';
import { JobInterrupted, defineJob } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { addFromAddress } from '../../resources';
import { columnName, historyTable, recordsTable } from '../core/ids';
import { siteModel } from '../core/model';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { isFileField } from '../core/write/fileReferences';
import { isFetchable } from '../core/write/linkedFiles';
import { Clashed } from '../core/write/merge';
import { lockRows, run } from '../core/write/rows';
import type { Change } from '../core/write/types';

const Input = z.object({ tableId: z.string().nullable(), recordIds: z.array(z.uuid()).nullable(), batchId: z.uuid().nullable() });
type Input = z.infer<typeof Input>;

/** Records per query. */
const mostPerQuery = 500;

/** Ids of records outside the bin with addresses in their files, in order, after `after`. */
async function linkingRecords(ctx: Context, siteId: string, table: TableModel, { recordIds, batchId }: Input, after: string): Promise<string[]> {
  const linking = table.fields.filter(isFileField).map(({ id }) => `jsonb_path_exists(t.${columnName(id)}, '$[*].url')`);
  const found = await run<{ id: string }>(
    ctx.postgres.db,
    `SELECT t.id::text FROM ${recordsTable(siteId, table.id)} t WHERE t.id > $1::uuid AND t.deleted_at IS NULL AND (${linking.join(' OR ')})
       AND ($2::text[] IS NULL OR t.id = ANY($2::text[]::uuid[]))
       AND ($3::uuid IS NULL OR EXISTS (SELECT 1 FROM ${historyTable(siteId)} h WHERE h.batch = $3::uuid AND h.table_id = $4::text AND h.record_id = t.id))
     ORDER BY t.id LIMIT ${mostPerQuery}`,
    [after, recordIds, batchId, table.id],
  );
  return found.map(({ id }) => id);
}

/** Stores each address once per job; null: it cannot be stored and stays an address. */
type Fetched = Map<string, string | null>;

async function resourceAt(ctx: Context, siteId: string, field: FieldModel, item: { url: string; name?: string }, fetched: Fetched): Promise<string | null> {
  const own = resourceIdIn(item.url);
  if (own !== null) return own;
  if (!isFetchable(item)) return null;
  const key = `${field.type} ${item.url}`;
  const known = fetched.get(key);
  if (known !== undefined) return known;
  let id: string | null = null;
  try {
    id = await addFromAddress(ctx, { siteId, url: item.url, name: item.name ?? null, createdBy: null }, resourceKindsOf(field.type) ?? []);
  } catch (error) {
    if (!(error instanceof ConnectRefused) && !(error instanceof Failure)) throw error;
    ctx.log.info('a linked file could not be fetched', { siteId, error });
  }
  fetched.set(key, id);
  return id;
}

/** The items with uses of resources in place of the addresses that could be stored; null if there are none. */
async function storedItems(
  ctx: Context,
  siteId: string,
  { locales: [locale] }: TableModel,
  field: FieldModel,
  items: readonly FileItem[],
  fetched: Fetched,
): Promise<FileItem[] | null> {
  let changed = false;
  const next: FileItem[] = [];
  for (const item of items) {
    const resource = isFileLink(item) ? await resourceAt(ctx, siteId, field, item, fetched) : null;
    if (resource === null || !isFileLink(item)) next.push(item);
    else {
      changed = true;
      next.push({ resource, ...(item.alt !== undefined && locale !== undefined ? { alt: { [locale]: item.alt } } : {}) });
    }
  }
  return changed ? next : null;
}

/** Replaces the addresses in one record. Its published state follows if it is the current one. What others change meanwhile stays. */
async function storeFilesOf(ctx: Context, model: SiteModel, table: TableModel, id: string, fetched: Fetched): Promise<void> {
  const fields = table.fields.filter(isFileField);
  const row = (await lockRows(ctx.postgres.db, model.siteId, table, [id], { fields, tr: false, published: false, lock: false })).get(id);
  if (!row) return;
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const next = await storedItems(ctx, model.siteId, table, field, fileItemsOf(row.values.get(field.id)), fetched);
    if (next) values[field.id] = next;
  }
  if (Object.keys(values).length === 0) return;
  const changes: Change[] = [{ kind: 'update', id, values, revision: row.rev, system: true }];
  if (table.drafts && row.publishedRev === row.rev) changes.push({ kind: 'publish', id, system: true });
  const context = { model, table, reader: { role: 'admin', userId: null }, timeZone: 'UTC' } as const;
  try {
    await inWrite(ctx, null, (w) => writeBatch(w, context, changes, { origin: 'convert' }));
  } catch (error) {
    // Somebody changed the record meanwhile, or an address named a resource that does not exist: the addresses stay.
    if (!(error instanceof Clashed) && !(error instanceof Failure && error.code === 'invalid_fields')) throw error;
  }
}

async function storeFilesIn(ctx: Context, job: RunningJob, siteId: string, tableId: string, input: Input, fetched: Fetched): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (let done = 0; ;) {
    const model = await siteModel(ctx, siteId);
    const table = model.tables.find((one) => one.id === tableId);
    if (!table?.fields.some(isFileField)) return;
    const ids = await linkingRecords(ctx, siteId, table, input, after);
    const [last] = ids.slice(-1);
    if (last === undefined) return;
    for (const id of ids) {
      await job.progress(done++, null);
      await storeFilesOf(ctx, model, table, id, fetched);
    }
    after = last;
  }
}

/**
 * Stores the files behind addresses in records as resources, and replaces the addresses by them. An address that cannot be reached, or whose file is of no kind
 * that the field takes, stays. Safe to repeat.
 */
export const filesJob = defineJob('tables.files', async (job, ctx) => {
  const { siteId } = job;
  if (siteId === null) return;
  const input = Input.parse(job.input);
  const fetched: Fetched = new Map();
  const { tables } = await siteModel(ctx, siteId);
  for (const { id } of tables) if (input.tableId === null || input.tableId === id) await storeFilesIn(ctx, job, siteId, id, input, fetched);
  if (job.cancelled) throw new JobInterrupted('stop');
});
