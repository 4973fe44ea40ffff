import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { JobRow } from '@/features/jobs/JobRow';
import { jobsApi } from '@/features/jobs/jobsApi';
import { selectJobs } from '@/features/jobs/jobsSlice';
import { useAppSelector } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { EmptyState } from '@/ui/EmptyState';
import { RowsSkeleton } from '@/ui/skeletons';

/** Jobs on the tables of a site; the list is in the store, which receives live updates of jobs. */
export default function JobsPart({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('tableAdmin');
  const result = jobsApi.endpoints.jobs.useQuery(undefined);
  const jobs = useAppSelector(selectJobs).filter((job) => job.siteId === siteId && job.kind.startsWith('tables.'));
  return (
    <>
      <p className="admin-note">{t('jobs.note')}</p>
      <ResultState result={result} skeleton={<RowsSkeleton rows={4} />}>
        {() =>
          jobs.length === 0 ? (
            <EmptyState title={t('jobs.empty')}>{t('jobs.emptyText')}</EmptyState>
          ) : (
            <ul className="admin-rows" aria-label={t('jobs.label')}>
              {jobs.map((job) => (
                <li key={job.id}>
                  <JobRow job={job} />
                </li>
              ))}
            </ul>
          )
        }
      </ResultState>
    </>
  );
}
