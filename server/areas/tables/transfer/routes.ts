import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { mayOnSite } from '../../../../contract/permissions';
import { tableTransferEndpoints as endpoints } from '../../../../contract/tables/transfers';
import type { ImportPlan, TableImport } from '../../../../contract/tables/transfers';
import type { Context } from '../../../context';
import { asDownload } from '../../../http/download';
import { Failure, fail, failField } from '../../../http/failure';
import type { Locale } from '../../../http/access';
import { route } from '../../../http/route';
import type { ResponseOf, CallOf } from '../../../http/route';
import { cancelJob } from '../../../worker/queries';
import { fileReceiver } from '../../../kit/tus';
import { isMissing } from '../../../stores/files/types';
import { actorOf } from '../../audit';
import { openTableFile } from '../../resources';
import { grantOf, requireGrant } from '../core/access';
import { readerOf, storesFiles } from '../core/access';
import type { Caller } from '../core/access';
import { designs } from '../schema';
import type { DesignCall } from '../schema';
import { siteModel, tableOf } from '../core/model';
import type { SiteModel, TableModel } from '../core/model';
import { sameValue } from '../core/values/check';
import { addImport } from './begin';
import { uploads } from './uploads';
import { startNext } from './job';
import { lookAt } from './look';
import { isDesign, newColumns, resolvePlan } from './plan';
import * as queries from './queries';
import type { ImportRow, ImportWithJob } from './queries';
import type { StartedBy } from '../core/starter';
import { errorsFile, rowsOf, importResponse, stateNow, stateOf } from './responses';
import { mostAtOnce, undoNow } from './undoJob';
import { stopFailure } from './messages';

const importBy = (call: DesignCall): StartedBy => ({
  role: call.site.role,
  userId: call.session.userId,
  designs: designs(call),
  storesFiles: storesFiles(call),
  viaToken: call.session.token !== null,
  timeZone: call.site.row.timeZone,
  lang: call.site.row.defaultLang,
  locale: call.locale,
  actor: actorOf(call),
});

export function registerImports(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.tableImports, (call) => tableImports(ctx, call));
  route(app, ctx, endpoints.createTableImport, (call) => createTableImport(ctx, call));
  route(app, ctx, endpoints.importResource, (call) => importResource(ctx, call));
  route(app, ctx, endpoints.tableImport, (call) => importOf(ctx, call, call.params.id));
  const receive = receiveFile(ctx);
  for (const endpoint of [endpoints.tableImportUpload, endpoints.tableImportData]) route(app, ctx, endpoint, receive);
  route(app, ctx, endpoints.lookTableImport, (call) => lookTableImport(ctx, call));
  route(app, ctx, endpoints.startTableImport, (call) => startTableImport(ctx, call));
  route(app, ctx, endpoints.cancelTableImport, (call) => cancelTableImport(ctx, call));
  route(app, ctx, endpoints.undoTableImport, (call) => undoTableImport(ctx, call));
  route(app, ctx, endpoints.removeTableImport, (call) => removeTableImport(ctx, call));
  route(app, ctx, endpoints.tableImportRows, async (call) => {
    const { row } = await find(ctx, call, call.params.id);
    return rowsOf(ctx, row, call.query, call.locale);
  });

  route(app, ctx, endpoints.tableImportErrors, async (call) => {
    const { row } = await find(ctx, call, call.params.id);
    const model = await siteModel(ctx, call.site.id);
    const name = (id: string): string | null => model.fieldById.get(id)?.field.title ?? null;
    const stem = row.name.replace(/\.[^.]*$/, '');
    asDownload(call.reply, `${stem}-${call.locale === 'en' ? 'errors' : '问题行'}.csv`, 'text/csv; charset=utf-8');
    return call.reply.send(Readable.from(errorsFile(ctx, row, call.locale, name)));
  });
}

/** An import of the caller or, for site administrators, of anybody; others count as missing. */
async function find(ctx: Context, call: Caller, id: string): Promise<ImportWithJob> {
  const found = await queries.findImport(ctx.postgres.db, call.site.id, id);
  return found && (found.row.createdBy === call.session.userId || call.site.role === 'admin') ? found : fail('not_found');
}
const importOf = async (ctx: Context, call: Caller & { readonly locale: Locale }, id: string): Promise<TableImport> =>
  importResponse(ctx, await find(ctx, call, id), call.session.userId, call.locale);
