import { Suspense, lazy, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { selectSite } from '@/features/sites/sitesSlice';
import { withMessages } from '@/i18n';
import { hostOf } from '@/lib/hostOf';
import { recentSites } from '@/lib/recent';
import { useAppSelector } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { Avatar } from '@/ui/Avatar';
import { Caret } from '@/ui/Caret';
import { LogoMark } from '@/ui/Logo';
import { useMenu } from '@/ui/useMenu';
import { useTrail } from '../useTrail';
import { PartBoundary } from './PartBoundary';

const loadPanel = () => withMui(withMessages(import(/* webpackChunkName: "site-switcher" */ './SiteSwitcherPanel'), ['frame']));
const SiteSwitcherPanel = lazy(loadPanel);

export const SiteSwitcher = ({ onGo }: { onGo?: () => void }) => {
  const { t } = useTranslation('shell');
  const { params } = useTrail();
  const site = useAppSelector((state) => selectSite(state, params['siteId']));
  const { anchor, toggle, close } = useMenu();
  const id = site?.id;
  useEffect(() => {
    if (id !== undefined) recentSites.add(id);
  }, [id]);
  const preload = () => void loadPanel().catch(() => undefined);
  return (
    <>
      <button
        type="button"
        className="site-switcher"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        title={site?.name ?? t('switchSite')}
        onClick={toggle}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <span className="only-read">{t('switchSite')}</span>
        {site ? <Avatar square name={site.name} /> : <LogoMark />}
        <span className="names">
          <b>{site?.name ?? t('allSites')}</b>
          {site && hostOf(site) !== '' && <small title={hostOf(site)}>{hostOf(site)}</small>}
        </span>
        <Caret />
      </button>
      {anchor && (
        <PartBoundary onFail={close}>
          <Suspense fallback={null}>
            <SiteSwitcherPanel
              anchor={anchor}
              onClose={() => {
                close();
                onGo?.();
              }}
            />
          </Suspense>
        </PartBoundary>
      )}
    </>
  );
};
