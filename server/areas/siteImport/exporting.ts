import { z } from 'zod';
import type { SiteExport } from '../../../contract/siteImport/schemas';
import type { siteImportEndpoints as endpoints } from '../../../contract/siteImport/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { asDownload } from '../../http/download';
import { enqueue, defineJob } from '../../worker';
import { actorOf, record } from '../audit';
import { findSite } from '../sites';
import { mayOnSite } from '../../../contract/permissions';
import { roleNow } from '../tables';
import { requireSpace, withinSpace } from '../../kit/uploads';
import { archivedBytes, writeArchive } from './archive/write';
import { archiveFile, exportFiles } from './files';
import * as queries from './queries';
import { siteExports } from './schema';
import { mayReceive } from './target';

const ExportInput = z.object({ exportId: z.uuid(), userId: z.uuid() });
/** Archives of a site that are stored at a time. */
const mostStored = 5;
const storedDays = 7;

export const exportJob = defineJob('siteImport.export', async (job, ctx) => {
  const { exportId, userId } = ExportInput.parse(job.input);
  const { db } = ctx.postgres;
  const site = job.siteId === null ? null : await findSite(ctx, job.siteId);
  const row = job.siteId === null ? null : await queries.findExport(db, job.siteId, exportId);
  if (!site || site.state === 'deleted' || !row) return;
  // Whoever starts it must still be allowed to see everything that it contains.
  const role = await roleNow(db, site.id, userId);
  if (role === null || !mayOnSite(role, 'site.compose')) fail('forbidden');
  let done = 0;
  let total: number | null = null;
  const archive = await writeArchive(ctx, site, () => job.progress((done += 1), total), job.signal);
  total = archive.entries;
  await ctx.files.put(exportFiles.key(exportId, 'archive'), withinSpace(ctx, archive.stream), { replace: true });
  const size = (await archiveFile(ctx, exportId).stat())?.size ?? 0;
  await db
    .update(siteExports)
    .set({ size, finishedAt: new Date(ctx.now()) })
    .where(queries.isExport(exportId));
});

type Listed = Awaited<ReturnType<typeof queries.exportsOf>>[number];
const responseOf = ({ row, job }: Listed): SiteExport => ({
  id: row.id,
  jobId: row.jobId,
  state: row.size !== null ? 'done' : job?.state === 'failed' || job?.state === 'cancelled' ? job.state : job === null ? 'failed' : 'running',
  size: row.size,
  error: row.size === null && job?.state === 'failed' ? job.error : null,
  createdAt: row.createdAt.toISOString(),
});

export const listExports = async (ctx: Context, siteId: string): Promise<SiteExport[]> => (await queries.exportsOf(ctx.postgres.db, siteId)).map(responseOf);

/** Starts an export, unless one is running. */
export async function createExport(ctx: Context, call: CallOf<typeof endpoints.createSiteExport>): Promise<SiteExport> {
  const { site, session } = call;
  if (!mayReceive(site.role)) fail('forbidden');
  if (site.row.purpose === 'external') fail('bad_transition');
  const { db } = ctx.postgres;
  await requireSpace(ctx, await archivedBytes(ctx, site.id));
  await ctx.postgres.withLock(`site exports of ${site.id}`, async () => {
    const all = await queries.exportsOf(db, site.id);
    if (all.some((one) => responseOf(one).state === 'running')) fail('bad_transition');
    for (const { row } of all.slice(mostStored - 1)) await removeStored(ctx, row.id);
    await db.transaction(async (tx) => {
      const [row] = await tx
        .insert(siteExports)
        .values({ siteId: site.id, createdBy: session.userId, createdAt: new Date(ctx.now()) })
        .returning();
      if (!row) throw new Error('PostgreSQL returned no row');
      const job = await enqueue(
        ctx,
        'siteImport.export',
        { siteId: site.id, label: site.row.name, input: { exportId: row.id, userId: session.userId }, createdBy: session.userId },
        tx,
      );
      await tx.update(siteExports).set({ jobId: job.id }).where(queries.isExport(row.id));
      await record(ctx, tx, actorOf(call), { action: 'site.exported', siteId: site.id, target: { kind: 'site', id: site.id, name: site.row.name } });
    });
  });
  const [newest] = await listExports(ctx, site.id);
  return newest ?? fail('internal');
}

async function removeStored(ctx: Context, id: string): Promise<void> {
  await queries.deleteExport(ctx.postgres.db, id);
  await exportFiles.remove(ctx, id);
}

export async function sendExport(ctx: Context, { site, params, reply }: CallOf<typeof endpoints.siteExportFile>) {
  if (!mayReceive(site.role)) fail('forbidden');
  const row = (await queries.findExport(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
  const file = archiveFile(ctx, row.id);
  if (row.size === null || !(await file.stat())) return fail('not_found');
  asDownload(reply, `${site.row.slug}-${row.createdAt.toISOString().slice(0, 10)}.site.zip`, 'application/zip');
  return reply.header('content-length', row.size).send(file.read());
}

export async function removeExport(ctx: Context, { site, params }: CallOf<typeof endpoints.removeSiteExport>): Promise<null> {
  const row = (await queries.findExport(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
  await removeStored(ctx, row.id);
  return null;
}

/** Deletes archives that are old, and files that belong neither to a row nor to a copy in progress. */
export async function sweepExports(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  for (const { id, createdAt } of await queries.allExports(db)) if (createdAt.getTime() < ctx.now() - storedDays * 86_400_000) await removeStored(ctx, id);
  await exportFiles.sweep(ctx, async () => new Set([...(await queries.allExports(db)), ...(await queries.copyingJobs(db))].map(({ id }) => id)));
}
