import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../contract/permissions';
import { siteImportEndpoints as endpoints } from '../../../contract/siteImport/schemas';
import { siteImportLimits as limits } from '../../../contract/siteImport/terms';
import type { SiteImport } from '../../../contract/siteImport/schemas';
import type { JobKind } from '../../worker';
import type { Context } from '../../context';
import { byteOrderMark, csvLine } from '../../csv';
import { asDownload } from '../../http/download';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import { fileReceiver } from '../../kit/tus';
import { checkSpace } from '../../kit/uploads';
import { DAY } from '../../zone';
import { enqueue } from '../../worker';
import { cancelJob } from '../../worker/queries';
import type { Area } from '../area';
import { actorOf } from '../audit';
import { createSite, siteAccess } from '../sites';
import { detectJob } from './detect';
import { createExport, exportJob, listExports, removeExport, sendExport, sweepExports } from './exporting';
import { importFiles } from './files';
import { announce } from './live';
import { wrongChoice } from './mapping';
import * as queries from './queries';
import type { ImportRow, ImportWithJob } from './queries';
import { importResponse, isBusy, itemResponse, stateOf } from './responses';
import { checkJob, runJob } from './run';
import { emptyWritten } from './structure';
import { mayReceive } from './target';
import { undoJob } from './undo';

export { copySiteContent } from './archive/copy';

type ImportCall = CallOf<typeof endpoints.siteImport>;
const pageRows = 100;

/** An import of the caller; those of others do not exist for them. */
async function find(ctx: Context, { session }: Pick<ImportCall, 'session'>, id: string): Promise<ImportWithJob> {
  const found = await queries.findImport(ctx.postgres.db, id);
  return found && found.row.createdBy === session.userId ? found : fail('not_found');
}
const responseFor = async (ctx: Context, call: Pick<ImportCall, 'session' | 'locale'>, id: string): Promise<SiteImport> =>
  importResponse(ctx, await find(ctx, call, id), call.locale);

const byOf = (call: Pick<ImportCall, 'session' | 'locale' | 'request'>): ImportRow['by'] => ({
  userId: call.session.userId,
  locale: call.locale,
  actor: actorOf(call),
});

/** Starts a job in the transaction that changes the import, so that a worker finds both or neither. */
async function start(ctx: Context, call: ImportCall, row: ImportRow, kind: JobKind, change: Partial<ImportRow>): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    const siteId = change.siteId ?? row.siteId;
    const job = await enqueue(ctx, kind, { siteId, label: row.name.slice(0, 120), input: { importId: row.id }, createdBy: call.session.userId }, tx);
    await queries.changeImport(tx, row.id, { ...change, jobId: job.id, by: byOf(call) });
  });
  announce(ctx, row);
}

const lockOf = (importId: string): string => `site import ${importId}`;

/** Calls that change the state of an import, one at a time. */
async function changing(ctx: Context, call: ImportCall, states: readonly SiteImport['state'][], work: (row: ImportRow) => Promise<void>): Promise<SiteImport> {
  await ctx.postgres.withLock(lockOf(call.params.id), async () => {
    const found = await find(ctx, call, call.params.id);
    if (!states.includes(stateOf(found))) fail('bad_transition');
    await work(found.row);
  });
  return responseFor(ctx, call, call.params.id);
}

async function create(ctx: Context, call: CallOf<typeof endpoints.createSiteImport>): Promise<SiteImport> {
  const { session, body } = call;
  const { db } = ctx.postgres;
  // The new site would not be accessible with the token that created it.
  if (session.token?.siteIds) fail('forbidden');
  if ('size' in body) await checkSpace(ctx, body.size, ctx.config.importMaxBytes);
  const row = await ctx.postgres.withLock(`site imports of ${session.userId}`, async () => {
    const open = (await queries.importsOf(db, session.userId)).filter((one) => ['uploading', 'uploaded', 'detecting', 'running'].includes(stateOf(one)));
    if (open.length >= limits.open) fail('too_large');
    const common = { createdBy: session.userId, by: byOf(call), createdAt: new Date(ctx.now()) };
    return queries.addImport(
      db,
      'size' in body
        ? { ...common, state: 'uploading', name: body.name, size: body.size }
        : { ...common, state: 'uploaded', name: body.address, size: 0, address: body.address, pages: body.pages },
    );
  });
  return responseFor(ctx, call, row.id);
}

