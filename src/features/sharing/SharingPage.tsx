import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { selectSite } from '@/features/sites/sitesSlice';
import { flag, oneOf, text, useSearchState } from '@/lib/searchState';
import { useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { TabLinks } from '@/ui/TabLinks';
import { AlertsTab } from './AlertsTab';
import { PublicLinksTab } from '@/features/publicLinks/PublicLinksTab';
import { ReportsTab } from './ReportsTab';
import { UptimeTab } from './UptimeTab';

const tabs = ['links', 'reports', 'alerts', 'uptime'] as const;
const address = { tab: oneOf(tabs, 'links'), edit: text('', 36), new: flag() };

/** Access to the site's figures for others: public links for people without an account, digests, alerts. The open dialog has its own address. */
export function Component(): ReactElement | null {
  const { t } = useTranslation('sharing');
  const { t: nav } = useTranslation('nav');
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  const [{ tab, edit, new: making }, change] = useSearchState(address);
  if (site === undefined) return null;
  return (
    <>
      <PageHeader title={nav('share')} />
      <TabLinks label={t('tabs.label')} current={tab} tabs={tabs.map((id) => ({ id, name: t(`tabs.${id}`), to: id === 'links' ? '?' : `?tab=${id}` }))} />
      {tab === 'links' && (
        <PublicLinksTab
          site={site}
          edit={making ? 'new' : edit}
          onEdit={(id) => change(id === 'new' ? { new: true } : { edit: id, new: false }, id === '' ? 'replace' : 'push')}
        />
      )}
      {tab === 'reports' && <ReportsTab site={site} />}
      {tab === 'alerts' && <AlertsTab site={site} />}
      {tab === 'uptime' && <UptimeTab site={site} />}
    </>
  );
}
