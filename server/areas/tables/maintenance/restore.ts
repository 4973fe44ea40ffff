import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { RestoreReport } from '../../../../contract/tables/maintenance';
import type { Context } from '../../../context';
import { Failure, fail } from '../../../http/failure';
import { uploadsIn } from '../../../kit/uploads';
import type { StoredFile } from '../../../stores/files/storedFile';
import { JobInterrupted, defineJob } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { record as audited } from '../../audit';
import { countCopied, designerBy, designing, removeTable } from '../schema';
import { siteModel } from '../core/model';
import type { SiteModel, TableModel } from '../core/model';
import { starterNow } from '../core/starter';
import { sqlState } from '../../../stores/postgres/sqlState';
import { run } from '../core/write/rows';
import { keepDue } from '../core/write/statements';
import type { StartedBy } from '../core/starter';
import { bringFiles } from './backupFiles';
import type { BroughtFiles } from '../core/values/broughtFiles';
import { FileStop, openBackup } from './file';
import type { Opened } from './file';
import { emptyReport, fittedTable, makeFitted } from './fittedTable';
import type { Fitted } from './fittedTable';
import { prepareRecords, writeChunk } from './restoreChunk';
import type { Counting, Fields, FileLine, PreparedRecord } from './restoreChunk';
import * as queries from './queries';
import type { RestoreRow } from './queries';
import { tableRestores } from './schema';

export const restoreFiles = uploadsIn('table-restores');
const part = 'backup';
export const restorePart = part;

/** Records and bytes of text per transaction. */
const chunkRecords = 500;
const chunkBytes = 16 * 2 ** 20;
const Input = z.object({ restoreId: z.uuid() });

/** Rolls back the table created for a dry run. */
class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/** Records of a file in chunks; `withBin`: whether records in the bin are included. */
async function* recordChunks(opened: Opened, skip: number, withBin: boolean): AsyncGenerator<FileLine[]> {
  let chunk: FileLine[] = [];
  let bytes = 0;
  let at = 0;
  for await (const line of opened.records) {
    if (!withBin && line.record.deletedAt !== undefined) continue;
    at += 1;
    if (at <= skip) continue;
    chunk.push(line);
    bytes += line.bytes;
    if (chunk.length < chunkRecords && bytes < chunkBytes) continue;
    yield chunk;
    [chunk, bytes] = [[], 0];
  }
  if (chunk.length > 0) yield chunk;
}

type Read = { readonly opened: Opened; readonly fitted: Fitted; readonly own: ReadonlySet<string> };

/** Ids of all records of a file if the table links to itself; else none. */
async function ownIds(file: StoredFile, fitted: Fitted, withBin: boolean): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const { key } = fitted.table;
  if (!fitted.table.fields.some((field) => (field.type === 'relation' || field.type === 'relations') && field.options.to === key)) return ids;
  const { records } = await openBackup(file);
  for await (const { record } of records) if (withBin || record.deletedAt === undefined) ids.add(record.id.toLowerCase());
  return ids;
}

/** Fields of the file for a dry run, in which none exist yet. */
const fieldsOfFile = ({ table }: Fitted): Fields =>
  table.fields.map(({ key, title, type, options, localized, searchable }) => ({
    id: key,
    key,
    title,
    type,
    options,
    localized,
    searchable: searchable ?? false,
  }));
const whereIn = (
  model: SiteModel,
  { fitted, own, files = new Map() }: Pick<Read, 'fitted' | 'own'> & { readonly files?: BroughtFiles },
  fields: Fields,
  selfKey: string,
) => ({
  model,
  siteId: model.siteId,
  fields,
  selfKey,
  locales: fitted.table.locales.slice(1),
  own,
  files,
});

type Backup = { readonly file: StoredFile; readonly opened: Opened };
/** Runs `work` with the opened file of a restore, which is closed even if its records are not read. */
async function withBackup<T>(ctx: Context, row: RestoreRow, work: (backup: Backup) => Promise<T>): Promise<T> {
  const file = restoreFiles.file(ctx, row.id, part);
  const opened = await openBackup(file);
  try {
    return await work({ file, opened });
  } finally {
    await opened.close();
  }
}

