import type { FastifyInstance, FastifyReply } from 'fastify';
import { importEndpoints as endpoints, isLog } from '../../../contract/imports/schemas';
import type { Import, ImportFormat } from '../../../contract/imports/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { Locale, SiteAccess } from '../../http/access';
import { route } from '../../http/route';
import type { ResponseOf, CallOf } from '../../http/route';
import { fileReceiver } from '../../kit/tus';
import { checkSpace } from '../../kit/uploads';
import * as jobQueries from '../../worker/queries';
import { dayAt, instantOf, DAY } from '../../zone';
import { actorOf, record } from '../audit';
import { openSiteIndex } from '../sites';
import type { IndexedSite } from '../sites';
import { importFiles } from './files';
import { historyOf } from './history';
import { registerKeywords } from './keywords/routes';
import { periodToStart } from './keywords/start';
import { keywordImportsOf } from './keywords/stored';
import { previewOf } from './preview';
import * as queries from './queries';
import type { ImportWithJob } from './queries';
import { reconcile } from './reconcile';
import { refusedCsv } from './refusedFile';
import { analyticsImport, startNext, tendImports } from './run';
import { importResponse, stateOf } from './responses';
import type { Area } from '../area';

export { keywordRowsOf } from './keywords/report';
export type { KeywordRow } from './keywords/report';
export { keywordImportsOf } from './keywords/stored';

const about = (site: SiteAccess) => ({ siteId: site.id, target: { kind: 'site', id: site.id, name: site.row.name } });

const find = async (ctx: Context, siteId: string, id: string): Promise<ImportWithJob> =>
  (await queries.findImport(ctx.postgres.db, siteId, id)) ?? fail('not_found');

const readImport = async (ctx: Context, siteId: string, id: string, locale: Locale): Promise<Import> =>
  importResponse(ctx, await find(ctx, siteId, id), locale);

async function listImports(ctx: Context, { site, locale }: CallOf<typeof endpoints.imports>): Promise<ResponseOf<typeof endpoints.imports>> {
  const [all, keywordImports] = await Promise.all([queries.importsOf(ctx.postgres.db, site.id), keywordImportsOf(ctx, site.id)]);
  return Promise.all(all.map((found) => importResponse(ctx, found, locale, keywordImports)));
}

async function createImport(ctx: Context, { session, site, body, locale }: CallOf<typeof endpoints.createImport>): Promise<Import> {
  const total = body.files.reduce((sum, file) => sum + file.size, 0);
  await checkSpace(ctx, total, ctx.config.importMaxBytes);
  const row = await queries.addImport(ctx.postgres.db, {
    siteId: site.id,
    files: body.files,
    total,
    createdBy: session.userId,
    createdAt: new Date(ctx.now()),
  });
  return readImport(ctx, site.id, row.id, locale);
}

const receiveFile = (ctx: Context) =>
  fileReceiver(ctx, importFiles, async ({ site, params }: CallOf<typeof endpoints.importData>) => {
    const { row } = await find(ctx, site.id, params.id);
    const size = row.files[params.file]?.size ?? fail('not_found');
    return { id: row.id, part: params.file, size, createdAt: row.createdAt, isOpen: !row.started && !row.removing };
  });

async function previewImport(
  ctx: Context,
  { site, params, body }: CallOf<typeof endpoints.importPreview>,
): Promise<ResponseOf<typeof endpoints.importPreview>> {
  const found = await find(ctx, site.id, params.id);
  if (stateOf(found) === 'done' || found.row.removing || (await importFiles.storedSize(ctx, params.id, 0)) === 0) fail('bad_transition');
  const preview = await previewOf(ctx, found.row, await indexed(ctx, site.id), body);
  const same = (await queries.importsOf(ctx.postgres.db, site.id)).find(
    ({ row }) =>
      row.id !== found.row.id && row.started && row.files.some((file) => found.row.files.some((own) => own.name === file.name && own.size === file.size)),
  );
  return { ...preview, sameAs: same?.row.createdAt.toISOString() ?? null, sameMode: same?.row.mode ?? null };
}

async function startImport(ctx: Context, call: CallOf<typeof endpoints.startImport>): Promise<Import> {
  const { site, params, body, locale } = call;
  const found = await find(ctx, site.id, params.id);
  const { row } = found;
  const state = stateOf(found);
  if (row.removing || (state !== 'uploading' && state !== 'failed' && state !== 'cancelled')) fail('bad_transition');
  for (const [index, file] of row.files.entries()) if ((await importFiles.storedSize(ctx, row.id, index)) !== file.size) fail('bad_transition');
  // What a run has begun with stays: the names of what it stored depend on it.
  const begun = row.progress !== null;
  const preview = begun ? null : await previewOf(ctx, row, await indexed(ctx, site.id), { format: body.format, fields: body.fields, keywords: body.keywords });
  const format: ImportFormat = (begun ? row.format : (body.format ?? preview?.detected)) ?? failField('format', 'unknown');
  if (body.format !== undefined && !isLog(body.format) && preview !== null && preview.detected !== body.format) failField('format', 'unknown');
  const fields = format === 'json' ? { ...preview?.fields, ...body.fields } : {};
  // Keywords are not traffic, whatever the request says.
  const mode = format === 'keywords' ? 'compare' : begun ? (row.mode ?? body.mode) : body.mode;
  const keywords = format === 'keywords' ? (row.keywords ?? periodToStart(preview, row.total, dayAt(ctx.now(), site.row.timeZone))) : null;
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.changeImport(tx, row.id, {
      started: true,
      jobId: null,
      format,
      mode,
      startedAt: new Date(ctx.now()),
      ...(begun ? {} : { fields, keywords }),
    });
    await record(ctx, tx, actorOf(call), {
      action: 'import.started',
      ...about(site),
      after: {
        files: row.files
          .map((file) => file.name)
          .join(', ')
          .slice(0, 300),
        format,
        mode,
      },
    });
  });
  await startNext(ctx, site.id);
  return readImport(ctx, site.id, row.id, locale);
}

