import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import { mayOnSite } from '@contract/permissions';
import { selectSite } from '@/features/sites/sitesSlice';
import { oneOf, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { href } from '@/routes/paths';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { FilesTab } from './FilesTab';
import { MachineTab } from './MachineTab';
import { OverviewTab } from './OverviewTab';
import { TranslateTab } from './TranslateTab';
import { translationsChanged, useTranslationOverviewQuery } from './translationsApi';
import './translations.css';

const tabs = ['overview', 'translate', 'machine', 'files'] as const;
const address = { tab: oneOf(tabs, 'overview') };

function Intl({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('translations');
  const [{ tab }] = useSearchState(address);
  const dispatch = useAppDispatch();
  const result = useTranslationOverviewQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  useLive([`intl:${site.id}`, `publishing:${site.id}`], () => void dispatch(translationsChanged()));
  const mayTranslate = mayOnSite(site.role, 'site.publish');
  const visible = tabs.filter((one) => mayTranslate || one === 'overview' || one === 'translate');
  const current = visible.includes(tab) ? tab : 'overview';
  return (
    <>
      <PageHeader title={t('title')} note={t('lead')} />
      <TabLinks
        label={t('tabs.label')}
        current={current}
        tabs={visible.map((id) => ({ id, name: t(`tabs.${id}`), to: id === 'overview' ? '?' : `?tab=${id}` }))}
      />
      <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
        {(overview) =>
          overview.languages.length < 2 ? (
            <EmptyState
              ghost="rows"
              title={t('single')}
              action={
                mayOnSite(site.role, 'site.compose') && (
                  <Button variant="outlined" component={Link} to={href('site.setting.base', { siteId: site.id })}>
                    {t('addLanguage')}
                  </Button>
                )
              }
            >
              {t('singleText')}
            </EmptyState>
          ) : (
            <>
              {current === 'overview' && <OverviewTab site={site} overview={overview} />}
              {current === 'translate' && <TranslateTab site={site} overview={overview} mayTranslate={mayTranslate} />}
              {current === 'machine' && <MachineTab site={site} overview={overview} />}
              {current === 'files' && <FilesTab site={site} overview={overview} />}
            </>
          )
        }
      </ResultState>
    </>
  );
}

/** Languages of a site: what is translated, translating side by side, machine translation, import and export. The tab is in the address. */
export function Component(): ReactElement | null {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : <Intl key={site.id} site={site} />;
}
