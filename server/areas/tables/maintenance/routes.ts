import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { AuditAction } from '../../../../contract/audit/schemas';
import { tableMaintenanceEndpoints as endpoints } from '../../../../contract/tables/maintenance';
import type { Context } from '../../../context';
import { asDownload, downloadPlaces } from '../../../http/download';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { ResponseOf, CallOf } from '../../../http/route';
import { enqueue } from '../../../worker';
import { actorOf, record } from '../../audit';
import { readerOf, requireGrant, storesFiles } from '../core/access';
import type { DesignCall } from '../schema';
import { addPending, enqueueRebuild } from '../schema';
import { siteModel, tableOf } from '../core/model';
import type { TableModel } from '../core/model';
import { contentSites } from '../core/schema';
import { queueLinkedFiles } from '../core/write/linkedFiles';
import { backupOf } from './backup';
import { factsOf } from './facts';
import { MaintenanceInput } from './input';
import * as queries from './queries';

/** Size, growth and health of tables; maintenance; backups of one table. */
export function registerMaintenance(app: FastifyInstance, ctx: Context): void {
  const placeFor = downloadPlaces({ all: 2 });
  route(app, ctx, endpoints.tableFacts, async (call) => factsOf(ctx, await siteModel(ctx, call.site.id), call.site.row.timeZone));
  route(app, ctx, endpoints.checkTables, (call) => checkTables(ctx, call));
  route(app, ctx, endpoints.storeLinkedFiles, (call) => storeLinkedFiles(ctx, call));
  route(app, ctx, endpoints.compactTable, (call) => compactTable(ctx, call));
  route(app, ctx, endpoints.reindexSearch, (call) => reindexSearch(ctx, call));
  route(app, ctx, endpoints.emptyBin, (call) => emptyBin(ctx, call));
  route(app, ctx, endpoints.backupTable, async (call) => {
    const { reply, query } = call;
    const model = await siteModel(ctx, call.site.id);
    const table = tableOf(model, call.params.table);
    const signal = placeFor(reply);
    await audit(ctx, call, table, 'table.exported', { format: 'backup', fields: table.fields.length, ...(query.trash ? { trash: true } : {}) });
    asDownload(reply, `${table.title.replaceAll(/[/\\:*?"<>|]/g, '_')}.sitewright-table.json.gz`, 'application/gzip');
    return reply.send(backupOf(ctx, model, table, { withBin: query.trash, withFiles: query.files, signal }));
  });
}

const audit = (ctx: Context, call: DesignCall, table: TableModel, action: AuditAction, after: Record<string, unknown>): Promise<void> =>
  record(ctx, ctx.postgres.db, actorOf(call), { action, siteId: call.site.id, target: { kind: 'table', id: table.id, name: table.title }, after });

/** Starts a job, unless one of this kind already works on the same table (`fresh`: false). `table` null: all tables of the site. */
const startOnce = (
  ctx: Context,
  call: DesignCall,
  kind: 'tables.check' | 'tables.compact',
  table: TableModel | null,
  label: string,
): Promise<{ jobId: string; fresh: boolean }> =>
  ctx.postgres.withLock(`table care ${call.site.id}`, async () => {
    const tableId = table?.id ?? null;
    const open = await queries.openJobsOf(ctx.postgres.db, call.site.id, [kind]);
    const same = open.find(({ input }) => {
      const read = MaintenanceInput.safeParse(input);
      return read.success && read.data.tableId === tableId;
    });
    if (same) return { jobId: same.id, fresh: false };
    const { id } = await enqueue(ctx, kind, { siteId: call.site.id, label, input: { tableId }, createdBy: call.session.userId });
    return { jobId: id, fresh: true };
  });

/** Starts the health check of a table, or of all tables of the site. */
async function checkTables(ctx: Context, call: CallOf<typeof endpoints.checkTables>): Promise<ResponseOf<typeof endpoints.checkTables>> {
  const table = call.body.table === null ? null : tableOf(await siteModel(ctx, call.site.id), call.body.table);
  const { jobId } = await startOnce(ctx, call, 'tables.check', table, table?.title ?? call.site.row.name);
  return { jobId };
}

/** Starts the job that stores the files behind addresses in the records of a table, or of all tables of the site. */
async function storeLinkedFiles(ctx: Context, { site, session, body }: CallOf<typeof endpoints.storeLinkedFiles>): Promise<{ jobId: string }> {
  if (!storesFiles({ site, session })) fail(session.token ? 'token_scope' : 'forbidden');
  const table = body.table === null ? null : tableOf(await siteModel(ctx, site.id), body.table);
  const input = { tableId: table?.id ?? null, recordIds: null, batchId: null };
  return { jobId: await queueLinkedFiles(ctx, site.id, input, { label: table?.title ?? site.row.name, createdBy: session.userId }) };
}

/** Starts the clean-up of a table. Throws `conflict` while a field is being converted. */
async function compactTable(ctx: Context, call: CallOf<typeof endpoints.compactTable>): Promise<ResponseOf<typeof endpoints.compactTable>> {
  const table = tableOf(await siteModel(ctx, call.site.id), call.params.table);
  if (await queries.isConverting(ctx.postgres.db, table)) fail('conflict');
  const { jobId, fresh } = await startOnce(ctx, call, 'tables.compact', table, table.title);
  if (fresh) await audit(ctx, call, table, 'table.maintained', { act: 'compact' });
  return { jobId };
}

/** Rebuilds the search index of a table. Throws `conflict` while a field is being converted. */
async function reindexSearch(ctx: Context, call: CallOf<typeof endpoints.reindexSearch>): Promise<ResponseOf<typeof endpoints.reindexSearch>> {
  const table = tableOf(await siteModel(ctx, call.site.id), call.params.table);
  if (await queries.isConverting(ctx.postgres.db, table)) fail('conflict');
  if (table.pending?.search === undefined) {
    await ctx.postgres.db.transaction(async (tx) => {
      const [site] = await tx
        .insert(contentSites)
        .values({ siteId: call.site.id })
        .onConflictDoUpdate({ target: contentSites.siteId, set: { revision: sql`${contentSites.revision} + 1` } })
        .returning();
      await addPending(tx, table.id, { search: site?.revision ?? 1 });
    });
    await audit(ctx, call, table, 'table.maintained', { act: 'search' });
  }
  return { jobId: await enqueueRebuild(ctx, call.site.id, table.title, call.session.userId) };
}

/** Starts a job that purges the current content of a table's bin. */
async function emptyBin(ctx: Context, call: CallOf<typeof endpoints.emptyBin>): Promise<ResponseOf<typeof endpoints.emptyBin>> {
  const { site, session } = call;
  const table = tableOf(await siteModel(ctx, call.site.id), call.params.table);
  requireGrant(table, readerOf(call), 'delete');
  const input = { tableId: table.id, userId: session.userId, timeZone: site.row.timeZone, until: new Date(ctx.now()).toISOString(), actor: actorOf(call) };
  const { id } = await enqueue(ctx, 'tables.empty', { siteId: site.id, label: table.title, input, createdBy: session.userId });
  return { jobId: id };
}
