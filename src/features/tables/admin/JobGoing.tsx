import { Button, LinearProgress } from '@mui/material';
import { useEffect, useEffectEvent } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useCancelJobMutation } from '@/features/jobs/jobsApi';
import { selectJobs } from '@/features/jobs/jobsSlice';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';

/** A job that goes on: how far it is, and the way to stop it. `onEnd` once it has ended, however; how it ended is told in a notice. */
export const JobGoing = ({
  jobId,
  name,
  words,
  onEnd,
}: {
  readonly jobId: string;
  /** Of what it works on. */ readonly name: string;
  readonly words: {
    /** Before it is known how far it is. */ readonly going: string;
    readonly done: 'indexes.built' | 'care.ended';
    readonly failed: 'indexes.buildFailed' | 'care.failed';
  };
  readonly onEnd: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const job = useAppSelector(selectJobs).find(({ id }) => id === jobId);
  const [cancel, { isLoading }] = useCancelJobMutation();
  const state = job?.state;
  const ended = useEffectEvent(() => {
    onEnd();
    if (state === 'done') dispatch(noticeShown({ tone: 'good', words: { key: `tableAdmin:${words.done}`, values: { name } } }));
    if (state === 'failed') dispatch(noticeShown({ tone: 'bad', words: { key: `tableAdmin:${words.failed}`, values: { name } } }));
  });
  useEffect(() => {
    if (state !== undefined && state !== 'queued' && state !== 'running') ended();
  }, [state]);
  const stop = async () => {
    const { error } = await cancel({ id: jobId });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
  };
  const share = job?.total ? Math.min(100, (job.done / job.total) * 100) : null;
  return (
    <span className="admin-building" role="status">
      {job === undefined || job.done === 0
        ? words.going
        : job.total === null
          ? t('indexes.progress', { going: words.going, done: format.number(job.done) })
          : t('indexes.progressOf', { going: words.going, done: format.number(job.done), total: format.number(job.total) })}
      <LinearProgress sx={{ width: 80 }} {...(share === null ? {} : { variant: 'determinate' as const, value: share })} aria-label={name} />
      {job?.cancellable === true && (
        <Button size="small" disabled={isLoading} aria-label={t('indexes.cancelNamed', { name })} onClick={() => void stop()}>
          {t('indexes.cancel')}
        </Button>
      )}
    </span>
  );
};
