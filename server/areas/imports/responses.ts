import { errorStatus } from '../../../contract/errors';
import type { ErrorCode } from '../../../contract/errors';
import type { Import, ImportState } from '../../../contract/imports/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { errorMessageFor } from '../../http/messages';
import { importFiles } from './files';
import { keywordImportsOf, replacedAmong } from './keywords/stored';
import type { KeywordImport } from './keywords/stored';
import { reportOf } from './progress';
import type { ImportWithJob } from './queries';

/** The state of an import, derived from its row and its job. */
export function stateOf({ row, job }: ImportWithJob): ImportState {
  const ended = job === null ? row.jobId !== null : job.state === 'failed' || job.state === 'cancelled' || job.state === 'done';
  if (row.removing) return ended && job?.state !== 'done' ? 'failed' : 'removing';
  if (!row.started) return 'uploading';
  if (row.finishedAt !== null) return 'done';
  if (row.jobId === null) return 'queued';
  if (job === null) return 'failed';
  return job.state === 'done' ? 'running' : job.state;
}

const isErrorCode = (text: string): text is ErrorCode => text in errorStatus;

/**
 * An import as the caller may see it. Speed and remaining time refer to the current run. `keywordImports`: those of its site, if they have already been loaded.
 */
export async function importResponse(ctx: Context, found: ImportWithJob, locale: Locale, keywordImports?: readonly KeywordImport[]): Promise<Import> {
  const { row, job, by } = found;
  const state = stateOf(found);
  const { progress } = row;
  const gone = state === 'done' || state === 'removing';
  const files = await Promise.all(
    row.files.map(async (file, index) => ({ ...file, stored: gone ? file.size : await importFiles.storedSize(ctx, row.id, index) })),
  );
  const seconds = progress === null ? 0 : (ctx.now() - progress.runAt) / 1000;
  const pace =
    state === 'running' && progress !== null && seconds >= 1
      ? { lines: (progress.lines - progress.runLines) / seconds, share: progress.read / row.total }
      : null;
  const perLine = progress === null || progress.lines === 0 ? 0 : progress.read / progress.lines;
  return {
    id: row.id,
    state,
    mode: row.mode,
    format: row.format,
    files,
    jobId: row.jobId,
    done: row.started ? Math.min(progress?.read ?? 0, row.total) : null,
    total: row.total,
    building: progress?.phase === 'building',
    perSecond: pace === null ? null : Math.round(pace.lines),
    secondsLeft: pace === null || pace.lines <= 0 || perLine === 0 || progress === null ? null : Math.round((row.total - progress.read) / perLine / pace.lines),
    report: progress === null ? null : reportOf(progress),
    keywords:
      row.keywords === null
        ? null
        : { ...row.keywords, replaced: state === 'done' ? replacedAmong(keywordImports ?? (await keywordImportsOf(ctx, row.siteId)), row.number) : 'no' },
    error:
      state !== 'failed' ? null : errorMessageFor(job?.error !== null && job?.error !== undefined && isErrorCode(job.error) ? job.error : 'internal', locale),
    createdBy: by,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
