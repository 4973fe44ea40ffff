import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { mayOnSite } from '../../../../contract/permissions';
import type { ImportCounts, ImportPlan } from '../../../../contract/tables/transfers';
import type { Context } from '../../../context';
import { Failure, fail } from '../../../http/failure';
import { JobInterrupted, defineJob } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { insertJob } from '../../../worker/queries';
import { record } from '../../audit';
import { addField, addTable, designerBy, designing } from '../schema';
import { newRecordId } from '../core/ids';
import { siteModel, tableOf } from '../core/model';
import { starterNow } from '../core/starter';
import { inWrite } from '../core/write/call';
import { isFileField } from '../core/write/fileReferences';
import { queueLinkedFiles } from '../core/write/linkedFiles';
import type { WriteTx } from '../core/write/types';
import { dropUnusedFiles } from './addedFiles';
import { removeFiles } from './archive';
import { openArchivedFiles } from './archivedFiles';
import type { ArchivedFiles, RowFiles } from './archivedFiles';
import { readChunk, readIntoRows } from './files';
import { uploads } from './uploads';
import type { StoredRow } from './files';
import { joinHandovers, joined, mostWaiting, parted } from './handovers';
import type { Join, Waiting } from './handovers';
import { hashesOf } from './passwords';
import { newColumns, resolvePlan } from './plan';
import { importChunk, newMemory, remember } from './chunks';
import type { Mode, ChunkResult, Work } from './chunks';
import * as queries from './queries';
import type { ImportRow } from './queries';
import { ReadStop } from './read/source';
import { tableImports } from './schema';
import type { StartedBy } from '../core/starter';
import type { Spool } from './schema';
import { undoRows } from './undoJob';

const Input = z.object({ importId: z.uuid() });
const noCounts: ImportCounts = { rows: 0, insert: 0, update: 0, skip: 0, fail: 0 };
/** Titles of new choices stored for display, per field. */
const shownTitles = 100;

/**
 * The job of one import, as requested in its row. A dry run reads the file, checks all rows and writes nothing; the import does the same first, unless
 * this plan has been checked already, then creates table and fields, and writes a thousand rows per transaction, all in one batch. Progress is stored in
 * its row in the same transaction: after a crash it continues behind the last written row and writes nothing twice.
 */
export const importJob = defineJob('tables.import', async (job, ctx) => {
  const { importId } = Input.parse(job.input);
  const found = job.siteId === null ? null : await queries.findImport(ctx.postgres.db, job.siteId, importId);
  if (!found?.row.by || found.row.jobId !== job.id) return;
  const { row } = found;
  const starter = found.row.by;
  const lane = laneOf(row);
  try {
    const by = await byNow(ctx, row.siteId, starter);
    if (row.requested === 'undo') await undoRows(ctx, job, row, by);
    else if (row.plan !== null) await doImport(ctx, job, row, row.plan, by);
  } catch (error) {
    // Another run has it, or it is queued again: its table is busy.
    const goesOn =
      error instanceof JobInterrupted ? error.message !== 'cancel' : !(error instanceof ReadStop || (error instanceof Failure && error.status < 500));
    if (error instanceof ReadStop) await queries.changeImport(ctx.postgres.db, row.id, { error: error.error });
    if (!goesOn) await startNext(ctx, lane, job.id);
    throw error instanceof ReadStop ? new Failure('invalid_fields', { cause: error }) : error;
  }
  await startNext(ctx, laneOf((await queries.findImport(ctx.postgres.db, row.siteId, row.id))?.row ?? row), job.id);
});

/** The person who started it, with their current permissions: hours may pass before the last row. Throws `forbidden`. */
async function byNow(ctx: Context, siteId: string, by: StartedBy): Promise<StartedBy> {
  const role = await starterNow(ctx.postgres.db, siteId, by.userId);
  return { ...by, role, designs: by.designs && mayOnSite(role, 'tables.design'), storesFiles: by.storesFiles === true && mayOnSite(role, 'resources.write') };
}

/** What only one import at a time may work on: a table, or the import that creates one. */
const laneOf = ({ tableId, id }: Pick<ImportRow, 'tableId' | 'id'>): string => tableId ?? id;

/** Queues the oldest waiting import, unless another one works on the same table. `ending`: a job that is about to end. */
export const startNext = (ctx: Context, lane: string, ending?: string): Promise<void> =>
  ctx.postgres.withLock(`table import ${lane}`, async () => {
    const { db } = ctx.postgres;
    if (await queries.isBusy(db, lane, ending)) return;
    const next = (await queries.waitingImports(db)).find((row) => laneOf(row) === lane);
    if (!next) return;
    const now = new Date(ctx.now());
    // In one transaction: a worker may start the job at once, and must find it linked to the import.
    const job = await db.transaction(async (tx) => {
      const createdJob = await insertJob(tx, {
        kind: 'tables.import',
        siteId: next.siteId,
        label: next.name.slice(0, 120),
        input: { importId: next.id },
        createdBy: next.by?.userId ?? next.createdBy,
        cancellable: next.requested !== 'undo',
        createdAt: now,
        runAfter: now,
      });
      await queries.changeImport(tx, next.id, { jobId: createdJob.id });
      return createdJob;
    });
    ctx.live.publish({ type: 'job', jobId: job.id });
  });

