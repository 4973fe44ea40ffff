import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import type { Job } from '@contract/jobs/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { useCancelJobMutation } from './jobsApi';

const Row = styled('div')({
  display: 'grid',
  gridTemplateColumns: '1fr auto',
  gap: '2px 8px',
  padding: '8px 14px',
  borderTop: '1px solid var(--line)',
  alignItems: 'center',
  '& > b': { fontWeight: 500, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& > small': { color: 'var(--ink-2)', gridColumn: '1 / -1' },
});
const Track = styled('div')({
  gridColumn: '1 / -1',
  height: 3,
  borderRadius: 2,
  background: 'var(--n-3)',
  overflow: 'hidden',
  '& > span': { display: 'block', height: '100%', background: 'var(--chart-accent)', transition: 'width 200ms var(--ease)' },
});

/** One job: its purpose, progress, outcome, and a cancel button. Its messages are in `frame`. */
export const JobRow = ({ job }: { readonly job: Job }) => {
  const { t } = useTranslation('frame');
  const { number, relative, percent } = useFormat();
  const dispatch = useAppDispatch();
  const [cancel, { isLoading }] = useCancelJobMutation();
  const running = job.state === 'running' || job.state === 'queued';
  const share = job.total === null || job.total === 0 ? null : Math.min(1, job.done / job.total);
  const stop = async () => {
    const { error } = await cancel({ id: job.id });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
  };
  return (
    <Row>
      <b>{t(`job.kind.${job.kind}`, { name: job.label })}</b>
      {running && job.cancellable ? (
        <IconButton disabled={isLoading} label={t('job.cancel', { name: job.label })} onClick={() => void stop()}>
          <Icon name="close" size={16} />
        </IconButton>
      ) : (
        <span />
      )}
      {running && (
        <Track
          role="progressbar"
          aria-label={job.label}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(share === null ? {} : { 'aria-valuenow': Math.round(share * 100) })}
        >
          <span style={{ width: share === null ? '30%' : percent(share, 0) }} />
        </Track>
      )}
      <small>
        {running
          ? job.state === 'queued'
            ? t('job.queued')
            : job.total === null
              ? t('job.done', { done: number(job.done) })
              : t('job.progress', { done: number(job.done), total: number(job.total) })
          : `${t(`job.state.${job.state}`)} · ${relative(job.finishedAt ?? job.createdAt)}`}
        {job.error !== null && ` · ${job.error}`}
      </small>
    </Row>
  );
};
