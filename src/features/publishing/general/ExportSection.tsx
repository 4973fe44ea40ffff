import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { useJob } from '@/features/jobs/useJob';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { addressOf } from '@/store/endpoints';
import { useAppDispatch } from '@/store/hooks';
import { FormSection } from '@/ui/form/FormSection';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { importCalls, useCreateSiteExportMutation, useRemoveSiteExportMutation, useSiteExportsQuery } from '@/features/siteImport/siteImportApi';

/** Archives of the site, to be downloaded and imported elsewhere. */
export function ExportSection({ site }: { readonly site: Site }): ReactElement | null {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const allowed = mayOnSite(site.role, 'site.compose') && site.purpose === 'built';
  const [polling, setPolling] = useState(0);
  const { data = [], refetch } = useSiteExportsQuery({ siteId: site.id }, { skip: !allowed, pollingInterval: polling });
  const [create, creating] = useCreateSiteExportMutation();
  const [remove] = useRemoveSiteExportMutation();
  const running = data.find(({ state }) => state === 'running');
  const { job, stopping, stop } = useJob(running?.jobId ?? null, () => void refetch());
  const interval = running ? 2000 : 0;
  if (interval !== polling) setPolling(interval);
  if (!allowed) return null;
  return (
    <FormSection title={t('export.title')} lead={t('export.text')}>
      {running ? (
        <JobProgress
          title={t('export.running')}
          share={shareDone(job?.done ?? null, job?.total ?? null)}
          stop={{ label: t('export.cancel'), busy: stopping, onStop: () => void stop() }}
        />
      ) : (
        <Button
          variant="outlined"
          sx={{ justifySelf: 'start' }}
          disabled={creating.isLoading}
          onClick={() => void create({ siteId: site.id }).then(({ error }) => notifyFailure(dispatch, error))}
        >
          {t('export.start')}
        </Button>
      )}
      {data.some(({ state }) => state !== 'running') && (
        <ul className="publishing-archives">
          {data
            .filter(({ state }) => state !== 'running')
            .map(({ id, state, size, error: reason, createdAt }) => (
              <li key={id}>
                <span>{format.dateTime(createdAt)}</span>
                <span>
                  {size === null
                    ? t(`export.${state === 'cancelled' ? 'cancelled' : reason === 'disk_full' ? 'diskFull' : 'failed'}`)
                    : bytesText(size, format)}
                </span>
                {size !== null && (
                  <Button
                    size="small"
                    component="a"
                    href={addressOf(importCalls.siteExportFile, { siteId: site.id, id })}
                    download
                    aria-label={t('export.downloadNamed', { date: format.dateTime(createdAt) })}
                  >
                    {t('export.download')}
                  </Button>
                )}
                <Button
                  size="small"
                  aria-label={t('export.removeNamed', { date: format.dateTime(createdAt) })}
                  onClick={() => void remove({ siteId: site.id, id }).then(({ error }) => notifyFailure(dispatch, error))}
                >
                  {t('export.remove')}
                </Button>
              </li>
            ))}
        </ul>
      )}
    </FormSection>
  );
}
