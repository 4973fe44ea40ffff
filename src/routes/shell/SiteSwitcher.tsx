import { styled } from '@mui/material/styles';
import { Suspense, lazy, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { selectSite } from '@/features/sites/sitesSlice';
import { hostOf } from '@/lib/hostOf';
import { recentSites } from '@/lib/recent';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { SiteMark } from '@/ui/SiteMark';
import { useMenu } from '@/ui/useMenu';
import { useTrail } from '../useTrail';
import { PartBoundary } from './PartBoundary';

const loadPanel = () => import(/* webpackChunkName: "site-switcher" */ './SiteSwitcherPanel');
const SiteSwitcherPanel = lazy(loadPanel);

const Button = styled('button')({
  display: 'flex', alignItems: 'center', gap: 10, width: '100%', minHeight: 44, padding: '4px 8px', marginBottom: 12, border: 0, borderRadius: 4, background: 'transparent', color: 'var(--ink)', textAlign: 'left', cursor: 'pointer',
  '&:hover, &[aria-expanded="true"]': { background: 'var(--n-2)' },
  '& > span:nth-of-type(2)': { flex: 1, minWidth: 0 },
  '& b, & small': { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& b': { fontWeight: 600, lineHeight: 1.35 },
  '& small': { color: 'var(--ink-2)', fontSize: '0.75rem', lineHeight: 1.35 },
  '& > svg': { color: 'var(--n-5)' },
  '[data-folded] &': { padding: 0, justifyContent: 'center', '& > span:nth-of-type(2), & > svg': { display: 'none' } },
});

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
      <Button type="button" aria-haspopup="dialog" aria-expanded={anchor !== null} aria-label={site ? t('switchSiteFrom', { name: site.name }) : t('switchSite')} onClick={toggle} onPointerEnter={preload} onFocus={preload}>
        <SiteMark name={site?.name ?? ''} />
        <span>
          <b>{site?.name ?? t('allSites')}</b>
          {site && hostOf(site) !== '' && <small>{hostOf(site)}</small>}
        </span>
        <Icon name="chevrons" size={16} />
      </Button>
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
