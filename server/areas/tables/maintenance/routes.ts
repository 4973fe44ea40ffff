import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { AuditAction } from '../../../../contract/audit/schemas';
import { careLimits, tableCareEndpoints as endpoints } from '../../../../contract/tables/maintenance';
import type { TableRestore } from '../../../../contract/tables/maintenance';
import { mayOnSite } from '../../../../contract/permissions';
import type { Context } from '../../../context';
import { asDownload, downloadPlaces } from '../../../http/download';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { checkSpace } from '../../../uploads';
import { enqueue } from '../../../worker';
import { cancelJob, insertJob } from '../../../worker/queries';
import { actorOf, record } from '../../audit';
import { readerOf, requireGrant } from '../core/access';
import type { DesignCall } from '../schema';
import { addPending, enqueueRebuild } from '../schema';
import { siteModel, tableOf } from '../core/model';
import type { TableModel } from '../core/model';
import { contentSites } from '../core/schema';
import type { StartedBy } from '../core/starter';
import { backupOf } from './backup';
import { factsOf } from './facts';
import { CareInput } from './input';
import * as queries from './queries';
import type { RestoreWithJob } from './queries';
import { giveUp, restoreFiles, restorePart } from './restore';
import { shownRestore, stateOf, storedOf } from './shown';

