import { styled } from '@mui/material/styles';
import { Suspense, lazy } from 'react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { selectUser } from '@/features/account/userSlice';
import { selectRunningJobs, selectUnseenJobs } from '@/features/jobs/jobsSlice';
import { selectUnread } from '@/features/notices/noticesSlice';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';
import { Kbd } from '@/ui/Kbd';
import { IconButton } from '@/ui/PlainButton';
import { useMenu } from '@/ui/useMenu';
import { Crumbs } from './Crumbs';
import { PartBoundary } from './PartBoundary';

type Panel = () => Promise<{ default: ComponentType<{ anchor: HTMLElement; onClose: () => void }> }>;
const loadPerson: Panel = () => import(/* webpackChunkName: "shell-menus" */ './PersonMenu');
const loadJobs: Panel = () => import(/* webpackChunkName: "shell-menus" */ '@/features/jobs/JobsPanel');
const loadNotices: Panel = () => import(/* webpackChunkName: "shell-menus" */ '@/features/notices/NoticesPanel');
const PersonMenu = lazy(loadPerson);
const JobsPanel = lazy(loadJobs);
const NoticesPanel = lazy(loadNotices);

const Bar = styled('header')({ position: 'sticky', top: 0, zIndex: 30, display: 'flex', alignItems: 'center', gap: 4, height: 48, padding: '0 16px 0 24px', background: 'var(--canvas)', borderBottom: '1px solid var(--line)', '@media (max-width: 719px)': { padding: '0 8px' }, '@media print': { display: 'none' } });
const Find = styled('button')({
  display: 'flex', alignItems: 'center', gap: 8, marginLeft: 'auto', height: 30, width: 220, padding: '0 6px 0 10px', border: '1px solid var(--line)', borderRadius: 4, background: 'transparent', color: 'var(--ink-2)', cursor: 'pointer', fontSize: '0.8125rem', whiteSpace: 'nowrap',
  '&:hover': { borderColor: 'var(--n-4)', color: 'var(--ink)' },
  '& > :last-child': { marginLeft: 'auto' },
  '@media (max-width: 899px)': { width: 32, height: 32, border: 0, padding: 0, justifyContent: 'center', '& > span': { display: 'none' } },
  '@media (pointer: coarse)': { minHeight: 44, minWidth: 44 },
});
const Badge = styled('span')({ position: 'absolute', top: 3, right: 3, minWidth: 14, height: 14, padding: '0 3px', borderRadius: 7, background: 'var(--info)', color: 'var(--n-0)', fontSize: 10, lineHeight: '14px', fontWeight: 600, '&[data-quiet]': { minWidth: 7, width: 7, height: 7, padding: 0, top: 6, right: 6 } });
const Face = styled('span')({ display: 'grid', placeItems: 'center', width: 24, height: 24, borderRadius: 12, background: 'var(--n-3)', color: 'var(--ink)', fontSize: 12, fontWeight: 600 });

type Slot = { label: string; icon?: IconName; load: Panel; Panel: ComponentType<{ anchor: HTMLElement; onClose: () => void }>; popup: 'menu' | 'dialog'; badge?: number; face?: string };

/** A button of the bar whose panel comes with the first touch. */
const BarMenu = ({ label, icon, load, Panel, popup, badge = 0, face }: Slot) => {
  const { anchor, toggle, close } = useMenu();
  const preload = () => void load().catch(() => undefined);
  return (
    <>
      <IconButton type="button" aria-label={badge > 0 ? `${label} (${String(badge)})` : label} title={label} aria-haspopup={popup} aria-expanded={anchor !== null} onClick={toggle} onPointerEnter={preload} onFocus={preload}>
        {face === undefined ? icon && <Icon name={icon} /> : <Face>{face}</Face>}
        {badge > 0 && <Badge aria-hidden="true">{badge > 9 ? '9+' : badge}</Badge>}
      </IconButton>
      {anchor && (
        <PartBoundary onFail={close}>
          <Suspense fallback={null}>
            <Panel anchor={anchor} onClose={close} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  );
};

export const TopBar = ({ onMenu, onFind, menuOpen }: { /** On a phone: opens the drawer. */ onMenu: (() => void) | null; onFind: () => void; menuOpen: boolean }) => {
  const { t } = useTranslation('shell');
  const user = useAppSelector(selectUser);
  const running = useAppSelector(selectRunningJobs).length;
  const unseen = useAppSelector(selectUnseenJobs).length;
  const unread = useAppSelector(selectUnread);
  const name = user?.displayName ?? '';
  return (
    <Bar>
      {onMenu && (
        <IconButton type="button" aria-label={t('openMenu')} aria-expanded={menuOpen} onClick={onMenu}>
          <Icon name="menu" />
        </IconButton>
      )}
      <Crumbs />
      <Find type="button" onClick={onFind} aria-label={t('find')}>
        <Icon name="search" size={16} />
        <span>{t('find')}</span>
        <span>
          <Kbd keys="mod+k" />
        </span>
      </Find>
      {running + unseen > 0 && <BarMenu label={t('jobs')} icon="tasks" load={loadJobs} Panel={JobsPanel} popup="dialog" badge={running} />}
      <BarMenu label={t('notices')} icon="bell" load={loadNotices} Panel={NoticesPanel} popup="dialog" badge={unread} />
      <BarMenu label={name === '' ? t('me') : t('meNamed', { name })} face={[...name][0]?.toUpperCase() ?? '·'} load={loadPerson} Panel={PersonMenu} popup="menu" />
    </Bar>
  );
};