/** Starts waiting imports, and deletes abandoned uploads and expired imports. Runs on a schedule. */
export async function tendTableImports(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const day = 86_400_000;
  for (const lane of new Set((await queries.waitingImports(db)).map(laneOf))) await startNext(ctx, lane);
  for (const row of await queries.oldImports(db, new Date(ctx.now() - 7 * day), new Date(ctx.now() - 30 * day)))
    if (row.startedAt !== null || (await uploads.isAbandoned(ctx, row.id, row.requestedAt ?? row.createdAt))) await queries.deleteImport(db, row.id);
  await uploads.sweep(ctx, () => queries.allIds(db));
}

/** Reports progress to the job tray, and to the row at most twice a second. */
function teller(ctx: Context, job: RunningJob, id: string) {
  let written = 0;
  let unit = '';
  let runAt = ctx.now();
  let runFrom = 0;
  return async (done: number, total: number, what: 'bytes' | 'rows'): Promise<void> => {
    const at = ctx.now();
    if (unit !== what) [unit, runAt, runFrom] = [what, at, done];
    if (at - written >= 500 || done >= total) {
      written = at;
      await queries.changeImport(ctx.postgres.db, id, { pace: { done, total, runAt, runFrom, inBytes: what === 'bytes' } });
    }
    await job.progress(done, total);
  };
}

const sameRead = (spool: Spool, { read }: ImportPlan): boolean =>
  Object.entries(read).every(([name, value]) => value === undefined || spool.read[name as keyof Spool['read']] === value);
/** Identifies a checked plan with the definitions it was checked against. Skipping rows does not affect a dry run. */
const nameOf = (plan: ImportPlan, revision: number): string =>
  createHash('sha256')
    .update(JSON.stringify([{ ...plan, leaveOut: false }, revision]))
    .digest('base64url');

async function doImport(ctx: Context, job: RunningJob, row: ImportRow, plan: ImportPlan, by: StartedBy): Promise<void> {
  const files = await openArchivedFiles(ctx, job, row);
  try {
    await checkAndWrite(ctx, job, row, { plan, by, files });
  } finally {
    files?.close();
  }
}

/** A plan, the person on whose behalf it is done, and the files that came with the rows; null if the upload is no archive. */
type Doing = { readonly plan: ImportPlan; readonly by: StartedBy; readonly files: ArchivedFiles | null };
async function checkAndWrite(ctx: Context, job: RunningJob, importRow: ImportRow, doing: Doing): Promise<void> {
  const { plan } = doing;
  const { db } = ctx.postgres;
  let row = importRow;
  const tell = teller(ctx, job, row.id);
  const begun = row.startedAt !== null;
  if (!row.spool || !(begun || sameRead(row.spool, plan))) {
    const spool = await readIntoRows(ctx, row, plan.read, (share) => tell(Math.round(share * row.size), row.size, 'bytes'));
    await queries.changeImport(db, row.id, { spool, checked: null });
    row = { ...row, spool, checked: null };
  }
  const { spool } = row;
  if (!spool) return fail('internal');
  const { revision } = await siteModel(ctx, row.siteId);
  const tried = begun || row.checked === nameOf(plan, revision);
  const total = spool.rows * (row.requested === 'check' || tried ? 1 : 2);
  if (!tried) {
    const found = await tryRows(ctx, row, spool, doing, (done) => tell(done, total, 'rows'));
    await queries.changeImport(db, row.id, { checked: nameOf(plan, revision), ...found });
    row = { ...row, ...found };
  }
  if (row.requested === 'check') {
    await queries.changeImport(db, row.id, { requested: null, ended: 'checked' });
    return;
  }
  const failing = row.counts?.fail ?? 0;
  if (!begun && !plan.leaveOut && failing > 0) throw new ReadStop('faults', { row: failing });
  await writeRows(ctx, row, row.spool ?? spool, doing, (done) => tell(total - spool.rows + done, total, 'rows'));
}

