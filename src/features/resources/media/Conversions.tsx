import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceAddress } from '@contract/resources/addresses';
import type { Resource } from '@contract/resources/schemas';
import { videoFormats } from '@contract/resources/terms';
import type { VideoFormat } from '@contract/resources/terms';
import type { Site } from '@contract/sites/schemas';
import { isRunning } from '@/features/jobs/jobsSlice';
import { useJob } from '@/features/jobs/useJob';
import { bytesText } from '@/lib/bytes';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { CopyButton } from '@/ui/CopyButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { useConvertVideoMutation, useResourceConversionsQuery } from './mediaApi';

type Props = { readonly site: Site; readonly resource: Resource; readonly mayWrite: boolean };

/** The job that makes a version, and a way to start one. */
function useConversions({ site, resource: { id } }: Props) {
  const siteId = site.id;
  const { data, refetch } = useResourceConversionsQuery({ siteId, id });
  const [started, setStarted] = useState<string | null>(null);
  const [convert, { error, isLoading }] = useConvertVideoMutation();
  const jobId = started ?? data?.jobId ?? null;
  const { job, stop, stopping } = useJob(jobId, () => void refetch());
  return {
    data,
    // A job missing from the list has only just been created.
    running: jobId !== null && (job === undefined ? started !== null : isRunning(job)),
    job,
    stop,
    stopping,
    failed: job?.state === 'failed' ? job.error : null,
    failure: isFailure(error) ? error : null,
    busy: isLoading,
    start: async (format: VideoFormat): Promise<void> => {
      const result = await convert({ siteId, id, body: { format } });
      if (result.data) setStarted(result.data.jobId);
    },
  };
}

/** Versions of a video that every browser plays; made by ffmpeg, if the server has it. */
export function Conversions(props: Props): ReactElement | null {
  const { site, resource, mayWrite } = props;
  const { t } = useTranslation('resources');
  const format = useFormat();
  const { data, running, job, stop, stopping, failed, failure, busy, start } = useConversions(props);
  if (!data || (data.files.length === 0 && !mayWrite)) return null;
  const missing = videoFormats.filter((one) => data.files.every((file) => file.format !== one));
  const share = shareDone(job?.done ?? null, job?.total ?? null);
  const origin = site.systemHost ?? location.origin;
  return (
    <section className="resource-captions">
      <h3>{t('media.convert.heading')}</h3>
      {data.files.length > 0 && (
        <ul>
          {data.files.map((file) => (
            <li key={file.format}>
              <span>
                <b>{t(`media.convert.format.${file.format}`)}</b>
                <small>{bytesText(file.bytes, format)}</small>
              </span>
              {resource.visibility === 'public' && (
                <CopyButton text={resourceAddress({ ...resource, origin, preset: file.format })} label={t('media.copyAddress', { label: file.format })} />
              )}
            </li>
          ))}
        </ul>
      )}
      {running && (
        <JobProgress
          title={t('media.convert.running')}
          share={share}
          {...(share === null ? {} : { detail: format.percent(share, 0) })}
          stop={{ label: t(stopping ? 'media.convert.stopping' : 'media.convert.stop'), busy: stopping, onStop: () => void stop() }}
        />
      )}
      {failed !== null && <p role="alert">{failed}</p>}
      {failure && <ErrorPanel failure={failure} />}
      {mayWrite && !running && data.isAvailable && missing.length > 0 && (
        <div className="resource-actions">
          {missing.map((one) => (
            <Button key={one} variant="outlined" aria-busy={busy} onClick={() => void start(one)}>
              {t('media.convert.do', { format: t(`media.convert.format.${one}`) })}
            </Button>
          ))}
        </div>
      )}
      {mayWrite && !data.isAvailable && <p className="caption-help">{t('media.convert.missing')}</p>}
    </section>
  );
}
