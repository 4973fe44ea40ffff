import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router-dom';
import { href } from '@/routes/paths';
import { selectSite } from '@/features/sites/sitesSlice';
import { useLive } from '@/lib/useLive';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { TabLinks } from '@/ui/TabLinks';
import { GeneralTab } from './general/GeneralTab';
import { MenusTab } from './menus/MenusTab';
import { publishingChanged } from './publishingApi';
import { ReleasesTab } from './releases/ReleasesTab';
import { ThemeTab } from './theme/ThemeTab';
import './publishing.css';

const tabs = ['general', 'theme', 'menus', 'releases'] as const;
type Tab = (typeof tabs)[number];
const routes = {
  general: 'site.setting.base',
  theme: 'site.setting.base.theme',
  menus: 'site.setting.base.menus',
  releases: 'site.setting.base.releases',
} as const satisfies Readonly<Record<Tab, string>>;

/** What makes a site exist for its visitors, one tab for each part; every tab has its own address. */
export function Component(): ReactElement | null {
  const { t } = useTranslation('publishing');
  const { siteId = '' } = useParams();
  const { pathname } = useLocation();
  const site = useAppSelector((state) => selectSite(state, siteId));
  const dispatch = useAppDispatch();
  useLive([`publishing:${siteId}`], () => void dispatch(publishingChanged(siteId)));
  if (site === undefined) return null;
  const tab = tabs.find((one) => pathname.endsWith(`/base/${one}`)) ?? 'general';
  return (
    <>
      <PageHeader title={t('title')} />
      <TabLinks label={t('tabs.label')} current={tab} tabs={tabs.map((id) => ({ id, name: t(`tabs.${id}`), to: href(routes[id], { siteId }) }))} />
      {site.purpose === 'external' && (
        <p role="note" className="publishing-note">
          {t('external')}
        </p>
      )}
      {tab === 'general' && <GeneralTab key={siteId} site={site} />}
      {tab === 'theme' && <ThemeTab key={siteId} site={site} />}
      {tab === 'menus' && <MenusTab key={siteId} site={site} />}
      {tab === 'releases' && <ReleasesTab key={siteId} site={site} />}
    </>
  );
}