type Step = (done: number) => Promise<void>;
type Situation = Doing & { readonly row: ImportRow; readonly spool: Spool; readonly until: Date };
async function workOf(ctx: Context, situation: Situation, rows: readonly StoredRow[], isTrial: boolean): Promise<Work> {
  const { row, spool, plan, by: starter, until } = situation;
  const by = await byNow(ctx, row.siteId, starter);
  const model = await siteModel(ctx, row.siteId);
  const work = {
    context: { model, table: row.tableId === null ? null : tableOf(model, row.tableId), reader: { role: by.role, userId: by.userId }, timeZone: by.timeZone },
    plan,
    createdFields: row.createdFields,
    isJson: spool.read.format === 'json',
    viaToken: by.viaToken,
    until,
    actor: by.actor,
  };
  return { ...work, hashes: await hashesOf(work, rows, isTrial), files: await filesOf(work, situation, by, rows, isTrial) };
}

const noFiles: RowFiles = { incoming: new Map(), brought: new Map() };
/** The files that rows name, which are stored now unless this is a trial. Whoever may not add resources can only use those that the site has. */
async function filesOf(
  { context, plan, createdFields }: Omit<Work, 'hashes' | 'files'>,
  { files }: Situation,
  by: StartedBy,
  rows: readonly StoredRow[],
  isTrial: boolean,
): Promise<RowFiles> {
  if (files === null || by.storesFiles !== true) return noFiles;
  const ids = files.namedIn(rows, resolvePlan(context, plan, createdFields).targets);
  return isTrial ? { ...noFiles, incoming: await files.kindsOf(ids) } : { ...noFiles, brought: await files.bring(ids, by.userId) };
}

const countOf = (outcomes: string): ImportCounts => {
  const letters = (letter: string): number => outcomes.split(letter).length - 1;
  return { rows: outcomes.length, insert: letters('i'), update: letters('u'), skip: letters('s'), fail: letters('f') };
};
const sum = (a: ImportCounts, b: ImportCounts): ImportCounts => ({
  rows: a.rows + b.rows,
  insert: a.insert + b.insert,
  update: a.update + b.update,
  skip: a.skip + b.skip,
  fail: a.fail + b.fail,
});

/** Checks all rows and stores the result of each; starts over when interrupted. Returns the file with the chunks that must be written together. */
async function tryRows(
  ctx: Context,
  row: ImportRow,
  spool: Spool,
  doing: Doing,
  step: Step,
): Promise<{ readonly counts: ImportCounts; readonly spool: Spool }> {
  const { db } = ctx.postgres;
  const memory = newMemory();
  const titles = new Map<string, Set<string>>();
  const waiting: Waiting[] = [];
  let counts = noCounts;
  await queries.dropParts(db, row.id);
  const until = new Date(ctx.now());
  const attempt = async (rows: readonly StoredRow[], mode: Mode): Promise<ChunkResult> => {
    const work = await workOf(ctx, { ...doing, row, spool, until }, rows, true);
    return inWrite(ctx, null, (w) => importChunk(w, work, mode, rows), { dryRun: true });
  };
  for (let part = 0; part + 1 < spool.pieces.length; part++) {
    const done = await attempt(await readChunk(ctx, row.id, spool, part), { check: memory });
    remember(memory, done.remember);
    if (waiting.length < mostWaiting) for (const one of done.held) waiting.push({ ...one, part });
    for (const [field, some] of done.newChoices) {
      const known = titles.get(field) ?? new Set<string>();
      titles.set(field, known);
      for (const title of some) if (known.size < shownTitles) known.add(title);
    }
    counts = sum(counts, countOf(done.outcomes));
    await queries.keepPart(db, { importId: row.id, part, outcomes: done.outcomes, ids: done.ids, errors: done.errors });
    const newChoices = Object.fromEntries(Array.from(titles, ([field, some]) => [field, [...some]]));
    await queries.changeImport(db, row.id, { counts, newChoices });
    await step(counts.rows);
  }
  if (spool.pieces.length < 2) await queries.changeImport(db, row.id, { counts, newChoices: {} });
  const joins = await joinHandovers(ctx, row, spool, waiting, async (rows, twice) => {
    await step(counts.rows);
    // Choices and duplicates within the file are known by now.
    return attempt(rows, { check: { ...newMemory(), choices: memory.choices }, twice });
  });
  if (joins.length > 0) {
    counts = noCounts;
    for (let part = 0; part + 1 < spool.pieces.length; part++) counts = sum(counts, countOf((await queries.partOf(db, row.id, part))?.outcomes ?? ''));
  }
  return { counts, spool: { ...spool, joins } };
}

