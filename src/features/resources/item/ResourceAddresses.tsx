import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { pictureSnippet, resourceAddress, srcsetOf } from '@contract/resources/addresses';
import type { Resource } from '@contract/resources/schemas';
import type { Site } from '@contract/sites/schemas';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { CopyButton } from '@/ui/CopyButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FilterSelect } from '@/ui/FilterSelect';
import { useSignResourceMutation } from '../resourcesApi';

type Props = { readonly site: Site; readonly resource: Resource; readonly mayWrite: boolean };

const daySeconds = 86_400;
/** Seconds for which a link works. */
const durations = { hour: 3600, day: daySeconds, week: 7 * daySeconds, month: 30 * daySeconds } as const;
type Duration = keyof typeof durations;
const durationIds = Object.keys(durations) as Duration[];

/** Where readers of the site get the file, and code that shows it. */
function PublicAddress({ site, resource }: Omit<Props, 'mayWrite'>): ReactElement {
  const { t } = useTranslation('resources');
  const { kind, alt } = resource;
  // Sites whose pages are hosted elsewhere get their files from the host of the console.
  const addressed = { ...resource, origin: site.systemHost ?? location.origin };
  const picture = kind === 'image' || kind === 'svg' ? { ...addressed, kind, alt: alt[site.defaultLang] ?? Object.values(alt)[0] ?? '' } : null;
  return (
    <div className="resource-actions">
      <CopyButton text={resourceAddress(addressed)}>{t('item.copyAddress')}</CopyButton>
      {picture && (
        <>
          <CopyButton text={pictureSnippet(picture, 'html')}>{t('address.html')}</CopyButton>
          <CopyButton text={pictureSnippet(picture, 'markdown')}>{t('address.markdown')}</CopyButton>
          {picture.kind === 'image' && <CopyButton text={pictureSnippet(picture, 'picture')}>{t('address.picture')}</CopyButton>}
          {picture.kind === 'image' && picture.width !== null && picture.height !== null && (
            <CopyButton text={srcsetOf({ ...picture, width: picture.width, height: picture.height })}>{t('address.srcset')}</CopyButton>
          )}
        </>
      )}
    </div>
  );
}

/** Creates links that expire; they also work for private resources. */
function ExpiringLink({ site, resource }: Omit<Props, 'mayWrite'>): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const [duration, setDuration] = useState<Duration>('week');
  const [sign, { data, error, isLoading }] = useSignResourceMutation();
  const create = (): void => void sign({ siteId: site.id, id: resource.id, body: { expiresIn: durations[duration] } });
  return (
    <>
      <div className="resource-actions">
        <FilterSelect
          label={t('address.expires')}
          value={duration}
          choices={durationIds.map((id) => ({ value: id, label: t(`address.${id}`) }))}
          onChoose={(id) => setDuration(id as Duration)}
        />
        <Button onClick={create} aria-busy={isLoading}>
          {t('address.create')}
        </Button>
        {data && (
          <>
            <CopyButton text={data.address}>{t('address.copyLink')}</CopyButton>
            <span role="status">{t('address.until', { time: format.dateTime(data.expiresAt) })}</span>
          </>
        )}
      </div>
      {error && <ErrorPanel failure={isFailure(error) ? error : null} />}
    </>
  );
}

/** Addresses of a resource outside the console. */
export function ResourceAddresses({ site, resource, mayWrite }: Props): ReactElement {
  return (
    <>
      {resource.visibility === 'public' && <PublicAddress site={site} resource={resource} />}
      {mayWrite && <ExpiringLink key={resource.sha256} site={site} resource={resource} />}
    </>
  );
}