const detect = (ctx: Context, call: ImportCall): Promise<SiteImport> =>
  changing(ctx, call, ['uploading', 'uploaded', 'failed', 'cancelled', 'planned'], async (row) => {
    // Once something was written, the source stays as it was read.
    if (row.written !== null) fail('bad_transition');
    if (row.address === null && (await importFiles.storedSize(ctx, row.id, 'source')) < row.size) fail('bad_transition');
    // A plan and its mapping describe what was read before.
    await start(ctx, call, row, 'siteImport.detect', { state: 'detecting', plan: null, mapping: null, error: null });
  });

const map = (ctx: Context, call: CallOf<typeof endpoints.mapSiteImport>): Promise<SiteImport> =>
  changing(ctx, call, ['planned'], async (row) => {
    const { mapping, target } = call.body;
    if ('siteId' in target) {
      const site = await siteAccess(ctx)(call.session, target.siteId);
      if (!site || site.row.state === 'deleted' || !mayOnSite(site.role, 'site.read')) fail('not_found');
      else if (!mayReceive(site.role) || site.row.purpose !== 'built') fail('forbidden');
      if (row.source === 'archive') fail('invalid_fields', { fields: { target: { code: 'unknown' } } });
    }
    const wrong = row.plan === null || row.source === 'archive' ? null : wrongChoice(row.plan, mapping);
    if (wrong !== null) fail('invalid_fields', { fields: { [wrong]: { code: 'unknown' } } });
    await queries.changeImport(ctx.postgres.db, row.id, { mapping, target });
  });

/** The site that receives the import, which is created with the first run. */
async function receivingSite(ctx: Context, call: ImportCall, row: ImportRow): Promise<Partial<ImportRow>> {
  const { target } = row;
  if (row.siteId !== null) {
    const site = await siteAccess(ctx)(call.session, row.siteId);
    return site && mayReceive(site.role) ? {} : fail('forbidden');
  }
  if (target === null) return fail('bad_transition');
  if ('siteId' in target) {
    const site = await siteAccess(ctx)(call.session, target.siteId);
    return site && mayReceive(site.role) ? { siteId: target.siteId } : fail('forbidden');
  }
  const site = await createSite(ctx, { ...target, purpose: 'built', url: null, identity: 'first_party' }, { actor: actorOf(call) });
  return { siteId: site.id, written: { ...emptyWritten, createdSite: true } };
}

const run = (ctx: Context, call: ImportCall): Promise<SiteImport> =>
  changing(ctx, call, ['planned', 'paused', 'failed', 'cancelled', 'incomplete', 'done'], async (row) => {
    if (row.plan === null || row.mapping === null) fail('bad_transition');
    const change = await receivingSite(ctx, call, row);
    await queries.retryFailed(ctx.postgres.db, row.id);
    await start(ctx, call, row, 'siteImport.run', { ...change, state: 'running', error: null });
  });

const stop = (ctx: Context, call: CallOf<typeof endpoints.stopSiteImport>): Promise<SiteImport> =>
  changing(ctx, call, ['detecting', 'running', 'paused'], async (row) => {
    const { how } = call.body;
    if (how === 'pause' && row.state !== 'running') fail('bad_transition');
    await queries.changeImport(ctx.postgres.db, row.id, { state: how === 'pause' ? 'paused' : 'cancelled' });
    const stopped = row.jobId === null ? null : await cancelJob(ctx.postgres.db, row.jobId, new Date(ctx.now()));
    if (stopped) ctx.live.publish({ type: 'job', jobId: stopped.id });
  });

const undo = (ctx: Context, call: ImportCall): Promise<SiteImport> =>
  changing(ctx, call, ['paused', 'done', 'incomplete', 'failed', 'cancelled'], async (row) => {
    if (row.siteId === null || row.written === null) fail('bad_transition');
    if (row.finishedAt !== null && row.finishedAt.getTime() < ctx.now() - limits.undoDays * DAY) fail('bad_transition');
    await receivingSite(ctx, call, row);
    await start(ctx, call, row, 'siteImport.undo', { state: 'undoing', error: null });
  });

const check = (ctx: Context, call: ImportCall): Promise<SiteImport> =>
  changing(ctx, call, ['done', 'incomplete'], async (row) => {
    await receivingSite(ctx, call, row);
    await start(ctx, call, row, 'siteImport.check', {});
  });