/** The table that an import writes to; null: it creates one. */
async function tableFor(ctx: Context, call: Caller, row: Pick<ImportRow, 'tableId'>): Promise<{ model: SiteModel; table: TableModel | null }> {
  const model = await siteModel(ctx, call.site.id);
  if (row.tableId === null) return { model, table: null };
  const table = tableOf(model, row.tableId);
  requireGrant(table, readerOf(call), 'read');
  return { model, table };
}
const isWorking = (state: string): boolean => state === 'checking' || state === 'running';
const isUndoing = ({ row, job }: ImportWithJob): boolean =>
  row.requested === 'undo' && (row.jobId === null || job?.state === 'queued' || job?.state === 'running');

/** Imports of the site or of one table, newest first: the caller's own, or all for administrators. */
async function tableImports(ctx: Context, call: CallOf<typeof endpoints.tableImports>): Promise<ResponseOf<typeof endpoints.tableImports>> {
  const { site, session, query, locale } = call;
  const table = query.table === undefined ? null : tableOf(await siteModel(ctx, site.id), query.table);
  if (table) requireGrant(table, readerOf(call), 'read');
  const found = await queries.importsOf(ctx.postgres.db, site.id, {
    most: 100,
    ...(table ? { tableId: table.id } : {}),
    ...(site.role === 'admin' ? {} : { by: session.userId }),
  });
  return Promise.all(found.map((one) => importResponse(ctx, one, session.userId, locale)));
}

/** Creates an import. Throws `forbidden` if the caller may not write to the table or, for a new table, may not design tables. */
async function createTableImport(ctx: Context, call: CallOf<typeof endpoints.createTableImport>): Promise<ResponseOf<typeof endpoints.createTableImport>> {
  const { site, body } = call;
  const { name, size } = body;
  let tableId: string | null = null;
  if (body.table === null) {
    if (!designs(call)) fail('forbidden');
  } else {
    const table = tableOf(await siteModel(ctx, site.id), body.table);
    requireGrant(table, readerOf(call), 'read');
    if (!(['create', 'update'] as const).some((action) => grantOf(table, readerOf(call), action).allowed)) fail('forbidden');
    tableId = table.id;
  }
  const row = await addImport(ctx, call, { tableId, name, size });
  return importOf(ctx, call, row.id);
}

/** Begins an import of a resource into a new table. Throws `forbidden` if the caller may not design tables or read resources. */
async function importResource(ctx: Context, call: CallOf<typeof endpoints.importResource>): Promise<ResponseOf<typeof endpoints.importResource>> {
  if (!designs(call) || !mayOnSite(call.site.role, 'resources.read')) fail('forbidden');
  const { name, size, file } = (await openTableFile(ctx, call.site.id, call.body.resource)) ?? fail('not_found');
  const { id } = await addImport(ctx, call, { tableId: null, name, size });
  try {
    await ctx.files.put(uploads.key(id, 'upload'), file.read());
  } catch (error) {
    await queries.deleteImport(ctx.postgres.db, id);
    await uploads.remove(ctx, id);
    // It was purged meanwhile.
    throw isMissing(error) ? new Failure('not_found') : error;
  }
  return importOf(ctx, call, id);
}

const receiveFile = (ctx: Context) =>
  fileReceiver(ctx, uploads, async (call: CallOf<typeof endpoints.tableImportData>) => {
    const found = await find(ctx, call, call.params.id);
    const { id, size, createdAt } = found.row;
    return { id, part: 'upload', size, createdAt, isOpen: (await stateNow(ctx, found)) === 'uploading' };
  });

/** The first rows of an uploaded file, with a proposed plan. */
async function lookTableImport(ctx: Context, call: CallOf<typeof endpoints.lookTableImport>): Promise<ResponseOf<typeof endpoints.lookTableImport>> {
  const found = await find(ctx, call, call.params.id);
  const state = await stateNow(ctx, found);
  if (state === 'uploading' || state === 'done') fail('bad_transition');
  const { model, table } = await tableFor(ctx, call, found.row);
  const earlier = table ? await queries.earlierPlans(ctx.postgres.db, table.id, found.row.id) : [];
  try {
    return await lookAt(ctx, found.row, call.body, { model, table, reader: readerOf(call), earlier, locale: call.locale });
  } catch (error) {
    throw stopFailure(error, call.locale);
  }
}

