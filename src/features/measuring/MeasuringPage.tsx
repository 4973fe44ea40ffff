import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import { selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { ErasePart } from './ErasePart';
import { CompletenessPart } from './CompletenessPart';
import { useMeasuringQuery } from './measuringApi';
import { SettingsForm } from './SettingsForm';
import { formParts } from './settingsInput';
import type { FormPart } from './settingsInput';

const parts = [...formParts, 'loss', 'erase'] as const;
type Part = (typeof parts)[number];
const isFormPart = (part: Part): part is FormPart => (formParts as readonly Part[]).includes(part);

/** Measuring settings of a site. The tab is in the address; input survives switching between tabs. */
export const Component = (): ReactElement | null => {
  const { siteId = '' } = useParams();
  const { t } = useTranslation('measuring');
  const [params] = useSearchParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  const result = useMeasuringQuery({ siteId });
  if (site === undefined) return null;
  const mayChange = mayOnSite(site.role, 'analytics.configure');
  const offered = parts.filter((part) => part !== 'erase' || mayChange);
  const part: Part = offered.find((one) => one === params.get('part')) ?? 'settings';
  return (
    <>
      <PageHeader title={t('title')} />
      <TabLinks
        label={t('parts')}
        current={part}
        tabs={offered.map((one) => ({ id: one, name: t(`part.${one}`), to: one === 'settings' ? '?' : `?part=${one}` }))}
      />
      <Box sx={{ mt: 1 }}>
        <Box hidden={!isFormPart(part)}>
          <ResultState
            result={result}
            skeleton={<RowsSkeleton rows={8} />}
            failed={(error, retry) => isFailure(error) && <ErrorPanel failure={error} onRetry={retry} />}
          >
            {(settings) => <SettingsForm key={siteId} siteId={siteId} settings={settings} part={isFormPart(part) ? part : 'settings'} readOnly={!mayChange} />}
          </ResultState>
        </Box>
        {part === 'loss' && <CompletenessPart siteId={siteId} />}
        {part === 'erase' && <ErasePart siteId={siteId} name={site.name} />}
      </Box>
    </>
  );
};
