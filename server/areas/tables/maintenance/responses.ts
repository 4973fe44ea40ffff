import { eq } from 'drizzle-orm';
import { errorStatus } from '../../../../contract/errors';
import type { ErrorCode } from '../../../../contract/errors';
import type { TableRestore } from '../../../../contract/tables/maintenance';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { errorMessageFor } from '../../../http/messages';
import { users } from '../../account/schema';
import type { SiteModel } from '../core/model';
import type { RestoreWithJob } from './queries';
import { restoreFiles, restorePart } from './restore';
import { stopText } from './messages';

const isErrorCode = (text: string | null | undefined): text is ErrorCode => typeof text === 'string' && text in errorStatus;

/** State of a restore, from its row, its job and the uploaded part of its file. */
export function stateOf({ row, job }: RestoreWithJob, stored: number): TableRestore['state'] {
  if (row.ended === 'done') return 'done';
  if (row.requested === null) return row.ended ?? (stored < row.size ? 'uploading' : 'ready');
  if (job?.state !== 'queued' && job?.state !== 'running') return job?.state === 'cancelled' ? 'cancelled' : 'failed';
  return row.requested === 'check' ? 'checking' : 'running';
}
export const storedOf = async (ctx: Context, { row }: RestoreWithJob): Promise<number> =>
  row.requested === null && row.ended === null ? restoreFiles.storedSize(ctx, row.id, restorePart) : row.size;

export async function restoreResponse(ctx: Context, model: SiteModel, found: RestoreWithJob, locale: Locale): Promise<TableRestore> {
  const { row, job } = found;
  const stored = await storedOf(ctx, found);
  const state = stateOf(found, stored);
  const works = state === 'checking' || state === 'running';
  const [person] = row.createdBy === null ? [] : await ctx.postgres.db.select({ name: users.displayName }).from(users).where(eq(users.id, row.createdBy));
  return {
    id: row.id,
    file: { name: row.name, size: row.size, stored },
    state,
    jobId: row.jobId,
    done: works ? (job?.done ?? 0) : null,
    total: works ? (job?.total ?? null) : null,
    // Reports of earlier releases have no rules.
    report: row.report && { ...row.report, rights: row.report.rights ?? [] },
    tableId: row.ended === 'done' && model.tables.some((table) => table.id === row.tableId) ? row.tableId : null,
    error: state !== 'failed' ? null : row.error ? stopText(row.error, locale) : errorMessageFor(isErrorCode(job?.error) ? job.error : 'internal', locale),
    by: person?.name ?? '',
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
