import type { Context } from '../../context';
import { Failure, fail } from '../../http/failure';
import { JobInterrupted, defineJob } from '../../worker';
import type { RunningJob } from '../../worker';
import { record } from '../audit';
import { installArchive } from './archive/read';
import type { ArchiveNotes } from './archive/read';
import { checkAddresses } from './check';
import { ImportInput } from './detect';
import { sourceFile } from './files';
import { announce } from './live';
import { chooseMedia, localiseMedia } from './media';
import * as queries from './queries';
import type { ImportRow } from './queries';
import { writeRecords } from './records';
import type { Written } from './schema';
import { writeSettings } from './settings';
import { noData } from './sources/types';
import { chosenCollections, emptyWritten, installStructure, tablesOf } from './structure';
import { receiverOf } from './target';
import type { Receiver } from './target';
import { SourceStop, openArchive } from './zip';
import type { Archive } from './zip';

const resultOf = (counts: readonly queries.Counted[]): 'done' | 'incomplete' =>
  counts.some(({ outcome, count }) => outcome === 'failed' && count > 0) ? 'incomplete' : 'done';

/** The row as it is now, with another step; the console follows. */
async function enter(ctx: Context, row: ImportRow, step: ImportRow['step']): Promise<ImportRow> {
  await queries.changeImport(ctx.postgres.db, row.id, { step });
  announce(ctx, row);
  return (await queries.findImport(ctx.postgres.db, row.id))?.row ?? fail('not_found');
}

async function runItems(ctx: Context, job: RunningJob, begun: ImportRow, by: Receiver, archive: Archive | null): Promise<void> {
  const { db } = ctx.postgres;
  let row = begun;
  const left = new Set(row.mapping?.collections.filter(({ include }) => !include).map(({ key }) => key));
  await queries.skipCollections(db, row.id, [...left]);
  if (row.mapping?.media === 'link') await queries.skipMedia(db, row.id, []);
  row = await enter(ctx, row, 'site');
  await installStructure(ctx, row, by);
  row = await enter(ctx, row, 'media');
  const collections = chosenCollections(row);
  const tables = await tablesOf(ctx, row, by.site.id);
  if (row.mapping?.media !== 'link') await chooseMedia(ctx, row, collections, tables);
  const pending = (counts: readonly queries.Counted[], kind: 'record' | 'media'): number =>
    counts.find((one) => one.kind === kind && one.outcome === 'pending')?.count ?? 0;
  await localiseMedia(ctx, job, row, by, archive, pending(await queries.countItems(db, row.id), 'media'));
  row = await enter(ctx, row, 'records');
  await writeRecords(ctx, job, row, by, { collections, tables, total: pending(await queries.countItems(db, row.id), 'record') });
  row = await enter(ctx, row, 'settings');
  await writeSettings(ctx, row, by, collections, tables);
}

async function runArchive(ctx: Context, job: RunningJob, begun: ImportRow, by: Receiver, archive: Archive): Promise<void> {
  const { db } = ctx.postgres;
  const row = await enter(ctx, begun, 'records');
  const total = (row.plan?.media ?? 0) + (row.plan?.collections.reduce((sum, { count }) => sum + Math.ceil(count / 500) + 1, 0) ?? 0);
  let written = row.written ?? emptyWritten;
  let n = 0;
  const store = (change: Partial<Written>): Promise<void> => queries.changeImport(db, row.id, { written: (written = { ...written, ...change }) });
  const item = { importId: row.id, kind: 'media', collection: '', hash: '', data: noData, outcome: 'created' } as const;
  const notes: ArchiveNotes = {
    resource: (resourceId) => queries.putItems(db, [{ ...item, source: resourceId, n: n++, title: resourceId, resourceId }]),
    tables: (tables) => store({ tables }),
    parts: (parts) => store({ parts }),
    texts: (texts) => store({ texts }),
  };
  const counts = await installArchive(ctx, archive, { ...by, importId: row.id }, notes, (done) => job.progress(Math.min(done, total), total));
  await store({ archive: counts });
}

