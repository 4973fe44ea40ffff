import { isFigures } from '../../../contract/imports/schemas';
import { noteBuild } from '../../collect/visitBuilds';
import type { Context } from '../../context';
import { defineJob, enqueue, JobInterrupted } from '../../worker';
import type { RunningJob } from '../../worker';
import { z } from 'zod';
import { defaultVisitRules, visitRulesOf } from '../../collect/visitRules';
import { annotate } from '../insights';
import { openSiteIndex } from '../sites';
import type { IndexedSite } from '../sites';
import { abandonedAfter } from '../../kit/uploads';
import { importFiles } from './files';
import { newProgress } from './progress';
import type { Progress } from './progress';
import { startImportThread } from './importThread';
import type { Calls, ImportThread } from './importThread';
import { namingKey } from './naming';
import { readKeywords } from './keywords/read';
import { readPlausible, readUmami } from './readTables';
import * as queries from './queries';
import type { ImportRecord } from './queries';

const labelOf = ({ files }: ImportRecord): string =>
  files
    .map((file) => file.name)
    .join(', ')
    .slice(0, 120);

const Input = z.object({ importId: z.uuid() });

/** The job of one import: reads its files and builds visits, or removes everything again, according to its row. */
export const analyticsImport = defineJob('analytics.import', async (job, ctx) => {
  const { importId } = Input.parse(job.input);
  const { siteId } = job;
  const found = siteId === null ? null : await queries.findImport(ctx.postgres.db, siteId, importId);
  if (siteId === null || !found) return;
  const thread = startImportThread();
  try {
    if (found.row.removing) await remove(job, ctx, found.row, thread);
    else await run(job, ctx, found.row, thread);
  } catch (error) {
    // On a final cancellation the next import starts; after any other interruption this job resumes, so its site stays occupied.
    if (error instanceof JobInterrupted && error.message === 'cancel') await startNext(ctx, siteId, job.id);
    throw error;
  } finally {
    thread.close();
    ctx.live.publish({ type: 'als', siteId, visitIds: [], at: ctx.now() });
  }
  await startNext(ctx, siteId, job.id);
});

async function run(job: RunningJob, ctx: Context, row: ImportRecord, thread: ImportThread): Promise<void> {
  const { db } = ctx.postgres;
  const site = await siteOf(ctx, row.siteId);
  if (site === null || row.format === null) return;
  const progress: Progress = { ...(row.progress ?? newProgress(ctx.now())), runAt: ctx.now() };
  progress.runLines = progress.lines;
  const sizes = row.files.map((file) => file.size);
  const before = (file: number): number => sizes.slice(0, file).reduce((sum, size) => sum + size, 0);
  await job.progress(progress.read, row.total);

  if (progress.phase === 'reading') {
    const reading = { ctx, job, row, site, progress, before };
    // Figures have no position of their own. Progress is stored before the first of them, so that a removal knows that there may be some.
    if (isFigures(row.format)) await queries.saveProgress(db, row.id, progress);
    if (row.format === 'plausible') await readPlausible(reading);
    else if (row.format === 'keywords') await readKeywords(reading);
    else if (row.format === 'umami') await readUmami(reading);
    else {
      const { number, mode, format, fields, createdAt } = row;
      const files = row.files.map(({ name, size }, index) => ({ name, size, key: importFiles.key(row.id, index) }));
      const times = { now: ctx.now(), receivedAt: createdAt.getTime() };
      const names = { site, number, mode: mode ?? 'compare', namingKey: namingKey(ctx.secrets) };
      Object.assign(
        progress,
        await thread.run({ kind: 'read', ...names, ...times, format, fields, store: ctx.files.location, files, progress }, callsOf(ctx, job, row, row.total)),
      );
    }
    progress.phase = 'building';
    await queries.saveProgress(db, row.id, progress);
  }
  if (progress.phase === 'building') {
    if (!isFigures(row.format)) {
      await build(job, ctx, row, thread, site, { without: false, total: row.total });
      // Duplicate lines in files of the same import were counted as new until now.
      const stored = await queries.countImported(ctx.clickhouse, row.siteId, row.number);
      Object.assign(progress, { repeated: progress.repeated + progress.accepted - stored.hits, accepted: stored.hits, bots: stored.bots });
    }
    progress.phase = 'done';
    await queries.saveProgress(db, row.id, progress);
  }
  await finish(ctx, row, site);
  await importFiles.remove(ctx, row.id);
}

