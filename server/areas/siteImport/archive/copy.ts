import { mayOnSite } from '../../../../contract/permissions';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { requireSpace, withinSpace } from '../../../kit/uploads';
import type { RunningJob } from '../../../worker';
import type { SiteRecord } from '../../sites/queries';
import { roleNow } from '../../tables';
import { archiveFile, exportFiles } from '../files';
import { openArchive } from '../zip';
import { installArchive } from './read';
import type { ArchiveInstaller, ArchiveNotes, PartChange } from './read';
import { archivedBytes, writeArchive } from './write';

const nothing = (): Promise<void> => Promise.resolve();
const unnoted: ArchiveNotes = { resource: nothing, tables: nothing, parts: nothing, texts: nothing };

/**
 * Gives a new site the tables, records, files, theme and parts of another one, through an archive that exists for as long as that takes. `change`: parts as the new site
 * has them. An interrupted job continues with the archive that it has made. Throws `forbidden` if the person may not export the other site.
 */
export async function copySiteContent(
  ctx: Context,
  job: RunningJob,
  by: Omit<ArchiveInstaller, 'importId' | 'role'>,
  from: Pick<SiteRecord, 'id' | 'name' | 'defaultLang' | 'timeZone'>,
  change: PartChange,
): Promise<void> {
  const role = await roleNow(ctx.postgres.db, from.id, by.userId);
  if (role === null || !mayOnSite(role, 'site.compose')) fail('forbidden');
  let done = 0;
  const file = archiveFile(ctx, job.id);
  if (!(await file.stat())) {
    // The archive, and then its files once more.
    await requireSpace(ctx, 2 * (await archivedBytes(ctx, from.id)));
    const { stream } = await writeArchive(ctx, from, () => job.progress((done += 1), null), job.signal);
    await ctx.files.put(exportFiles.key(job.id, 'archive'), withinSpace(ctx, stream), { replace: true });
  }
  const archive = await openArchive(file);
  try {
    await installArchive(ctx, archive, { ...by, role: 'admin', importId: job.id }, unnoted, (read) => job.progress(done + read, null), change);
  } finally {
    archive.close();
  }
  await exportFiles.remove(ctx, job.id);
}
