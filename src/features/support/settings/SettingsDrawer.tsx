import { Drawer } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { SupportOverview } from '@contract/support/conversations';
import type { Site } from '@contract/sites/schemas';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { writeSearch } from '@/lib/searchState';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { address, settingsTabs } from '../address';
import type { SettingsTab } from '../address';
import { StatisticsTab } from '../statistics/StatisticsTab';
import { useSupportSettingsQuery } from '../supportApi';
import { BlocksTab } from './BlocksTab';
import { CannedTab } from './CannedTab';
import { formTabs, SettingsForm } from './SettingsForm';
import type { FormTabName } from './SettingsForm';

type Props = {
  readonly site: Site;
  readonly tab: SettingsTab;
  readonly overview: SupportOverview | undefined;
  readonly mayReply: boolean;
  readonly mayConfigure: boolean;
  readonly onClose: () => void;
};

const isFormTab = (tab: SettingsTab): tab is FormTabName => (formTabs as readonly string[]).includes(tab);

/** The settings with the languages of the site; a site whose pages are hosted elsewhere has none. */
function Settings({ site, tab, overview }: Pick<Props, 'site' | 'overview'> & { readonly tab: FormTabName }): ReactElement {
  const settings = useSupportSettingsQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const isElsewhere = site.purpose === 'external';
  const parts = useSitePartsQuery({ siteId: site.id }, { skip: isElsewhere });
  const own = parts.currentData?.languages.content.languages.map((one) => one.tag);
  const isLoading = !isElsewhere && own === undefined && parts.error === undefined;
  return (
    <ResultState result={settings} skeleton={<RowsSkeleton rows={6} />}>
      {(data) =>
        isLoading ? <RowsSkeleton rows={6} /> : <SettingsForm site={site} tab={tab} settings={data} overview={overview} siteLanguages={own ?? null} />
      }
    </ResultState>
  );
}

/** Settings, canned replies, blocks and statistics; each tab has an address. */
export default function SettingsDrawer({ site, tab, overview, mayReply, mayConfigure, onClose }: Props): ReactElement {
  const { t } = useTranslation('support');
  const [params] = useSearchParams();
  const visible = settingsTabs.filter((one) => mayConfigure || one === 'statistics' || one === 'canned' || (one === 'blocks' && mayReply));
  const current = visible.includes(tab) ? tab : (visible[0] ?? 'statistics');
  const title = t(current === 'statistics' ? 'statistics.title' : 'settings.title');
  return (
    <Drawer
      open
      anchor="right"
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-label': title, sx: { width: { xs: '100%', md: 'min(1040px, 92vw)' } } } }}
    >
      <header className="support-drawer-head">
        <h2>{title}</h2>
        <IconButton label={t('settings.close')} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <div className="support-drawer-tabs">
        <TabLinks
          label={t('settings.tabs')}
          current={current}
          tabs={visible.map((id) => ({ id, name: t(`settings.tab.${id}`), to: `?${writeSearch(address, params, { settings: id }).toString()}` }))}
        />
      </div>
      <div className="support-drawer">
        {isFormTab(current) && <Settings site={site} tab={current} overview={overview} />}
        {current === 'canned' && <CannedTab siteId={site.id} mayReply={mayReply} mayConfigure={mayConfigure} />}
        {current === 'blocks' && <BlocksTab siteId={site.id} />}
        {current === 'statistics' && <StatisticsTab site={site} mayExport={mayReply} />}
      </div>
    </Drawer>
  );
}
