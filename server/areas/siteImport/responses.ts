import type { ImportItem, SiteImport } from '../../../contract/siteImport/schemas';
import type { SiteImportState } from '../../../contract/siteImport/terms';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { importFiles } from './files';
import { messageOf, reasonOf } from './messages';
import * as queries from './queries';
import type { ImportWithJob, ItemRow } from './queries';
import { titleOf } from './structure';

const busy: readonly SiteImportState[] = ['detecting', 'running', 'undoing'];
export const isBusy = (state: SiteImportState): boolean => busy.includes(state);

/** The state as it is now: a job that failed or was cancelled ends it. */
export function stateOf({ row, job }: ImportWithJob): SiteImportState {
  if (!isBusy(row.state) || job === null) return row.state;
  if (job.state === 'failed') return 'failed';
  return job.state === 'cancelled' ? (row.state === 'running' ? 'paused' : 'cancelled') : row.state;
}

function countsOf(counts: readonly queries.Counted[], kind: ItemRow['kind']): SiteImport['records'] {
  const of = (outcome: ItemRow['outcome']): number => counts.find((one) => one.kind === kind && one.outcome === outcome)?.count ?? 0;
  return { created: of('created'), updated: of('updated'), unchanged: of('unchanged'), skipped: of('skipped'), failed: of('failed'), pending: of('pending') };
}

export async function importResponse(ctx: Context, found: ImportWithJob, locale: Locale): Promise<SiteImport> {
  const { row, job } = found;
  const state = stateOf(found);
  const counts = await queries.countItems(ctx.postgres.db, row.id);
  const problem = state === 'failed' ? (reasonOf(locale, row.error) ?? job?.error ?? null) : null;
  return {
    id: row.id,
    source: row.source,
    name: row.name,
    size: row.size,
    stored: row.address === null ? await importFiles.storedSize(ctx, row.id, 'source') : 0,
    state,
    step: row.step,
    jobId: row.jobId,
    done: isBusy(state) ? (job?.done ?? null) : null,
    total: isBusy(state) ? (job?.total ?? null) : null,
    plan: row.plan && {
      ...row.plan,
      collections: row.plan.collections.map((one) => ({
        ...one,
        title: titleOf(one, locale),
        fields: one.fields.map((field) => ({ ...field, title: messageOf(locale, `field.${field.key}`) ?? field.title })),
      })),
      problems: row.plan.problems.map(({ place, code }) => ({ place, code })),
    },
    mapping: row.mapping,
    target: row.target,
    siteId: row.siteId,
    records: countsOf(counts, 'record'),
    media: countsOf(counts, 'media'),
    redirects: row.written?.redirects.length ?? 0,
    archive: row.written?.archive ?? null,
    check: row.check && { ...row.check, broken: [...row.check.broken] },
    left: row.left,
    error: problem,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

export const itemResponse = ({ kind, source, title, collection, outcome, reason }: queries.ListedItem, locale: Locale): ImportItem => ({
  kind,
  source,
  title,
  collection,
  outcome,
  reason: reasonOf(locale, reason),
});
