import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useJob } from '@/features/jobs/useJob';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { ProgressBar, shareDone } from '@/ui/JobProgress';

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
  const { job, stop, stopping } = useJob(jobId, ({ state }) => {
    onEnd();
    if (state === 'done') dispatch(noticeShown({ tone: 'good', message: { key: `tableAdmin:${labels.done}`, values: { name } } }));
    if (state === 'failed') dispatch(noticeShown({ tone: 'bad', message: { key: `tableAdmin:${labels.failed}`, values: { name } } }));
  });
  return (
    <span className="admin-building" role="status">
      {job === undefined || job.done === 0
        ? labels.going
        : job.total === null
          ? t('indexes.progress', { going: labels.going, done: format.number(job.done) })
          : t('indexes.progressOf', { going: labels.going, done: format.number(job.done), total: format.number(job.total) })}
      <ProgressBar label={name} share={shareDone(job?.done ?? null, job?.total ?? null)} sx={{ width: 80 }} />
      {job?.cancellable === true && (
        <Button size="small" disabled={stopping} aria-label={t('indexes.cancelNamed', { name })} onClick={() => void stop()}>
          {t('indexes.cancel')}
        </Button>
      )}
    </span>
  );
};