/** Reads a whole file without writing: what would be created, and what would be lost. */
async function tryOut(ctx: Context, job: RunningJob, row: RestoreRow, by: StartedBy, { file, opened }: Backup): Promise<RestoreReport> {
  const withBin = row.bin === 'with';
  const model = await siteModel(ctx, row.siteId);
  const fitted = fittedTable(model, opened, row.title);
  let rights: RestoreReport['rights'] = [];
  await designing(ctx, designerBy(row.siteId, by, by.role), async (design) => {
    rights = (await makeFitted(design, fitted)).rights;
    throw new RolledBack();
  }).catch((error: unknown) => {
    if (error instanceof RolledBack) return;
    throw error instanceof Failure && error.status < 500 && error.code !== 'forbidden' ? new FileStop('definition') : error;
  });
  const own = await ownIds(file, fitted, withBin);
  const report: Counting = { ...emptyReport(opened, fitted, row.siteId), rights, people: new Set() };
  const where = whereIn(model, { fitted, own }, fieldsOfFile(fitted), fitted.table.key);
  for await (const chunk of recordChunks(opened, 0, withBin)) {
    await ctx.postgres.db.transaction((tx) => prepareRecords(tx, where, chunk, report));
    await job.progress(opened.bytes(), row.size);
  }
  if (fitted.table.kind === 'singleton' && report.records > 1) throw new FileStop('only_one');
  report.files = opened.files();
  const { people, ...totals } = report;
  return { ...totals, strangers: people.size };
}

/** Creates the table, or finds the one created by an earlier run. */
async function tableFor(ctx: Context, row: RestoreRow, by: StartedBy, opened: Opened): Promise<string> {
  if (row.tableId !== null) return row.tableId;
  return designing(ctx, designerBy(row.siteId, by, by.role), async (design) => {
    const { id: createdTableId } = await makeFitted(design, fittedTable(await design.model(), opened, row.title));
    const updatedRows = await design.tx
      .update(tableRestores)
      .set({ tableId: createdTableId, position: 0 })
      .where(and(eq(tableRestores.id, row.id), eq(tableRestores.position, 0)))
      .returning({ id: tableRestores.id });
    if (updatedRows.length === 0) fail('conflict');
    await audited(ctx, design.tx, by.actor, {
      action: 'table.imported',
      siteId: row.siteId,
      target: { kind: 'table', id: createdTableId, name: row.title ?? row.report?.title ?? row.name },
      after: { file: row.name, rows: row.report?.records ?? 0, made: true },
    });
    return createdTableId;
  });
}

async function restore(ctx: Context, job: RunningJob, row: RestoreRow, by: StartedBy, { file, opened }: Backup): Promise<void> {
  const withBin = row.bin === 'with';
  const tableId = await tableFor(ctx, row, by, opened);
  let model = await siteModel(ctx, row.siteId);
  const tableNow = (): TableModel => model.tables.find((one) => one.id === tableId) ?? fail('not_found');
  let table = tableNow();
  // With its current definition: links to itself use its own id.
  const fitted: Fitted = { table: fittedTable(model, opened, row.title).table, gone: new Map(), keyTaken: false, rights: [] };
  const own = await ownIds(file, { ...fitted, table: { ...fitted.table } }, withBin);
  const goOn = (): Promise<void> => job.progress(row.position, Math.max(row.report?.records ?? 0, row.position));
  const files = await bringFiles(ctx, { siteId: row.siteId, createdBy: by.userId, restoreId: row.id }, file, goOn);
  const actor = { at: new Date(ctx.now()), actor: by.userId };
  const counting: Counting = { ...emptyReport(opened, fitted, row.siteId), people: new Set() };
  let { position } = row;
  const total = row.report?.records ?? position;
  for await (const chunk of recordChunks(opened, position, withBin)) {
    await job.progress(position, Math.max(total, position));
    model = await siteModel(ctx, row.siteId);
    table = tableNow();
    const where = whereIn(model, { fitted, own, files }, table.fields, table.id);
    const from = position;
    await starterNow(ctx.postgres.db, row.siteId, by.userId, 'tables.design');
    await ctx.postgres.db.transaction(async (tx) => {
      const ready: PreparedRecord[] = await prepareRecords(tx, where, chunk, counting);
      await writeChunk(tx, row.siteId, table, ready, actor);
      const live = ready.filter(({ record }) => record.deletedAt === undefined).length;
      await countCopied({ query: (text, values) => run(tx, text, values) }, row.siteId, tableId, live, actor.at);
      const moved = await tx
        .update(tableRestores)
        .set({ position: from + chunk.length })
        .where(and(eq(tableRestores.id, row.id), eq(tableRestores.position, from)))
        .returning({ id: tableRestores.id });
      // A run that has unknowingly lost its lease writes nothing.
      if (moved.length === 0) throw new JobInterrupted('lost');
    });
    position = from + chunk.length;
    await job.progress(position, Math.max(total, position));
  }
  await ctx.postgres.db.transaction((tx) => keepDue(tx, row.siteId, tableId));
  await queries.changeRestore(ctx.postgres.db, row.id, { requested: null, ended: 'done', finishedAt: new Date(ctx.now()) });
  ctx.live.publish({ type: 'records', siteId: row.siteId, tableId, ids: [], by: by.userId });
  await restoreFiles.remove(ctx, row.id);
}

