import { Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { selectSite } from '@/features/sites/sitesSlice';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { ResultState } from '@/ui/ResultState';
import { Spinner } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { BlockedLog } from './BlockedLog';
import { useCountryRuleQuery } from './countryBlockApi';
import { RuleForm } from './RuleForm';
import { VersionList } from './VersionList';

const parts = ['rule', 'log', 'versions'] as const;
/** `open`: a network that the form shall leave open. */
const address = { part: oneOf(parts, 'rule'), open: text('', 49) };

/** The country rule of a site that is delivered here. */
function Rule({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const [{ part, open }] = useSearchState(address);
  const result = useCountryRuleQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const { refetch } = result;
  useLive([`countryBlock:${site.id}`], (signal) => {
    if (signal.type === 'resync' || (signal.type === 'countryBlock' && signal.siteId === site.id)) void refetch();
  });
  const offered = parts.filter((one) => one !== 'log' || mayOnSite(site.role, 'analytics.export'));
  const current = offered.find((one) => one === part) ?? 'rule';
  return (
    <>
      <PageHeader title={t('title')} note={t('lead')} />
      <TabLinks
        label={t('parts')}
        current={current}
        tabs={offered.map((one) => ({ id: one, name: t(`part.${one}`), to: one === 'rule' ? '?' : `?part=${one}` }))}
      />
      {current !== 'rule' && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 2 }}>
          {t('zone', { zone: site.timeZone })}
        </Typography>
      )}
      <ResultState result={result} skeleton={<Spinner />}>
        {(state) => (
          <>
            {current === 'rule' && <RuleForm key={site.id} site={site} state={state} opened={open} onUpdated={() => void refetch()} />}
            {current === 'log' && <BlockedLog site={site} />}
            {current === 'versions' && <VersionList site={site} current={state.version} />}
          </>
        )}
      </ResultState>
    </>
  );
}

export function Component(): ReactElement | null {
  const { t } = useTranslation('countryBlock');
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  if (site === undefined) return null;
  if (site.purpose === 'built') return <Rule key={site.id} site={site} />;
  return (
    <>
      <PageHeader title={t('title')} />
      <EmptyState ghost="rows" title={t('elsewhere')}>
        {t('elsewhereText')}
      </EmptyState>
    </>
  );
}