/** Size, growth and health of tables; maintenance; one table as a file. */
export function registerMaintenance(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const modelOf = (call: DesignCall) => siteModel(ctx, call.site.id);
  const audit = (call: DesignCall, table: TableModel, action: AuditAction, after: Record<string, unknown>): Promise<void> =>
    record(ctx, db, actorOf(call), { action, siteId: call.site.id, target: { kind: 'table', id: table.id, name: table.title }, after });

  route(app, ctx, endpoints.tableFacts, async (call) => factsOf(ctx, await modelOf(call), call.site.row.timeZone));

  /** The job that works on the same already, or a new one. */
  const startOne = (
    call: DesignCall,
    kind: 'tables.check' | 'tables.compact',
    table: TableModel | null,
    label: string,
  ): Promise<{ jobId: string; fresh: boolean }> =>
    ctx.postgres.withLock(`table care ${call.site.id}`, async () => {
      const tableId = table?.id ?? null;
      const open = await queries.openJobsOf(db, call.site.id, [kind]);
      const same = open.find(({ input }) => {
        const read = CareInput.safeParse(input);
        return read.success && read.data.tableId === tableId;
      });
      if (same) return { jobId: same.id, fresh: false };
      const { id } = await enqueue(ctx, kind, { siteId: call.site.id, label, input: { tableId }, createdBy: call.session.userId });
      return { jobId: id, fresh: true };
    });

  route(app, ctx, endpoints.checkTables, async (call) => {
    const table = call.body.table === null ? null : tableOf(await modelOf(call), call.body.table);
    const { jobId } = await startOne(call, 'tables.check', table, table?.title ?? call.site.row.name);
    return { jobId };
  });

  route(app, ctx, endpoints.compactTable, async (call) => {
    const table = tableOf(await modelOf(call), call.params.table);
    if (await queries.isConverting(db, table)) fail('conflict');
    const { jobId, fresh } = await startOne(call, 'tables.compact', table, table.title);
    if (fresh) await audit(call, table, 'table.maintained', { act: 'compact' });
    return { jobId };
  });

  route(app, ctx, endpoints.reindexSearch, async (call) => {
    const table = tableOf(await modelOf(call), call.params.table);
    if (await queries.isConverting(db, table)) fail('conflict');
    if (table.pending?.search === undefined) {
      await db.transaction(async (tx) => {
        const [site] = await tx
          .insert(contentSites)
          .values({ siteId: call.site.id })
          .onConflictDoUpdate({ target: contentSites.siteId, set: { revision: sql`${contentSites.revision} + 1` } })
          .returning();
        await addPending(tx, table.id, { search: site?.revision ?? 1 });
      });
      await audit(call, table, 'table.maintained', { act: 'search' });
    }
    return { jobId: await enqueueRebuild(ctx, call.site.id, table.title, call.session.userId) };
  });

  route(app, ctx, endpoints.emptyBin, async (call) => {
    const { site, session } = call;
    const table = tableOf(await modelOf(call), call.params.table);
    requireGrant(table, readerOf(call), 'delete');
    const input = { tableId: table.id, userId: session.userId, timeZone: site.row.timeZone, until: new Date(ctx.now()).toISOString(), actor: actorOf(call) };
    const { id } = await enqueue(ctx, 'tables.empty', { siteId: site.id, label: table.title, input, createdBy: session.userId });
    return { jobId: id };
  });

  const placeFor = downloadPlaces({ all: 2 });
  route(app, ctx, endpoints.backupTable, async (call) => {
    const { reply, query } = call;
    const model = await modelOf(call);
    const table = tableOf(model, call.params.table);
    const signal = placeFor(reply);
    await audit(call, table, 'table.exported', { format: 'backup', fields: table.fields.length, ...(query.trash ? { trash: true } : {}) });
    asDownload(reply, `${table.title.replaceAll(/[/\\:*?"<>|]/g, '_')}.sitewright-table.json.gz`, 'application/gzip');
    return reply.send(backupOf(ctx, model, table, { trash: query.trash, signal }));
  });

  const find = async (call: DesignCall, id: string): Promise<RestoreWithJob> => (await queries.findRestore(db, call.site.id, id)) ?? fail('not_found');
  const shown = async (call: DesignCall, id: string): Promise<TableRestore> => shownRestore(ctx, await modelOf(call), await find(call, id), call.locale);
  const now = async (found: RestoreWithJob): Promise<TableRestore['state']> => stateOf(found, await storedOf(ctx, found));
  const isWorking = (state: TableRestore['state']): boolean => state === 'checking' || state === 'running';

  route(app, ctx, endpoints.tableRestores, async (call) => {
    const model = await modelOf(call);
    return Promise.all((await queries.restoresOf(db, call.site.id)).map((one) => shownRestore(ctx, model, one, call.locale)));
  });
  route(app, ctx, endpoints.tableRestore, (call) => shown(call, call.params.id));
  route(app, ctx, endpoints.createTableRestore, async (call) => {
    const { site, session, body } = call;
    await checkSpace(ctx, body.size);
    const row = await ctx.postgres.withLock(`table restores of ${site.id}`, async () => {
      if ((await queries.unfinishedRestores(db, site.id)) >= careLimits.files) fail('too_large');
      return queries.addRestore(db, { siteId: site.id, ...body, createdBy: session.userId, createdAt: new Date(ctx.now()) });
    });
    return shown(call, row.id);
  });
  route(app, ctx, endpoints.tableRestoreData, async (call) => {
    const found = await find(call, call.params.id);
    const { row } = found;
    if ((await now(found)) !== 'uploading') fail('bad_transition');
    const chunk: unknown = call.request.body;
    if (!Buffer.isBuffer(chunk)) return fail('unsupported_media_type');
    if (call.query.offset + chunk.length > row.size) fail('too_large');
    await checkSpace(ctx, chunk.length);
    const appended = await ctx.postgres.withLock(`table restore ${row.id}`, () => restoreFiles.append(ctx, row.id, restorePart, call.query.offset, chunk));
    const after = await shown(call, row.id);
    return appended ? after : fail('conflict', { current: after });
  });

  route(app, ctx, endpoints.startTableRestore, async (call) => {
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
      const found = await find(call, params.id);
      if (!['ready', 'checked', 'failed', 'cancelled'].includes(await now(found))) fail('bad_transition');
      const { row } = found;
      const title = body.title ?? row.title;
      const trash = body.trash ? ('with' as const) : ('without' as const);
      // How far a run before has come counts other records than are meant now: its table goes into the bin, and another is begun.
      if (row.trash !== trash || row.title !== title) await giveUp(ctx, row, by);
      const at = new Date(ctx.now());
      // In one transaction: a worker may take the job at once, and must find that it is the restoring's.
      const job = await db.transaction(async (tx) => {
        const made = await insertJob(tx, {
          kind: 'tables.restore',
          siteId: site.id,
          label: title ?? row.name.slice(0, 120),
          input: { restoreId: row.id },
          createdBy: session.userId,
          createdAt: at,
          runAfter: at,
        });
        const same = row.report !== null && row.trash === trash && row.title === title && !body.dryRun;
        await queries.changeRestore(tx, row.id, {
          asked: body.dryRun ? 'check' : 'run',
          ended: null,
          fault: null,
          by,
          title,
          trash,
          jobId: made.id,
          ...(same ? {} : { report: null }),
        });
        return made;
      });
      ctx.live.publish({ type: 'job', jobId: job.id });
    });
    return shown(call, params.id);
  });
  route(app, ctx, endpoints.cancelTableRestore, async (call) => {
    const found = await find(call, call.params.id);
    const { row } = found;
    if (!isWorking(await now(found)) || row.jobId === null) return fail('bad_transition');
    if (!(await cancelJob(db, row.jobId, new Date(ctx.now())))) fail('bad_transition');
    ctx.live.publish({ type: 'job', jobId: row.jobId });
    return shown(call, row.id);
  });
  route(app, ctx, endpoints.removeTableRestore, async (call) => {
    const found = await find(call, call.params.id);
    if (isWorking(await now(found))) fail('bad_transition');
    await queries.deleteRestore(db, found.row.id);
    await restoreFiles.remove(ctx, found.row.id);
    return null;
  });
}