async function cancelImport(ctx: Context, { site, params, locale }: CallOf<typeof endpoints.cancelImport>): Promise<Import> {
  const { db } = ctx.postgres;
  const found = await find(ctx, site.id, params.id);
  const { row } = found;
  const state = stateOf(found);
  if (state !== 'queued' && state !== 'running') fail('bad_transition');
  if (row.jobId === null) await queries.changeImport(db, row.id, { started: false });
  else {
    if (!(await jobQueries.cancelJob(db, row.jobId, new Date(ctx.now())))) fail('bad_transition');
    ctx.live.publish({ type: 'job', jobId: row.jobId });
  }
  return readImport(ctx, site.id, row.id, locale);
}

async function removeImport(ctx: Context, call: CallOf<typeof endpoints.removeImport>): Promise<ResponseOf<typeof endpoints.removeImport>> {
  const { site, params, locale } = call;
  const found = await find(ctx, site.id, params.id);
  const { row } = found;
  const state = stateOf(found);
  if (state === 'running' || (state === 'queued' && row.jobId !== null) || state === 'removing') fail('bad_transition');
  await ctx.postgres.db.transaction(async (tx) => {
    if (row.progress === null) await queries.deleteImport(tx, row.id);
    else await queries.changeImport(tx, row.id, { removing: true, jobId: null, startedAt: new Date(ctx.now()) });
    await record(ctx, tx, actorOf(call), {
      action: 'import.removed',
      ...about(site),
      before: {
        files: row.files
          .map((file) => file.name)
          .join(', ')
          .slice(0, 300),
        mode: row.mode,
      },
    });
  });
  if (row.progress === null) {
    await importFiles.remove(ctx, row.id);
    return null;
  }
  await startNext(ctx, site.id);
  return readImport(ctx, site.id, row.id, locale);
}

async function sendRefused(ctx: Context, { site, params, locale, reply }: CallOf<typeof endpoints.importRefused>): Promise<FastifyReply> {
  const { row } = await find(ctx, site.id, params.id);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="refused-${row.number}.csv"`)
    .send(refusedCsv(row.progress, locale));
}

async function readHistory(ctx: Context, { site, query }: CallOf<typeof endpoints.importedHistory>): Promise<ResponseOf<typeof endpoints.importedHistory>> {
  const number = query.id === undefined ? null : (await find(ctx, site.id, query.id)).row.number;
  const { from, to, by, size } = query;
  return historyOf(ctx.clickhouse, { siteId: site.id, timeZone: site.row.timeZone, number, from, to, by, size });
}

async function compareWithVisits(
  ctx: Context,
  { site, query, reply }: CallOf<typeof endpoints.reconciliation>,
): Promise<ResponseOf<typeof endpoints.reconciliation>> {
  if (query.from > query.to) fail('range_not_allowed');
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const { timeZone } = site.row;
  return reconcile({
    clickhouse: ctx.clickhouse,
    signal: gone.signal,
    siteId: site.id,
    timeZone,
    start: instantOf(query.from, 0, timeZone),
    end: instantOf(query.to, DAY, timeZone),
  });
}

function register(app: FastifyInstance, ctx: Context): void {
  registerKeywords(app, ctx);
  route(app, ctx, endpoints.imports, (call) => listImports(ctx, call));
  route(app, ctx, endpoints.createImport, (call) => createImport(ctx, call));
  route(app, ctx, endpoints.import, ({ site, params, locale }) => readImport(ctx, site.id, params.id, locale));
  const receive = receiveFile(ctx);
  for (const endpoint of [endpoints.importUpload, endpoints.importData]) route(app, ctx, endpoint, receive);
  route(app, ctx, endpoints.importPreview, (call) => previewImport(ctx, call));
  route(app, ctx, endpoints.startImport, (call) => startImport(ctx, call));
  route(app, ctx, endpoints.cancelImport, (call) => cancelImport(ctx, call));
  route(app, ctx, endpoints.removeImport, (call) => removeImport(ctx, call));
  route(app, ctx, endpoints.importRefused, (call) => sendRefused(ctx, call));
  route(app, ctx, endpoints.importedHistory, (call) => readHistory(ctx, call));
  route(app, ctx, endpoints.reconciliation, (call) => compareWithVisits(ctx, call));
}

/** The site as the collector knows it. */
async function indexed(ctx: Context, siteId: string): Promise<IndexedSite> {
  const index = await openSiteIndex(ctx);
  try {
    return (await index.find(siteId)) ?? fail('not_found');
  } finally {
    index.close();
  }
}

export const area: Area = { register, jobs: [analyticsImport], schedules: [{ name: 'imports.tend', every: 60_000, run: tendImports }] };
