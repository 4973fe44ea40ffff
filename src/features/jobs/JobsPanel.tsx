import { styled } from '@mui/material/styles';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Popup } from '@/ui/Popup';
import { JobRow } from './JobRow';
import { selectJobs, selectUnviewedJobs, jobsViewed } from './jobsSlice';

const Head = styled('p')({ padding: '10px 14px 6px', fontWeight: 600 });

/** Jobs, wherever they were started: their progress and a cancel button. */
const JobsPanel = ({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) => {
  const { t } = useTranslation('shell');
  const dispatch = useAppDispatch();
  const jobs = useAppSelector(selectJobs);
  const unseen = useAppSelector(selectUnviewedJobs);
  const close = () => {
    if (unseen.length > 0) dispatch(jobsViewed(unseen.map((job) => job.id)));
    onClose();
  };
  useEffect(() => {
    if (jobs.length === 0) onClose();
  }, [jobs.length, onClose]);
  return (
    <Popup anchor={anchor} onClose={close} label={t('jobs')} align="end" width={340}>
      <Head>{t('jobs')}</Head>
      {jobs.slice(0, 12).map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </Popup>
  );
};

export default JobsPanel;