const isZip = (row: ImportRow): boolean => row.source === 'archive' || row.source === 'static' || row.source === 'markdown' || row.source === 'ghost';
/** The archive that was uploaded, if it is one. */
async function archiveOf(ctx: Context, row: ImportRow): Promise<Archive | null> {
  if (!isZip(row)) return null;
  try {
    return await openArchive(sourceFile(ctx, row.id));
  } catch (error) {
    // An export of Ghost without its files is one document.
    if (row.source === 'ghost' && error instanceof SourceStop) return null;
    throw error;
  }
}

async function finish(ctx: Context, job: RunningJob, begun: ImportRow, by: Receiver): Promise<void> {
  const { db } = ctx.postgres;
  const row = await enter(ctx, begun, 'check');
  const check = row.source === 'archive' ? null : await checkAddresses(ctx, job, row, by);
  const counts = await queries.countItems(db, row.id);
  const state = resultOf(counts);
  await db.transaction(async (tx) => {
    await queries.changeImport(tx, row.id, { state, step: null, check, finishedAt: new Date(ctx.now()), error: null });
    await record(ctx, tx, by.actor, {
      action: 'site.imported',
      siteId: by.site.id,
      target: { kind: 'site', id: by.site.id, name: by.site.name },
      after: {
        source: row.source,
        file: row.name,
        records: counts.filter(({ kind, outcome }) => kind === 'record' && outcome !== 'failed').reduce((sum, { count }) => sum + count, 0),
      },
    });
  });
}

/** What a run that ends early leaves behind. A pause and a cancellation have been stored by the call that requested them. */
async function stop(ctx: Context, row: ImportRow, error: unknown): Promise<unknown> {
  const { db } = ctx.postgres;
  const now = (await queries.findImport(db, row.id))?.row;
  // The import was continued before this run noticed its pause: the state is that of the other run.
  if (now?.jobId !== row.jobId) return error;
  if (error instanceof JobInterrupted) {
    // The job was cancelled in the list of jobs.
    if (error.message === 'cancel' && now.state === 'running') await queries.changeImport(db, row.id, { state: 'paused' });
    return error;
  }
  if (!(error instanceof SourceStop) && !(error instanceof Failure && error.status < 500)) return error;
  await queries.changeImport(db, row.id, { state: 'failed', error: error.code });
  return error instanceof SourceStop ? new Failure('invalid_fields', { cause: error }) : error;
}

/**
 * Runs an import. Everything it has to do is in its items, and each is settled in the transaction that writes it: after a crash it continues with those that are
 * pending.
 */
export const runJob = defineJob('siteImport.run', async (job, ctx) => {
  const { importId } = ImportInput.parse(job.input);
  const row = (await queries.findImport(ctx.postgres.db, importId))?.row;
  if (!row || row.jobId !== job.id || row.state !== 'running') return;
  let archive: Archive | null = null;
  try {
    const by = await receiverOf(ctx, row);
    archive = await archiveOf(ctx, row);
    if (row.source === 'archive' && archive) await runArchive(ctx, job, row, by, archive);
    else await runItems(ctx, job, row, by, archive);
    await finish(ctx, job, row, by);
  } catch (error) {
    throw await stop(ctx, row, error);
  } finally {
    archive?.close();
    announce(ctx, row);
  }
});

/** Requests the imported addresses once more, such as after the site was published. */
export const checkJob = defineJob('siteImport.check', async (job, ctx) => {
  const { importId } = ImportInput.parse(job.input);
  const { db } = ctx.postgres;
  const row = (await queries.findImport(db, importId))?.row;
  if (!row || row.jobId !== job.id) return;
  const check = await checkAddresses(ctx, job, row, await receiverOf(ctx, row));
  await queries.changeImport(db, row.id, { check });
  announce(ctx, row);
});