/** Builds the visits of an import's visitors, or those that remain without the import; reports show a notice meanwhile. */
async function build(
  job: RunningJob,
  ctx: Context,
  row: ImportRecord,
  thread: ImportThread,
  site: IndexedSite | null,
  how: { readonly without: boolean; readonly total: number },
): Promise<void> {
  const { siteId, number } = row;
  const rules = site === null ? defaultVisitRules : visitRulesOf(site.measuring.visits);
  const note = (open: boolean): Promise<void> => noteBuild(ctx.clickhouse, siteId, `import ${number}`, open);
  await note(true);
  try {
    await thread.run({ kind: 'build', siteId, number, without: how.without, rules }, callsOf(ctx, job, row, how.total));
  } catch (error) {
    // After a shutdown the job continues at the next start, and visits remain marked as being built until then.
    if (!(error instanceof JobInterrupted && error.message === 'stop')) await note(false).catch(() => undefined);
    throw error;
  }
  await note(false);
}

/** The calls that an import thread may make. `total`: of the job's progress; building reports none. */
const callsOf = ({ clickhouse, postgres }: Context, job: RunningJob, row: ImportRecord, total: number): Calls => ({
  query: clickhouse.query,
  queryBytes: clickhouse.queryBytes,
  command: clickhouse.command,
  insertBytes: clickhouse.insertBytes,
  save: async (progress) => void (await queries.saveProgress(postgres.db, row.id, progress)),
  tell: (done) => job.progress(done, total),
});

/** Finishes an import and adds an annotation if it changes figures; exactly once, even if the job is retried after a crash. */
const finish = (ctx: Context, row: ImportRecord, { timeZone }: IndexedSite): Promise<void> =>
  ctx.postgres.db.transaction(async (tx) => {
    const first = await queries.finishImport(tx, row.id, new Date(ctx.now()));
    if (first && row.mode !== 'compare')
      await annotate(ctx, tx, row.siteId, { kind: 'imported', values: { name: labelOf(row) }, timeZone, author: row.createdBy });
  });

/** Visits are rebuilt first, without the import's hits; after a crash in between, the hits still exist and the job starts again. */
async function remove(job: RunningJob, ctx: Context, row: ImportRecord, thread: ImportThread): Promise<void> {
  const site = await siteOf(ctx, row.siteId);
  await job.progress(0, 2);
  await build(job, ctx, row, thread, site, { without: true, total: 2 });
  await job.progress(1, 2);
  await queries.eraseImported(ctx.clickhouse, row.siteId, row.number);
  await importFiles.remove(ctx, row.id);
  await queries.deleteImport(ctx.postgres.db, row.id);
  await job.progress(2, 2);
}

async function siteOf(ctx: Context, siteId: string): Promise<IndexedSite | null> {
  const index = await openSiteIndex(ctx);
  try {
    return await index.find(siteId);
  } finally {
    index.close();
  }
}

/**
 * Creates the job of a site's oldest waiting import, unless one is running: two at once could both store the same hit. Called when an import is requested, by a
 * job that ends (`ending`), and periodically by a schedule.
 */
export const startNext = (ctx: Context, siteId: string, ending?: string): Promise<void> =>
  ctx.postgres.withLock(`imports ${siteId}`, async () => {
    const { db } = ctx.postgres;
    if (await queries.hasOpenJob(db, siteId, ending)) return;
    const [next] = await queries.waitingImports(db, siteId);
    if (!next) return;
    const job = await enqueue(ctx, 'analytics.import', {
      siteId,
      label: labelOf(next),
      input: { importId: next.id },
      createdBy: next.createdBy,
      cancellable: !next.removing,
    });
    await queries.changeImport(db, next.id, { jobId: job.id });
  });

/** Starts waiting imports, removes abandoned uploads, and cleans up the folder. Runs on a schedule. */
export async function tendImports(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  for (const siteId of await queries.sitesWithWaiting(db)) await startNext(ctx, siteId);
  for (const { id, createdAt } of await queries.unstarted(db, new Date(ctx.now() - abandonedAfter)))
    if (await importFiles.isAbandoned(ctx, id, createdAt)) await queries.deleteUnstarted(db, id);
  await importFiles.sweep(ctx, () => queries.allIds(db));
}
