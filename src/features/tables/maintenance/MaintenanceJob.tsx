import { Button, LinearProgress } from '@mui/material';
import { useEffect, useEffectEvent } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useCancelJobMutation } from '@/features/jobs/jobsApi';
import { selectJobs } from '@/features/jobs/jobsSlice';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useFailureNotice } from '@/features/tables/useFailureNotice';

/** A running job: its progress, and a button to cancel it. `onEnd` is called when it ends in any state; a notice shows the result. */
export const MaintenanceJob = ({
  jobId,
  name,
  labels,
  onEnd,
}: {
  readonly jobId: string;
  /** Name of what the job works on. */ readonly name: string;
  readonly labels: {
    /** Shown before its progress is known. */ readonly going: string;
    readonly done: 'indexes.built' | 'maintenance.ended';
    readonly failed: 'indexes.buildFailed' | 'maintenance.failed';
  };
  readonly onEnd: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const job = useAppSelector(selectJobs).find(({ id }) => id === jobId);
  const [cancel, { isLoading }] = useCancelJobMutation();
  const notifyFailure = useFailureNotice();
  const state = job?.state;
  const ended = useEffectEvent(() => {
    onEnd();
    if (state === 'done') dispatch(noticeShown({ tone: 'good', message: { key: `tableAdmin:${labels.done}`, values: { name } } }));
    if (state === 'failed') dispatch(noticeShown({ tone: 'bad', message: { key: `tableAdmin:${labels.failed}`, values: { name } } }));
  });
  useEffect(() => {
    if (state !== undefined && state !== 'queued' && state !== 'running') ended();
  }, [state]);
  const stop = async () => {
    const { error } = await cancel({ id: jobId });
    notifyFailure(error);
  };
  const share = job?.total ? Math.min(100, (job.done / job.total) * 100) : null;
  return (
    <span className="admin-building" role="status">
      {job === undefined || job.done === 0
        ? labels.going
        : job.total === null
          ? t('indexes.progress', { going: labels.going, done: format.number(job.done) })
          : t('indexes.progressOf', { going: labels.going, done: format.number(job.done), total: format.number(job.total) })}
      <LinearProgress sx={{ width: 80 }} {...(share === null ? {} : { variant: 'determinate' as const, value: share })} aria-label={name} />
      {job?.cancellable === true && (
        <Button size="small" disabled={isLoading} aria-label={t('indexes.cancelNamed', { name })} onClick={() => void stop()}>
          {t('indexes.cancel')}
        </Button>
      )}
    </span>
  );
};