/** Moves an incomplete table into the bin; the file stays for another attempt. */
export async function giveUp(ctx: Context, row: RestoreRow, by: StartedBy): Promise<void> {
  const { db } = ctx.postgres;
  const now = (await queries.findRestore(db, row.siteId, row.id))?.row;
  if (!now || now.tableId === null || now.ended === 'done') return;
  const { tableId } = now;
  await designing(ctx, designerBy(row.siteId, by, by.role), async (design) => {
    const table = (await design.model()).tables.find((one) => one.id === tableId);
    if (table) await removeTable(design, table);
    await design.tx.update(tableRestores).set({ tableId: null, position: 0 }).where(eq(tableRestores.id, row.id));
  });
}

/**
 * Checks a backup, or restores its table. Progress is stored in the restore's row in the transaction that writes the records: after a crash it continues
 * behind the last of them. If cancelled, or if the file turns out to be invalid, the new table goes into the bin.
 */
export const restoreJob = defineJob('tables.restore', async (job, ctx) => {
  const { restoreId } = Input.parse(job.input);
  const { db } = ctx.postgres;
  const found = job.siteId === null ? null : await queries.findRestore(db, job.siteId, restoreId);
  if (!found?.row.by || found.row.jobId !== job.id || found.row.requested === null) return;
  let { row } = found;
  const starter = found.row.by;
  try {
    const role = await starterNow(db, row.siteId, starter.userId, 'tables.design');
    const by = { ...starter, role };
    if (row.report === null) {
      const report = await withBackup(ctx, row, (backup) => tryOut(ctx, job, row, by, backup));
      await queries.changeRestore(db, row.id, { report });
      row = { ...row, report };
    }
    if (row.requested === 'check') await queries.changeRestore(db, row.id, { requested: null, ended: 'checked' });
    else await withBackup(ctx, row, (backup) => restore(ctx, job, row, by, backup));
  } catch (error) {
    const isTaken = sqlState(error) === '23505';
    const stopped = error instanceof FileStop || isTaken || (error instanceof Failure && error.status < 500);
    if (error instanceof FileStop) await queries.changeRestore(db, row.id, { error: error.error });
    if (stopped || (error instanceof JobInterrupted && error.message === 'cancel')) await giveUp(ctx, row, starter);
    throw error instanceof FileStop ? new Failure('invalid_fields', { cause: error }) : isTaken ? new Failure('duplicate_values', { cause: error }) : error;
  }
});

/** Deletes abandoned files and expired restores. Runs on a schedule. */
export async function tendRestores(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const old = ctx.now() - 30 * 86_400_000;
  for (const { row, job } of await queries.allRestores(db)) {
    if (job?.state === 'queued' || job?.state === 'running') continue;
    const done = row.ended === 'done' && (row.finishedAt?.getTime() ?? 0) < old;
    if (done || (row.ended !== 'done' && (await restoreFiles.isAbandoned(ctx, row.id, row.createdAt)))) {
      if (row.by) await giveUp(ctx, row, row.by);
      await queries.deleteRestore(db, row.id);
    }
  }
  await restoreFiles.sweep(ctx, async () => new Set((await queries.allRestores(db)).map(({ row }) => row.id)));
}
