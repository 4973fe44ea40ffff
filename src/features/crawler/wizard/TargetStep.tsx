import { Alert, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlTarget } from '@contract/crawler/schemas';
import { crawlerKinds, crawlLimits } from '@contract/crawler/terms';
import { mayOnSite } from '@contract/permissions';
import { selectSites } from '@/features/sites/sitesSlice';
import { bytesText } from '@/lib/bytes';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { Tag } from '@/ui/Tag';
import type { Target } from './useTarget';
import type { WizardForm } from './wizardForm';

/** How long a crawl of that many addresses takes, in seconds, if the site answers as fast as the probe. */
function secondsFor(target: CrawlTarget, addresses: number): number {
  const { connections, requestsPerSecond } = target.verified ? { connections: 4, requestsPerSecond: 10 } : crawlLimits.foreign;
  const perSecond = Math.min(requestsPerSecond, target.firstByteMs > 0 ? (connections * 1000) / target.firstByteMs : requestsPerSecond);
  return addresses / Math.max(0.1, perSecond);
}

function Facts({ target }: { readonly target: CrawlTarget }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const { sitemapAddresses, bytes, platform, title, robots, crawlDelay, sitemaps, firstByteMs } = target;
  const most = target.verified ? sitemapAddresses : sitemapAddresses === null ? null : Math.min(sitemapAddresses, crawlLimits.foreign.pages);
  const entries: readonly (readonly [string, string])[] = [
    ...(title === null || title === '' ? [] : [[t('probe.pageTitle'), title] as const]),
    [t('probe.answer'), t('probe.answerText', { status: target.status, ms: format.number(firstByteMs), bytes: bytesText(bytes, format) })],
    [t('probe.robots'), t(`probe.robotsIs.${robots}`) + (crawlDelay === null ? '' : t('probe.crawlDelay', { seconds: format.number(crawlDelay) }))],
    [
      t('probe.sitemaps'),
      sitemapAddresses === null
        ? t('probe.noSitemap')
        : t('probe.sitemapsText', { count: sitemapAddresses, sitemaps: format.number(sitemaps.length), addresses: format.number(sitemapAddresses) }),
    ],
    ...(platform === null ? [] : [[t('probe.platform'), platform] as const]),
    ...(most === null || most === 0
      ? []
      : [
          [
            t('probe.estimate'),
            t('probe.estimateText', {
              count: most,
              pages: format.number(most),
              time: format.duration(secondsFor(target, most)),
              bytes: bytesText(most * bytes, format),
            }),
          ] as const,
        ]),
  ];
  return (
    <dl className="crawl-facts">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Probe({ target }: { readonly target: Target }): ReactElement {
  const { t } = useTranslation('crawler');
  const { data, error, isLoading, url, again } = target;
  if (url === '') return <p>{t('probe.none')}</p>;
  if (isLoading) return <p role="status">{t('probe.busy', { url })}</p>;
  if (error !== undefined) return <ErrorPanel failure={isFailure(error) ? error : null} onRetry={again} retrying={false} />;
  if (data === undefined) return <p>{t('probe.none')}</p>;
  return (
    <>
      <p role="status" style={{ margin: 0 }}>
        <Tag tone={data.verified ? 'good' : 'warning'}>{t(data.verified ? 'probe.verified' : 'probe.notVerified')}</Tag>{' '}
        {t(data.verified ? 'probe.verifiedText' : 'probe.notVerifiedText', { ...crawlLimits.foreign })}
      </p>
      {data.error !== null || data.status >= 400 ? (
        <Alert severity="warning">{data.error === null ? t('probe.badStatus', { status: data.status }) : t(`error.${data.error}`)}</Alert>
      ) : (
        <Facts target={data} />
      )}
      {data.needsScripts && <Alert severity="info">{t(data.canRender ? 'probe.needsScripts' : 'probe.needsScriptsNoBrowser')}</Alert>}
      <Button size="small" onClick={again}>
        {t('probe.again')}
      </Button>
    </>
  );
}

/** What is crawled, for which site, and what a first look at it finds. */
export function TargetStep({ form, target, isNew }: { readonly form: WizardForm; readonly target: Target; readonly isNew: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const { control } = form;
  const sites = useAppSelector(selectSites).filter(({ role }) => mayOnSite(role, 'crawler.configure'));
  return (
    <>
      <FormSection title={t('target.title')} lead={t('target.lead')}>
        <TextField control={control} name="name" label={t('target.name')} maxLength={100} />
        {isNew && (
          <SelectField
            control={control}
            name="siteId"
            label={t('column.site')}
            help={t('target.siteHelp')}
            choices={sites.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <TextField
          control={control}
          name="seeds"
          label={t('target.seeds')}
          help={t('target.seedsHelp')}
          multiline
          minRows={2}
          maxRows={8}
          verbatim
          inputMode="url"
        />
        <RadioCards
          control={control}
          name="kind"
          label={t('target.kind')}
          choices={crawlerKinds.map((kind) => ({ value: kind, label: t(`kind.${kind}.name`), detail: t(`kind.${kind}.text`) }))}
        />
      </FormSection>
      <FormSection title={t('probe.title')} lead={t('probe.lead')}>
        <Probe target={target} />
      </FormSection>
    </>
  );
}