/** Creates the table and fields of a plan, and records them on the import in the same transaction: exactly once, even after a crash. */
async function makeFields(ctx: Context, row: ImportRow, plan: ImportPlan, by: StartedBy): Promise<void> {
  const columns = newColumns(plan);
  if (columns.length === 0 && row.tableId !== null) return;
  if (!by.designs) fail('forbidden');
  await designing(ctx, designerBy(row.siteId, by, by.role), async (design) => {
    const createdFields: Record<string, string> = {};
    let { tableId } = row;
    if (tableId === null) {
      const fields = columns.map(({ input }) => input);
      tableId = await addTable(design, { title: row.title ?? row.name, icon: '', note: '', kind: 'collection', fields });
      const table = await design.table(tableId);
      columns.forEach(({ column }, at) => (createdFields[column] = table.fields[at]?.id ?? ''));
    } else for (const { column, input } of columns) createdFields[column] = (await addField(design, await design.table(tableId), input)).id;
    const [updatedRow] = await design.tx
      .update(tableImports)
      .set({ tableId, createdTable: row.tableId === null, createdFields })
      .where(and(eq(tableImports.id, row.id), sql`${tableImports.createdFields} = '{}'::jsonb`))
      .returning({ id: tableImports.id });
    if (!updatedRow) fail('conflict');
  });
}

/** Stores the start of writing, once: the batch, and an entry in the audit log. */
const beginWriting = (ctx: Context, row: ImportRow, spool: Spool, by: StartedBy): Promise<void> =>
  ctx.postgres.db.transaction(async (tx) => {
    const now = new Date(ctx.now());
    const [begun] = await tx
      .update(tableImports)
      .set({ startedAt: now, batchId: newRecordId(now.getTime()), counts: noCounts, position: 0 })
      .where(and(eq(tableImports.id, row.id), sql`${tableImports.startedAt} is null`))
      .returning({ tableId: tableImports.tableId });
    if (!begun) return;
    const model = await siteModel(ctx, row.siteId);
    const table = model.tables.find((one) => one.id === begun.tableId);
    await record(ctx, tx, by.actor, {
      action: 'table.imported',
      siteId: row.siteId,
      ...(table ? { target: { kind: 'table', id: table.id, name: table.title } } : {}),
      after: { file: row.name, rows: spool.rows, ...(row.tableId === null ? { made: true } : {}) },
    });
  });

async function writeRows(ctx: Context, importRow: ImportRow, spool: Spool, doing: Doing, step: Step): Promise<void> {
  const { plan, by } = doing;
  const { db } = ctx.postgres;
  const fresh = async (): Promise<ImportRow> => (await queries.findImport(db, importRow.siteId, importRow.id))?.row ?? fail('not_found');
  let row = importRow;
  if (row.startedAt === null) {
    if (Object.keys(row.createdFields).length === 0) await makeFields(ctx, row, plan, by);
    await beginWriting(ctx, row, spool, by);
    row = await fresh();
  }
  const { batchId, startedAt } = row;
  if (batchId === null || startedAt === null) return fail('internal');
  let { position } = row;
  let counts = row.counts ?? noCounts;
  await step(spool.pieces[position]?.[0] ?? 0);
  while (position + 1 < spool.pieces.length) {
    const from = position;
    const join: Join = spool.joins?.find(([first]) => first === from) ?? [from, from + 1];
    const { rows, sizes, twice } = await joined(ctx, row.id, spool, join);
    const work = await workOf(ctx, { ...doing, row, spool, until: startedAt }, rows, false);
    const before = counts;
    const done = await inWrite(ctx, null, async (w) => {
      const result = await importChunk(w, work, { batchId, twice }, rows);
      const [late] = Object.keys(result.errors);
      if (late !== undefined && !plan.leaveOut) throw new ReadStop('late_fault', { line: rows[Number(late)]?.line ?? 0 });
      await moveOn(w, row.id, join, sum(before, countOf(result.outcomes)), parted(result, sizes));
      return result;
    });
    [, position] = join;
    counts = sum(counts, countOf(done.outcomes));
    await step(spool.pieces[position]?.[0] ?? spool.rows);
  }
  const { tableId } = row;
  const written = (await siteModel(ctx, row.siteId)).tables.find(({ id }) => id === tableId);
  if (by.storesFiles === true && written?.fields.some(isFileField))
    await queueLinkedFiles(ctx, row.siteId, { tableId, recordIds: null, batchId }, { label: written.title, createdBy: by.userId });
  await dropUnusedFiles(ctx, { importId: row.id, siteId: row.siteId, actor: by.actor });
  await queries.changeImport(db, row.id, { requested: null, ended: 'done', finishedAt: new Date(ctx.now()), pace: null });
  await removeFiles(ctx, row.id);
}

/** Stores that chunks are written, if the import is at the expected position: a run that has unknowingly lost its lease writes nothing. */
async function moveOn(w: WriteTx, id: string, [from, to]: Join, counts: ImportCounts, parts: ReturnType<typeof parted>): Promise<void> {
  const moved = await w.tx
    .update(tableImports)
    .set({ position: to, counts })
    .where(and(eq(tableImports.id, id), eq(tableImports.position, from)))
    .returning({ id: tableImports.id });
  if (moved.length === 0) throw new JobInterrupted('lost');
  for (const [n, part] of parts.entries()) await queries.keepPart(w.tx, { importId: id, part: from + n, ...part });
}
