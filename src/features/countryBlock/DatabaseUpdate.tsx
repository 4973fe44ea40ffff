import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CountryRuleState } from '@contract/countryBlock/schemas';
import { useJob } from '@/features/jobs/useJob';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { useUpdateCountryDatabaseMutation } from './countryBlockApi';

type Update = NonNullable<CountryRuleState['databaseUpdate']>;
type Props = { readonly update: Update; readonly onEnd: () => void };

/** When the database of countries was last looked for, why that failed, and a button that does it now. */
export function DatabaseUpdate({ update, onEnd }: Props): ReactElement {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [start, started] = useUpdateCountryDatabaseMutation();
  const [ended, setEnded] = useState<string | null>(null);
  const jobId = [started.data?.id, update.jobId].find((id) => id != null && id !== ended) ?? null;
  const { job, stop, stopping } = useJob(jobId, (over) => {
    setEnded(over.id);
    // Else it would be found again once another job has ended.
    started.reset();
    onEnd();
  });
  if (jobId !== null)
    return (
      <Box sx={{ maxWidth: 480 }}>
        <JobProgress
          title={t('update.running')}
          share={shareDone(job?.done ?? null, job?.total ?? null)}
          detail={job === undefined || job.done === 0 ? undefined : bytesText(job.done * 1024, format)}
          stop={{ label: t('update.stop'), busy: stopping, onStop: () => void stop() }}
        />
      </Box>
    );
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      <Button size="small" variant="outlined" disabled={started.isLoading} onClick={() => void start().then(({ error }) => notifyFailure(dispatch, error))}>
        {t('update.start')}
      </Button>
      <Typography variant="body2" role="status" sx={{ flex: '1 1 240px', color: update.failure === null ? 'text.secondary' : 'error.main' }}>
        {update.failure ?? (update.checkedAt === null ? t('update.never') : t('update.checked', { date: format.dateTime(update.checkedAt) }))}
      </Typography>
    </Box>
  );
}
