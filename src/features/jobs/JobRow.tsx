import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import type { Job } from '@contract/jobs/schemas';
import { useFormat } from '@/lib/format';
import { Icon } from '@/ui/Icon';
import { ProgressBar, shareDone } from '@/ui/JobProgress';
import { IconButton } from '@/ui/PlainButton';
import { isRunning } from './jobsSlice';
import { useJob } from './useJob';

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
/** One job: its purpose, progress, outcome, and a cancel button. Its messages are in `jobs`. */
export const JobRow = ({ job }: { readonly job: Job }) => {
  const { t } = useTranslation('jobs');
  const { number, relative } = useFormat();
  const { stop, stopping } = useJob(job.id);
  const running = isRunning(job);
  return (
    <Row>
      <b>{t(`kind.${job.kind}`, { name: job.label })}</b>
      {running && job.cancellable ? (
        <IconButton disabled={stopping} label={t('cancel', { name: job.label })} onClick={() => void stop()}>
          <Icon name="close" size={16} />
        </IconButton>
      ) : (
        <span />
      )}
      {running && <ProgressBar label={job.label} share={shareDone(job.done, job.total)} sx={{ gridColumn: '1 / -1', height: 3, borderRadius: '2px' }} />}
      <small>
        {running
          ? job.state === 'queued'
            ? t('queued')
            : job.total === null
              ? t('done', { done: number(job.done) })
              : t('progress', { done: number(job.done), total: number(job.total) })
          : `${t(`state.${job.state}`)} · ${relative(job.finishedAt ?? job.createdAt)}`}
        {job.error !== null && ` · ${job.error}`}
      </small>
    </Row>
  );
};