/** Queues a dry run or the import; an import that has begun continues with its plan. */
async function startTableImport(ctx: Context, call: CallOf<typeof endpoints.startTableImport>): Promise<ResponseOf<typeof endpoints.startTableImport>> {
  const { params, body } = call;
  const found = await find(ctx, call, params.id);
  const { row } = found;
  const state = await stateNow(ctx, found);
  if (!['ready', 'checked', 'failed', 'cancelled'].includes(state)) fail('bad_transition');
  const begun = row.startedAt !== null;
  // An import that has begun to write can only continue, with the same plan.
  if (begun && (body.dryRun || row.undone)) fail('bad_transition');
  if (begun && !samePlan(row.plan, body.plan)) fail('conflict');
  const { model, table } = await tableFor(ctx, call, row);
  if (isDesign(body.plan, row.tableId) && !designs(call)) fail('forbidden');
  const title = body.title ?? row.title;
  if (row.tableId === null && title === null) failField('title', 'required');
  resolvePlan({ model, table, reader: readerOf(call) }, body.plan, row.createdFields);
  if (row.tableId === null) newColumns(body.plan);
  const by = importBy(call);
  const now = new Date(ctx.now());
  const isAccepted = await queries.askImport(ctx.postgres.db, row, {
    requested: body.dryRun ? 'check' : 'run',
    ended: null,
    jobId: null,
    error: null,
    pace: null,
    plan: body.plan,
    title,
    by,
    requestedAt: now,
  });
  if (!isAccepted) fail('bad_transition');
  await startNext(ctx, row.tableId ?? row.id);
  return importOf(ctx, call, row.id);
}

/** Throws `bad_transition` if nothing is queued or running. */
async function cancelTableImport(ctx: Context, call: CallOf<typeof endpoints.cancelTableImport>): Promise<ResponseOf<typeof endpoints.cancelTableImport>> {
  const found = await find(ctx, call, call.params.id);
  const { row } = found;
  if (!isWorking(await stateNow(ctx, found))) fail('bad_transition');
  if (row.jobId === null) await queries.changeImport(ctx.postgres.db, row.id, { requested: null, ended: 'cancelled' });
  else {
    if (!(await cancelJob(ctx.postgres.db, row.jobId, new Date(ctx.now())))) fail('bad_transition');
    ctx.live.publish({ type: 'job', jobId: row.jobId });
    // An import that had not begun ends at once, and the next one for its table starts.
    await startNext(ctx, row.tableId ?? row.id);
  }
  return importOf(ctx, call, row.id);
}

/** Undoes a small import at once; a large one in a job. */
async function undoTableImport(ctx: Context, call: CallOf<typeof endpoints.undoTableImport>): Promise<ResponseOf<typeof endpoints.undoTableImport>> {
  const { params } = call;
  const found = await find(ctx, call, params.id);
  const { row } = found;
  if (isWorking(stateOf(found, row.size)) || isUndoing(found)) fail('bad_transition');
  if (row.undone || (row.batchId === null && !row.createdTable)) fail('bad_transition');
  await tableFor(ctx, call, row);
  if (row.createdTable && !designs(call)) fail('forbidden');
  const by = importBy(call);
  if (row.createdTable || (row.counts?.insert ?? 0) + (row.counts?.update ?? 0) <= mostAtOnce) await undoNow(ctx, row, by);
  else {
    const change = { requested: 'undo' as const, ended: 'done' as const, jobId: null, error: null, by, requestedAt: new Date(ctx.now()) };
    if (!(await queries.askImport(ctx.postgres.db, row, change))) fail('bad_transition');
    await startNext(ctx, row.tableId ?? row.id);
  }
  return importOf(ctx, call, row.id);
}

/** Deletes an import with its file; the records stay. */
async function removeTableImport(ctx: Context, call: CallOf<typeof endpoints.removeTableImport>): Promise<ResponseOf<typeof endpoints.removeTableImport>> {
  const found = await find(ctx, call, call.params.id);
  if (isWorking(await stateNow(ctx, found)) || isUndoing(found)) fail('bad_transition');
  await queries.deleteImport(ctx.postgres.db, found.row.id);
  await uploads.remove(ctx, found.row.id);
  return null;
}

type Plan = z.output<typeof ImportPlan>;
/** Skipping rows may be decided when continuing. */
const samePlan = (a: Plan | null, b: Plan): boolean => a !== null && sameValue({ ...a, leaveOut: false }, { ...b, leaveOut: false });