async function* reportLines(ctx: Context, row: ImportRow, locale: ImportCall['locale']): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(['kind', 'collection', 'source', 'title', 'address', 'outcome', 'reason']);
  for (let skip = 0; ; skip += 1000) {
    const { rows } = await queries.listItems(ctx.postgres.db, row.id, { skip, size: 1000 });
    yield rows
      .map((one) => csvLine([one.kind, one.collection, one.source, one.title, one.newPath ?? '', one.outcome, itemResponse(one, locale).reason ?? '']))
      .join('');
    if (rows.length < 1000) return;
  }
}

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.siteImports, async ({ session, locale }) =>
    Promise.all((await queries.importsOf(db, session.userId)).map((one) => importResponse(ctx, one, locale))),
  );
  route(app, ctx, endpoints.createSiteImport, (call) => create(ctx, call));
  route(app, ctx, endpoints.siteImport, (call) => responseFor(ctx, call, call.params.id));
  const receive = fileReceiver(ctx, importFiles, async (call: CallOf<typeof endpoints.siteImportData>) => {
    const found = await find(ctx, call, call.params.id);
    const { id, size, createdAt } = found.row;
    return { id, part: 'source', size, createdAt, isOpen: found.row.state === 'uploading' };
  });
  for (const endpoint of [endpoints.siteImportUpload, endpoints.siteImportData]) route(app, ctx, endpoint, receive);
  route(app, ctx, endpoints.detectSiteImport, (call) => detect(ctx, call));
  route(app, ctx, endpoints.mapSiteImport, (call) => map(ctx, call));
  route(app, ctx, endpoints.runSiteImport, (call) => run(ctx, call));
  route(app, ctx, endpoints.stopSiteImport, (call) => stop(ctx, call));
  route(app, ctx, endpoints.undoSiteImport, (call) => undo(ctx, call));
  route(app, ctx, endpoints.checkSiteImport, (call) => check(ctx, call));
  route(app, ctx, endpoints.siteImportItems, async (call) => {
    const { row } = await find(ctx, call, call.params.id);
    const { rows, total } = await queries.listItems(db, row.id, { ...call.query, size: pageRows });
    return { rows: rows.map((one) => itemResponse(one, call.locale)), total };
  });
  route(app, ctx, endpoints.siteImportReport, async (call) => {
    const { row } = await find(ctx, call, call.params.id);
    asDownload(call.reply, 'import.csv', 'text/csv; charset=utf-8');
    return call.reply.send(Readable.from(reportLines(ctx, row, call.locale), { objectMode: false }));
  });
  route(app, ctx, endpoints.removeSiteImport, async (call) => {
    const { id } = call.params;
    await ctx.postgres.withLock(lockOf(id), async () => {
      if (isBusy(stateOf(await find(ctx, call, id)))) fail('bad_transition');
      await queries.deleteImport(db, id);
    });
    await importFiles.remove(ctx, id);
    return null;
  });
  route(app, ctx, endpoints.siteExports, ({ site }) => listExports(ctx, site.id));
  route(app, ctx, endpoints.createSiteExport, (call) => createExport(ctx, call));
  route(app, ctx, endpoints.siteExportFile, (call) => sendExport(ctx, call));
  route(app, ctx, endpoints.removeSiteExport, (call) => removeExport(ctx, call));
}

/** Deletes imports that never ran and were abandoned, and the sources of those that ended long ago. */
async function sweepImports(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const old = ctx.now() - limits.undoDays * DAY;
  for (const { id, state, siteId, createdAt, finishedAt } of await queries.allImports(db)) {
    if (siteId === null && state !== 'detecting' && (await importFiles.isAbandoned(ctx, id, createdAt))) await queries.deleteImport(db, id);
    else if (finishedAt !== null && finishedAt.getTime() < old) await importFiles.remove(ctx, id);
  }
  await importFiles.sweep(ctx, async () => new Set((await queries.allImports(db)).map(({ id }) => id)));
}

export const area: Area = {
  register,
  exportPerson: async (db, userId) => ({
    websiteImports: (await queries.importsOf(db, userId)).map(({ row: { name, state, createdAt } }) => ({ name, state, createdAt: createdAt.toISOString() })),
  }),
  jobs: [detectJob, runJob, undoJob, checkJob, exportJob],
  schedules: [
    { name: 'siteImport.imports', every: DAY, run: sweepImports },
    { name: 'siteImport.exports', every: 6 * 3_600_000, run: sweepExports },
  ],
};
