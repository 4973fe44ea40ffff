import type { FastifyInstance } from 'fastify';
import { maintenanceLimits, tableMaintenanceEndpoints as endpoints } from '../../../../contract/tables/maintenance';
import type { TableRestore } from '../../../../contract/tables/maintenance';
import { mayOnSite } from '../../../../contract/permissions';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { ResponseOf, CallOf } from '../../../http/route';
import { fileReceiver } from '../../../kit/tus';
import { checkSpace } from '../../../kit/uploads';
import { cancelJob, insertJob } from '../../../worker/queries';
import { actorOf } from '../../audit';
import type { DesignCall } from '../schema';
import { siteModel } from '../core/model';
import type { StartedBy } from '../core/starter';
import * as queries from './queries';
import type { RestoreWithJob } from './queries';
import { giveUp, restoreFiles, restorePart } from './restore';
import { restoreResponse, stateOf, storedOf } from './responses';

/** Files of backed-up tables: uploaded in chunks, checked, and restored as a new table. */
export function registerRestores(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.tableRestores, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    return Promise.all((await queries.restoresOf(ctx.postgres.db, call.site.id)).map((one) => restoreResponse(ctx, model, one, call.locale)));
  });
  route(app, ctx, endpoints.tableRestore, (call) => restoreOf(ctx, call, call.params.id));
  route(app, ctx, endpoints.createTableRestore, (call) => createTableRestore(ctx, call));
  const receive = receiveFile(ctx);
  for (const endpoint of [endpoints.tableRestoreUpload, endpoints.tableRestoreData]) route(app, ctx, endpoint, receive);
  route(app, ctx, endpoints.startTableRestore, (call) => startTableRestore(ctx, call));
  route(app, ctx, endpoints.cancelTableRestore, (call) => cancelTableRestore(ctx, call));
  route(app, ctx, endpoints.removeTableRestore, async (call) => {
    const found = await find(ctx, call, call.params.id);
    if (isWorking(await stateNow(ctx, found))) fail('bad_transition');
    await queries.deleteRestore(ctx.postgres.db, found.row.id);
    await restoreFiles.remove(ctx, found.row.id);
    return null;
  });
}

async function find(ctx: Context, call: DesignCall, id: string): Promise<RestoreWithJob> {
  return (await queries.findRestore(ctx.postgres.db, call.site.id, id)) ?? fail('not_found');
}
async function restoreOf(ctx: Context, call: DesignCall, id: string): Promise<TableRestore> {
  return restoreResponse(ctx, await siteModel(ctx, call.site.id), await find(ctx, call, id), call.locale);
}
const stateNow = async (ctx: Context, found: RestoreWithJob): Promise<TableRestore['state']> => stateOf(found, await storedOf(ctx, found));
const isWorking = (state: TableRestore['state']): boolean => state === 'checking' || state === 'running';
/** States in which a restore may be checked or run. */
const startable: readonly TableRestore['state'][] = ['ready', 'checked', 'failed', 'cancelled'];

/** Throws `too_large` if the site has the maximum number of unfinished restores. */
async function createTableRestore(ctx: Context, call: CallOf<typeof endpoints.createTableRestore>): Promise<ResponseOf<typeof endpoints.createTableRestore>> {
  const { site, session, body } = call;
  await checkSpace(ctx, body.size, ctx.config.importMaxBytes);
  const row = await ctx.postgres.withLock(`table restores of ${site.id}`, async () => {
    if ((await queries.unfinishedRestores(ctx.postgres.db, site.id)) >= maintenanceLimits.files) fail('too_large');
    return queries.addRestore(ctx.postgres.db, { siteId: site.id, ...body, createdBy: session.userId, createdAt: new Date(ctx.now()) });
  });
  return restoreOf(ctx, call, row.id);
}

const receiveFile = (ctx: Context) =>
  fileReceiver(ctx, restoreFiles, async (call: CallOf<typeof endpoints.tableRestoreData>) => {
    const found = await find(ctx, call, call.params.id);
    const { id, size, createdAt } = found.row;
    return { id, part: restorePart, size, createdAt, isOpen: (await stateNow(ctx, found)) === 'uploading' };
  });

/** Starts a check (`dryRun`) or the restore, with a new title if given. */
async function startTableRestore(ctx: Context, call: CallOf<typeof endpoints.startTableRestore>): Promise<ResponseOf<typeof endpoints.startTableRestore>> {
  const { site, session, params, body } = call;
  if (!mayOnSite(site.role, 'tables.design')) fail('forbidden');
  const by: StartedBy = {
    role: site.role,
    userId: session.userId,
    designs: true,
    viaToken: session.token !== null,
    timeZone: site.row.timeZone,
    lang: site.row.defaultLang,
    locale: call.locale,
    actor: actorOf(call),
  };
  await ctx.postgres.withLock(`table restore ${params.id}`, async () => {
    const found = await find(ctx, call, params.id);
    if (!startable.includes(await stateNow(ctx, found))) fail('bad_transition');
    const { row } = found;
    const title = body.title ?? row.title;
    const bin = body.trash ? ('with' as const) : ('without' as const);
    // The progress of an earlier run with other options is invalid: its table goes into the bin, and a new one is created.
    if (row.bin !== bin || row.title !== title) await giveUp(ctx, row, by);
    const at = new Date(ctx.now());
    // In one transaction: a worker may start the job at once, and must find it linked to the restore.
    const job = await ctx.postgres.db.transaction(async (tx) => {
      const inserted = await insertJob(tx, {
        kind: 'tables.restore',
        siteId: site.id,
        label: title ?? row.name.slice(0, 120),
        input: { restoreId: row.id },
        createdBy: session.userId,
        createdAt: at,
        runAfter: at,
      });
      const same = row.report !== null && row.bin === bin && row.title === title && !body.dryRun;
      await queries.changeRestore(tx, row.id, {
        requested: body.dryRun ? 'check' : 'run',
        ended: null,
        error: null,
        by,
        title,
        bin,
        jobId: inserted.id,
        ...(same ? {} : { report: null }),
      });
      return inserted;
    });
    ctx.live.publish({ type: 'job', jobId: job.id });
  });
  return restoreOf(ctx, call, params.id);
}

/** Throws `bad_transition` if no job works on the restore. */
async function cancelTableRestore(ctx: Context, call: CallOf<typeof endpoints.cancelTableRestore>): Promise<ResponseOf<typeof endpoints.cancelTableRestore>> {
  const found = await find(ctx, call, call.params.id);
  const { row } = found;
  if (!isWorking(await stateNow(ctx, found)) || row.jobId === null) return fail('bad_transition');
  if (!(await cancelJob(ctx.postgres.db, row.jobId, new Date(ctx.now())))) fail('bad_transition');
  ctx.live.publish({ type: 'job', jobId: row.jobId });
  return restoreOf(ctx, call, row.id);
}
